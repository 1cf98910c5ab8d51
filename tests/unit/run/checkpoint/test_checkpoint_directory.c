// SPDX-License-Identifier: MIT
/* checkpoint: the name of the directory, what a killed restart leaves, and report.json */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "film_fixture.h"
#include "run/checkpoint/checkpoint.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_report.h"
#include "unit_test.h"

#define JOB                             \
    "version: 1\nmodels: [strip.pmx]\n" \
    "render: { size: [64, 36], fps: 30, frames: \"100-169\" }\n"
#define SEGMENTS "outputs: [ { file: out/film.sha256, gop: 30 } ]\n"
#define STILLS "outputs: [ { file: \"out/%04d.png\" } ]\n"
#define DIRECTORY "out/.film.sha256.odori/"

static const FilmShard whole = {1, 1};

static Checkpoint *open_as(FilmFixture *f, const Film *film, const char *directory, FilmShard shard)
{
    const CheckpointOptions options = {
        .directory = directory, .mode = CHECKPOINT_RESUME, .shard = shard};
    Checkpoint *state = checkpoint_open(film, &options, &f->log.diag);
    if (!state)
        fail_msg("%s", f->log.text);
    return state;
}

static bool is_there(FilmFixture *f, const char *name)
{
    struct stat st;
    return stat(film_fixture_path(f, name), &st) == 0;
}

/* ---- names ---- */

static void directories_are_beside_the_files(void **state)
{
    (void)state;
    static const struct {
        const char *file, *directory;
    } rows[] = {
        {"a.mp4", ".a.mp4.odori"},
        {"out/a.mp4", "out/.a.mp4.odori"},
        {"/out/a.mp4", "/out/.a.mp4.odori"},
        {"out/%04d.png", "out/.%04d.png.odori"},
        {"50%done/100%d.mp4", "50%done/.100%d.mp4.odori"},
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(checkpoint_directory_beside(rows[i].file, arena), rows[i].directory);
    arena_destroy(arena);
}

/* The record of written files is beside the first output that is a file, else beside a preview. */
static void directories_of_records(void **state)
{
    (void)state;
    static const struct {
        const char *outputs[3];
        size_t output_count;
        const char *preview, *directory;
    } rows[] = {
        {{"a.mp4", "b.mp4"}, 2, NULL, ".a.mp4.odori"},
        {{"null:", "", "o/b.mp4"}, 3, "p.png", "o/.b.mp4.odori"},
        {{"null:"}, 1, "o/p.png", "o/.p.png.odori"},
        {{"null:"}, 1, NULL, NULL},
        {{0}, 0, "p.png", ".p.png.odori"},
        {{0}, 0, NULL, NULL},
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        JobPreview preview = {.file = rows[i].preview};
        JobOutput outputs[3];
        for (int k = 0; k < 3; k++)
            outputs[k] = (JobOutput){.file = rows[i].outputs[k]};
        const Job job = {.outputs = outputs,
                         .output_count = rows[i].output_count,
                         .previews = &preview,
                         .preview_count = rows[i].preview != NULL};
        const char *got = checkpoint_record_directory(&job, arena);
        if (!got != !rows[i].directory || (got && strcmp(got, rows[i].directory) != 0))
            fail_msg("row %zu: '%s'", i, got ? got : "none");
    }
    arena_destroy(arena);
}

/* A directory of --state is used as given, without slashes at its end. */
static void directories_that_are_given(void **state)
{
    (void)state;
    static const char *const ends[] = {"", "/", "///"};
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    const char *directory = film_fixture_path(&f, "deep/state");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        Checkpoint *checkpoint =
            open_as(&f, film, arena_printf(f.arena, "%s%s", directory, ends[i]), whole);
        assert_string_equal(checkpoint_directory_of(checkpoint), directory);
        assert_string_equal(checkpoint_segment_file(checkpoint, 0, 2, f.arena),
                            arena_printf(f.arena, "%s/segment/0-000002.txt", directory));
        checkpoint_close(checkpoint);
    }
    assert_true(is_there(&f, "deep/state/job.json"));
    assert_false(is_there(&f, DIRECTORY));
    film_fixture_remove(&f);
}

