// SPDX-License-Identifier: MIT
/* checkpoint_clean: temporary files of this program and of this shard are removed, nothing else */

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "film_fixture.h"
#include "run/checkpoint/checkpoint_clean.h"
#include "unit_test.h"

#define JOB \
    "version: 1\nmodels: [strip.pmx]\nrender: { size: [64, 36], fps: 30, frames: \"100-169\" }\n"

static const FilmShard whole = {1, 1}, second = {2, 3}; /* frames 123 to 145 */

static bool is_there(FilmFixture *f, const char *name)
{
    struct stat st;
    return lstat(film_fixture_path(f, name), &st) == 0;
}

typedef struct Row {
    const char *name;
    bool in_shard, in_whole; /* removed for the second of three shards, for the whole film */
} Row;

/* Saves all files, removes temporary files of a shard, and checks what is left. */
static void check(const char *outputs, const Row *rows, size_t count)
{
    for (int all = 0; all < 2; all++) {
        FilmFixture f;
        film_fixture_make(&f);
        const Film *film =
            film_fixture_load(&f, arena_printf(f.arena,
                                               JOB "outputs: [ { file: \"%s\" } ]\n"
                                                   "previews: [ { type: still, file: p.png } ]\n",
                                               outputs));
        for (size_t i = 0; i < count; i++) {
            const char *file = film_fixture_path(&f, rows[i].name);
            assert_true(file_make_parent_dirs(file, &f.log.diag));
            film_fixture_save(&f, rows[i].name, "");
        }
        checkpoint_clean_temporaries(film_fixture_path(&f, "state"), film, all ? whole : second);
        for (size_t i = 0; i < count; i++)
            if (is_there(&f, rows[i].name) == (all ? rows[i].in_whole : rows[i].in_shard))
                fail_msg("%s, %s: '%s' %s", outputs, all ? "all" : "a shard", rows[i].name,
                         is_there(&f, rows[i].name) ? "is left" : "was removed");
        film_fixture_remove(&f);
    }
}

static void stills_in_one_directory(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"out/.s0123.png.9.tmp", true, true},
        {"out/.s0145.png.123456.tmp", true, true},
        {"out/.s0146.png.9.tmp", false, true},
        {"out/.s0122.png.9.tmp", false, true},
        {"out/.s0099.png.9.tmp", false, false},
        {"out/.s0170.png.9.tmp", false, false},
        {"out/.s123.png.9.tmp", false, false},
        {"out/.s00123.png.9.tmp", false, false},
        {"out/.t0123.png.9.tmp", false, false},
        {"out/.s0123.pngx.9.tmp", false, false},
        {"out/.s0123.png.tmp", false, false},
        {"out/.s0123.png..tmp", false, false},
        {"out/.s0123.png.x.tmp", false, false},
        {"out/s0123.png.9.tmp", false, false},
        {"out/.s0123.png.9.tmp2", false, false},
        {"out/.s0124.png.9.tmp.renamed", true, true},
        {"out/.s0124.png.renamed", false, false},
        {"out/.s0124.png.9.tmp.renamed.renamed", false, false},
        {"out/.s0123.png9.tmp", false, false},
        {"out/.s.9.tmp", false, false},
        {"out/.s-123.png.9.tmp", false, false},
        {".s0123.png.9.tmp", false, false},
        {"out/.9.tmp", false, false},
        {"out/.s0123.png", false, false},
        {".p.png.7.tmp", false, true},
        {".q.png.7.tmp", false, false},
        {"out/.p.png.7.tmp", false, false},
        {"out/.s0000000000000000123.png.9.tmp", false, false},
    };
    check("out/s%04d.png", rows, sizeof rows / sizeof *rows);
}

/* The names of stills need not have leading zeros. */
static void stills_with_short_numbers(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"out/.123.png.9.tmp", true, true},    {"out/.146.png.9.tmp", false, true},
        {"out/.0123.png.9.tmp", false, false}, {"out/.12.png.9.tmp", false, false},
        {"out/.1230.png.9.tmp", false, false},
    };
    check("out/%d.png", rows, sizeof rows / sizeof *rows);
}

