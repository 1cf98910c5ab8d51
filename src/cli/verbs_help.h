/*
 * verbs_help.h - the verbs about the program itself: help, schema, completion, version
 */
#ifndef CLI_VERBS_HELP_H
#define CLI_VERBS_HELP_H

#include "cli/arguments.h"

VerbFunction verb_help, verb_schema, verb_completion, verb_version;

#endif
