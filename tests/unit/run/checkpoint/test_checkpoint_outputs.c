// SPDX-License-Identifier: MIT
/* checkpoint_outputs: each file of a film that exists and was not written by this program is
 * refused; checkpoint_report: the record of a finished film */

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "film_fixture.h"
#include "run/checkpoint/checkpoint_outputs.h"
#include "unit_test.h"

/* Seven frames: 100 to 103, then 110 to 112. */
#define JOB                                                                                  \
    "version: 1\nname: n\nmodels: [strip.pmx]\ncredits: [one, two]\n"                        \
    "render: { size: [64, 36], fps: 30, frames: \"100-103,110-112\" }\n"                     \
    "outputs: [ { file: out/film.sha256, gop: 30 }, { file: \"out/%04d.png\" }, out/a.gif, " \
    "\"null:\" ]\n"                                                                          \
    "previews: [ { type: still, file: s.png }, { type: gif, file: t.gif } ]\n"

/* printf x | sha256sum, and of "" */
#define SHA_X "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
#define SHA_0 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

enum { STILLS = 1 };
static const FilmSpan whole = {0, 7};

typedef struct Fixture {
    FilmFixture f;
    const Film *film;
    const char *directory;
    CompletedSet completed[5];
    OutputRecords records;
} Fixture;

static void make(Fixture *x)
{
    film_fixture_make(&x->f);
    assert_int_equal(mkdir(film_fixture_path(&x->f, "out"), 0777), 0);
    x->film = film_fixture_load(&x->f, JOB);
    x->directory = film_fixture_path(&x->f, "state");
    assert_int_equal(mkdir(x->directory, 0777), 0);
    for (int i = 0; i < 5; i++)
        x->completed[i] = completed_set_init(7, x->f.arena);
    x->records = (OutputRecords){.completed = x->completed};
    unlink(film_fixture_path(&x->f, "job.yaml"));
}

static WrittenFiles *load_written(Fixture *x)
{
    return written_files_load(x->directory, false, NULL, x->f.arena);
}

static bool check(Fixture *x, WrittenFiles *written, FilmSpan span)
{
    diag_log_init(&x->f.log);
    return checkpoint_outputs_check(written, x->film, span, &x->records, &x->f.log.diag);
}

/* ---- checks ---- */

/* Every name of the film, alone: frame indices 4 to 6 are the frames 110 to 112. */
static const struct {
    const char *file;
    int64_t index; /* of a still; -1: of the whole film */
} FILES[] = {
    {"out/film.sha256", -1}, {"out/a.gif", -1},   {"s.png", -1},
    {"t.gif", -1},           {"out/0100.png", 0}, {"out/0101.png", 1},
    {"out/0103.png", 3},     {"out/0110.png", 4}, {"out/0112.png", 6},
};
enum { FILE_COUNT = sizeof FILES / sizeof *FILES };

static void files_that_exist_are_refused(void **state)
{
    (void)state;
    static const FilmSpan spans[] = {{0, 7}, {0, 0}, {0, 1}, {1, 4}, {3, 5}, {6, 7}};
    for (size_t i = 0; i < FILE_COUNT; i++) {
        Fixture x;
        make(&x);
        assert_true(check(&x, load_written(&x), whole)); /* nothing exists */
        film_fixture_save(&x.f, FILES[i].file, "x");
        for (size_t s = 0; s < sizeof spans / sizeof *spans; s++) {
            const int64_t index = FILES[i].index;
            const bool matters = index < 0 || (index >= spans[s].first && index < spans[s].end);
            if (check(&x, load_written(&x), spans[s]) == matters)
                fail_msg("%s, span %zu: %s", FILES[i].file, s, x.f.log.text);
            if (matters) {
                assert_int_equal(x.f.log.diag.kind, DIAG_CREATE);
                assert_non_null(strstr(x.f.log.text, FILES[i].file));
            }
        }
        /* --overwrite */
        WrittenFiles *written = load_written(&x);
        checkpoint_outputs_allow(written, x.film);
        if (!check(&x, written, whole))
            fail_msg("%s is not allowed", FILES[i].file);
        film_fixture_remove(&x.f);
    }
}

