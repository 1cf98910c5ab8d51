/*
 * verbs_dispatch.h - the verbs that hand a film to many machines
 */
#ifndef CLI_VERBS_DISPATCH_H
#define CLI_VERBS_DISPATCH_H

#include <stdbool.h>

#include "cli/arguments.h"

bool verb_slurm(Progress *progress, const Arguments *given, Arena *arena, Diag *diag);
bool verb_k8s(Progress *progress, const Arguments *given, Arena *arena, Diag *diag);

#endif
