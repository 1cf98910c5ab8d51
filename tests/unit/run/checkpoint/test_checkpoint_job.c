// SPDX-License-Identifier: MIT
/* checkpoint_job: job.json of a directory, what it contains, and how two jobs differ */

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "diag_log.h"
#include "run/checkpoint/checkpoint_job.h"
#include "scratch.h"
#include "unit_test.h"

#define HEX_1 "0101010101010101010101010101010101010101010101010101010101010101"
#define HEX_2 "0202020202020202020202020202020202020202020202020202020202020202"

typedef struct Fixture {
    Scratch scratch;
    DiagLog log;
    Arena *arena;
    Fingerprint job; /* with the digest HEX_1 */
} Fixture;

static void make(Fixture *f)
{
    scratch_make(&f->scratch);
    diag_log_init(&f->log);
    f->arena = arena_create();
    f->job = (Fingerprint){.digest = {{0}}};
    memset(&f->job.digest, 1, sizeof f->job.digest);
}

static void discard(Fixture *f)
{
    arena_destroy(f->arena);
    scratch_remove(&f->scratch);
}

static const char *path(Fixture *f, const char *name)
{
    return arena_strdup(f->arena, scratch_path(&f->scratch, name));
}

static void save(Fixture *f, const char *name, const char *text)
{
    FILE *out = fopen(path(f, name), "w"); /* without fsync, since it is called often */
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* "key=value key=value"; a value that begins with '@' is a file, with `input` as its digest. */
static void set_facts(Fixture *f, const char *text)
{
    char *copy = arena_strdup(f->arena, text), *rest = NULL;
    f->job.facts = (FingerprintFacts){0};
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=') + 1;
        FingerprintFact fact = {.key = word, .value = value};
        value[-1] = '\0';
        if (*value == '@') {
            FingerprintInput *input = arena_array(f->arena, FingerprintInput, 1);
            *input = (FingerprintInput){.file = value + 1};
            fact.input = input;
            fact.value = HEX_1;
        }
        *arena_push(f->arena, &f->job.facts) = fact;
    }
}

static const char *record(Fixture *f, const char *digest, const char *facts)
{
    return arena_printf(f->arena,
                        "{\"format\":\"odori-state\",\"version\":3,\n\"digest\":\"%s\",\n"
                        "\"job\":{%s},\"apart\":{\"a\":\"b\"},\"inputs\":[]}\n",
                        digest, facts);
}

/* ---- differences ---- */

static void differences_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *before, *now, *expected;
    } rows[] = {
        {"", "", "the digests differ"},
        {"\"a\":\"1\"", "a=1", "the digests differ"},
        {"\"a\":\"1\",\"b\":\"2\"", "a=1 b=2", "the digests differ"},
        {"\"a\":\"1\"", "a=2", "a: was 1, is now 2"},
        {"\"a\":\"1\",\"b\":\"1\"", "a=1 b=2", "b: was 1, is now 2"},
        {"\"a\":\"1\",\"b\":\"1\"", "a=2 b=2", "a: was 1, is now 2; 1 more"},
        {"\"c\":\"1\",\"b\":\"1\",\"a\":\"1\"", "b=2 a=2 c=2", "b: was 1, is now 2; 2 more"},
        {"", "a=2", "a: was not set, is now 2"},
        {"\"b\":\"1\"", "a=2 b=1", "a: was not set, is now 2"},
        {"\"a\":\"1\"", "", "a: was 1, is not set now"},
        {"\"a\":\"1\",\"b\":\"1\"", "b=1", "a: was 1, is not set now"},
        {"\"a\":\"1\",\"b\":\"1\"", "b=2", "b: was 1, is now 2; 1 more"},
        {"\"a\":\"1\",\"b\":\"1\",\"c\":\"1\"", "b=2", "b: was 1, is now 2; 2 more"},
        {"\"a\":\"1\",\"b\":\"1\"", "c=2", "c: was not set, is now 2; 2 more"},
        {"\"a\":\"" HEX_2 "\"", "a=@d/m.pmx", "a: contents of 'd/m.pmx' differ"},
        {"\"a\":\"none\"", "a=@d/m.pmx", "a: was none, is now 'd/m.pmx'"},
        {"", "a=@d/m.pmx", "a: was none, is now 'd/m.pmx'"},
        {"\"a\":\"" HEX_1 "\"", "a=@d/m.pmx", "the digests differ"},
        /* 60 bytes are shown, whole characters only */
        {"\"a\":\"123456789012345678901234567890123456789012345678901234567890\"", "a=1",
         "a: was 123456789012345678901234567890123456789012345678901234567890, is now 1"},
        {"\"a\":\"1234567890123456789012345678901234567890123456789012345678901\"", "a=1",
         "a: was 123456789012345678901234567890123456789012345678901234567890..., is now 1"},
        {"\"a\":\"12345678901234567890123456789012345678901234567890123456789é\"", "a=1",
         "a: was 12345678901234567890123456789012345678901234567890123456789..., is now 1"},
        {"\"a\":\"1234567890123456789012345678901234567890123456789012345678踊1\"", "a=1",
         "a: was 1234567890123456789012345678901234567890123456789012345678..., is now 1"},
        {"\"a\":\"123456789012345678901234567890123456789012345678901234567踊1\"", "a=1",
         "a: was 123456789012345678901234567890123456789012345678901234567踊..., is now 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Fixture f;
        make(&f);
        set_facts(&f, rows[i].now);
        save(&f, "job.json", record(&f, HEX_2, rows[i].before));
        const char *directory = path(&f, "");
        JobChanges changes;
        const char *got = checkpoint_job_difference(&changes, directory, &f.job, f.arena);
        if (!got || strcmp(got, rows[i].expected) != 0)
            fail_msg("%s, %s:\n%s\nexpected\n%s", rows[i].before, rows[i].now, got ? got : "NULL",
                     rows[i].expected);
        bool exists = false;
        assert_false(checkpoint_job_check(&exists, directory, &f.job, &f.log.diag));
        assert_true(exists);
        assert_int_equal(f.log.diag.kind, DIAG_CREATE);
        const char *message =
            arena_printf(f.arena, "' belongs to another job (%s); --overwrite", rows[i].expected);
        assert_non_null(strstr(f.log.text, message));
        discard(&f);
    }
}