/* Only the names of the film: others, and what does not exist, are not recorded. */
static void allowed_files(void **state)
{
    (void)state;
    static const char *const others[] = {"out/0104.png", "out/0099.png", "out/0113.png", "b.gif"};
    Fixture x;
    make(&x);
    film_fixture_save(&x.f, "out/0101.png", "x");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        film_fixture_save(&x.f, others[i], "x");
    assert_int_equal(mkdir(film_fixture_path(&x.f, "t.gif"), 0777), 0);
    WrittenFiles *written = load_written(&x);
    checkpoint_outputs_allow(written, x.film);
    assert_true(written_files_may_replace(written, film_fixture_path(&x.f, "out/0101.png")));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(written_files_may_replace(written, film_fixture_path(&x.f, others[i])));
    assert_true(written_files_flush(written, &x.f.log.diag));
    Bytes bytes;
    assert_true(file_load(&bytes, film_fixture_path(&x.f, "state/written.jsonl"), 1000, x.f.arena,
                          &x.f.log.diag));
    assert_string_equal(arena_strndup(x.f.arena, (const char *)bytes.data, bytes.size),
                        "{\"file\":\"../out/0101.png\"}\n");
    film_fixture_remove(&x.f);
}

#define LONG_JOB                        \
    "version: 1\nmodels: [strip.pmx]\n" \
    "render: { size: [64, 36], fps: 30, frames: \"0-99999999\" }\n"

/* The directory is listed: to ask for each of these names takes minutes. */
static void stills_of_a_long_film(void **state)
{
    static const struct {
        const char *job, *files[3];
    } rows[] = {{LONG_JOB "outputs: [ \"out/%08d.png\" ]\n",
                 {"out/00000007.png", "out/99999999.png", "out/100000000.png"}},
                {LONG_JOB "outputs: [ \"50%d/%d.png\" ]\n",
                 {"50%d/7.png", "50%d/99999999.png", "50%d/100000000.png"}}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Fixture x;
        make(&x);
        const char *const *files = rows[i].files;
        x.film = film_fixture_load(&x.f, rows[i].job);
        x.completed[0] = completed_set_init(x.film->frame_count, x.f.arena);
        for (int k = 0; k < 3; k++) {
            assert_true(file_make_parent_dirs(film_fixture_path(&x.f, files[k]), &x.f.log.diag));
            film_fixture_save(&x.f, files[k], "x");
        }
        const FilmSpan all = {0, x.film->frame_count};
        WrittenFiles *written = load_written(&x);
        assert_false(check(&x, written, all));
        assert_non_null(strstr(x.f.log.text, files[0]));
        assert_false(check(&x, written, (FilmSpan){8, x.film->frame_count}));
        assert_non_null(strstr(x.f.log.text, files[1]));
        assert_true(check(&x, written, (FilmSpan){8, 99999999}));
        checkpoint_outputs_allow(written, x.film);
        assert_true(check(&x, written, all));
        for (int k = 0; k < 3; k++)
            assert_int_equal(written_files_may_replace(written, film_fixture_path(&x.f, files[k])),
                             k < 2);
        film_fixture_remove(&x.f);
    }
}

/* A still that the ledger confirms is not read; one that it records, but whose file differs,
 * belongs to somebody else. */
static void stills_of_the_ledger(void **state)
{
    (void)state;
    static const SinkRecord record = {.bytes = 1};
    for (int64_t index = 0; index < 7; index++) {
        Fixture x;
        make(&x);
        film_fixture_save(
            &x.f,
            arena_printf(x.f.arena, "out/%04d.png", (int)(index < 4 ? 100 + index : 106 + index)),
            "x");
        assert_false(check(&x, load_written(&x), whole));
        completed_set_claim(&x.completed[STILLS], index, &record, &(FrameIdentity){0});
        assert_false(check(&x, load_written(&x), whole));
        completed_set_find(&x.completed[STILLS], index)->verified = true;
        assert_true(check(&x, load_written(&x), whole));
        film_fixture_remove(&x.f);
    }
}

/* A file of the report has its size and digest; otherwise somebody replaced it. */
static void files_of_the_report(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        bool preview;
        size_t index;
    } rows[] = {{"out/film.sha256", false, 0},
                {"out/a.gif", false, 2},
                {"s.png", true, 0},
                {"t.gif", true, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t given = 0; given < 5; given++) {
            Fixture x;
            CheckpointReport report = {.same_tags = false};
            make(&x);
            film_fixture_save(&x.f, rows[i].file, "x");
            FileRecordList *files = rows[i].preview ? &report.previews : &report.outputs;
            for (size_t k = 0; k < given; k++)
                *arena_push(x.f.arena, files) =
                    (FileRecord){.bytes = 1, .digest = hash_bytes("y", 1)};
            x.records.report = &report;
            assert_false(check(&x, load_written(&x), whole));
            if (given > rows[i].index) {
                FileRecord *entry = &files->items[rows[i].index];
                entry->digest = hash_bytes("x", 1);
                entry->frames = 1; /* of stills */
                assert_false(check(&x, load_written(&x), whole));
                entry->frames = 0;
                entry->bytes = 2;
                assert_false(check(&x, load_written(&x), whole));
                entry->bytes = 1;
                WrittenFiles *written = load_written(&x);
                assert_true(check(&x, written, whole));
                x.records.report = NULL; /* it is recorded now */
                assert_true(check(&x, written, whole));
            }
            film_fixture_remove(&x.f);
        }
}

