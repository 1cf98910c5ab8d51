// SPDX-License-Identifier: MIT
/*
 * slurm.h - what Slurm says of a partition, and of a job that it refuses
 *
 * Sources: the manuals of sinfo and sbatch, and the texts of slurm_errno in its source.
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* The most cores that a node of the partition has for which `options` of sbatch (or NULL) ask, else
 * SBATCH_PARTITION, else of the default partition.  0 if there is no sinfo that says so.  Runs
 * sinfo: not in a confined process. */
int slurm_node_cores(const char *options, Arena *arena);

/* The same from the output of sinfo, of which each line is "CORES PARTITION"; `named`: of a
 * partition that was asked for. */
int slurm_parse_cores(const char *output, bool named);

/* Whether sbatch says in a line that the same job will always be refused, which is so unless it
 * could not ask, or a limit on queued jobs was reached. */
bool slurm_refusal_is_final(const char *line);