/* ---- reading ---- */

#define HEAD(format, version) "{\"format\":\"" format "\",\"version\":" version
#define BODY ",\"digest\":\"" HEX_1 "\"}"

static void records_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message; /* NULL: it belongs to the job */
    } rows[] = {
        {HEAD("odori-state", "2") BODY, NULL},
        {HEAD("odori-state", "2") ",\"job\":{\"a\":\"1\"}" BODY, NULL},
        {HEAD("odori-state", "2") ",\"unknown\":[1,{\"a\":2}]" BODY, NULL},
        {HEAD("odori-state", "1") BODY, "job.json: has format version 1, expected 3: finish the "
                                        "film with the version of odori that "
                                        "began it, or remove the directory; --overwrite"},
        {HEAD("odori-state", "4") ",\"job\":7" BODY,
         "has format version 4, expected 3: finish the film"},
        {HEAD("odori-film", "2") BODY,
         "line 1: not a job.json of a checkpoint directory; --overwrite"},
        {HEAD("odori-film", "3") BODY, "not a job.json"},
        {"{\"version\":2" BODY, "not a job.json"},
        {"{}", "not a job.json"},
        {"", "not a job.json"},
        {"{\n\n\"format\":x", "line 3: not a job.json"},
        {HEAD("odori-state", "2") ",\"job\":[]" BODY, "not a job.json"},
        {HEAD("odori-state", "2") ",\"job\":{\"a\":1}" BODY, "not a job.json"},
        {HEAD("odori-state", "2") ",\"digest\":\"" HEX_2 "\"}", "belongs to another job (the"},
        {HEAD("odori-state", "2") "}", "not a job.json"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Fixture f;
        bool exists = false;
        make(&f);
        save(&f, "job.json", rows[i].text);
        const char *directory = path(&f, "");
        const bool good = checkpoint_job_check(&exists, directory, &f.job, &f.log.diag);
        if (good == (rows[i].message != NULL) ||
            (rows[i].message && !strstr(f.log.text, rows[i].message)))
            fail_msg("%s: %s", rows[i].text, good ? "accepted" : f.log.text);
        assert_true(exists);
        const bool differs = rows[i].message && strstr(rows[i].message, "another job");
        JobChanges changes;
        if (!checkpoint_job_difference(&changes, directory, &f.job, f.arena) == differs)
            fail_msg("%s: difference", rows[i].text);
        discard(&f);
    }
}

static void missing_records(void **state)
{
    (void)state;
    Fixture f;
    bool exists = true;
    JobChanges changes;
    make(&f);
    assert_true(checkpoint_job_check(&exists, path(&f, "none"), &f.job, &f.log.diag));
    assert_false(exists);
    assert_null(checkpoint_job_difference(&changes, path(&f, "none"), &f.job, f.arena));
    assert_true(checkpoint_job_remove(path(&f, "none"), &f.log.diag));
    save(&f, "file", "x"); /* where a directory is expected */
    exists = true;
    assert_true(checkpoint_job_check(&exists, path(&f, "file"), &f.job, &f.log.diag));
    assert_false(exists);
    assert_true(checkpoint_job_remove(path(&f, "file"), &f.log.diag));
    assert_int_equal(f.log.used, 0);

    /* a record that cannot be read */
    assert_int_equal(symlink("file", path(&f, "job.json")), 0);
    assert_false(checkpoint_job_check(&exists, path(&f, ""), &f.job, &f.log.diag));
    assert_true(exists);
    assert_non_null(strstr(f.log.text, "job.json: cannot open: "));
    discard(&f);
}

