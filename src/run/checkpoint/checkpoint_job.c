// SPDX-License-Identifier: MIT
#include "run/checkpoint/checkpoint_job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file_calls.h"
#include "base/json.h"
#include "base/text_stream.h"
#include "record/json_read.h"
#include "run/checkpoint/checkpoint_files.h"

#define FORMAT "odori-state"
enum { MAX_BYTES = 16 << 20 };

/* ---- reading ---- */

static bool read_facts(CheckpointJob *job, const JsonValue *facts, Arena *arena)
{
    bool good = !facts || facts->kind == JSON_OBJECT;
    for (uint32_t i = 0; good && i < json_count(facts); i++) {
        const JsonValue *item = json_item(facts, i);
        CheckpointFact *fact = arena_push(arena, &job->facts);
        fact->key = item->key;
        good = json_get_text(&fact->value, item);
    }
    return good;
}

static bool read_job(CheckpointJob *job, const JsonValue *root, Arena *arena)
{
    const char *digest = json_string(json_member(root, "digest"), "");
    bool good = read_facts(job, json_member(root, "job"), arena);
    job->covered = job->facts.count;
    good = good && read_facts(job, json_member(root, "apart"), arena);
    return good && digest_parse(&job->digest, digest) &&
           file_record_read_list(&job->inputs, json_member(root, "inputs"), arena);
}

bool checkpoint_job_parse(CheckpointJob *job, Bytes bytes, Arena *arena, Diag *diag)
{
    unsigned line;
    int64_t version = 0;
    const JsonValue *root = json_read_own(&line, bytes.data, bytes.size, arena);
    const bool is_ours = !strcmp(json_string(json_member(root, "format"), ""), FORMAT) &&
                         json_get_integer(&version, json_member(root, "version"));
    *job = (CheckpointJob){.covered = 0};
    if (is_ours && (version < CHECKPOINT_OLDEST || version > CHECKPOINT_VERSION))
        return diag_error(diag,
                          "has format version %lld, expected %d: finish the film with the version "
                          "of odori that began it, or remove the directory",
                          (long long)version, CHECKPOINT_VERSION);
    return (is_ours && read_job(job, root, arena)) ||
           diag_error(diag, "line %u: not a job.json of a checkpoint directory", line);
}

bool checkpoint_job_load(CheckpointJob *job, const char *directory, Arena *arena, Diag *diag)
{
    const char *file = arena_printf(arena, "%s/job.json", directory);
    Bytes bytes;
    diag_file(diag, file);
    if (!checkpoint_load_file(&bytes, file, MAX_BYTES, arena, diag) ||
        !checkpoint_job_parse(job, bytes, arena, diag))
        return false;
    diag_file(diag, NULL);
    return true;
}

/* ---- differences ---- */

/* Facts of a job.json, sorted. */
typedef struct SortedFacts {
    CheckpointFact *items;
    size_t count;
} SortedFacts;

static SortedFacts sort_facts(const CheckpointJob *job, size_t first, size_t end)
{
    const SortedFacts facts = {job->facts.items + first, end - first};
    if (facts.count)
        qsort(facts.items, facts.count, sizeof *facts.items, text_compare);
    return facts;
}

/* A text truncated for a message. */
static const char *truncated(const char *text, Arena *arena)
{
    enum { MAX_SIZE = 60 };
    size_t size = strlen(text);
    if (size <= MAX_SIZE)
        return text;
    for (size = MAX_SIZE; size && ((unsigned char)text[size] & 0xC0) == 0x80;)
        size--;
    return arena_printf(arena, "%.*s...", (int)size, text);
}

static void add_change(JobChanges *out, const char *key, const FingerprintFact *now,
                       const CheckpointFact *before, Arena *arena)
{
    const bool is_file = now && now->input;
    if (out->count == JOB_CHANGES) {
        out->more++;
        return;
    }
    *arena_push(arena, out) = (JobChange){
        .key = key,
        .file = is_file ? now->input->file : NULL,
        .before = !before   ? NULL
                  : is_file ? before->value
                            : truncated(before->value, arena),
        .after = !now      ? NULL
                 : is_file ? now->value
                           : truncated(now->value, arena),
    };
}

static bool is_any(const char *key)
{
    (void)key;
    return true;
}

