// SPDX-License-Identifier: MIT
#include "run/checkpoint/file_record.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

bool file_record_read(FileRecord *record, const JsonValue *value)
{
    const char *digest = NULL;
    int64_t bytes = 0;
    *record = (FileRecord){.file = ""};
    const bool good = value && value->kind == JSON_OBJECT &&
                      json_get_text(&record->file, json_member(value, "file")) &&
                      json_get_integer(&bytes, json_member(value, "bytes")) &&
                      json_get_integer(&record->frames, json_member(value, "frames")) &&
                      json_get_text(&digest, json_member(value, "sha256"));
    record->bytes = (uint64_t)bytes;
    record->has_digest = good && digest && digest_parse(&record->digest, digest);
    return good && record->has_digest == (digest != NULL);
}

bool file_record_read_list(FileRecordList *list, const JsonValue *value, Arena *arena)
{
    bool good = !value || value->kind == JSON_LIST;
    for (uint32_t i = 0; good && i < json_count(value); i++)
        good = file_record_read(arena_push(arena, list), json_item(value, i));
    return good;
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
