#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag_log.h"
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

static const struct Row {
    const char *what;
    const char *arguments[4];
    int status;
    const char *complaint;
} rows[] = {
    {"the last error, without control characters",
     {"odori", "complain"},
     74,
     "last  [31m\xEF\xBF\xBD"},
    {"a signal", {"odori", "crash"}, 128 + SIGABRT, "killed by signal 6 (Aborted)"},
    {"empty standard input", {"odori", "read"}, 0, "exit status 0"},
    {"an exit status without a message", {"odori", "say", "hello"}, 3, "exit status 3"},
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
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Subprocess child;
        int status;
        assert_true(subprocess_start(&child, rows[i].arguments, log_file, &log.diag));
        assert_int_equal(waitpid(child.pid, &status, 0), child.pid);
        if (subprocess_exit_status(status) != rows[i].status)
            fail_msg("%s: %d", rows[i].what, subprocess_exit_status(status));
        if (strcmp(subprocess_error_text(&child, status, arena), rows[i].complaint) != 0)
            fail_msg("%s: %s", rows[i].what, subprocess_error_text(&child, status, arena));
    }
    scratch_remove(&scratch);
    arena_destroy(arena);
}

/* All children append to one log_file, each after its command. */
static void test_appends_to_log(void **state)
{
    static const char *const first[] = {"odori", "say", "it's", NULL};
    static const char *const second[] = {"odori", "say", "c", NULL};
    static const char wanted[] = "$ odori say 'it'\\''s'\nit's\n$ odori say c\nc\n";
    char text[256] = "";
    Scratch scratch;
    DiagLog log;
    (void)state;
    skip_if_emulated();
    diag_log_init(&log);
    scratch_make(&scratch);
    const char *log_file = scratch_path(&scratch, "log");
    for (int i = 0; i < 2; i++) {
        Subprocess child;
        assert_true(subprocess_start(&child, i ? second : first, log_file, &log.diag));
        assert_int_equal(waitpid(child.pid, NULL, 0), child.pid);
    }
    FILE *file = fopen(log_file, "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text - 1, file), strlen(wanted));
    fclose(file);
    assert_string_equal(text, wanted);
    scratch_remove(&scratch);
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
        cmocka_unit_test(test_reports_end_of_child),
        cmocka_unit_test(test_appends_to_log),
        cmocka_unit_test(test_reports_uncreatable_log),
    };
    if (argc > 1)
        return be_a_child(argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
