/*
 * checkpoint_files.h - names in a state folder, and what an output leaves on disk
 */
#ifndef CHECKPOINT_CHECKPOINT_FILES_H
#define CHECKPOINT_CHECKPOINT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "film/film.h"

typedef enum CheckpointKind {
    CHECKPOINT_SEGMENTS, /* one file, made in pieces */
    CHECKPOINT_STILLS,   /* a file each picture */
    CHECKPOINT_WHOLE,    /* one file, which cannot be gone on with */
    CHECKPOINT_NOTHING   /* no file */
} CheckpointKind;

CheckpointKind checkpoint_kind(const FilmOutput *output);

/* "0-000012.nut": output 0, piece 12. */
char *checkpoint_segment_name(size_t output, int64_t piece, const char *extension, Arena *arena);
bool checkpoint_read_segment_name(size_t *output, int64_t *piece, const char *name);

/* "0001-of-0004.jsonl" */
char *checkpoint_ledger_name(FilmShard shard, Arena *arena);

/* Is this a name of that kind, to the letter? */
bool checkpoint_is_segment_name(const char *name);
bool checkpoint_is_ledger_name(const char *name);
bool checkpoint_is_bake_name(const char *name);
/* report.json, renderers.txt, or "job.0001-of-0004.json"; not job.json: it says whose the folder is until another
 * takes its place. */
bool checkpoint_is_record_name(const char *name);

#endif
