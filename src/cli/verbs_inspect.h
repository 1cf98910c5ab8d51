/*
 * verbs_inspect.h - the verbs that look at a job and at what is done of it
 */
#ifndef CLI_VERBS_INSPECT_H
#define CLI_VERBS_INSPECT_H

#include <stdbool.h>

#include "cli/arguments.h"

bool verb_plan(Progress *progress, const Arguments *given, Arena *arena, Diag *diag);
bool verb_status(Progress *progress, const Arguments *given, Arena *arena, Diag *diag);
bool verb_verify(Progress *progress, const Arguments *given, Arena *arena, Diag *diag);
bool verb_compare(Progress *progress, const Arguments *given, Arena *arena, Diag *diag);

#endif