/* What a video file contains besides its images and its sound. */
static bool is_tag(const char *key)
{
    static const char *const names[] = {"name", "metadata", "chapters", "credits"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t size = strlen(names[i]);
        if (!strncmp(key, names[i], size) && (!key[size] || key[size] == '.'))
            return true;
    }
    return false;
}

/* The keys that only the other job has come last. */
static void add_changes(JobChanges *out, const FingerprintFacts *facts, SortedFacts before,
                        bool (*counts)(const char *key), Arena *arena)
{
    bool *common = arena_array(arena, bool, before.count);
    for (size_t i = 0; i < facts->count; i++) {
        const FingerprintFact *now = &facts->items[i];
        const CheckpointFact wanted = {.key = now->key};
        const CheckpointFact *fact = before.count ? bsearch(&wanted, before.items, before.count,
                                                            sizeof *before.items, text_compare)
                                                  : NULL;
        if (fact)
            common[fact - before.items] = true;
        if (counts(now->key) && (!fact || strcmp(fact->value, now->value) != 0))
            add_change(out, now->key, now, fact, arena);
    }
    for (size_t i = 0; i < before.count; i++)
        if (!common[i] && counts(before.items[i].key))
            add_change(out, before.items[i].key, NULL, &before.items[i], arena);
}

static void add_tag_changes(JobChanges *out, const Fingerprint *fingerprint, CheckpointJob *before,
                            Arena *arena)
{
    add_changes(out, &fingerprint->other_facts,
                sort_facts(before, before->covered, before->facts.count), is_tag, arena);
}

static void find_changes(JobChanges *out, const Fingerprint *fingerprint, CheckpointJob *before,
                         Arena *arena)
{
    *out = (JobChanges){.count = 0};
    add_changes(out, &fingerprint->facts, sort_facts(before, 0, before->covered), is_any, arena);
    add_tag_changes(out, fingerprint, before, arena);
}

JobChanges checkpoint_job_tag_changes(const char *directory, const Fingerprint *fingerprint,
                                      Arena *arena)
{
    Diag trial = diag_quiet();
    CheckpointJob job;
    JobChanges changes = {.count = 0};
    if (checkpoint_job_load(&job, directory, arena, &trial))
        add_tag_changes(&changes, fingerprint, &job, arena);
    return changes;
}

const char *job_change_text(const JobChange *change, Arena *arena)
{
    if (!change->after)
        return arena_printf(arena, "%s: was %s, is not set now", change->key,
                            change->before ? change->before : "not set");
    if (change->file && change->before && strcmp(change->before, "none") != 0)
        return arena_printf(arena, "%s: contents of '%s' differ", change->key, change->file);
    if (change->file)
        return arena_printf(arena, "%s: was none, is now '%s'", change->key, change->file);
    return arena_printf(arena, "%s: was %s, is now %s", change->key,
                        change->before ? change->before : "not set", change->after);
}

const char *job_changes_text(const JobChanges *changes, Arena *arena)
{
    if (!changes->count)
        return "";
    const char *first = job_change_text(&changes->items[0], arena);
    const int64_t more = (int64_t)changes->count - 1 + changes->more;
    return more ? arena_printf(arena, "%s; %" PRId64 " more", first, more) : first;
}

static const char *difference_text(const JobChanges *changes, Arena *arena)
{
    return changes->count ? job_changes_text(changes, arena) : "the digests differ";
}

const char *checkpoint_job_difference(JobChanges *changes, const char *directory,
                                      const Fingerprint *fingerprint, Arena *arena)
{
    Diag trial = diag_quiet();
    CheckpointJob job;
    *changes = (JobChanges){.count = 0};
    if (!checkpoint_job_load(&job, directory, arena, &trial) ||
        digest_equal(&job.digest, &fingerprint->digest))
        return NULL;
    find_changes(changes, fingerprint, &job, arena);
    return difference_text(changes, arena);
}

typedef struct LastMessage {
    char text[512];
} LastMessage;

static void keep_message(void *user, const DiagMessage *message)
{
    LastMessage *last = user;
    snprintf(last->text, sizeof last->text, "%s", message->shown);
}

