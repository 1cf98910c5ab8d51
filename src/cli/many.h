/*
 * many.h - the verbs that hand a film to many machines
 */
#ifndef CLI_MANY_H
#define CLI_MANY_H

#include <stdbool.h>

#include "cli/args.h"

bool verb_slurm(Progress *progress, const Args *given, Arena *arena, Diag *diag);
bool verb_k8s(Progress *progress, const Args *given, Arena *arena, Diag *diag);

#endif