static void files_of_the_directory(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"state/segment/.0-000000.txt.7.tmp", false, true},
        {"state/segment/.0-000001.txt.7.tmp", true, true},
        {"state/segment/.0-000002.txt.7.tmp", false, true},
        {"state/segment/.0-000003.txt.7.tmp", false, true},
        {"state/segment/.0-00001.txt.7.tmp", false, false},
        {"state/segment/0-000001.txt", false, false},
        {"state/.report.json.7.tmp", false, true},
        {"state/.renderers.txt.7.tmp", false, true},
        {"state/.job.0001-of-0002.json.7.tmp", false, true},
        {"state/.written.jsonl.7.tmp", false, true},
        {"state/.job.json.7.tmp", false, false},
        {"state/.other.json.7.tmp", false, false},
        {"state/report.json", false, false},
        {"state/bake/.0.bake.7.tmp", false, false},
        {"state/ledger/.0001-of-0001.jsonl.7.tmp", false, false},
        {"out/.f.sha256.7.tmp", false, true},
        {"out/.f.sha256.x7.tmp", false, false},
        {"out/.g.sha256.7.tmp", false, false},
    };
    check("out/f.sha256", rows, sizeof rows / sizeof *rows);
}

/* The files of a directory; job.json is never removed here. */
static void work_and_records(void **state)
{
    (void)state;
    static const char sha[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    static const struct {
        const char *name; /* %s: a digest */
        bool work, all;
    } rows[] = {
        {"segment/0-000000.txt", true, true},
        {"segment/.0-000000.txt.7.tmp", true, true},
        {"segment/x", false, false},
        {"bake/%s.bake", true, true},
        {"bake/.%s.bake.7.tmp", true, true},
        {"ledger/0001-of-0001.jsonl", false, true},
        {"ledger/.0001-of-0001.jsonl.7.tmp", false, true},
        {"ledger/0001-of-0001.jsonl2", false, false},
        {"report.json", false, true},
        {".report.json.7.tmp", false, true},
        {"renderers.txt", false, true},
        {"runs.json", false, true},
        {"job.0001-of-0004.json", false, true},
        {"job.json", false, false},
        {"written.jsonl", false, false},
        {"lock", false, false},
    };
    for (int all = 0; all < 2; all++) {
        FilmFixture f;
        film_fixture_make(&f);
        const char *directory = film_fixture_path(&f, "state");
        const char *names[sizeof rows / sizeof *rows];
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const char *percent = strchr(rows[i].name, '%');
            names[i] = arena_printf(f.arena, "state/%.*s%s%s",
                                    (int)(percent ? percent - rows[i].name : 99), rows[i].name,
                                    percent ? sha : "", percent ? percent + 2 : "");
            assert_true(file_make_parent_dirs(film_fixture_path(&f, names[i]), &f.log.diag));
            film_fixture_save(&f, names[i], "");
        }
        if (all)
            checkpoint_clean_all(directory);
        else
            checkpoint_clean_work(directory);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (is_there(&f, names[i]) == (all ? rows[i].all : rows[i].work))
                fail_msg("%s: '%s'", all ? "all" : "work", names[i]);
        assert_true(is_there(&f, "state/segment")); /* with a file of others */
        assert_false(is_there(&f, "state/bake"));
        assert_true(is_there(&f, "state/ledger"));
        film_fixture_remove(&f);
    }
}

/* ---- the whole directory ---- */

#define SHA "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* All kinds of files that README 2 lists, each of 3 bytes. */
static const char *const own_files[] = {
    "job.json",
    "lock",
    "written.jsonl",
    "report.json",
    "renderers.txt",
    "times.jsonl",
    "runs.json",
    "changed-0.png",
    "job.0002-of-0004.json",
    ".runs.json.7.tmp",
    "bake/" SHA ".bake",
    "ledger/0001-of-0001.jsonl",
    "piece/0-000000.nut",
    "segment/0-000000.nut",
    "segment/.0-000001.nut.7.tmp",
};
enum { OWN_FILES = sizeof own_files / sizeof *own_files };

static void save_directory(FilmFixture *f)
{
    for (size_t i = 0; i < OWN_FILES; i++) {
        const char *name = arena_printf(f->arena, ".film.mp4.odori/%s", own_files[i]);
        assert_true(file_make_parent_dirs(film_fixture_path(f, name), &f->log.diag));
        film_fixture_save(f, name, "abc");
    }
    film_fixture_save(f, ".film.mp4.7.tmp", "");
    film_fixture_save(f, ".films.mp4.7.tmp", "");
    film_fixture_save(f, "film.mp4", "");
}

