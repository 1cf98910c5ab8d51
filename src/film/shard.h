// SPDX-License-Identifier: MIT
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
 * variables of the array job of a scheduler (base/scheduler.inc) and reports the result as a note.
 * The number of shards is ODORI_SHARDS, else what the scheduler tells of the array.
 *
 * Errors: DIAG_USAGE, also if "auto" finds no scheduler, two of them, or an array with gaps.
 */
bool shard_parse(FilmShard *shard, const char *text, Diag *diag);

/* Parses the value of --shards, 1..SHARD_MAX_COUNT. */
bool shard_parse_count(int *count, const char *text, Diag *diag);
