/*
 * verbs_export.h - the verbs that write files of other formats
 */
#ifndef CLI_VERBS_EXPORT_H
#define CLI_VERBS_EXPORT_H

#include "cli/arguments.h"

VerbFunction verb_export;

#endif
