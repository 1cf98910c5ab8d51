/*
 * shard.h - the shard of a film that this process renders
 */
#pragma once

#include "base/diag.h"
#include "film/film_types.h"

enum { SHARD_MAX_COUNT = 10000 };

/* Environment variable with the number of shards, for schedulers that do not provide it. */
#define SHARD_COUNT_VARIABLE "ODORI_SHARDS"

/*
 * Parses the value of --shard.  "2/16" is the second of sixteen.  "auto" reads the environment
 * variables of the array job of a scheduler and reports the result as a note:
 *
 *   Slurm       SLURM_ARRAY_TASK_ID, from 1 (--array=1-16); ODORI_SHARDS or SLURM_ARRAY_TASK_COUNT
 *   Kubernetes  JOB_COMPLETION_INDEX, from 0; ODORI_SHARDS
 *   AWS Batch   AWS_BATCH_JOB_ARRAY_INDEX, from 0; ODORI_SHARDS or AWS_BATCH_JOB_ARRAY_SIZE
 *
 * Errors: DIAG_USAGE, also if "auto" finds no scheduler, two of them, or an array with gaps.
 */
bool shard_parse(FilmShard *shard, const char *text, Diag *diag);

/* Parses the value of --shards, 1..SHARD_MAX_COUNT. */
bool shard_parse_count(int *count, const char *text, Diag *diag);
