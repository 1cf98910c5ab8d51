// SPDX-License-Identifier: MIT
/* work in a child process: its result, its errors, and every way to die */

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "diag_log.h"
#include "sandbox/isolated.h"
#include "unit_test.h"

static volatile sig_atomic_t stop;

typedef struct Run {
    Arena *arena;
    Bytes result;
    DiagLog log;
    bool good;
} Run;

static Run run(IsolatedWork *work, void *user, const IsolatedLimits *limits)
{
    static const IsolatedLimits none;
    Run r = {.arena = arena_create()};
    diag_log_init(&r.log);
    r.good = isolated_run(&r.result, work, user, limits ? limits : &none, r.arena, &r.log.diag);
    return r;
}

static bool write_number(FILE *out, void *user, Diag *diag)
{
    (void)diag;
    for (int i = 0; i < 100000; i++)
        fprintf(out, "%d,", *(int *)user);
    *(int *)user = -1; /* of the child only */
    return true;
}

static void test_result_comes_back(void **state)
{
    int number = 42;
    (void)state;
    Run r = run(write_number, &number, NULL);
    assert_true(r.good);
    assert_int_equal(r.result.size, 300000);
    assert_memory_equal(r.result.data + 299997, "42,", 3);
    assert_int_equal(number, 42);
    arena_destroy(r.arena);
}

static bool report_errors(FILE *out, void *user, Diag *diag)
{
    (void)user;
    fputs("discarded", out);
    diag_warn(diag, WARN_JOB, "a warning");
    diag_fail(diag, DIAG_MISSING, "no such file");
    return diag_error(diag, "second");
}

static void test_errors_come_back(void **state)
{
    (void)state;
    Run r = run(report_errors, NULL, NULL);
    assert_false(r.good);
    assert_int_equal(r.log.diag.kind, DIAG_MISSING);
    assert_int_equal(r.log.diag.errors, 2);
    assert_int_equal(r.log.diag.warnings, 1);
    assert_string_equal(r.log.text, "warning: a warning\nerror: no such file\nerror: second\n");
    assert_null(r.result.data);
    arena_destroy(r.arena);
}

/* Four of one kind, of which the last is counted. */
static bool report_warnings(FILE *out, void *user, Diag *diag)
{
    (void)user;
    for (int i = 0; i < 4; i++)
        diag_warn(diag, WARN_CLOTH, "cloth %d", i);
    diag_note(diag, "a note");
    fputs("result", out);
    return diag_warn(diag, WARN_PREVIEW, "preview");
}

static void test_warnings_obey_the_rules(void **state)
{
    static const IsolatedLimits limits;
    static const struct {
        DiagRules rules;
        bool good;
        const char *expected;
    } rows[] = {
        {{0},
         true,
         "warning: cloth 0\nwarning: cloth 1\nwarning: cloth 2\na note\nwarning: preview\n"
         "warning: 1 more warnings like these\n"},
        {{.hidden = 1u << WARN_CLOTH}, true, "a note\nwarning: preview\n"},
        {{.hidden = 1u << WARN_CLOTH, .errors = 1u << WARN_PREVIEW},
         false,
         "a note\nerror: preview\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Run r = {.arena = arena_create()};
        diag_log_init(&r.log);
        r.log.diag.rules = rows[i].rules;
        r.good = isolated_run(&r.result, report_warnings, NULL, &limits, r.arena, &r.log.diag);
        assert_int_equal(r.good, rows[i].good);
        assert_string_equal(r.log.text, rows[i].expected);
        assert_int_equal(r.result.size, r.good ? 6 : 0);
        arena_destroy(r.arena);
    }
}

typedef struct Forgery {
    uint8_t data[24];
    bool was_open[256]; /* descriptors of the test before the child starts */
} Forgery;

/* A child that was taken over sends what it likes to the pipe. */
static bool forge(FILE *out, void *user, Diag *diag)
{
    const Forgery *forgery = user;
    struct stat st;
    (void)out;
    (void)diag;
    for (int fd = 0; fd < 256; fd++)
        if (!forgery->was_open[fd] && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode))
            _exit(write(fd, forgery->data, 24) == 24 ? 0 : 9);
    _exit(8);
}