/* Without job.json the files belong to no job: the next run with all locks removes them; a shard
 * does not, since others may be running. */
static void files_of_a_killed_restart(void **state)
{
    (void)state;
    static const struct {
        FilmShard shard;
        bool removed;
    } rows[] = {{{1, 1}, true}, {{1, 2}, false}, {{2, 2}, false}, {{1, 3}, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FilmFixture f;
        film_fixture_make(&f);
        const Film *film = film_fixture_load(&f, JOB SEGMENTS);
        checkpoint_close(open_as(&f, film, NULL, whole));
        film_fixture_save(&f, DIRECTORY "segment/0-000000.txt", "of another job");
        film_fixture_save(&f, DIRECTORY "ledger/0007-of-0009.jsonl", "");
        assert_int_equal(unlink(film_fixture_path(&f, DIRECTORY "job.json")), 0);
        checkpoint_close(open_as(&f, film, NULL, rows[i].shard));
        if (is_there(&f, DIRECTORY "segment/0-000000.txt") == rows[i].removed ||
            is_there(&f, DIRECTORY "ledger/0007-of-0009.jsonl") == rows[i].removed)
            fail_msg("shard %d of %d", rows[i].shard.index, rows[i].shard.count);
        film_fixture_remove(&f);
    }
}

/* Of a frame in two ledgers the line of the ledger that changed later counts. */
static void later_ledgers_count(void **state)
{
    (void)state;
    static const struct {
        struct timespec first, second; /* last change of the ledgers of two and of three shards */
        bool second_counts;
    } rows[] = {
        {{1000, 0}, {1001, 0}, true},        {{1001, 0}, {1000, 0}, false},
        {{1000, 5000}, {1000, 9000}, true},  {{1000, 9000}, {1000, 5000}, false},
        {{1001, 5000}, {1000, 9000}, false}, {{1000, 9000}, {1001, 5000}, true},
        {{1000, 5000}, {1000, 5000}, true}, /* by name */
    };
    static const char *const names[] = {"out/.%04d.png.odori/ledger/0001-of-0002.jsonl",
                                        "out/.%04d.png.odori/ledger/0001-of-0003.jsonl"};
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB STILLS);
    for (int i = 0; i < 2; i++) {
        Checkpoint *checkpoint = open_as(&f, film, NULL, (FilmShard){1, 2 + i});
        const char *text = i ? "second" : "first";
        const SinkRecord record = {strlen(text), hash_bytes(text, strlen(text))};
        assert_true(checkpoint_add_frame(checkpoint, 0, 0, &record, &f.log.diag));
        checkpoint_close(checkpoint);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int contents = 0; contents < 2; contents++) {
            const struct timespec times[2][2] = {{rows[i].first, rows[i].first},
                                                 {rows[i].second, rows[i].second}};
            for (int k = 0; k < 2; k++)
                assert_int_equal(utimensat(AT_FDCWD, film_fixture_path(&f, names[k]), times[k], 0),
                                 0);
            film_fixture_save(&f, "out/0100.png", contents ? "second" : "first");
            const CheckpointOptions options = {.mode = CHECKPOINT_READ_ONLY, .shard = whole};
            Checkpoint *checkpoint = checkpoint_open(film, &options, &f.log.diag);
            assert_non_null(checkpoint);
            if (checkpoint_has(checkpoint, 0, 0) != (contents == rows[i].second_counts))
                fail_msg("row %zu, contents %d", i, contents);
            checkpoint_close(checkpoint);
        }
    film_fixture_remove(&f);
}

/* The stills of a finished film may be replaced by those of the edited job, if they are still those
 * that were written. */
