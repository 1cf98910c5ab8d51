// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "diag_log.h"
#include "scratch.h"
#include "unit_test.h"

static void expect_content(const char *path, const char *content)
{
    Arena *arena = arena_create();
    DiagLog log;
    Bytes bytes;
    diag_log_init(&log);
    if (!file_load(&bytes, path, FILE_MAX_SIZE, arena, &log.diag))
        fail_msg("%s", log.text);
    assert_int_equal(bytes.size, strlen(content));
    assert_memory_equal(bytes.data, content, bytes.size);
    arena_destroy(arena);
}

static void test_save_and_load(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    scratch_make(&scratch);
    diag_log_init(&log);
    const char *path = scratch_path(&scratch, "new/directories/a.txt");
    assert_true(file_save(path, "one", 3, &log.diag));
    expect_content(path, "one");
    assert_true(file_save(path, "", 0, &log.diag));
    expect_content(path, "");
    assert_int_equal(scratch_count(&scratch), 1);
    scratch_remove(&scratch);
}

/* The old file is unchanged until the commit and after an abort, and no temporary file remains.
 */
static void test_old_file_stands_until_commit(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    FileOut out;
    scratch_make(&scratch);
    diag_log_init(&log);
    const char *path = scratch_path(&scratch, "a.txt");
    assert_true(file_save(path, "old", 3, &log.diag));

    assert_true(file_out_open(&out, path, &log.diag));
    assert_true(file_out_write(&out, "ne", 2, &log.diag));
    expect_content(path, "old");
    file_out_abort(&out);
    file_out_abort(&out);
    expect_content(path, "old");
    assert_int_equal(scratch_count(&scratch), 1);

    assert_true(file_out_open(&out, path, &log.diag));
    assert_true(file_out_write(&out, "ne", 2, &log.diag));
    assert_true(file_out_write(&out, "w", 1, &log.diag));
    assert_true(file_out_commit(&out, &log.diag));
    file_out_abort(&out);
    expect_content(path, "new");
    assert_int_equal(scratch_count(&scratch), 1);
    scratch_remove(&scratch);
}

static void test_disk_full(void **state)
{
    (void)state;
    DiagLog log;
    diag_log_init(&log);
    FileOut out = {.fd = open("/dev/full", O_WRONLY | O_CLOEXEC), .path = "a.png", .temporary = ""};
    if (out.fd < 0)
        skip();
    assert_false(file_out_write(&out, "x", 1, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_IO);
    assert_non_null(strstr(log.text, "cannot write 'a.png'"));
    assert_int_equal(out.fd, -1);
}

static void test_what_cannot_be_read(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    Bytes bytes;
    Arena *arena = arena_create();
    scratch_make(&scratch);
    diag_log_init(&log);
    assert_false(file_load(&bytes, scratch_path(&scratch, "absent"), 100, arena, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_MISSING);

    diag_log_init(&log);
    assert_false(file_load(&bytes, scratch.directory, 100, arena, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_MISSING);

    diag_log_init(&log); /* a pipe without a writer must not block the program */
    assert_int_equal(mkfifo(scratch_path(&scratch, "pipe"), 0600), 0);
    assert_false(file_load(&bytes, scratch_path(&scratch, "pipe"), 100, arena, &log.diag));
    assert_string_equal(log.text, "error: not a regular file\n");

    diag_log_init(&log);
    const char *path = scratch_path(&scratch, "long");
    assert_true(file_save(path, "12345", 5, &log.diag));
    assert_true(file_load(&bytes, path, 5, arena, &log.diag));
    assert_false(file_load(&bytes, path, 4, arena, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_DATA);
    assert_string_equal(log.text, "error: file of 5 bytes is too large (0..4)\n");
    arena_destroy(arena);
    scratch_remove(&scratch);
}

static void test_what_cannot_be_created(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    scratch_make(&scratch);
    diag_log_init(&log);
    assert_true(file_save(scratch_path(&scratch, "file"), "", 0, &log.diag));
    assert_false(file_save(scratch_path(&scratch, "file/a.png"), "", 0, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_CREATE);

    static char longer[5000];
    memset(longer, 'x', sizeof longer - 1);
    diag_log_init(&log);
    assert_false(file_save(longer, "", 0, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_CREATE);
    scratch_remove(&scratch);
}

static void test_temporary_name(void **state)
{
    (void)state;
    char name[64], expected[64];
    snprintf(expected, sizeof expected, "a/b/.c.mp4.%ld.tmp", (long)getpid());
    assert_true(file_temporary_name(name, sizeof name, "a/b/c.mp4"));
    assert_string_equal(name, expected);
    assert_false(file_temporary_name(name, 10, "a/b/c.mp4"));
}

static void test_rename_of_what_another_wrote(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    char temporary[256], path[256];
    scratch_make(&scratch);
    diag_log_init(&log);
    snprintf(temporary, sizeof temporary, "%s", scratch_path(&scratch, "a.tmp"));
    snprintf(path, sizeof path, "%s", scratch_path(&scratch, "a.mp4"));
    assert_true(file_save(temporary, "film", 4, &log.diag));
    assert_true(file_rename_synced(temporary, path, NULL, &log.diag));
    expect_content(path, "film");
    assert_int_equal(scratch_count(&scratch), 1);
    assert_false(file_rename_synced(temporary, path, NULL, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_IO);
    scratch_remove(&scratch);
}

/* Another program creates the file between the first answer and the rename. */
static bool approve_free(void *user, const char *temporary, const char *path, Diag *diag)
{
    int *asked = user;
    (void)temporary;
    if ((*asked)++)
        return file_refuse_existing(path, diag);
    FILE *out = fopen(path, "wx");
    return out && fputs("other", out) >= 0 && fclose(out) == 0;
}

static void test_what_appears_before_the_rename(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    int asked = 0;
    scratch_make(&scratch);
    diag_log_init(&log);
    const char *path = scratch_path(&scratch, "file");
    const FileApproval approval = {approve_free, &asked};
    assert_false(file_save_approved(path, "mine", 4, &approval, &log.diag));
    assert_int_equal(asked, 2);
    assert_int_equal(log.diag.kind, DIAG_CREATE);
    expect_content(path, "other");
    scratch_remove(&scratch);
}

static void test_what_a_dead_process_left(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool goes;
    } rows[] = {
        {".film.mp4.77.tmp", false},    {".00012.png.123.tmp", true}, {".00013.png.123.tmp", true},
        {".00013.png.1123.tmp", false}, {"00014.png", false},         {".film.mp4.123.tmp", true},
    };
    Scratch scratch;
    DiagLog log;
    char pattern[4200];

    scratch_make(&scratch);
    diag_log_init(&log);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_true(file_save(scratch_path(&scratch, rows[i].name), "x", 1, &log.diag));
    snprintf(pattern, sizeof pattern, "%s%%05d.png", scratch.directory);
    file_remove_temporaries(pattern, 123);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bool there = access(scratch_path(&scratch, rows[i].name), F_OK) == 0;
        if (there == rows[i].goes)
            fail_msg("%s: %s", rows[i].name, there ? "still exists" : "is missing");
    }
    scratch_remove(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_dead_process_left),
        cmocka_unit_test(test_save_and_load),
        cmocka_unit_test(test_what_appears_before_the_rename),
        cmocka_unit_test(test_old_file_stands_until_commit),
        cmocka_unit_test(test_disk_full),
        cmocka_unit_test(test_what_cannot_be_read),
        cmocka_unit_test(test_what_cannot_be_created),
        cmocka_unit_test(test_temporary_name),
        cmocka_unit_test(test_rename_of_what_another_wrote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