static void test_forged_results(void **state)
{
    static const struct {
        int64_t kind;
        uint64_t message_size;
        const char *rest; /* 8 bytes */
        DiagKind expected_kind;
        const char *expected;
    } rows[] = {
        {1000, 0, "12345678", DIAG_INTERNAL, "error: loading it ended with status 0\n"},
        {-1, 0, "12345678", DIAG_INTERNAL, "error: loading it ended with status 0\n"},
        {0, 9, "12345678", DIAG_INTERNAL, "error: loading it ended with status 0\n"},
        {0, UINT64_MAX, "12345678", DIAG_INTERNAL, "error: loading it ended with status 0\n"},
        {DIAG_DATA, 8, "\2no end!", DIAG_DATA, "error: loading it failed\n"},
        {DIAG_DATA, 8, "\7level\0x", DIAG_DATA, "error: level\n"},
        {DIAG_DATA, 8, "\2a\33bcde\0", DIAG_DATA, "error: a\\x1Bbcde\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Forgery forgery;
        for (int fd = 0; fd < 256; fd++)
            forgery.was_open[fd] = fcntl(fd, F_GETFD) >= 0;
        memcpy(forgery.data, &rows[i].kind, 8);
        memcpy(forgery.data + 8, &rows[i].message_size, 8);
        memcpy(forgery.data + 16, rows[i].rest, 8);
        Run r = run(forge, &forgery, NULL);
        assert_false(r.good);
        if (r.log.diag.kind != rows[i].expected_kind || strcmp(r.log.text, rows[i].expected) != 0)
            fail_msg("row %zu: '%s'", i, r.log.text);
        arena_destroy(r.arena);
    }
}

static bool die(FILE *out, void *user, Diag *diag)
{
    (void)out;
    (void)diag;
    kill(getpid(), *(int *)user);
    return true;
}

static bool leave(FILE *out, void *user, Diag *diag)
{
    (void)out;
    (void)diag;
    _exit(*(int *)user);
}

static _Noreturn bool hang(FILE *out, void *user, Diag *diag)
{
    (void)out;
    (void)user;
    (void)diag;
    for (;;)
        pause();
}

static void expect_failure(IsolatedWork *work, int value, const IsolatedLimits *limits,
                           DiagKind kind, const char *text)
{
    Run r = run(work, &value, limits);
    assert_false(r.good);
    assert_int_equal(r.log.diag.kind, kind);
    if (!strstr(r.log.text, text))
        fail_msg("'%s' lacks '%s'", r.log.text, text);
    arena_destroy(r.arena);
}

static void test_deaths_are_reported(void **state)
{
    const IsolatedLimits short_time = {.wall_s = 0.2};
    (void)state;
    expect_failure(die, SIGKILL, NULL, DIAG_INTERNAL, "signal 9");
    expect_failure(die, SIGTERM, NULL, DIAG_INTERNAL, "signal 15");
    expect_failure(leave, 3, NULL, DIAG_INTERNAL, "status 3");
    expect_failure(leave, MEMORY_EXIT, NULL, DIAG_RESOURCE, "too much memory");
    expect_failure(hang, 0, &short_time, DIAG_INCOMPLETE, "longer than 0.2 s");
}

static void test_stop_ends_the_child(void **state)
{
    const IsolatedLimits limits = {.stop = &stop};
    (void)state;
    stop = SIGTERM;
    Run r = run(hang, NULL, &limits);
    stop = 0;
    assert_false(r.good);
    assert_int_equal(r.log.diag.kind, DIAG_NONE);
    arena_destroy(r.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_result_comes_back),       cmocka_unit_test(test_errors_come_back),
        cmocka_unit_test(test_warnings_obey_the_rules), cmocka_unit_test(test_forged_results),
        cmocka_unit_test(test_deaths_are_reported),     cmocka_unit_test(test_stop_ends_the_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
