// SPDX-License-Identifier: MIT
/*
 * A process whose standard input is closed gets descriptor 0 for the next file or directory that it
 * opens: the files of a checkpoint directory work with it, and it is closed again.
 */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "film_fixture.h"
#include "run/checkpoint/checkpoint.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_read.h"
#include "run/checkpoint/ledger.h"
#include "run/checkpoint/lock.h"
#include "run/checkpoint/renderer_record.h"
#include "run/checkpoint/written_files.h"
#include "unit_test.h"

static const FilmSpan all = {0, LOCK_TO_END};

static bool is_open(void)
{
    return fcntl(STDIN_FILENO, F_GETFD) != -1;
}

static void count_entry(void *user, const LedgerEntry *entry)
{
    *(int64_t *)user += entry->frame + 1;
}

static void a_ledger(FilmFixture *f)
{
    const LedgerEntry entry = {.frame = 6, .record = {.bytes = 1}};
    const char *file = film_fixture_path(f, "l.jsonl");
    Ledger ledger;
    LedgerTail tail;
    int64_t sum = 0;
    assert_true(ledger_open(&ledger, file, &f->log.diag));
    assert_true(ledger_add_run(&ledger, &f->log.diag));
    assert_true(ledger_add(&ledger, &entry, 1, &f->log.diag));
    assert_true(ledger_sync(&ledger, &f->log.diag));
    ledger_close(&ledger);
    assert_false(is_open());
    assert_true(ledger_read(file, count_entry, &sum, &tail, &f->log.diag));
    assert_int_equal(sum, 7);
    assert_int_equal(tail.frames, 1);
}

static void a_lock(FilmFixture *f)
{
    int fd = -1;
    assert_true(lock_acquire(&fd, film_fixture_path(f, "lock"), all, 0, "", NULL, &f->log.diag));
    assert_true(fd >= 0);
    close(fd);
}

static void locks_of_outputs(FilmFixture *f)
{
    FilmOutput output = {.options = {.file = film_fixture_path(f, "a.mp4")}};
    const Film film = {.outputs = &output, .output_count = 1};
    FILE *left = fopen(film_fixture_path(f, ".a.mp4.odori-lock"), "w");
    assert_non_null(left);
    fclose(left);
    OutputLocks *locks = output_locks_acquire(&film, all, NULL, f->arena, &f->log.diag);
    assert_non_null(locks);
    output_locks_release(locks);
}

static void a_renderer(FilmFixture *f)
{
    const char *directory = film_fixture_path(f, "state");
    assert_int_equal(mkdir(directory, 0777), 0);
    assert_true(renderer_record_check(directory, "Mesa 1", false, &f->log.diag));
    assert_true(renderer_record_check(directory, "Mesa 1", false, &f->log.diag));
    assert_false(renderer_record_check(directory, "Mesa 2", false, &f->log.diag));
    assert_non_null(strstr(f->log.text, "Mesa 2"));
    diag_log_init(&f->log);
}

static void written_files(FilmFixture *f)
{
    const char *directory = film_fixture_path(f, "state"), *file = film_fixture_path(f, "w.mp4");
    assert_int_equal(mkdir(directory, 0777), 0);
    film_fixture_save(f, "w.mp4", "x");
    WrittenFiles *written = written_files_load(directory, false, NULL, f->arena);
    assert_false(written_files_may_replace(written, file));
    const Digest digest = hash_bytes("x", 1);
    written_files_add(written, file, 1, &digest);
    assert_true(written_files_flush(written, &f->log.diag));
    assert_false(is_open());
    written = written_files_load(directory, false, NULL, f->arena);
    assert_true(written_files_may_replace(written, file));
    assert_true(written_files_compact(directory, &f->log.diag));
    written = written_files_load(directory, false, NULL, f->arena);
    assert_true(written_files_may_replace(written, file));
}

static void a_checkpoint(FilmFixture *f)
{
    static const char job[] = "version: 1\nmodels: [strip.pmx]\n"
                              "render: { size: [64, 36], fps: 30, frames: \"100-169\" }\n"
                              "outputs: [ { file: \"out/%04d.png\" } ]\n";
    const Film *film = film_fixture_load(f, job);
    const CheckpointOptions options = {.mode = CHECKPOINT_RESUME, .shard = {1, 1}};
    Digest digest = hash_bytes("still", 5);
    SinkRecord record = {.bytes = 5, .digest = digest};
    close(STDIN_FILENO); /* the fixture may have opened something */
    for (int i = 0; i < 2; i++) {
        Checkpoint *checkpoint = checkpoint_open(film, &options, &f->log.diag);
        if (!checkpoint)
            fail_msg("%s", f->log.text);
        assert_int_equal(checkpoint_has(checkpoint, 0, 3), i);
        film_fixture_save(f, "out/0103.png", "still");
        if (!i)
            assert_true(checkpoint_add_frame(checkpoint, 0, 3, &record, &f->log.diag));
        const char *directory = checkpoint_directory(film, f->arena);
        CheckpointContent content;
        assert_true(checkpoint_read(&content, directory, f->arena, &f->log.diag));
        assert_int_equal(content.locked.count, 1);
        checkpoint_close(checkpoint);
        assert_false(is_open());
        assert_true(checkpoint_read(&content, directory, f->arena, &f->log.diag));
        assert_int_equal(content.locked.count, 0);
    }
}

static void files_may_have_descriptor_0(void **state)
{
    (void)state;
    static void (*const uses[])(FilmFixture *) = {a_ledger,   a_lock,        locks_of_outputs,
                                                  a_renderer, written_files, a_checkpoint};
    const int input = dup(STDIN_FILENO);
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        FilmFixture f;
        film_fixture_make(&f);
        close(STDIN_FILENO);
        uses[i](&f);
        if (f.log.used)
            fail_msg("use %zu: %s", i, f.log.text);
        if (is_open())
            fail_msg("use %zu leaves its file open", i);
        if (input >= 0)
            assert_int_equal(dup2(input, STDIN_FILENO), STDIN_FILENO);
        film_fixture_remove(&f);
    }
    close(input);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_may_have_descriptor_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
