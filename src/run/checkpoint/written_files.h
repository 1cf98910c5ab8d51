// SPDX-License-Identifier: MIT
/*
 * written_files.h - written.jsonl of a checkpoint directory: files outside of it that this program
 * wrote, so that a file of anybody else is never replaced without --overwrite
 *
 *     {"file":"../dance.mp4","bytes":512,"sha256":"64 hex digits"}   written by this program
 *     {"file":"../dance.mp4"}                                        may be replaced: --overwrite
 *
 * Paths are relative to the directory.  The line of a file is appended and synced before the file
 * is renamed to its name, so that a killed run recognizes its own outputs.  Stills are recorded in
 * the ledgers instead; an unrecorded still may only be replaced by equal bytes.  Lines that cannot
 * be read are ignored.  Not thread-safe; forked children may append at the same time.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "film/film_types.h"

#define WRITTEN_FILES_NAME "written.jsonl"

typedef struct WrittenFiles WrittenFiles;

/*
 * Reads the record.  A missing directory or record is empty; written_files_add creates it.
 *
 * directory       the checkpoint directory; NULL: no record, so every existing file is refused
 * replace_all  approve everything (--overwrite)
 * stop         polled while files are read; or NULL
 */
WrittenFiles *written_files_load(const char *directory, bool replace_all,
                                 const volatile sig_atomic_t *stop, Arena *arena);

/* Adds lines; `digest` NULL: the file may be replaced.  They reach the disk with _flush. */
void written_files_add(WrittenFiles *files, const char *file, uint64_t bytes, const Digest *digest);
bool written_files_flush(WrittenFiles *files, Diag *diag);

/* False after an error (DIAG_CREATE) if a file exists that may not be replaced.  A FIFO or a device
 * may always be written to. */
bool written_files_check(const WrittenFiles *files, const char *file, Diag *diag);

/* The same without an error, and also true if the size of the file is all that is compared. */
bool written_files_may_replace(const WrittenFiles *files, const char *file);
bool written_files_has_size(const WrittenFiles *files, const char *file);

/* Makes the outputs and previews of a film ask before they replace a file, and record what they
 * write. */
void written_files_guard_film(WrittenFiles *files, Film *film);
const FileApproval *written_files_approval(const WrittenFiles *files);

/* Removes all lines but the last one of every file that still has the recorded size. */
bool written_files_compact(const char *directory, Diag *diag);
