// SPDX-License-Identifier: MIT
/* renderer_record: frames of one film come from one renderer, unless the user accepts another */

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "diag_log.h"
#include "run/checkpoint/renderer_record.h"
#include "scratch.h"
#include "unit_test.h"

static void write_record(Scratch *scratch, const char *text)
{
    FILE *out = fopen(scratch_path(scratch, RENDERER_RECORD_NAME), "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static void assert_record(Scratch *scratch, const char *expected)
{
    char text[256] = "";
    FILE *in = fopen(scratch_path(scratch, RENDERER_RECORD_NAME), "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    assert_string_equal(text, expected);
}

static void test_rows(void **unused)
{
    static const struct {
        const char *what, *before; /* NULL: no file */
        bool accept, ok;
        const char *after;
    } rows[] = {
        {"the first run", NULL, false, true, "Mesa 2, b\n"},
        {"the same renderer", "Mesa 2, b\n", false, true, "Mesa 2, b\n"},
        {"another renderer", "Mesa 1, a\n", false, false, "Mesa 1, a\n"},
        {"another renderer, accepted", "Mesa 1, a\n", true, true, "Mesa 1, a\nMesa 2, b\n"},
        {"accepted earlier", "Mesa 1, a\nMesa 2, b\n", false, true, "Mesa 1, a\nMesa 2, b\n"},
        {"a longer name", "Mesa 2, bc\n", false, false, "Mesa 2, bc\n"},
        {"a shorter name", "Mesa 2, \n", false, false, "Mesa 2, \n"},
        {"a creator that died before it wrote", "", false, true, "Mesa 2, b\n"},
    };
    Scratch scratch;
    (void)unused;

    scratch_make(&scratch);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        diag_log_init(&log);
        unlink(scratch_path(&scratch, RENDERER_RECORD_NAME));
        if (rows[i].before)
            write_record(&scratch, rows[i].before);
        if (renderer_record_check(scratch.directory, "Mesa 2, b", rows[i].accept, &log.diag) !=
            rows[i].ok)
            fail_msg("%s", rows[i].what);
        assert_int_equal(log.diag.kind, rows[i].ok ? DIAG_NONE : DIAG_CREATE);
        if (!rows[i].ok) {
            assert_non_null(strstr(log.text, "was drawn by Mesa"));
            assert_non_null(strstr(log.text, "this machine draws with Mesa 2, b;"));
        }
        assert_record(&scratch, rows[i].after);
    }
    scratch_remove(&scratch);
}

static void test_no_directory(void **unused)
{
    DiagLog log;
    (void)unused;

    diag_log_init(&log);
    assert_false(renderer_record_check("no/such/directory", "Mesa 2, b", false, &log.diag));
    assert_non_null(strstr(log.text, "cannot create 'no/such/directory/renderers.txt'"));
}

/* Eight processes with two renderers start together: those of one renderer pass. */
static void test_race(void **unused)
{
    enum { PROCESSES = 8 };
    Scratch scratch;
    pid_t children[PROCESSES];
    int passed[2] = {0};
    (void)unused;

    scratch_make(&scratch);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            DiagLog log;
            diag_log_init(&log);
            _exit(renderer_record_check(scratch.directory, i % 2 ? "b" : "a", false, &log.diag)
                      ? 0
                      : 1);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 0;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        passed[i % 2] += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    assert_int_equal(passed[0] + passed[1], PROCESSES / 2);
    assert_true(passed[0] == 0 || passed[1] == 0);
    scratch_remove(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_no_directory),
        cmocka_unit_test(test_race),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
