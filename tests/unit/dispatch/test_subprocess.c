// SPDX-License-Identifier: MIT
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag_log.h"
#include "dispatch/starter.h"
#include "dispatch/subprocess.h"
#include "scratch.h"
#include "unit_test.h"

/* The children run this program, which behaves according to its arguments. */
static int be_a_child(char **arguments)
{
    char byte;
    if (!strcmp(arguments[1], "complain")) {
        fprintf(stderr,
                "odori: error: first\nmore of it\nodori: error: last \033[31m\xFF\n  note\n");
        return 74;
    }
    if (!strcmp(arguments[1], "crash")) {
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    if (!strcmp(arguments[1], "read"))
        return read(STDIN_FILENO, &byte, 1) == 0 ? 0 : 1;
    if (!strcmp(arguments[1], "say"))
        puts(arguments[2]);
    return 3;
}

/* An emulator such as qemu-user runs this program, but the kernel cannot. */
static void skip_if_emulated(void)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "odori", "nothing", (char *)NULL);
        _exit(70);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 70)
        skip();
}

/* The words after those of a rule, as a batch uses them. */
#define JOB "--", "job.yaml"

static const char *const none[] = {NULL}, *const quoted[] = {"it's", NULL};
static const StarterVerb verbs[] = {
    {"complain", none}, {"crash", none}, {"read", none}, {"say", quoted}, {0}};
static const StarterRules rules = {.verbs = verbs, .bakes = "/batch/bake/"};

static int wait_for(const Subprocess *child)
{
    int status;
    while (!starter_has_ended(child->pid, &status))
        starter_wait(-1);
    return status;
}

static const struct Row {
    const char *what;
    const char *command[6];
    int status;
    const char *complaint;
} rows[] = {
    {"the last error, without control characters",
     {"odori", "complain", JOB},
     74,
     "last  [31m\xEF\xBF\xBD"},
    {"a signal", {"odori", "crash", JOB}, 128 + SIGABRT, "killed by signal 6 (Aborted)"},
    {"empty standard input", {"odori", "read", JOB}, 0, "exit status 0"},
    {"an exit status without a message", {"odori", "say", "it's", JOB}, 3, "exit status 3"},
};

static void test_reports_end_of_child(void **state)
{
    Arena *arena = arena_create();
    Scratch scratch;
    DiagLog log;
    (void)state;
    skip_if_emulated();
    diag_log_init(&log);
    scratch_make(&scratch);
    const char *log_file = scratch_path(&scratch, "log");
    assert_true(starter_start(&rules, &log.diag));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Subprocess child;
        assert_true(subprocess_start(&child, rows[i].command, log_file, &log.diag));
        const int status = wait_for(&child);
        if (subprocess_exit_status(status) != rows[i].status)
            fail_msg("%s: %d", rows[i].what, subprocess_exit_status(status));
        if (strcmp(subprocess_error_text(&child, status, arena), rows[i].complaint) != 0)
            fail_msg("%s: %s", rows[i].what, subprocess_error_text(&child, status, arena));
    }
    starter_stop();
    scratch_remove(&scratch);
    arena_destroy(arena);
}

/* All children append to one log_file, each after its command. */
static void test_appends_to_log(void **state)
{
    static const char *const command[] = {"odori", "say", "it's", "--set", "a=b", JOB, NULL};
    static const char line[] = "$ odori say 'it'\\''s' --set a=b -- job.yaml\nit's\n";
    char text[256] = "";
    Scratch scratch;
    DiagLog log;
    (void)state;
    skip_if_emulated();
    diag_log_init(&log);
    scratch_make(&scratch);
    const char *log_file = scratch_path(&scratch, "log");
    assert_true(starter_start(&rules, &log.diag));
    for (int i = 0; i < 2; i++) {
        Subprocess child;
        assert_true(subprocess_start(&child, command, log_file, &log.diag));
        wait_for(&child);
    }
    FILE *file = fopen(log_file, "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text - 1, file), 2 * strlen(line));
    fclose(file);
    assert_memory_equal(text, line, strlen(line));
    assert_string_equal(text + strlen(line), line);
    starter_stop();
    scratch_remove(&scratch);
}

/* What a batch that was taken over may not start. */
static void test_refuses_other_commands(void **state)
{
    static const char *const refused[][8] = {
        {"odori", "render", JOB},                          /* no rule */
        {"odori", "say", JOB},                             /* without the host's word */
        {"odori", "say", "its", JOB},                      /* another one */
        {"odori", "say", "it's", "--sandbox", "off", JOB}, /* a flag of the host */
        {"odori", "say", "it's", "-o", "/batch/bake/a", "--overwrite", JOB}, /* not a bake */
        {"odori", "say", "it's", "--set"},
        {"odori", "say", "it's", "--", "job.yaml", "other.yaml"},
        {"odori", "say", "it's"},
        {"sh", "say", "it's", JOB},
    };
    DiagLog log;
    (void)state;
    diag_log_init(&log);
    assert_true(starter_start(&rules, &log.diag));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (starter_run(refused[i], STDERR_FILENO) > 0)
            fail_msg("command %zu was started", i);
        assert_int_equal(errno, EPERM);
    }
    starter_stop();
}

static void test_overwrites_bakes(void **state)
{
    static const StarterVerb verb[] = {{"bake", none}, {0}};
    static const StarterRules own = {.verbs = verb, .bakes = "/batch/bake/"};
    static const char *const files[] = {"/batch/bake/a", "/batch/bake/../a", "/home/a"};
    DiagLog log;
    (void)state;
    skip_if_emulated();
    diag_log_init(&log);
    assert_true(starter_start(&own, &log.diag));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *const command[] = {"odori", "bake", "-o", files[i], "--overwrite", JOB, NULL};
        const Subprocess child = {.pid = starter_run(command, STDERR_FILENO)};
        assert_int_equal(child.pid > 0, i == 0);
        if (child.pid > 0)
            wait_for(&child);
    }
    starter_stop();
}

static void test_reports_uncreatable_log(void **state)
{
    static const char *const arguments[] = {"odori", "say", "a", NULL};
    Subprocess child;
    DiagLog log;
    (void)state;
    diag_log_init(&log);
    assert_false(subprocess_start(&child, arguments, "/nowhere/at/all", &log.diag));
    assert_int_equal(log.diag.kind, DIAG_CREATE);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reports_end_of_child),    cmocka_unit_test(test_appends_to_log),
        cmocka_unit_test(test_refuses_other_commands),  cmocka_unit_test(test_overwrites_bakes),
        cmocka_unit_test(test_reports_uncreatable_log),
    };
    if (argc > 1)
        return be_a_child(argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