/* Beside it only the temporary files of this output, and only of one that was killed. */
static void directory_of_a_killed_output(void **state)
{
    (void)state;
    FilmFixture f;
    film_fixture_make(&f);
    save_directory(&f);
    checkpoint_clean_output(film_fixture_path(&f, "film.mp4"));
    assert_false(is_there(&f, ".film.mp4.odori"));
    assert_false(is_there(&f, ".film.mp4.7.tmp"));
    assert_true(is_there(&f, ".films.mp4.7.tmp"));
    assert_true(is_there(&f, "film.mp4"));
    film_fixture_remove(&f);
}

static void directory_that_is_removed(void **state)
{
    (void)state;
    FilmFixture f;
    uint64_t bytes;
    film_fixture_make(&f);
    save_directory(&f);
    const char *directory = film_fixture_path(&f, ".film.mp4.odori/");
    assert_true(checkpoint_remove(&bytes, directory, true, f.arena, &f.log.diag));
    assert_int_equal(bytes, 3 * OWN_FILES);
    for (size_t i = 0; i < OWN_FILES; i++)
        assert_true(is_there(&f, arena_printf(f.arena, ".film.mp4.odori/%s", own_files[i])));
    assert_true(checkpoint_remove(&bytes, directory, false, f.arena, &f.log.diag));
    assert_int_equal(bytes, 3 * OWN_FILES);
    assert_false(is_there(&f, ".film.mp4.odori"));
    assert_true(is_there(&f, ".film.mp4.7.tmp"));
    film_fixture_remove(&f);
}

static void files_of_others_stay(void **state)
{
    (void)state;
    static const char *const others[] = {"notes.txt", "ledger/notes.txt", "changed-x.png"};
    FilmFixture f;
    uint64_t bytes;
    film_fixture_make(&f);
    for (int killed = 0; killed < 2; killed++) {
        save_directory(&f);
        for (size_t i = 0; i < 3; i++)
            film_fixture_save(&f, arena_printf(f.arena, ".film.mp4.odori/%s", others[i]), "");
        if (killed)
            checkpoint_clean_output(film_fixture_path(&f, "film.mp4"));
        else
            assert_true(checkpoint_remove(&bytes, film_fixture_path(&f, ".film.mp4.odori"), false,
                                          f.arena, &f.log.diag));
        for (size_t i = 0; i < 3; i++)
            assert_true(is_there(&f, arena_printf(f.arena, ".film.mp4.odori/%s", others[i])));
        for (size_t i = 0; i < OWN_FILES; i++)
            assert_false(is_there(&f, arena_printf(f.arena, ".film.mp4.odori/%s", own_files[i])));
    }
    film_fixture_remove(&f);
}

/* What is no directory with these files is refused: a link, also in it; a file; nothing. */
static void directories_that_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        DiagKind kind;
    } rows[] = {{"link", DIAG_CREATE},
                {"file", DIAG_CREATE},
                {"none", DIAG_IO},
                {".film.mp4.odori", DIAG_CREATE}};
    FilmFixture f;
    film_fixture_make(&f);
    save_directory(&f);
    film_fixture_save(&f, "file", "");
    assert_int_equal(symlink(".film.mp4.odori", film_fixture_path(&f, "link")), 0);
    assert_int_equal(symlink("/", film_fixture_path(&f, ".film.mp4.odori/changed-1.png")), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diag diag = diag_quiet();
        uint64_t bytes;
        assert_false(
            checkpoint_remove(&bytes, film_fixture_path(&f, rows[i].name), false, f.arena, &diag));
        if (diag.kind != rows[i].kind)
            fail_msg("%s: %d", rows[i].name, (int)diag.kind);
    }
    for (size_t i = 0; i < OWN_FILES; i++)
        assert_true(is_there(&f, arena_printf(f.arena, ".film.mp4.odori/%s", own_files[i])));
    film_fixture_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stills_in_one_directory),
        cmocka_unit_test(stills_with_short_numbers),
        cmocka_unit_test(files_of_the_directory),
        cmocka_unit_test(work_and_records),
        cmocka_unit_test(directory_of_a_killed_output),
        cmocka_unit_test(directory_that_is_removed),
        cmocka_unit_test(files_of_others_stay),
        cmocka_unit_test(directories_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