/* ---- writing ---- */

/* Names of outputs and inputs are relative to the directory, other values are as they are. */
static void contents_by_hand(void **state)
{
    (void)state;
    Fixture f;
    Bytes bytes;
    make(&f);
    assert_int_equal(mkdir(path(&f, "state"), 0777), 0);
    const char *model = path(&f, "m.pmx"), *film = path(&f, "a.mp4");
    FingerprintInput inputs[] = {{.file = model, .bytes = 12}, {.file = film, .bytes = 0}};
    FingerprintFact facts[] = {
        {.key = "outputs.0.file", .value = arena_printf(f.arena, "\"%s\"", film)},
        {.key = "outputs.1.file", .value = "\"null:\""},
        {.key = "outputs.0.crf", .value = "18"},
        {.key = "models.0.file", .value = arena_printf(f.arena, "\"%s\"", film)},
        {.key = "outputs.0.file_", .value = "\"/x/y\""},
    };
    FingerprintFact others[] = {{.key = "name", .value = "\"/x/outputs.0.file\""},
                                {.key = ".file", .value = "\"/x\""}};
    memset(&inputs[0].digest, 2, sizeof inputs[0].digest);
    memset(&inputs[1].digest, 1, sizeof inputs[1].digest);
    f.job.facts = (FingerprintFacts){facts, 5, 5};
    f.job.other_facts = (FingerprintFacts){others, 2, 2};
    f.job.inputs = inputs;
    f.job.input_count = 2;
    assert_true(checkpoint_job_save(path(&f, "state"), &f.job, (FilmShard){2, 3}, &f.log.diag));
    assert_true(file_load(&bytes, path(&f, "state/job.json"), 10000, f.arena, &f.log.diag));
    const char *expected =
        arena_printf(f.arena,
                     "{\"format\":\"odori-state\",\"version\":3,\n\"digest\":\"" HEX_1 "\",\n"
                     "\"job\":{\n\"outputs.0.file\":\"\\\"../a.mp4\\\"\",\n"
                     "\"outputs.1.file\":\"\\\"null:\\\"\",\n\"outputs.0.crf\":\"18\",\n"
                     "\"models.0.file\":\"\\\"%s\\\"\",\n\"outputs.0.file_\":\"\\\"/x/y\\\"\"},\n"
                     "\"apart\":{\n\"name\":\"\\\"/x/outputs.0.file\\\"\",\n"
                     "\".file\":\"\\\"/x\\\"\"},\n\"inputs\":[\n"
                     "{\"file\":\"../m.pmx\",\"bytes\":12,\"sha256\":\"" HEX_2 "\"},\n"
                     "{\"file\":\"../a.mp4\",\"bytes\":0,\"sha256\":\"" HEX_1 "\"}]}\n",
                     film);
    assert_string_equal(arena_strndup(f.arena, (const char *)bytes.data, bytes.size), expected);
    assert_int_equal(access(path(&f, "state/job.0002-of-0003.json"), F_OK), -1);

    bool exists = false;
    JobChanges changes;
    assert_true(checkpoint_job_check(&exists, path(&f, "state"), &f.job, &f.log.diag));
    assert_true(exists);
    assert_null(checkpoint_job_difference(&changes, path(&f, "state"), &f.job, f.arena));
    assert_true(checkpoint_job_remove(path(&f, "state"), &f.log.diag));
    assert_true(checkpoint_job_check(&exists, path(&f, "state"), &f.job, &f.log.diag));
    assert_false(exists);
    discard(&f);
}

/* The file of the shard is created first: where it cannot be, nothing is written. */
static void records_that_cannot_be_written(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    assert_int_equal(mkdir(path(&f, "job.0002-of-0003.json"), 0777), 0);
    assert_false(checkpoint_job_save(path(&f, ""), &f.job, (FilmShard){2, 3}, &f.log.diag));
    assert_true(checkpoint_job_save(path(&f, ""), &f.job, (FilmShard){1, 3}, &f.log.diag));
    assert_int_equal(unlink(path(&f, "job.json")), 0);
    assert_int_equal(mkdir(path(&f, "job.json"), 0777), 0);
    diag_log_init(&f.log);
    assert_false(checkpoint_job_remove(path(&f, ""), &f.log.diag));
    assert_non_null(strstr(f.log.text, "cannot remove '"));
    discard(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_by_hand),
        cmocka_unit_test(records_are_checked),
        cmocka_unit_test(missing_records),
        cmocka_unit_test(contents_by_hand),
        cmocka_unit_test(records_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