/* ---- the report ---- */

static void reports_by_hand(void **state)
{
    (void)state;
    Fixture x;
    Fingerprint fingerprint = {.digest = {{0}}};
    const FileRecord stills[] = {{0}, {.bytes = 70, .frames = 7}, {0}, {.frames = 7}};
    Bytes bytes;
    make(&x);
    memset(&fingerprint.digest, 0x11, sizeof fingerprint.digest);
    memset(&fingerprint.previews, 0x22, sizeof fingerprint.previews);
    film_fixture_save(&x.f, "out/film.sha256", "x");
    film_fixture_save(&x.f, "out/a.gif", "");
    film_fixture_save(&x.f, "s.png", "x");
    /* a missing preview */
    assert_false(
        checkpoint_report_save(x.directory, x.film, &fingerprint, stills, NULL, &x.f.log.diag));
    film_fixture_save(&x.f, "t.gif", "x");
    diag_log_init(&x.f.log);
    assert_true(
        checkpoint_report_save(x.directory, x.film, &fingerprint, stills, NULL, &x.f.log.diag));
    assert_true(file_load(&bytes, film_fixture_path(&x.f, "state/report.json"), 10000, x.f.arena,
                          &x.f.log.diag));
    const char *text = arena_strndup(x.f.arena, (const char *)bytes.data, bytes.size);
    const char *out = x.f.scratch.directory;
    const char *const parts[] = {
        "{\"format\":\"odori-report\",\"version\":3,\n\"name\":\"n\",\n\"digest\":\"1111",
        "\",\n\"tags_digest\":\"",
        "\",\n\"frames\":7,\n\"outputs\":[\n{\"file\":\"",
        arena_printf(x.f.arena, "%sout/film.sha256\",\"bytes\":1,\"sha256\":\"" SHA_X "\"},\n",
                     out),
        arena_printf(x.f.arena, "{\"file\":\"%sout/%%04d.png\",\"frames\":7,\"bytes\":70},\n", out),
        arena_printf(x.f.arena,
                     "{\"file\":\"%sout/a.gif\",\"bytes\":0,\"sha256\":\"" SHA_0 "\"},\n", out),
        "{\"file\":\"null:\",\"frames\":7,\"bytes\":0}],\n\"previews_digest\":\"2222",
        arena_printf(x.f.arena,
                     "\",\n\"previews\":[\n{\"file\":\"%ss.png\",\"bytes\":1,\"sha256\":\"" SHA_X
                     "\"},\n{\"file\":\"%st.gif\",\"bytes\":1,\"sha256\":\"" SHA_X "\"}],\n",
                     out, out),
        "\"credits\":[\"one\",\"two\"],\n\"versions\":{",
    };
    const char *at = text;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *found = strstr(at, parts[i]);
        if (!found)
            fail_msg("no\n%s\nin\n%s", parts[i], at);
        at = found + strlen(parts[i]);
    }

    CheckpointReport report;
    assert_true(checkpoint_report_load(&report, x.directory, x.film, x.f.arena, &x.f.log.diag));
    assert_true(report.same_tags);
    assert_true(digest_equal(&report.digest, &fingerprint.digest));
    assert_true(digest_equal(&report.previews_digest, &fingerprint.previews));
    assert_int_equal(report.outputs.count, 4);
    assert_int_equal(report.previews.count, 2);
    assert_int_equal(report.outputs.items[0].bytes, 1);
    assert_int_equal(report.outputs.items[0].frames, 0);
    assert_int_equal(report.outputs.items[1].bytes, 70);
    assert_int_equal(report.outputs.items[1].frames, 7);
    const Digest sum = hash_bytes("x", 1);
    assert_true(digest_equal(&report.previews.items[1].digest, &sum));

    /* other names or credits */
    Job job = *x.film->job;
    Film film = *x.film;
    const char *credits[] = {"one", "tw", "o"};
    film.job = &job;
    job.credits.line_count = 1;
    assert_true(checkpoint_report_load(&report, x.directory, &film, x.f.arena, &x.f.log.diag));
    assert_false(report.same_tags);
    job.credits.lines = credits;
    job.credits.line_count = 3;
    assert_true(checkpoint_report_load(&report, x.directory, &film, x.f.arena, &x.f.log.diag));
    assert_false(report.same_tags);
    job = *x.film->job;
    job.name = "none";
    assert_true(checkpoint_report_load(&report, x.directory, &film, x.f.arena, &x.f.log.diag));
    assert_false(report.same_tags);
    film_fixture_remove(&x.f);
}

#define HEAD(format, version) "{\"format\":\"" format "\",\"version\":" version

