#include "run/checkpoint/checkpoint_job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_calls.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/text_stream.h"
#include "run/checkpoint/checkpoint.h"
#include "run/checkpoint/checkpoint_files.h"

#define FORMAT "odori-state"
enum { MAX_BYTES = 16 << 20 };

static const char advice[] = "--overwrite starts again, --state DIR keeps both";

/* ---- reading ---- */

typedef struct Fact {
    const char *key, *value;
} Fact;

typedef struct Facts {
    Fact *items;
    size_t count, capacity;
} Facts;

typedef struct Record {
    bool is_ours;
    int64_t version;
    const char *digest;
    Facts facts;
} Record;

static void read_facts(Facts *facts, JsonReader *r)
{
    json_read_open(r, '{');
    for (const char *key; json_read_key(&key, r);) {
        const Fact fact = {key, json_read_text(r)};
        *arena_push(r->arena, facts) = fact;
    }
}

static void read_record(Record *record, JsonReader *r)
{
    *record = (Record){.digest = ""};
    json_read_open(r, '{');
    for (const char *key; json_read_key(&key, r);)
        if (!strcmp(key, "format"))
            record->is_ours = !strcmp(json_read_text(r), FORMAT);
        else if (!strcmp(key, "version"))
            record->version = json_read_int(r);
        else if (!strcmp(key, "digest"))
            record->digest = json_read_text(r);
        else if (!strcmp(key, "job") && record->version == CHECKPOINT_VERSION)
            read_facts(&record->facts, r);
        else
            json_read_skip(r);
}

/* ---- differences ---- */

static int by_key(const void *a, const void *b)
{
    return strcmp(((const Fact *)a)->key, ((const Fact *)b)->key);
}

