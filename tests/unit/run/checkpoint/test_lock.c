// SPDX-License-Identifier: MIT
/* lock: one program per byte, until the last of its processes has ended */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "diag_log.h"
#include "run/checkpoint/lock.h"
#include "scratch.h"
#include "unit_test.h"

/* Replaces that of the C library; locking fails with this error, unless it is 0. */
static int lock_error;

int fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *const argument = va_arg(arguments, void *);
    va_end(arguments);
    if (command == F_OFD_SETLK && lock_error) {
        errno = lock_error;
        return -1;
    }
    return (int)syscall(SYS_fcntl, fd, command, argument);
}

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

/* Two descriptors of one process behave like those of two processes: locks belong to the open file.
 */
static void test_spans(void **state)
{
    static const struct {
        FilmSpan first, second;
        bool both;
    } rows[] = {
        {{0, 3}, {3, 5}, true},
        {{0, 3}, {2, 5}, false},
        {{2, 4}, {4, 6}, true},
        {{4, 6}, {2, 4}, true},
        {{2, 4}, {3, 4}, false},
        {{0, LOCK_TO_END}, {1000000, 1000001}, false},
        {{5, 6}, {0, LOCK_TO_END}, false},
        {{4, 4}, {0, LOCK_TO_END}, true}, /* none */
        {{0, 0}, {0, 0}, true},
    };
    Scratch scratch;
    (void)state;
    scratch_make(&scratch);
    const char *file = scratch_path(&scratch, "there/lock");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        int first, second;
        diag_log_init(&log);
        assert_true(lock_acquire(&first, file, rows[i].first, 0, "", NULL, &log.diag));
        assert_int_equal(lock_acquire(&second, file, rows[i].second, 0, "host 7", NULL, &log.diag),
                         rows[i].both);
        assert_int_equal(log.diag.kind, rows[i].both ? DIAG_NONE : DIAG_INCOMPLETE);
        assert_int_equal(second >= 0, rows[i].both);
        if (!rows[i].both)
            assert_non_null(strstr(log.text, "lock' is locked; last run: host 7)"));
        lock_release(&first);
        lock_release(&second);
        assert_int_equal(first, -1);
    }
    scratch_remove(&scratch);
}

static void test_orphan_holds_it(void **state)
{
    Scratch scratch;
    DiagLog log;
    int ready[2], end[2], fd;
    (void)state;
    scratch_make(&scratch);
    diag_log_init(&log);
    const char *file = scratch_path(&scratch, "lock");
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(end), 0);
    const pid_t run = fork();
    if (run == 0) { /* locks, forks a child, and is killed; the child runs a little longer than
                       `end` is open */
        close(end[1]);
        if (!lock_acquire(&fd, file, (FilmSpan){0, 1}, 0, "", NULL, &log.diag))
            _exit(1);
        if (fork() == 0) {
            char byte;
            if (write(ready[1], "", 1) != 1 || read(end[0], &byte, 1) != 0)
                _exit(1);
            pause_ms(30);
            _exit(0);
        }
        raise(SIGKILL);
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    waitpid(run, NULL, 0);
    assert_false(lock_acquire(&fd, file, (FilmSpan){0, 1}, 0, "", NULL, &log.diag));
    close(end[1]);
    assert_true(lock_acquire(&fd, file, (FilmSpan){0, 1}, 60000, "", NULL,
                             &log.diag)); /* the child has exited */
    close(fd);
    close(end[0]);
    close(ready[0]);
    close(ready[1]);
    scratch_remove(&scratch);
}

static void test_released_while_a_child_lives(void **state)
{
    Scratch scratch;
    DiagLog log;
    int end[2], first, second;
    (void)state;
    scratch_make(&scratch);
    diag_log_init(&log);
    const char *file = scratch_path(&scratch, "lock");
    assert_int_equal(pipe(end), 0);
    assert_true(lock_acquire(&first, file, (FilmSpan){0, LOCK_TO_END}, 0, "", NULL, &log.diag));
    const pid_t child = fork();
    if (child == 0) { /* has the file open until the parent closes the pipe */
        char byte;
        close(end[1]);
        _exit(read(end[0], &byte, 1) != 0);
    }
    assert_true(child > 0);
    lock_release(&first);
    assert_true(lock_acquire(&second, file, (FilmSpan){3, 4}, 0, "", NULL, &log.diag));
    lock_release(&second);
    close(end[0]);
    close(end[1]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    scratch_remove(&scratch);
}

static void test_stop_and_trouble(void **state)
{
    static const volatile sig_atomic_t stop = 1;
    Scratch scratch;
    DiagLog log;
    int first, second;
    (void)state;
    scratch_make(&scratch);
    diag_log_init(&log);
    const char *file = scratch_path(&scratch, "lock");
    assert_true(lock_acquire(&first, file, (FilmSpan){0, 1}, 0, "", NULL, &log.diag));
    assert_false(lock_acquire(&second, file, (FilmSpan){0, 1}, 60000, "", &stop, &log.diag));
    assert_int_equal(log.used, 0);
    close(first);
    assert_false(lock_acquire(&first, "/dev/null/lock", (FilmSpan){0, 1}, 0, "", NULL, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_CREATE);
    scratch_remove(&scratch);
}

/* A file system without locks gives a warning; other errors are errors. */
static void test_file_systems_without_locks(void **state)
{
    static const struct {
        int error;
        bool acquired;
        DiagKind kind;
        const char *words;
    } rows[] = {
        {ENOLCK, true, DIAG_NONE, "lock' cannot be locked ("},
        {ENOSYS, true, DIAG_NONE, "a second process would not be detected"},
        {EOPNOTSUPP, true, DIAG_NONE, "cannot be locked"},
        {EINVAL, true, DIAG_NONE, "cannot be locked"},
        {EIO, false, DIAG_IO, "cannot lock '"},
        {EBADF, false, DIAG_IO, "cannot lock '"},
        {EAGAIN, false, DIAG_INCOMPLETE, "is locked)"},
        {EACCES, false, DIAG_INCOMPLETE, "is locked)"},
        {EINTR, false, DIAG_INCOMPLETE, "is locked)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Scratch scratch;
        DiagLog log;
        int fd;
        scratch_make(&scratch);
        diag_log_init(&log);
        lock_error = rows[i].error;
        const bool acquired = lock_acquire(&fd, scratch_path(&scratch, "lock"), (FilmSpan){0, 1}, 0,
                                           "", NULL, &log.diag);
        const bool empty = lock_acquire(&fd, scratch_path(&scratch, "lock"), (FilmSpan){1, 1}, 0,
                                        "", NULL, &log.diag); /* locks nothing */
        lock_error = 0;
        assert_true(empty);
        if (acquired != rows[i].acquired || !strstr(log.text, rows[i].words) ||
            log.diag.kind != rows[i].kind || (log.diag.warnings == 1) != acquired)
            fail_msg("%s: %s", strerror(rows[i].error), log.text);
        scratch_remove(&scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_orphan_holds_it),
        cmocka_unit_test(test_released_while_a_child_lives),
        cmocka_unit_test(test_stop_and_trouble),
        cmocka_unit_test(test_file_systems_without_locks),
    };
    return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
