// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/write_root.h"
#include "diag_log.h"
#include "scratch.h"
#include "unit_test.h"

/* Paths below the scratch directory, where "up" is the root and the working directory is beside it.
 */
static int make_tree(void **state)
{
    static Scratch scratch;
    static const char *const directories[] = {"up", "up/o", "up/sub", "out", "out/records"};
    static const char *const links[][2] = {
        {"../out", "up/leads-out"},
        {"sub", "up/leads-in"},
        {"../out/nothing", "up/dangling"},
        {"../out/file", "up/file-outside"},
        {"up", "way-in"},
        {"../up/o", "out/to-upload"},
        {"records", "out/.x.mp4.odori"},
        {"../up", "out/.y.mp4.odori"},
    };
    scratch_make(&scratch);
    assert_int_equal(chdir(scratch.directory), 0);
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        assert_int_equal(mkdir(directories[i], 0777), 0);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        assert_int_equal(symlink(links[i][0], links[i][1]), 0);
    assert_int_equal(mkfifo("up/pipe", 0666), 0);
    assert_int_equal(mkfifo("out/pipe", 0666), 0);
    assert_int_equal(symlink("/dev/null", "up/device"), 0);
    close(open("out/file", O_CREAT | O_WRONLY, 0666));
    close(open("up/o/a.mp4", O_CREAT | O_WRONLY, 0666));
    *state = &scratch;
    return 0;
}

static int remove_tree(void **state)
{
    write_root_set(NULL, NULL);
    scratch_remove(*state);
    return 0;
}

static void set_root(const char *directory)
{
    char real[PATH_MAX];
    assert_non_null(realpath(directory, real));
    write_root_set(real, "test");
}

static void test_files(void **state)
{
    (void)state;
    static const char OUTSIDE[] = "leads out of the directory of the job file (paths: test)",
                      SPECIAL[] = "is not a regular file (paths: test)";
    static const struct {
        const char *from, *path, *expected; /* NULL: allowed */
    } rows[] = {
        {".", "up/o/a.mp4", NULL},
        {".", "up/o/new.mp4", NULL},
        {".", "up/new/directory/x.mp4", NULL},
        {".", "up/leads-in/x.mp4", NULL},
        {".", "up/leads-out/x.mp4", OUTSIDE},
        {".", "up/leads-out/new/x.mp4", OUTSIDE},
        {".", "up/leads-out/%05d.png", OUTSIDE},
        {".", "up/leads-out/50%/x.png", OUTSIDE},
        {".", "up/%05d.png", NULL},
        {".", "up/dangling/x.mp4", OUTSIDE},
        {".", "up/dangling", OUTSIDE},
        {".", "up/file-outside", OUTSIDE},
        {".", "up/leads-out/../up/x.mp4", NULL}, /* out and in again */
        {".", "up/leads-out/../out/x.mp4", OUTSIDE},
        {".", "up/pipe", SPECIAL},
        {".", "up/device", OUTSIDE},
        {".", "way-in/leads-out/x.mp4", OUTSIDE}, /* the root by another name */
        {".", "way-in/pipe", SPECIAL},
        {".", "out/to-upload/a.mp4", NULL},
        {".", "out/pipe", NULL}, /* the host's own */
        {".", "out/x.mp4", NULL},
        {".", "up/../out/x.mp4", NULL}, /* it was the host who left */
        {".", "/dev/null", NULL},
        {"up", "x.mp4", NULL},
        {"up", "pipe", SPECIAL},
        {"up", "leads-out/x.mp4", OUTSIDE},
        {"up", "../out/x.mp4", NULL},
        {"up", "../out/pipe", NULL},
        {"up/sub", "../leads-out/x.mp4", OUTSIDE},
    };
    set_root("up");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        const int home = open(".", O_RDONLY | O_DIRECTORY);
        assert_int_equal(chdir(rows[i].from), 0);
        diag_log_init(&log);
        const bool good = write_root_check(rows[i].path, &log.diag);
        if (good == (rows[i].expected != NULL) ||
            (!good && (!strstr(log.text, rows[i].expected) || log.diag.kind != DIAG_CREATE)))
            fail_msg("from %s: %s: %s", rows[i].from, rows[i].path, log.text);
        assert_int_equal(fchdir(home), 0);
        close(home);
    }
    DiagLog log;
    diag_log_init(&log);
    write_root_follow("up/leads-out");
    assert_true(write_root_check("up/leads-out/ledger/x", &log.diag));
    assert_false(write_root_check("up/leads-in/../leads-out/x", &log.diag));
    assert_false(write_root_check("up/dangling/x", &log.diag));
    write_root_follow(NULL);
    write_root_set(NULL, NULL);
    diag_log_init(&log);
    assert_true(write_root_check("up/leads-out/x.mp4", &log.diag));
    assert_true(write_root_check("up/pipe", &log.diag));
    assert_null(write_root_of("up/x.mp4"));
}

/* A record directory may be a link within the directory of its output, or within the root. */
static void test_directories_beside(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        bool allowed;
    } rows[] = {
        {"up/o", true},
        {"up/new", true},
        {"up/leads-in", true},
        {"up/leads-in/", true},
        {"up/leads-out", false},
        {"up/leads-out/", false},
        {"up/dangling", false},
        {"way-in/leads-out", false},
        {"out/.x.mp4.odori", true},
        {"out/.y.mp4.odori", false},
        {"out/.z.mp4.odori", true},
    };
    DiagLog log;
    set_root("up");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        diag_log_init(&log);
        if (write_root_check_beside(rows[i].path, &log.diag) != rows[i].allowed)
            fail_msg("%s: %s", rows[i].path, log.text);
    }
    diag_log_init(&log);
    assert_true(write_root_check_beside(NULL, &log.diag));
    write_root_set(NULL, NULL);
    assert_true(write_root_check_beside("up/leads-out", &log.diag));
}

/* The checks are those of the functions that open files, too. */
static void test_opened_files(void **state)
{
    (void)state;
    FileOut out;
    DiagLog log;
    set_root("up");
    diag_log_init(&log);
    assert_false(file_out_open(&out, "up/pipe", &log.diag)); /* without a reader it would wait */
    assert_false(file_out_open(&out, "up/leads-out/x", &log.diag));
    assert_true(file_out_open(&out, "up/leads-in/x", &log.diag));
    file_out_abort(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_directories_beside),
        cmocka_unit_test(test_opened_files),
    };
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
