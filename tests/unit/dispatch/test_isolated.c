/* work in a child process: its result, its errors, and every way to die */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "diag_log.h"
#include "dispatch/isolated.h"

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
    return diag_fail(diag, DIAG_MISSING, "no such file") || diag_error(diag, "second");
}

static void test_first_error_comes_back(void **state)
{
    (void)state;
    Run r = run(report_errors, NULL, NULL);
    assert_false(r.good);
    assert_int_equal(r.log.diag.kind, DIAG_MISSING);
    assert_int_equal(r.log.diag.errors, 1);
    assert_non_null(strstr(r.log.text, "no such file"));
    assert_null(strstr(r.log.text, "second"));
    arena_destroy(r.arena);
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
        cmocka_unit_test(test_result_comes_back),
        cmocka_unit_test(test_first_error_comes_back),
        cmocka_unit_test(test_deaths_are_reported),
        cmocka_unit_test(test_stop_ends_the_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