bool checkpoint_job_check(bool *exists, const char *directory, const Fingerprint *fingerprint,
                          Diag *diag)
{
    static const char advice[] = "--overwrite starts again, --state DIR keeps both";
    Arena *arena = arena_create();
    struct stat st;
    LastMessage last = {""};
    Diag trial;
    CheckpointJob job;
    diag_init(&trial, keep_message, &last);
    *exists = stat(arena_printf(arena, "%s/job.json", directory), &st) == 0 ||
              (errno != ENOENT && errno != ENOTDIR);
    bool ok = true;
    if (*exists && !checkpoint_job_load(&job, directory, arena, &trial)) {
        const bool is_system = trial.kind == DIAG_IO || trial.kind == DIAG_RESOURCE;
        ok = diag_fail(diag, is_system ? trial.kind : DIAG_CREATE, "%s; %s", last.text, advice);
    } else if (*exists && !digest_equal(&job.digest, &fingerprint->digest)) {
        JobChanges changes;
        find_changes(&changes, fingerprint, &job, arena);
        ok = diag_fail(diag, DIAG_CREATE, "'%s' belongs to another job (%s); %s", directory,
                       difference_text(&changes, arena), advice);
    }
    arena_destroy(arena);
    return ok;
}

/* ---- writing ---- */

bool checkpoint_job_remove(const char *directory, Diag *diag)
{
    Arena *arena = arena_create();
    const char *file = arena_printf(arena, "%s/job.json", directory);
    const bool ok = file_calls_unlink(AT_FDCWD, file) == 0 || errno == ENOENT || errno == ENOTDIR ||
                    diag_fail(diag, diag_errno_kind(errno, DIAG_CREATE), "cannot remove '%s': %s",
                              file, strerror(errno));
    arena_destroy(arena);
    return ok;
}

/* Writes the value of a fact.  Files that are written are named relative to the directory. */
static void write_value(Json *json, const FingerprintFact *fact, const char *directory,
                        Arena *arena)
{
    const size_t size = strlen(fact->key);
    const bool is_output = !strncmp(fact->key, "outputs.", strlen("outputs.")) && size > 5 &&
                           !strcmp(fact->key + size - 5, ".file");
    const JsonValue *value =
        is_output ? json_read_own(NULL, fact->value, strlen(fact->value), arena) : NULL;
    const char *file = json_string(value, "");
    if (*file != '/') {
        json_text(json, fact->value);
        return;
    }
    json_text(json, json_quote(checkpoint_relative_path(directory, file, arena), arena));
}

static void write_facts(Json *json, const char *name, const FingerprintFacts *facts,
                        const char *directory, Arena *arena)
{
    json_print(json, "\n");
    json_key(json, name);
    json_print(json, "{");
    for (size_t i = 0; i < facts->count; i++) {
        json_print(json, "\n");
        json_key(json, facts->items[i].key);
        write_value(json, &facts->items[i], directory, arena);
    }
    json_print(json, "}");
}

static void write_record(FILE *out, const Fingerprint *fingerprint, const char *directory,
                         Arena *arena)
{
    char digest[DIGEST_TEXT_SIZE];
    Json json = json_init(out);
    digest_text(digest, &fingerprint->digest);
    json_print(&json, "{format:%s version:%d\ndigest:%s", FORMAT, CHECKPOINT_VERSION, digest);
    write_facts(&json, "job", &fingerprint->facts, directory, arena);
    write_facts(&json, "apart", &fingerprint->other_facts, directory, arena);
    json_print(&json, "\ninputs:[");
    for (size_t i = 0; i < fingerprint->input_count; i++) {
        const FingerprintInput *input = &fingerprint->inputs[i];
        const FileRecord record = {checkpoint_relative_path(directory, input->file, arena),
                                   input->bytes, input->digest, true, 0};
        json_print(&json, "\n");
        file_record_write(&json, &record);
    }
    json_print(&json, "]");
    json_print(&json, "}\n");
}

/* Writes to a name of this shard first, then renames: the names of temporary files contain a
 * process id, which processes on two machines may share. */
bool checkpoint_job_save(const char *directory, const Fingerprint *fingerprint, FilmShard shard,
                         Diag *diag)
{
    Arena *arena = arena_create();
    const char *file = arena_printf(arena, "%s/job.json", directory);
    const char *shard_file =
        arena_printf(arena, "%s/job.%s.json", directory, checkpoint_shard_name(shard, arena));
    TextStream stream;
    write_record(text_stream_open(&stream, arena), fingerprint, directory, arena);
    const char *text = text_stream_close(&stream);
    const bool ok = file_save(shard_file, text, stream.size, diag) &&
                    file_rename_synced(shard_file, file, NULL, diag);
    arena_destroy(arena);
    return ok;
}
