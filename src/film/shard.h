/*
 * shard.h - which part of a film this process is asked to draw
 */
#ifndef FILM_SHARD_H
#define FILM_SHARD_H

#include <stdbool.h>

#include "base/diag.h"
#include "film/film.h"

enum { SHARD_MAX_COUNT = 10000 };

/* The name of the variable that says how many shards there are, where the scheduler does not. */
#define SHARD_COUNT_VARIABLE "ODORI_SHARDS"

/*
 * "2/16" is the second of sixteen.  "auto" takes it from the variables of the array that this
 * process belongs to, and tells what it took:
 *
 *   Slurm       SLURM_ARRAY_TASK_ID, from 1 (--array=1-16); ODORI_SHARDS or SLURM_ARRAY_TASK_COUNT
 *   Kubernetes  JOB_COMPLETION_INDEX, from 0; ODORI_SHARDS
 *   AWS Batch   AWS_BATCH_JOB_ARRAY_INDEX, from 0; ODORI_SHARDS or AWS_BATCH_JOB_ARRAY_SIZE
 *
 * Errors: DIAG_USAGE, also where "auto" finds none of them, two, or an array with gaps.
 */
bool shard_read(FilmShard *shard, const char *text, Diag *diag);

/* The value of --shards, 1..SHARD_MAX_COUNT. */
bool shard_read_count(int *count, const char *text, Diag *diag);

#endif