static void damaged_reports(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {HEAD("odori-report", "2") "}", true},
        {HEAD("odori-report", "2") ",\"unknown\":[{}]}", true},
        {HEAD("odori-report", "2") ",\"outputs\":[{\"file\":\"x\",\"other\":1}]}", true},
        {HEAD("odori-report", "3") "}", true},
        {HEAD("odori-report", "4") "}", false},
        {HEAD("odori-report", "1") "}", false},
        {HEAD("odori-state", "2") "}", false},
        {HEAD("odori-report", "2") ",\"digest\":\"12\"}", false},
        {HEAD("odori-report", "2") ",\"previews_digest\":\"\"}", false},
        {HEAD("odori-report", "2") ",\"tags_digest\":1}", false},
        {HEAD("odori-report", "2") ",\"outputs\":{}}", false},
        {HEAD("odori-report", "2") ",\"previews\":[1]}", false},
        {HEAD("odori-report", "2") ",\"outputs\":[{\"sha256\":\"1\"}]}", false},
        {HEAD("odori-report", "2"), false},
        {"{\"version\":2}", false},
        {"{\"format\":\"odori-report\"}", false},
        {"", false},
    };
    Fixture x;
    CheckpointReport report;
    make(&x);
    assert_false(checkpoint_report_load(&report, x.directory, x.film, x.f.arena, &x.f.log.diag));
    assert_int_equal(x.f.log.used, 0); /* there is none */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        diag_log_init(&x.f.log);
        film_fixture_save(&x.f, "state/report.json", rows[i].text);
        const bool good =
            checkpoint_report_load(&report, x.directory, x.film, x.f.arena, &x.f.log.diag);
        const bool warned =
            strstr(x.f.log.text, "report.json' is damaged or of an unknown version; ignored");
        if (good != rows[i].good || warned == good)
            fail_msg("%s: %d, %s", rows[i].text, good, x.f.log.text);
    }
    film_fixture_remove(&x.f);
}

static void confirmed_files(void **state)
{
    (void)state;
    Fixture x;
    make(&x);
    const char *file = film_fixture_path(&x.f, "a.mp4");
    FileRecord entry = {.bytes = 1, .digest = hash_bytes("x", 1)};
    assert_false(file_record_confirms(&entry, file, NULL));
    film_fixture_save(&x.f, "a.mp4", "x");
    assert_true(file_record_confirms(&entry, file, NULL));
    film_fixture_save(&x.f, "a.mp4", "y");
    assert_false(file_record_confirms(&entry, file, NULL));
    film_fixture_save(&x.f, "a.mp4", "xx");
    assert_false(file_record_confirms(&entry, file, NULL));
    entry.digest = hash_bytes("xx", 2);
    assert_false(file_record_confirms(&entry, file, NULL));
    film_fixture_remove(&x.f);
}

/* ---- completed frames ---- */

static void completed_frames(void **state)
{
    (void)state;
    static const int64_t indices[] = {0, 1, 1023, 1024, 1025, 2047, 2048, 4999};
    Arena *arena = arena_create();
    CompletedSet set = completed_set_init(5000, arena);
    assert_int_equal(set.count, 5000);
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
        const SinkRecord record = {.bytes = (uint64_t)indices[i] + 7};
        assert_null(completed_set_find(&set, indices[i]));
        assert_false(completed_set_is_verified(&set, indices[i]));
        completed_set_claim(&set, indices[i], &record, &(FrameIdentity){0});
        assert_false(completed_set_is_verified(&set, indices[i]));
        completed_set_find(&set, indices[i])->verified = true;
    }
    for (int64_t i = 0; i < 5000; i++) {
        bool expected = false;
        for (size_t k = 0; k < sizeof indices / sizeof *indices; k++)
            expected |= indices[k] == i;
        const CompletedRecord *found = completed_set_find(&set, i);
        assert_true(!found != expected);
        assert_int_equal(completed_set_is_verified(&set, i), expected);
        if (found)
            assert_int_equal(found->record.bytes, i + 7);
    }
    completed_set_claim(&set, 1024, &(SinkRecord){.bytes = 1},
                        &(FrameIdentity){0}); /* again: not verified */
    assert_false(completed_set_is_verified(&set, 1024));
    assert_int_equal(completed_set_find(&set, 1024)->record.bytes, 1);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_exist_are_refused),
        cmocka_unit_test(allowed_files),
        cmocka_unit_test(stills_of_a_long_film),
        cmocka_unit_test(stills_of_the_ledger),
        cmocka_unit_test(files_of_the_report),
        cmocka_unit_test(reports_by_hand),
        cmocka_unit_test(damaged_reports),
        cmocka_unit_test(confirmed_files),
        cmocka_unit_test(completed_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
