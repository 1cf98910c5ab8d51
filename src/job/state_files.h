/*
 * state_files.h - names in a state folder, and what an output leaves on disk
 */
#ifndef JOB_STATE_FILES_H
#define JOB_STATE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "job/film.h"

typedef enum StateSort {
    STATE_PIECES,  /* one file, made in pieces */
    STATE_STILLS,  /* a file each picture */
    STATE_WHOLE,   /* one file, which cannot be gone on with */
    STATE_NOTHING  /* no file */
} StateSort;

StateSort state_sort_of(const FilmOutput *output);

/* "0-000012.nut": output 0, piece 12. */
char *state_piece_name(size_t output, int64_t piece, const char *extension, Arena *arena);
bool state_read_piece_name(size_t *output, int64_t *piece, const char *name);

/* "0001-of-0004.jsonl" */
char *state_ledger_name(FilmShard shard, Arena *arena);

/* Is this a name of that kind, to the letter? */
bool state_is_piece_name(const char *name);
bool state_is_ledger_name(const char *name);
bool state_is_bake_name(const char *name);
/* report.json, or "job.0001-of-0004.json"; not job.json: it says whose the folder is until another takes
 * its place. */
bool state_is_record_name(const char *name);

#endif