static void edited_jobs_replace_stills(void **state)
{
    (void)state;
    static const struct {
        const char *changed; /* a file that is changed by hand, or NULL */
        const char *words;   /* of the error, or NULL */
    } rows[] = {{NULL, NULL}, {"out/0133.png", "0133.png' exists"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FilmFixture f;
        film_fixture_make(&f);
        const Film *film = film_fixture_load(&f, JOB STILLS);
        Checkpoint *checkpoint = open_as(&f, film, NULL, whole);
        const SinkRecord record = {5, hash_bytes("still", 5)};
        for (int frame = 0; frame < 70; frame++) {
            film_fixture_save(&f, arena_printf(f.arena, "out/%04d.png", 100 + frame), "still");
            assert_true(checkpoint_add_frame(checkpoint, 0, frame, &record, &f.log.diag));
        }
        assert_true(checkpoint_finish(checkpoint, &f.log.diag));
        checkpoint_close(checkpoint);
        if (rows[i].changed)
            film_fixture_save(&f, rows[i].changed, "changed");
        const Film *edited =
            film_fixture_load(&f, JOB STILLS "camera: { fixed: { fov_deg: 20 } }\n");
        const CheckpointOptions options = {.mode = CHECKPOINT_RESUME, .shard = whole};
        diag_log_init(&f.log);
        checkpoint = checkpoint_open(edited, &options, &f.log.diag);
        if (!checkpoint != (rows[i].words != NULL) ||
            !strstr(f.log.text, rows[i].words ? rows[i].words : "rendered by an earlier version"))
            fail_msg("row %zu: %s", i, f.log.text);
        checkpoint_close(checkpoint);
        film_fixture_remove(&f);
    }
}

/* ---- report.json ---- */

static const char *load(FilmFixture *f, const char *name)
{
    Bytes bytes;
    if (!file_load(&bytes, film_fixture_path(f, name), 1 << 20, f->arena, &f->log.diag))
        fail_msg("%s", f->log.text);
    return arena_strndup(f->arena, (const char *)bytes.data, bytes.size);
}

/* Number and bytes of stills: frame i has i % 3 + 1 bytes. */
static void reports_of_stills(void **state)
{
    (void)state;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film =
        film_fixture_load(&f, JOB "outputs: [ { file: \"out/%04d.png\" }, { file: \"null:\" } ]\n");
    Checkpoint *checkpoint = open_as(&f, film, NULL, whole);
    for (int i = 0; i < 70; i++) {
        static const char *const texts[] = {"a", "bb", "ccc"};
        const char *text = texts[i % 3];
        const SinkRecord record = {strlen(text), hash_bytes(text, strlen(text))};
        film_fixture_save(&f, arena_printf(f.arena, "out/%04d.png", 100 + i), text);
        assert_true(checkpoint_add_frame(checkpoint, 0, i, &record, &f.log.diag));
    }
    assert_true(checkpoint_finish(checkpoint, &f.log.diag));
    checkpoint_close(checkpoint);
    const char *report = load(&f, "out/.%04d.png.odori/report.json");
    /* 24 of 1 byte, 23 of 2 and 23 of 3 */
    assert_non_null(strstr(report, "%04d.png\",\"frames\":70,\"bytes\":139}"));
    assert_non_null(strstr(report, "{\"file\":\"null:\",\"bytes\":0,"));
    film_fixture_remove(&f);
}

/* The fields of a report as they are read; anything else is damage, with a warning. */
static void reports_are_read(void **state)
{
#define HEX "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define HEAD "{\"format\":\"odori-report\",\"version\":2"
    static const struct {
        const char *what, *text; /* NULL: no file */
        bool ok;
        size_t outputs, previews;
        unsigned warnings;
    } rows[] = {
        {"no report", NULL, false, 0, 0, 0},
        {"the least", HEAD "}", true, 0, 0, 0},
        {"all",
         HEAD ",\"digest\":\"" HEX "\",\"tags_digest\":\"" HEX "\",\"previews_digest\":\"" HEX
              "\",\"new\":{},\"outputs\":[{\"file\":\"a\",\"bytes\":7,\"sha256\":\"" HEX
              "\"},{\"frames\":2,\"bytes\":9,\"new\":1}],\"previews\":[{\"bytes\":3}]}",
         true, 2, 1, 0},
        {"another format", "{\"format\":\"odori-state\",\"version\":2}", false, 0, 0, 1},
        {"no format", "{\"version\":2}", false, 0, 0, 1},
        {"no version", "{\"format\":\"odori-report\"}", false, 0, 0, 1},
        {"an earlier version", "{\"format\":\"odori-report\",\"version\":1}", false, 0, 0, 1},
        {"a digest too short", HEAD ",\"digest\":\"00\"}", false, 0, 0, 1},
        {"a wrong digest of tags", HEAD ",\"tags_digest\":7}", false, 0, 0, 1},
        {"an incomplete text", HEAD ",\"outputs\":[{}", false, 1, 0, 1},
        {"empty", "", false, 0, 0, 1},
    };
    (void)state;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CheckpointReport report;
        diag_log_init(&f.log);
        if (rows[i].text)
            film_fixture_save(&f, "report.json", rows[i].text);
        if (checkpoint_report_load(&report, f.scratch.directory, film, f.arena, &f.log.diag) !=
                rows[i].ok ||
            f.log.diag.warnings != rows[i].warnings)
            fail_msg("%s: %s", rows[i].what, f.log.text);
        if (!rows[i].ok)
            continue;
        assert_int_equal(report.outputs.count, rows[i].outputs);
        assert_int_equal(report.previews.count, rows[i].previews);
        assert_false(report.same_tags);
        if (!rows[i].outputs)
            continue;
        Digest digest;
        assert_true(digest_parse(&digest, HEX));
        assert_true(digest_equal(&report.digest, &digest));
        assert_true(digest_equal(&report.previews_digest, &digest));
        assert_true(digest_equal(&report.outputs.items[0].digest, &digest));
        assert_true(report.outputs.items[0].bytes == 7 && report.outputs.items[0].frames == 0);
        assert_true(report.outputs.items[1].bytes == 9 && report.outputs.items[1].frames == 2);
        assert_true(report.previews.items[0].bytes == 3);
    }
    film_fixture_remove(&f);
}

