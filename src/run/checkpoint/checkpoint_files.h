/*
 * checkpoint_files.h - file names in a checkpoint directory, and what each output leaves on disk
 */
#ifndef RUN_CHECKPOINT_CHECKPOINT_FILES_H
#define RUN_CHECKPOINT_CHECKPOINT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "film/film.h"

/* CPU times of the frames (run/pipeline/stage_times.h). */
#define CHECKPOINT_TIMES_NAME "times.jsonl"

typedef enum CheckpointKind {
    CHECKPOINT_SEGMENTS, /* one file, written in segments */
    CHECKPOINT_STILLS,   /* a file per frame */
    CHECKPOINT_WHOLE,    /* one file that cannot be resumed */
    CHECKPOINT_NOTHING   /* no file */
} CheckpointKind;

CheckpointKind checkpoint_kind(const FilmOutput *output);

/* Whether no output of the film leaves a file: then a frame is complete if a ledger records it.
 * Beside other outputs null: gets the frames that those lack, and needs no record. */
bool checkpoint_leaves_no_file(const Film *film);

/* "0-000012.nut": output 0, segment 12. */
char *checkpoint_segment_name(size_t output, int64_t segment, const char *extension, Arena *arena);
bool checkpoint_parse_segment_name(size_t *output, int64_t *segment, const char *name);

/* "0001-of-0004.jsonl" */
char *checkpoint_ledger_name(FilmShard shard, Arena *arena);

/* True if the name is exactly one that this program creates. */
bool checkpoint_is_segment_name(const char *name);
bool checkpoint_is_ledger_name(const char *name);
bool checkpoint_is_bake_name(const char *name);
/* report.json, renderers.txt, times.jsonl or "job.0001-of-0004.json"; not job.json, which
 * identifies the directory until another one replaces it. */
bool checkpoint_is_record_name(const char *name);

/* A path relative to the directory, as job.json stores it so that a copy refers to the files beside
 * it, and the path to open.  An absolute path that cannot be made relative is kept. */
const char *checkpoint_relative_path(const char *directory, const char *file, Arena *arena);
const char *checkpoint_absolute_path(const char *directory, const char *file, Arena *arena);

/*
 * Opens a file of the directory, or of its directories ledger, piece and bake.  Neither the file
 * nor that directory may be a symbolic link (ELOOP or ENOTDIR); the directory itself may be one. -1
 * with errno set.  _open_list is the same for one of these directories, or for the directory.
 */
int checkpoint_open_file(const char *file, int flags);
DIR *checkpoint_open_list(const char *directory);

/* As file_load, for a file of the directory. */
bool checkpoint_load_file(Bytes *out, const char *file, size_t limit, Arena *arena, Diag *diag);

/*
 * False after an error (DIAG_CREATE) if a file or directory below the directory is a symbolic link,
 * or if a file that is appended to has another name, too: a directory of unknown origin could make
 * the program read, change or remove files elsewhere.  The directory itself may be a link.
 */
bool checkpoint_check_links(const char *directory, Diag *diag);

#endif
