/*
 * verbs_dispatch.h - the verbs for many jobs or many machines: batch, slurm, k8s, openjd
 */
#ifndef CLI_VERBS_DISPATCH_H
#define CLI_VERBS_DISPATCH_H

#include "cli/arguments.h"

VerbFunction verb_batch, verb_slurm, verb_k8s, verb_openjd;

#endif