static void reports_confirm_files(void **state)
{
    (void)state;
    static const volatile sig_atomic_t stop = 1;
    static const struct {
        const char *file, *text;
        uint64_t bytes;
        bool confirmed;
    } rows[] = {
        {"f", "text", 4, true},  {"f", "texs", 4, false},   {"f", "text", 3, false},
        {"f", "text", 5, false}, {"missing", "", 0, false}, {".", "", 4096, false},
    };
    FilmFixture f;
    film_fixture_make(&f);
    film_fixture_save(&f, "f", "text");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const FileRecord entry = {.bytes = rows[i].bytes,
                                  .digest = hash_bytes(rows[i].text, strlen(rows[i].text))};
        const char *file = film_fixture_path(&f, rows[i].file);
        if (file_record_confirms(&entry, file, NULL) != rows[i].confirmed)
            fail_msg("row %zu", i);
        assert_false(file_record_confirms(&entry, file, &stop));
    }
    film_fixture_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directories_are_beside_the_files),
        cmocka_unit_test(directories_of_records),
        cmocka_unit_test(directories_that_are_given),
        cmocka_unit_test(files_of_a_killed_restart),
        cmocka_unit_test(later_ledgers_count),
        cmocka_unit_test(edited_jobs_replace_stills),
        cmocka_unit_test(reports_of_stills),
        cmocka_unit_test(reports_are_read),
        cmocka_unit_test(reports_confirm_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