static const Fact *find_fact(const Facts *sorted, const char *key)
{
    const Fact fact = {.key = key};
    return sorted->count
               ? bsearch(&fact, sorted->items, sorted->count, sizeof *sorted->items, by_key)
               : NULL;
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

static const char *difference(const FingerprintFact *now, const Fact *before, Arena *arena)
{
    const char *old = before ? before->value : NULL;
    if (now->input && old && strcmp(old, "none") != 0)
        return arena_printf(arena, "%s: contents of '%s' differ", now->key, now->input->file);
    if (now->input)
        return arena_printf(arena, "%s: was none, is now '%s'", now->key, now->input->file);
    return arena_printf(arena, "%s: was %s, is now %s", now->key,
                        old ? truncated(old, arena) : "not set", truncated(now->value, arena));
}

/* "render.size: was [1920, 1080], is now [640, 360]; 2 more" */
static const char *differences(const Fingerprint *fingerprint, Facts *before, Arena *arena)
{
    const char *first = NULL;
    size_t more = 0, common = 0;
    if (before->count)
        qsort(before->items, before->count, sizeof *before->items, by_key);
    for (size_t i = 0; i < fingerprint->facts.count; i++) {
        const FingerprintFact *now = &fingerprint->facts.items[i];
        const Fact *fact = find_fact(before, now->key);
        common += fact != NULL;
        if (fact && !strcmp(fact->value, now->value))
            continue;
        more += first != NULL;
        if (!first)
            first = difference(now, fact, arena);
    }
    more += before->count > common ? before->count - common : 0; /* keys of the other job only */
    if (!first)
        return more ? "it has more keys" : "the digests differ";
    return more ? arena_printf(arena, "%s; %zu more", first, more) : first;
}

/* ---- checking ---- */

typedef struct LastMessage {
    char text[512];
} LastMessage;

static void keep_message(void *user, DiagLevel level, const char *message)
{
    (void)level;
    snprintf(((LastMessage *)user)->text, sizeof((LastMessage *)user)->text, "%s", message);
}

static bool check_bytes(const char *file, const char *directory, Bytes bytes,
                        const Fingerprint *fingerprint, Arena *arena, Diag *diag)
{
    JsonReader reader = json_read_init_own(bytes.data, bytes.size, arena);
    Record record;
    char digest[DIGEST_TEXT_SIZE];
    read_record(&record, &reader);
    digest_text(digest, &fingerprint->digest);
    const bool failed = json_read_failed(&reader);
    if (!failed && record.is_ours && record.version != CHECKPOINT_VERSION)
        return diag_fail(diag, DIAG_CREATE, "'%s' has format version %lld; expected %d; %s", file,
                         (long long)record.version, CHECKPOINT_VERSION, advice);
    if (failed || !record.is_ours)
        return diag_fail(diag, DIAG_CREATE, "'%s' is damaged (line %u); %s", file,
                         json_read_line(&reader), advice);
    if (!strcmp(record.digest, digest))
        return true;
    return diag_fail(diag, DIAG_CREATE, "'%s' belongs to another job (%s); %s", directory,
                     differences(fingerprint, &record.facts, arena), advice);
}

bool checkpoint_job_check(bool *exists, const char *directory, const Fingerprint *fingerprint,
                          Diag *diag)
{
    Arena *arena = arena_create();
    const char *file = arena_printf(arena, "%s/job.json", directory);
    struct stat st;
    LastMessage last = {""};
    Diag trial;
    Bytes bytes;
    diag_init(&trial, keep_message, &last);
    *exists = stat(file, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);
    bool ok = true;
    if (*exists && !checkpoint_load_file(&bytes, file, MAX_BYTES, arena, &trial))
        ok = diag_fail(
            diag, trial.kind == DIAG_IO || trial.kind == DIAG_RESOURCE ? trial.kind : DIAG_CREATE,
            "'%s' cannot be read: %s", file, last.text);
    else if (*exists)
        ok = check_bytes(file, directory, bytes, fingerprint, arena, diag);
    arena_destroy(arena);
    return ok;
}

const char *checkpoint_job_difference(const char *directory, const Fingerprint *fingerprint,
                                      Arena *arena)
{
    Diag trial;
    Bytes bytes;
    Record record;
    char digest[DIGEST_TEXT_SIZE];
    diag_init(&trial, diag_ignore, NULL);
    if (!checkpoint_load_file(&bytes, arena_printf(arena, "%s/job.json", directory), MAX_BYTES,
                              arena, &trial))
        return NULL;
    JsonReader reader = json_read_init_own(bytes.data, bytes.size, arena);
    read_record(&record, &reader);
    digest_text(digest, &fingerprint->digest);
    if (json_read_failed(&reader) || !record.is_ours || record.version != CHECKPOINT_VERSION ||
        !strcmp(record.digest, digest))
        return NULL;
    return differences(fingerprint, &record.facts, arena);
}

/* ---- writing ---- */

bool checkpoint_job_remove(const char *directory, Diag *diag)
{
    Arena *arena = arena_create();
    const char *file = arena_printf(arena, "%s/job.json", directory);
    const bool ok = file_calls_unlink(AT_FDCWD, file) == 0 || errno == ENOENT || errno == ENOTDIR ||
                    diag_fail(diag, file_error_kind(errno, DIAG_CREATE), "cannot remove '%s': %s",
                              file, strerror(errno));
    arena_destroy(arena);
    return ok;
}

/* Writes the value of a fact.  Files that are written are named relative to the directory. */
static void write_value(Json *json, const FingerprintFact *fact, const char *directory,
                        Arena *arena)
{
    const size_t size = strlen(fact->key);
    JsonReader reader = json_read_init_own(fact->value, strlen(fact->value), arena);
    const bool is_output = !strncmp(fact->key, "outputs.", strlen("outputs.")) && size > 5 &&
                           !strcmp(fact->key + size - 5, ".file");
    const char *file = is_output ? json_read_text(&reader) : "";
    if (*file != '/' || json_read_failed(&reader)) {
        json_text(json, fact->value);
        return;
    }
    TextStream stream;
    Json inner = json_init(text_stream_open(&stream, arena));
    json_text(&inner, checkpoint_relative_path(directory, file, arena));
    json_text(json, text_stream_close(&stream));
}

static void write_facts(Json *json, const char *name, const FingerprintFacts *facts,
                        const char *directory, Arena *arena)
{
    json_newline(json);
    json_pair_open(json, name, '{');
    for (size_t i = 0; i < facts->count; i++) {
        json_newline(json);
        json_key(json, facts->items[i].key);
        write_value(json, &facts->items[i], directory, arena);
    }
    json_close(json, '}');
}

static void write_inputs(Json *json, const Fingerprint *fingerprint, const char *directory,
                         Arena *arena)
{
    char digest[DIGEST_TEXT_SIZE];
    json_newline(json);
    json_pair_open(json, "inputs", '[');
    for (size_t i = 0; i < fingerprint->input_count; i++) {
        const FingerprintInput *input = &fingerprint->inputs[i];
        digest_text(digest, &input->digest);
        json_newline(json);
        json_open(json, '{');
        json_pair_text(json, "file", checkpoint_relative_path(directory, input->file, arena));
        json_pair_int(json, "bytes", (int64_t)input->bytes);
        json_pair_text(json, "sha256", digest);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_record(FILE *out, const Fingerprint *fingerprint, const char *directory,
                         Arena *arena)
{
    char digest[DIGEST_TEXT_SIZE];
    Json json = json_init(out);
    digest_text(digest, &fingerprint->digest);
    json_open(&json, '{');
    json_pair_text(&json, "format", FORMAT);
    json_pair_int(&json, "version", CHECKPOINT_VERSION);
    json_newline(&json);
    json_pair_text(&json, "digest", digest);
    write_facts(&json, "job", &fingerprint->facts, directory, arena);
    write_facts(&json, "apart", &fingerprint->other_facts, directory, arena);
    write_inputs(&json, fingerprint, directory, arena);
    json_close(&json, '}');
    json_newline(&json);
}

/* Writes to a name of this shard first, then renames: the names of temporary files contain a
 * process id, which processes on two machines may share. */
bool checkpoint_job_save(const char *directory, const Fingerprint *fingerprint, FilmShard shard,
                         Diag *diag)
{
    Arena *arena = arena_create();
    const char *file = arena_printf(arena, "%s/job.json", directory);
    const char *shard_file =
        arena_printf(arena, "%s/job.%04d-of-%04d.json", directory, shard.index, shard.count);
    TextStream stream;
    write_record(text_stream_open(&stream, arena), fingerprint, directory, arena);
    const char *text = text_stream_close(&stream);
    const bool ok = file_save(shard_file, text, stream.size, diag) &&
                    file_rename_synced(shard_file, file, diag);
    arena_destroy(arena);
    return ok;
}
