// SPDX-License-Identifier: MIT
/*
 * checkpoint_files.h - file names in a checkpoint directory, and what each output leaves on disk
 */
#pragma once

#include <dirent.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "film/film_types.h"

/* The format of the directory, and the oldest one that is read: 2 has no identities of frames. */
enum { CHECKPOINT_VERSION = 3, CHECKPOINT_OLDEST = 2 };

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

/* "DIRECTORY/segment/0-000012.nut": output 0, segment 12. */
char *checkpoint_segment_path(const char *directory, size_t output, int64_t segment,
                              const char *extension, Arena *arena);
bool checkpoint_parse_segment_name(size_t *output, int64_t *segment, const char *name);

/* "0001-of-0004", and "DIRECTORY/ledger/0001-of-0004.jsonl". */
char *checkpoint_shard_name(FilmShard shard, Arena *arena);
char *checkpoint_ledger_path(const char *directory, FilmShard shard, Arena *arena);

/* Parts of names and of lines, after which *at is moved: a number of at least `min_digits` digits,
 * with no more leading zeros than that requires; a text. */
bool checkpoint_read_number(int64_t *out, const char **at, int min_digits);
bool checkpoint_skip_text(const char **at, const char *text);

/* True if the name is exactly one that this program creates. */
bool checkpoint_is_segment_name(const char *name);
bool checkpoint_is_ledger_name(const char *name);
bool checkpoint_is_bake_name(const char *name);
/* report.json, renderers.txt, times.jsonl, runs.json, changed-0.png, ... or
 * "job.0001-of-0004.json"; not job.json, which identifies the directory until another one replaces
 * it. */
bool checkpoint_is_record_name(const char *name);

/* The path of a directory without the slashes at its end. */
const char *checkpoint_without_slash(const char *directory, Arena *arena);

/* The checkpoint directory beside an output, which can be an image sequence. */
const char *checkpoint_directory_beside(const char *file, Arena *arena);

/* The default directory of a film; NULL if none of its outputs can be resumed (WebP), or
 * leaves a file (null:). */
const char *checkpoint_directory(const Film *film, Arena *arena);

/* The directory with the record of the files of a job that cannot be resumed, or of its previews:
 * beside its first output or preview; NULL if it writes no file. */
const char *checkpoint_record_directory(const Job *job, Arena *arena);

/* A path relative to the directory, as job.json stores it so that a copy refers to the files beside
 * it, and the path to open.  Where only the root is common, it is absolute. */
const char *checkpoint_relative_path(const char *directory, const char *file, Arena *arena);
const char *checkpoint_absolute_path(const char *directory, const char *file, Arena *arena);

/*
 * Opens a file of the directory, or of its directories ledger, segment and bake.  Neither the file
 * nor that directory may be a symbolic link (ELOOP or ENOTDIR), nor the file a pipe, device or
 * socket (EPERM or ENXIO); the directory itself may be a link. -1
 * with errno set.  _open_list is the same for one of these directories, or for the directory.
 */
int checkpoint_open_file(const char *file, int flags);
DIR *checkpoint_open_list(const char *directory);

/* As file_load, for a file of the directory. */
bool checkpoint_load_file(Bytes *out, const char *file, size_t limit, Arena *arena, Diag *diag);

/* Appends to such a file, or creates it, with one synced write, so that the lines of two processes
 * do not mix.  flags: O_EXCL: only if it does not exist, else false without an error; or 0. */
bool checkpoint_append_file(const char *file, int flags, const char *text, size_t size, Diag *diag);

/*
 * False after an error (DIAG_CREATE) if a file or directory below the directory is a symbolic link,
 * a pipe, a device or a socket, or if a file that is appended to has another name, too: a directory
 * of unknown origin could make the program read, change or remove files elsewhere.  The directory
 * itself may be a link.
 */
bool checkpoint_check_links(const char *directory, Diag *diag);
