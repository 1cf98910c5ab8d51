// SPDX-License-Identifier: MIT
/*
 * file_record.h - a file with its size and digest, as job.json, report.json and written.jsonl have
 * it
 *
 *     {"file":"out/dance.mp4","bytes":512,"sha256":"64 hex digits"}
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/json.h"
#include "record/json_read.h"

typedef struct FileRecord {
    const char *file; /* "" if there is none */
    uint64_t bytes;
    Digest digest;
    bool has_digest;
    int64_t frames; /* number of stills that it stands for; 0: a single file */
} FileRecord;

typedef ARENA_LIST(FileRecord) FileRecordList;

/* False for a damaged record.  A list that is NULL is empty. */
bool file_record_read(FileRecord *record, const JsonValue *value);
bool file_record_read_list(FileRecordList *list, const JsonValue *value, Arena *arena);
void file_record_write(Json *json, const FileRecord *record);

/* Whether a file has the size and the digest of a record.  Polls *stop (or NULL): false if set. */
bool file_record_confirms(const FileRecord *record, const char *file,
                          const volatile sig_atomic_t *stop);
