/*
 * verbs_info.h - the verb info
 */
#ifndef CLI_VERBS_INFO_H
#define CLI_VERBS_INFO_H

#include "cli/arguments.h"

VerbFunction verb_info;

#endif
