/*
 * verbs_export.h - the verbs that write or read files of other programs
 */
#ifndef CLI_VERBS_EXPORT_H
#define CLI_VERBS_EXPORT_H

#include "cli/arguments.h"

VerbFunction verb_export, verb_job, verb_convert;

#endif
