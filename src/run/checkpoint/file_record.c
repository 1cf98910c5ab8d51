// SPDX-License-Identifier: MIT
#include "run/checkpoint/file_record.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

FileRecord file_record_read(JsonReader *r)
{
    FileRecord record = {.file = ""};
    json_read_open(r, '{');
    for (const char *key; json_read_key(&key, r);)
        if (!strcmp(key, "file"))
            record.file = json_read_text(r);
        else if (!strcmp(key, "bytes"))
            record.bytes = (uint64_t)json_read_int(r);
        else if (!strcmp(key, "frames"))
            record.frames = json_read_int(r);
        else if (!strcmp(key, "sha256"))
            r->failed |= !(record.has_digest = digest_parse(&record.digest, json_read_text(r)));
        else
            json_read_skip(r);
    return record;
}

void file_record_read_list(FileRecordList *list, JsonReader *r)
{
    json_read_open(r, '[');
    while (json_read_item(r)) {
        const FileRecord record = file_record_read(r);
        *arena_push(r->arena, list) = record;
    }
}

void file_record_write(Json *json, const FileRecord *record)
{
    char digest[DIGEST_TEXT_SIZE];
    json_print(json, "{file:%s", record->file);
    if (record->frames)
        json_print(json, "frames:%jd", record->frames);
    if (record->frames || record->has_digest)
        json_print(json, "bytes:%ju", record->bytes);
    digest_text(digest, &record->digest);
    if (record->has_digest)
        json_print(json, "sha256:%s", digest);
    json_print(json, "}");
}

bool file_record_confirms(const FileRecord *record, const char *file,
                          const volatile sig_atomic_t *stop)
{
    Digest digest;
    uint64_t bytes;
    struct stat st;
    Diag trial = diag_quiet();
    return stat(file, &st) == 0 && (uint64_t)st.st_size == record->bytes &&
           file_digest(&digest, &bytes, file, stop, &trial) && bytes == record->bytes &&
           digest_equal(&digest, &record->digest);
}
