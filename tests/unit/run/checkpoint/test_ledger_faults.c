// SPDX-License-Identifier: MIT
/*
 * A ledger while calls of the system fail: the definitions below replace those of the C library and
 * fail at a chosen call.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "diag_log.h"
#include "run/checkpoint/ledger.h"
#include "scratch.h"
#include "unit_test.h"

typedef enum Call { NO_CALL, CALL_WRITE, CALL_TRUNCATE, CALL_SYNC, CALL_READ } Call;

static Call failing;
static int calls_left, times, error; /* calls before it fails, how often, with which errno */

static bool fails(Call call)
{
    if (failing != call || calls_left-- > 0 || times-- <= 0)
        return false;
    errno = error;
    return true;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    if (fails(CALL_WRITE))
        return -1;
    /* otherwise a part of it, if a later call is to fail */
    return syscall(SYS_write, fd, bytes, failing == CALL_WRITE && size > 10 ? 10 : size);
}

int ftruncate(int fd, off_t size)
{
    return fails(CALL_TRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int fdatasync(int fd)
{
    return fails(CALL_SYNC) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

ssize_t read(int fd, void *out, size_t size)
{
    return fails(CALL_READ) ? -1 : syscall(SYS_read, fd, out, size);
}

static void fail_at(Call call, int before, int count, int with)
{
    failing = call;
    calls_left = before;
    times = count;
    error = with;
}

static off_t size_of(const char *file)
{
    struct stat st;
    assert_int_equal(stat(file, &st), 0);
    return st.st_size;
}

static void ignore(void *user, const LedgerEntry *entry)
{
    (void)entry;
    ++*(int *)user;
}

/* Two lines are written in parts of ten bytes: all of them, or after an error none; interrupted
 * writes go on. */
static void writes(void **state)
{
    (void)state;
    const LedgerEntry entries[] = {{1, 0, {5, {{1}}}, {{{0}}, {0}}},
                                   {2, 0, {6, {{2}}}, {{{0}}, {0}}}};
    Scratch scratch;
    scratch_make(&scratch);
    const char *file = scratch_path(&scratch, "l");
    for (int before = 0; before < 20; before++)
        for (int interrupted = 0; interrupted < 2; interrupted++) {
            DiagLog log;
            Ledger ledger;
            int seen = 0;
            LedgerTail tail;
            diag_log_init(&log);
            unlink(file);
            assert_true(ledger_open(&ledger, file, &log.diag));
            assert_true(ledger_add(&ledger, entries, 1, &log.diag));
            const off_t one = size_of(file);
            fail_at(CALL_WRITE, before, 3, interrupted ? EINTR : EIO);
            const bool ok = ledger_add(&ledger, entries, 2, &log.diag);
            failing = NO_CALL;
            assert_int_equal(ok, interrupted);
            assert_int_equal(size_of(file), ok ? 3 * one : one);
            assert_true(ok || strstr(log.text, "cannot write '"));
            assert_true(ledger_add(&ledger, entries, 1, &log.diag)); /* the next ones follow */
            ledger_close(&ledger);
            assert_true(ledger_read(file, ignore, &seen, &tail, &log.diag));
            assert_int_equal(seen, ok ? 4 : 2);
            assert_int_equal(log.diag.warnings, 0);
        }
    scratch_remove(&scratch);
}

/* Opening truncates an incomplete line. */
static void opening(void **state)
{
    (void)state;
    static const struct {
        Call call;
        int error;
        bool ok;
        const char *words;
    } rows[] = {
        {CALL_TRUNCATE, EINTR, true, NULL},
        {CALL_TRUNCATE, EIO, false, "cannot truncate the incomplete last line of '"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Scratch scratch;
        DiagLog log;
        Ledger ledger;
        scratch_make(&scratch);
        diag_log_init(&log);
        const char *file = scratch_path(&scratch, "l");
        FILE *out = fopen(file, "w");
        assert_non_null(out);
        fputs("{\"run\":\"a\"}\n{\"run", out);
        fclose(out);
        fail_at(rows[i].call, 0, 2, rows[i].error);
        const bool ok = ledger_open(&ledger, file, &log.diag);
        failing = NO_CALL;
        if (ok != rows[i].ok || (!ok && !strstr(log.text, rows[i].words)))
            fail_msg("row %zu: %s", i, log.text);
        assert_int_equal(size_of(file), ok ? 12 : 17);
        ledger_close(&ledger);
        scratch_remove(&scratch);
    }
}

/* File systems without synchronization are accepted. */
static void synchronization(void **state)
{
    (void)state;
    static const struct {
        int error;
        bool ok;
    } rows[] = {{EINTR, true}, {EINVAL, true}, {EROFS, true}, {EIO, false}, {ENOSPC, false}};
    Scratch scratch;
    scratch_make(&scratch);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        Ledger ledger;
        diag_log_init(&log);
        assert_true(ledger_open(&ledger, scratch_path(&scratch, "l"), &log.diag));
        fail_at(CALL_SYNC, 0, 2, rows[i].error);
        const bool ok = ledger_sync(&ledger, &log.diag);
        failing = NO_CALL;
        if (ok != rows[i].ok || (!ok && !strstr(log.text, "cannot sync '")))
            fail_msg("row %zu: %s", i, log.text);
        ledger_close(&ledger);
    }
    scratch_remove(&scratch);
}

static void reads(void **state)
{
    (void)state;
    for (int interrupted = 0; interrupted < 2; interrupted++) {
        Scratch scratch;
        DiagLog log;
        LedgerTail tail;
        int seen = 0;
        scratch_make(&scratch);
        diag_log_init(&log);
        const char *file = scratch_path(&scratch, "l");
        FILE *out = fopen(file, "w");
        assert_non_null(out);
        fputs("{\"run\":\"a\"}\n", out);
        fclose(out);
        fail_at(CALL_READ, interrupted ? 0 : 1, 2, interrupted ? EINTR : EIO);
        assert_int_equal(ledger_read(file, ignore, &seen, &tail, &log.diag), interrupted);
        failing = NO_CALL;
        assert_int_equal(tail.runs, 1); /* what was read */
        assert_int_equal(log.diag.kind, interrupted ? DIAG_NONE : DIAG_IO);
        scratch_remove(&scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes),
        cmocka_unit_test(opening),
        cmocka_unit_test(synchronization),
        cmocka_unit_test(reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
