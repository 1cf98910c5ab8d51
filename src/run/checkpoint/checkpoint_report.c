// SPDX-License-Identifier: MIT
#include "run/checkpoint/checkpoint_report.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text_stream.h"
#include "film/film.h"
#include "record/json_read.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/version.h"

#define FORMAT "odori-report"
enum { MAX_BYTES = 4 << 20 };

Digest checkpoint_tags_digest(const Job *job)
{
    Hash *hash = hash_create();
    hash_add(hash, job->name, strlen(job->name) + 1);
    for (size_t i = 0; i < job->credits.line_count; i++)
        hash_add(hash, job->credits.lines[i], strlen(job->credits.lines[i]) + 1);
    for (size_t i = 0; i < job->metadata_count; i++) {
        hash_add(hash, job->metadata[i].from, strlen(job->metadata[i].from) + 1);
        hash_add(hash, job->metadata[i].to, strlen(job->metadata[i].to) + 1);
    }
    for (size_t i = 0; i < job->chapter_count; i++) {
        hash_add(hash, &job->chapters[i].time_s, sizeof job->chapters[i].time_s);
        hash_add(hash, job->chapters[i].title, strlen(job->chapters[i].title) + 1);
    }
    if (job->cover)
        hash_add(hash, job->cover, strlen(job->cover) + 1);
    return hash_finish(hash);
}

/* ---- reading ---- */

/* A digest that is not given is zeros. */
static bool read_digest(Digest *digest, const JsonValue *value)
{
    return !value || digest_parse(digest, json_string(value, ""));
}

static bool read_report(CheckpointReport *report, const Job *job, const JsonValue *root,
                        Arena *arena)
{
    const Digest ours = checkpoint_tags_digest(job);
    Digest tags = {{0}};
    int64_t version = 0;
    const bool good =
        !strcmp(json_string(json_member(root, "format"), ""), FORMAT) &&
        json_get_integer(&version, json_member(root, "version")) &&
        read_digest(&report->digest, json_member(root, "digest")) &&
        file_record_read_list(&report->outputs, json_member(root, "outputs"), arena) &&
        read_digest(&report->previews_digest, json_member(root, "previews_digest")) &&
        file_record_read_list(&report->previews, json_member(root, "previews"), arena) &&
        read_digest(&tags, json_member(root, "tags_digest"));
    report->same_tags = digest_equal(&tags, &ours);
    return good && version >= CHECKPOINT_OLDEST && version <= CHECKPOINT_VERSION;
}

bool checkpoint_report_load(CheckpointReport *report, const char *directory, const Film *film,
                            Arena *arena, Diag *diag)
{
    const char *file = arena_printf(arena, "%s/report.json", directory);
    Arena *text = arena_create();
    struct stat st;
    Diag trial = diag_quiet();
    Bytes bytes;
    bool ok = false;
    *report = (CheckpointReport){0};
    if (stat(file, &st) == 0) {
        if (checkpoint_load_file(&bytes, file, MAX_BYTES, text, &trial))
            ok = read_report(report, film->job, json_read_own(NULL, bytes.data, bytes.size, arena),
                             arena);
        if (!ok)
            diag_warn(diag, WARN_CHECKPOINT, "'%s' is damaged or of an unknown version; ignored",
                      file);
    }
    arena_destroy(text);
    return ok;
}

/* ---- writing ---- */

static bool write_file(Json *json, const char *file, const volatile sig_atomic_t *stop, Diag *diag)
{
    FileRecord record = {.file = file, .has_digest = true};
    if (!file_is_stream(file) && !file_digest(&record.digest, &record.bytes, file, stop, diag))
        return false;
    json_print(json, "\n");
    file_record_write(json, &record);
    return true;
}

static bool write_outputs(Json *json, const Film *film, const FileRecord *stills,
                          const volatile sig_atomic_t *stop, Diag *diag)
{
    bool ok = true;
    json_print(json, "\noutputs:[");
    for (size_t i = 0; ok && i < film->output_count; i++) {
        const CheckpointKind kind = checkpoint_kind(&film->outputs[i]);
        const char *file = film->outputs[i].options.file;
        if (kind == CHECKPOINT_NOTHING || kind == CHECKPOINT_STILLS) {
            FileRecord record = stills[i];
            record.file = file;
            record.has_digest = !record.frames;
            json_print(json, "\n");
            file_record_write(json, &record);
        } else {
            ok = write_file(json, file, stop, diag);
        }
    }
    json_print(json, "]");
    return ok;
}

static bool write_report(FILE *out, const Film *film, const Fingerprint *fingerprint,
                         const FileRecord *stills, const volatile sig_atomic_t *stop, Diag *diag)
{
    const Job *job = film->job;
    const Digest tags = checkpoint_tags_digest(job);
    char digest[DIGEST_TEXT_SIZE], tags_text[DIGEST_TEXT_SIZE], previews[DIGEST_TEXT_SIZE];
    digest_text(digest, &fingerprint->digest);
    digest_text(tags_text, &tags);
    digest_text(previews, &fingerprint->previews);
    Json json = json_init(out);
    json_print(&json, "{format:%s version:%d\nname:%s\ndigest:%s\ntags_digest:%s\nframes:%jd",
               FORMAT, CHECKPOINT_VERSION, job->name, digest, tags_text, film->frame_count);
    bool ok = write_outputs(&json, film, stills, stop, diag);
    json_print(&json, "\npreviews_digest:%s\npreviews:[", previews);
    for (size_t i = 0; ok && i < film->preview_count; i++)
        ok = write_file(&json, film->previews[i].output.options.file, stop, diag);
    json_print(&json, "]\ncredits:[");
    for (size_t i = 0; i < job->credits.line_count; i++)
        json_text(&json, job->credits.lines[i]);
    const VersionParts versions = version_parts();
    json_print(&json, "]\nversions:{odori:%s ffmpeg:%s}}\n", versions.odori, versions.ffmpeg);
    return ok;
}

bool checkpoint_report_save(const char *directory, const Film *film, const Fingerprint *fingerprint,
                            const FileRecord *stills, const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    bool ok = write_report(out, film, fingerprint, stills, stop, diag);
    const char *text = text_stream_close(&stream);
    ok = ok && file_save(arena_printf(arena, "%s/report.json", directory), text, stream.size, diag);
    arena_destroy(arena);
    return ok;
}
