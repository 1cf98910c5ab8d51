// SPDX-License-Identifier: MIT
/* output_lock: two runs that write the same file are kept apart, whatever their directories */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "diag_log.h"
#include "film/film.h"
#include "run/checkpoint/ledger.h"
#include "run/checkpoint/lock.h"
#include "scratch.h"
#include "unit_test.h"

static const FilmSpan all = {0, LOCK_TO_END};

/* Replaces that of the C library; fails with this error, unless it is 0. */
static int truncate_error;

int ftruncate(int fd, off_t size)
{
    errno = truncate_error;
    return truncate_error ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

typedef struct Fixture {
    Scratch scratch;
    DiagLog log;
    Arena *arena;
    Film film;
} Fixture;

static const char *path(Fixture *f, const char *name)
{
    return arena_strdup(f->arena, scratch_path(&f->scratch, name));
}

static bool is_there(Fixture *f, const char *name)
{
    struct stat st;
    return lstat(path(f, name), &st) == 0;
}

/* Outputs out/a.mp4 and b.png, a preview p.png, and outputs that are not locked. */
static void make(Fixture *f)
{
    scratch_make(&f->scratch);
    diag_log_init(&f->log);
    f->arena = arena_create();
    f->film = (Film){.outputs = arena_array(f->arena, FilmOutput, 5),
                     .output_count = 5,
                     .previews = arena_array(f->arena, FilmPreview, 1),
                     .preview_count = 1};
    f->film.outputs[0].options.file = "null:";
    f->film.outputs[1].options.file = path(f, "out/a.mp4");
    f->film.outputs[2].options.file = "/dev/null";
    f->film.outputs[3].options.file = "";
    f->film.outputs[4].options.file = path(f, "b.png");
    f->film.previews[0].output.options.file = path(f, "p.png");
}

static void discard(Fixture *f)
{
    arena_destroy(f->arena);
    scratch_remove(&f->scratch);
}

static OutputLocks *acquire(Fixture *f, FilmSpan segments)
{
    return output_locks_acquire(&f->film, segments, NULL, f->arena, &f->log.diag);
}

/* The locks exist while they are held, name the run, and are removed. */
static void locks_of_one_run(void **state)
{
    (void)state;
    static const char *const names[] = {"out/.a.mp4.odori-lock", ".b.png.odori-lock",
                                        ".p.png.odori-lock"};
    Fixture f;
    char run[LEDGER_RUN_SIZE];
    make(&f);
    OutputLocks *locks = acquire(&f, all);
    assert_non_null(locks);
    assert_int_equal(scratch_count(&f.scratch), 3);
    ledger_run_name(run, sizeof run);
    for (int i = 0; i < 3; i++) {
        Bytes bytes;
        assert_true(file_load(&bytes, path(&f, names[i]), 1000, f.arena, &f.log.diag));
        assert_string_equal(arena_strndup(f.arena, (const char *)bytes.data, bytes.size),
                            arena_printf(f.arena, "%s\n", run));
    }
    output_locks_release(locks);
    output_locks_release(locks); /* holds nothing any more */
    output_locks_release(NULL);
    assert_int_equal(scratch_count(&f.scratch), 0);
    assert_int_equal(f.log.used, 0);
    discard(&f);
}

/* A file that a killed run left is taken over, with what it contained. */
static void locks_of_killed_runs(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    FILE *left = fopen(path(&f, ".b.png.odori-lock"), "w");
    assert_non_null(left);
    for (int i = 0; i < 50; i++)
        fputs("a run with a long name\n", left);
    fclose(left);
    OutputLocks *locks = acquire(&f, all);
    assert_non_null(locks);
    Bytes bytes;
    assert_true(file_load(&bytes, path(&f, ".b.png.odori-lock"), 1000, f.arena, &f.log.diag));
    assert_ptr_equal(memchr(bytes.data, '\n', bytes.size), bytes.data + bytes.size - 1);
    output_locks_release(locks);
    assert_false(is_there(&f, ".b.png.odori-lock"));
    discard(&f);
}

/* Shards lock segments of their own; the last one removes the file. */
static void shards_and_other_runs(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    OutputLocks *first = acquire(&f, (FilmSpan){0, 2}), *second = acquire(&f, (FilmSpan){2, 3});
    assert_non_null(first);
    assert_non_null(second);
    assert_null(acquire(&f, (FilmSpan){1, 2}));
    char run[LEDGER_RUN_SIZE];
    ledger_run_name(run, sizeof run);
    assert_int_equal(f.log.diag.kind, DIAG_INCOMPLETE);
    assert_non_null(strstr(f.log.text, ".a.mp4.odori-lock' is locked; last run: "));
    assert_non_null(strstr(f.log.text, run));
    output_locks_release(first);
    assert_true(is_there(&f, ".b.png.odori-lock"));
    output_locks_release(second);
    assert_int_equal(scratch_count(&f.scratch), 0);
    discard(&f);
}

/* If one of the files is locked by another run, the others are released again. */
static void all_or_none(void **state)
{
    (void)state;
    static const volatile sig_atomic_t stop = 1;
    Fixture f;
    make(&f);
    Film other = f.film;
    other.outputs = &f.film.outputs[4];
    other.output_count = 1;
    other.preview_count = 0;
    OutputLocks *held = output_locks_acquire(&other, all, NULL, f.arena, &f.log.diag);
    assert_non_null(held);
    assert_int_equal(scratch_count(&f.scratch), 1);
    assert_null(output_locks_acquire(&f.film, all, &stop, f.arena, &f.log.diag));
    assert_int_equal(f.log.used, 0); /* stopped: no error */
    assert_int_equal(scratch_count(&f.scratch), 1);
    output_locks_release(held);

    /* only the preview is locked */
    other.outputs = &f.film.previews[0].output;
    held = output_locks_acquire(&other, all, NULL, f.arena, &f.log.diag);
    assert_null(output_locks_acquire(&f.film, all, &stop, f.arena, &f.log.diag));
    output_locks_release(held);
    assert_int_equal(scratch_count(&f.scratch), 0);
    discard(&f);
}

/* A file that is no longer at its name belongs to someone else. */
static void replaced_locks_are_kept(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    OutputLocks *locks = acquire(&f, all);
    assert_non_null(locks);
    assert_int_equal(unlink(path(&f, ".b.png.odori-lock")), 0);
    FILE *other = fopen(path(&f, ".b.png.odori-lock"), "w");
    assert_non_null(other);
    fclose(other);
    assert_int_equal(unlink(path(&f, ".p.png.odori-lock")), 0);
    output_locks_release(locks);
    assert_true(is_there(&f, ".b.png.odori-lock"));
    assert_int_equal(scratch_count(&f.scratch), 1);
    discard(&f);
}

static void locks_that_cannot_be_made(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    assert_int_equal(mkdir(path(&f, ".b.png.odori-lock"), 0777), 0);
    assert_null(acquire(&f, all));
    assert_non_null(strstr(f.log.text, "cannot create '"));
    assert_false(is_there(&f, "out/.a.mp4.odori-lock"));
    discard(&f);
}

/* A lock file into which the run cannot write its name is removed again. */
static void locks_that_cannot_be_written(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    truncate_error = EIO;
    OutputLocks *locks = acquire(&f, all);
    truncate_error = 0;
    assert_null(locks);
    assert_non_null(strstr(f.log.text, "odori-lock': Input/output error"));
    assert_int_equal(f.log.diag.kind, DIAG_IO);
    assert_int_equal(scratch_count(&f.scratch), 0);
    discard(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locks_of_one_run),
        cmocka_unit_test(locks_of_killed_runs),
        cmocka_unit_test(shards_and_other_runs),
        cmocka_unit_test(all_or_none),
        cmocka_unit_test(replaced_locks_are_kept),
        cmocka_unit_test(locks_that_cannot_be_made),
        cmocka_unit_test(locks_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
