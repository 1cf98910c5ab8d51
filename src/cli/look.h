/*
 * look.h - the verbs that look at a job and at what is done of it
 */
#ifndef CLI_LOOK_H
#define CLI_LOOK_H

#include <stdbool.h>

#include "cli/args.h"

bool verb_plan(Progress *progress, const Args *given, Arena *arena, Diag *diag);
bool verb_status(Progress *progress, const Args *given, Arena *arena, Diag *diag);
bool verb_verify(Progress *progress, const Args *given, Arena *arena, Diag *diag);
bool verb_compare(Progress *progress, const Args *given, Arena *arena, Diag *diag);

#endif
