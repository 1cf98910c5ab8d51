#include "checkpoint/checkpoint_job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/text_stream.h"
#include "checkpoint/checkpoint.h"

#define FORMAT "odori-state"
enum { MOST_BYTES = 16 << 20 };

static const char advice[] = "--overwrite begins anew, --state DIR keeps both";

/* ---- what is there ---- */

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

/* ---- what differs ---- */

static int by_key(const void *a, const void *b)
{
    return strcmp(((const Fact *)a)->key, ((const Fact *)b)->key);
}

static const Fact *find_fact(const Facts *sorted, const char *key)
{
    const Fact wanted = {.key = key};
    return sorted->count
               ? bsearch(&wanted, sorted->items, sorted->count, sizeof *sorted->items, by_key)
               : NULL;
}

/* So much of a text that a message stays one. */
static const char *shortened(const char *text, Arena *arena)
{
    enum { MOST = 60 };
    size_t size = strlen(text);
    if (size <= MOST)
        return text;
    for (size = MOST; size && ((unsigned char)text[size] & 0xC0) == 0x80;)
        size--;
    return arena_printf(arena, "%.*s...", (int)size, text);
}

static const char *difference(const FingerprintFact *here, const Fact *there, Arena *arena)
{
    const char *old = there ? there->value : NULL;
    if (here->input && old && strcmp(old, "none") != 0)
        return arena_printf(arena, "%s: other bytes in '%s' here", here->key, here->input->file);
    if (here->input)
        return arena_printf(arena, "%s: none there, '%s' here", here->key, here->input->file);
    return arena_printf(arena, "%s: %s there, %s here", here->key,
                        old ? shortened(old, arena) : "nothing", shortened(here->value, arena));
}

/* "render.size: [1920, 1080] there, [640, 360] here; 2 more" */
static const char *differences(const Fingerprint *identity, Facts *there, Arena *arena)
{
    const char *first = NULL;
    size_t more = 0, met = 0;
    if (there->count)
        qsort(there->items, there->count, sizeof *there->items, by_key);
    for (size_t i = 0; i < identity->facts.count; i++) {
        const FingerprintFact *here = &identity->facts.items[i];
        const Fact *fact = find_fact(there, here->key);
        met += fact != NULL;
        if (fact && !strcmp(fact->value, here->value))
            continue;
        more += first != NULL;
        if (!first)
            first = difference(here, fact, arena);
    }
    more += there->count > met ? there->count - met : 0; /* what only the other job has */
    if (!first)
        return more ? "it has more keys" : "by its digest";
    return more ? arena_printf(arena, "%s; %zu more", first, more) : first;
}

/* ---- checking ---- */

typedef struct Kept {
    char message[512];
} Kept;

static void keep_message(void *user, DiagLevel level, const char *message)
{
    (void)level;
    snprintf(((Kept *)user)->message, sizeof((Kept *)user)->message, "%s", message);
}

static bool check_bytes(const char *file, const char *folder, Bytes bytes,
                        const Fingerprint *identity, Arena *arena, Diag *diag)
{
    JsonReader reader = json_read_init(bytes.data, bytes.size, arena);
    Record record;
    char digest[DIGEST_TEXT_SIZE];
    read_record(&record, &reader);
    digest_text(digest, &identity->digest);
    const bool failed = json_read_failed(&reader);
    if (!failed && record.is_ours && record.version != CHECKPOINT_VERSION)
        return diag_fail(diag, DIAG_CREATE,
                         "'%s' is of format version %lld, and this odori knows %d; %s", file,
                         (long long)record.version, CHECKPOINT_VERSION, advice);
    if (failed || !record.is_ours)
        return diag_fail(diag, DIAG_CREATE, "'%s' is damaged (line %u); %s", file,
                         json_read_line(&reader), advice);
    if (!strcmp(record.digest, digest))
        return true;
    return diag_fail(diag, DIAG_CREATE, "'%s' belongs to another job (%s); %s", folder,
                     differences(identity, &record.facts, arena), advice);
}

bool checkpoint_job_check(bool *there, const char *folder, const Fingerprint *identity, Diag *diag)
{
    Arena *arena = arena_create();
    const char *file = arena_printf(arena, "%s/job.json", folder);
    struct stat st;
    Kept kept = {""};
    Diag trial;
    Bytes bytes;
    diag_init(&trial, keep_message, &kept);
    *there = stat(file, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);
    bool ok = true;
    if (*there && !file_load(&bytes, file, MOST_BYTES, arena, &trial))
        ok = diag_fail(
            diag, trial.kind == DIAG_IO || trial.kind == DIAG_RESOURCE ? trial.kind : DIAG_CREATE,
            "'%s' cannot be read: %s", file, kept.message);
    else if (*there)
        ok = check_bytes(file, folder, bytes, identity, arena, diag);
    arena_destroy(arena);
    return ok;
}

/* ---- writing ---- */

static void put_facts(Json *json, const char *name, const FingerprintFacts *facts)
{
    json_newline(json);
    json_key(json, name);
    json_open(json, '{');
    for (size_t i = 0; i < facts->count; i++) {
        json_newline(json);
        json_key(json, facts->items[i].key);
        json_text(json, facts->items[i].value);
    }
    json_close(json, '}');
}

static void put_inputs(Json *json, const Fingerprint *identity)
{
    char digest[DIGEST_TEXT_SIZE];
    json_newline(json);
    json_key(json, "inputs");
    json_open(json, '[');
    for (size_t i = 0; i < identity->input_count; i++) {
        const FingerprintInput *input = &identity->inputs[i];
        digest_text(digest, &input->digest);
        json_newline(json);
        json_open(json, '{');
        json_key(json, "file");
        json_text(json, input->file);
        json_key(json, "bytes");
        json_int(json, (int64_t)input->bytes);
        json_key(json, "sha256");
        json_text(json, digest);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_record(FILE *out, const Fingerprint *identity)
{
    char digest[DIGEST_TEXT_SIZE];
    Json json = json_init(out);
    digest_text(digest, &identity->digest);
    json_open(&json, '{');
    json_key(&json, "format");
    json_text(&json, FORMAT);
    json_key(&json, "version");
    json_int(&json, CHECKPOINT_VERSION);
    json_newline(&json);
    json_key(&json, "digest");
    json_text(&json, digest);
    put_facts(&json, "job", &identity->facts);
    put_facts(&json, "apart", &identity->apart);
    put_inputs(&json, identity);
    json_close(&json, '}');
    json_newline(&json);
}

/* By a name of this shard's own first: temporaries are told apart by process numbers, which two
 * machines may share. */
bool checkpoint_job_save(const char *folder, const Fingerprint *identity, FilmShard shard,
                         Diag *diag)
{
    Arena *arena = arena_create();
    const char *file = arena_printf(arena, "%s/job.json", folder);
    const char *own =
        arena_printf(arena, "%s/job.%04d-of-%04d.json", folder, shard.index, shard.count);
    TextStream stream;
    put_record(text_stream_open(&stream, arena), identity);
    const char *text = text_stream_close(&stream);
    const bool ok = file_save(own, text, stream.size, diag) && file_rename_synced(own, file, diag);
    arena_destroy(arena);
    return ok;
}
