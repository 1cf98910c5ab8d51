// SPDX-License-Identifier: MIT
/* ledger: complete lines count, incomplete ones do not, after any crash */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag_log.h"
#include "run/checkpoint/ledger.h"
#include "scratch.h"
#include "unit_test.h"

#define HEX "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define LINE(frame, output, bytes) \
    "{\"frame\":" frame ",\"output\":" output ",\"bytes\":" bytes ",\"sha256\":\"" HEX "\"}\n"

#define ID "0102030405060708090a0b0c0d0e0f10a1a2a3a4a5a6"
#define WITH_IDENTITY(identity)                                                                   \
    "{\"frame\":1,\"output\":0,\"bytes\":5,\"sha256\":\"" HEX "\",\"identity\":\"" identity "\"}" \
    "\n"

typedef struct Seen {
    LedgerEntry pictures[64];
    size_t count;
} Seen;

static void see(void *user, const LedgerEntry *picture)
{
    Seen *seen = user;
    assert_true(seen->count < sizeof seen->pictures / sizeof *seen->pictures);
    seen->pictures[seen->count++] = *picture;
}

static SinkRecord record_of(uint64_t bytes)
{
    SinkRecord record = {.bytes = bytes};
    assert_true(digest_parse(&record.digest, HEX));
    return record;
}

/* 0: not known. */
static FrameIdentity identity_of(int which)
{
    FrameIdentity identity = {{{0}}, {0}};
    if (which)
        assert_true(frame_identity_parse(&identity, ID));
    return identity;
}

static void save(const char *file, const char *text, size_t size)
{
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

static char *load(char *out, size_t size, const char *file)
{
    FILE *in = fopen(file, "rb");
    assert_non_null(in);
    out[fread(out, 1, size - 1, in)] = '\0';
    fclose(in);
    return out;
}

static void test_lines_as_documented(void **state)
{
    Scratch scratch;
    DiagLog log;
    Ledger ledger;
    char text[2048];
    (void)state;
    scratch_make(&scratch);
    diag_log_init(&log);
    const char *file = scratch_path(&scratch, "ledger/0001-of-0004.jsonl");
    const LedgerEntry pictures[] = {{1, 0, record_of(5), identity_of(1)},
                                    {99999999, 7, record_of(0), identity_of(0)}};
    assert_true(ledger_open(&ledger, file, &log.diag));
    assert_true(ledger_add(&ledger, pictures, 2, &log.diag));
    ledger_close(&ledger);
    ledger_close(&ledger);
    assert_string_equal(load(text, sizeof text, file),
                        WITH_IDENTITY(ID) LINE("99999999", "7", "0"));

    assert_true(ledger_open(&ledger, file, &log.diag)); /* appends after them */
    assert_true(ledger_add_run(&ledger, &log.diag));
    assert_true(ledger_sync(&ledger, &log.diag));
    ledger_close(&ledger);
    char host[65] = "", line[128];
    gethostname(host, sizeof host - 1);
    snprintf(line, sizeof line, "\n{\"run\":\"%s %ld\"}\n", host, (long)getpid());
    assert_non_null(strstr(load(text, sizeof text, file), line));
    assert_int_equal(log.used, 0);
    scratch_remove(&scratch);
}

static const struct {
    const char *what, *text;
    size_t pictures;
    int runs;
    unsigned warnings;
} rows[] = {
    {"nothing", "", 0, 0, 0},
    {"runs, a frame, a run",
     "{\"run\":\"a 1\"}\n{\"run\":\"b 2\"}\n" LINE("1", "0", "5") "{\"run\":\"c 3\"}\n", 1, 1, 0},
    {"runs alone", "{\"run\":\"a 1\"}\n{\"run\":\"b 2\"}\n{\"run\":\"\"}\n", 0, 3, 0},
    {"one twice", LINE("1", "0", "5") LINE("1", "0", "6"), 2, 0, 0},
    {"the largest", LINE("99999999", "999", "999999999999999999"), 1, 0, 0},
    {"a frame too far", LINE("100000000", "0", "5"), 0, 0, 1},
    {"an output too many", LINE("1", "1000", "5"), 0, 0, 1},
    {"no number", LINE("", "0", "5"), 0, 0, 1},
    {"a leading zero", LINE("01", "0", "5"), 0, 0, 1},
    {"a negative one", LINE("-1", "0", "5"), 0, 0, 1},
    {"a fraction", LINE("1.5", "0", "5"), 0, 0, 1},
    {"nineteen digits", LINE("1", "0", "1000000000000000000"), 0, 0, 1},
    {"a zero", LINE("0", "0", "0"), 1, 0, 0},
    {"bytes beyond 64 bits", LINE("1", "0", "99999999999999999999"), 0, 0, 1},
    {"a space", "{\"frame\": 1,\"output\":0,\"bytes\":5,\"sha256\":\"" HEX "\"}\n", 0, 0, 1},
    {"capital hex", "{\"frame\":1,\"output\":0,\"bytes\":5,\"sha256\":\"A" HEX "\"}\n", 0, 0, 1},
    {"hex too long", "{\"frame\":1,\"output\":0,\"bytes\":5,\"sha256\":\"0" HEX "\"}\n", 0, 0, 1},
    {"hex too short", "{\"frame\":1,\"output\":0,\"bytes\":5,\"sha256\":\"00\"}\n", 0, 0, 1},
    {"more behind", "{\"frame\":1,\"output\":0,\"bytes\":5,\"sha256\":\"" HEX "\"} \n", 0, 0, 1},
    {"an escape in a run", "{\"run\":\"a\\n1\"}\n", 0, 0, 1},
    {"an empty line", "\n" LINE("1", "0", "5"), 1, 0, 1},
    {"two lines in one", "{\"frame\":1{\"run\":\"a 1\"}\n", 0, 0, 1},
    {"garbage between", LINE("1", "0", "5") "\x01\xFF\n" LINE("2", "0", "5"), 2, 0, 1},
    {"an identity", WITH_IDENTITY(ID), 1, 0, 0},
    {"an identity that is not known", WITH_IDENTITY("00000000000000000000000000000000a1a2a3a4a5a6"),
     0, 0, 1},
    {"an identity too short", WITH_IDENTITY("0102"), 0, 0, 1},
    {"an identity too long", WITH_IDENTITY(ID "00"), 0, 0, 1},
    {"an identity in capitals", WITH_IDENTITY("A102030405060708090a0b0c0d0e0f10a1a2a3a4a5a6"), 0, 0,
     1},
    {"an incomplete line", LINE("1", "0", "5") "{\"frame\":2", 1, 0, 0},
};

static void test_what_counts(void **state)
{
    Scratch scratch;
    (void)state;
    scratch_make(&scratch);
    const char *file = scratch_path(&scratch, "l");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        Seen seen = {.count = 0};
        LedgerTail tail;
        diag_log_init(&log);
        save(file, rows[i].text, strlen(rows[i].text));
        assert_true(ledger_read(file, see, &seen, &tail, &log.diag));
        if (seen.count != rows[i].pictures || tail.runs != rows[i].runs ||
            log.diag.warnings != rows[i].warnings)
            fail_msg("%s: %zu frames, %d runs, %u warnings: %s", rows[i].what, seen.count,
                     tail.runs, log.diag.warnings, log.text);
        assert_int_equal(tail.frames, seen.count);
    }
    scratch_remove(&scratch);
}

static void test_where_and_odd_lines(void **state)
{
    static const char text[] = LINE("1", "0", "5") "{\"frame\":2\0,\n" LINE("3", "0", "5");
    Scratch scratch;
    DiagLog log;
    Seen seen = {.count = 0};
    LedgerTail tail;
    char long_line[3000];
    (void)state;
    scratch_make(&scratch);
    diag_log_init(&log);
    const char *file = scratch_path(&scratch, "l");
    save(file, text, sizeof text - 1);
    assert_true(ledger_read(file, see, &seen, &tail, &log.diag));
    assert_int_equal(seen.count, 2);
    assert_non_null(strstr(log.text, "/l:2:1: not a line of a ledger"));

    memset(long_line, '{', sizeof long_line);
    memcpy(long_line + 2000, "\n" LINE("7", "0", "5"), sizeof LINE("7", "0", "5"));
    seen.count = 0;
    save(file, long_line, 2000 + sizeof LINE("7", "0", "5"));
    assert_true(ledger_read(file, see, &seen, &tail, &log.diag));
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.pictures[0].frame, 7);

    seen.count = 0;
    assert_true(ledger_read(scratch_path(&scratch, "absent"), see, &seen, &tail, &log.diag));
    assert_int_equal(seen.count + (size_t)tail.frames, 0);
    assert_false(ledger_read(scratch.directory, see, &seen, &tail, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_IO);
    scratch_remove(&scratch);
}

/* Many entries at once are written in blocks, each line whole. */
static void test_many_lines_at_once(void **state)
{
    enum { COUNT = 1000 };
    static LedgerEntry entries[COUNT];
    static char expected[COUNT * 150], text[COUNT * 150];
    Scratch scratch;
    (void)state;
    scratch_make(&scratch);
    const char *file = scratch_path(&scratch, "l");
    for (int count = 1; count <= COUNT; count += count < 180 ? 1 : 273) {
        DiagLog log;
        Ledger ledger;
        size_t used = 0;
        diag_log_init(&log);
        unlink(file);
        for (int i = 0; i < count; i++) {
            entries[i] = (LedgerEntry){i * 99999, (size_t)i % 1000, record_of((uint64_t)i << 20),
                                       identity_of(0)};
            used += (size_t)sprintf(expected + used, LINE("%d", "%d", "%ld"), i * 99999, i % 1000,
                                    (long)i << 20);
        }
        assert_true(ledger_open(&ledger, file, &log.diag));
        assert_true(ledger_add(&ledger, entries, (size_t)count, &log.diag));
        ledger_close(&ledger);
        assert_string_equal(load(text, sizeof text, file), expected);
    }
    scratch_remove(&scratch);
}

/* The name of the last run is kept, up to the size of the field. */
static void test_names_of_runs(void **state)
{
    Scratch scratch;
    (void)state;
    scratch_make(&scratch);
    const char *file = scratch_path(&scratch, "l");
    for (size_t size = LEDGER_RUN_SIZE - 3; size < LEDGER_RUN_SIZE + 2; size++) {
        DiagLog log;
        Seen seen = {.count = 0};
        LedgerTail tail;
        char name[LEDGER_RUN_SIZE + 2] = "", text[LEDGER_RUN_SIZE + 64];
        memset(name, 'r', size);
        snprintf(text, sizeof text, "{\"run\":\"first\"}\n{\"run\":\"%s\"}\n", name);
        diag_log_init(&log);
        save(file, text, strlen(text));
        assert_true(ledger_read(file, see, &seen, &tail, &log.diag));
        const bool fits = size < LEDGER_RUN_SIZE;
        assert_string_equal(tail.run, fits ? name : "first");
        assert_int_equal(tail.runs, fits ? 2 : 1);
        assert_int_equal(log.diag.warnings, fits ? 0 : 1);
    }
    scratch_remove(&scratch);
}

/* Lines of any length around the size of the buffer are skipped whole, wherever blocks end. */
static void test_long_lines_and_blocks(void **state)
{
    static const char good[] = LINE("7", "0", "5");
    Arena *scratch = arena_create();
    (void)state;
    for (size_t size = sizeof((LedgerReader *)0)->text - 3;
         size < sizeof((LedgerReader *)0)->text + 3; size++)
        for (size_t part = 1; part < 4000; part = 3 * part + 1) {
            char text[2000];
            DiagLog log;
            Seen seen = {.count = 0};
            diag_log_init(&log);
            LedgerReader reader = {
                .visit = see, .user = &seen, .diag = &log.diag, .scratch = scratch};
            memset(text, '{', size);
            text[size] = '\n';
            memcpy(text + size + 1, good, sizeof good);
            const size_t total = size + sizeof good;
            for (size_t at = 0; at < total; at += part)
                ledger_read_bytes(&reader, text + at, part < total - at ? part : total - at);
            assert_int_equal(seen.count, 1);
            assert_int_equal(log.diag.warnings, 1);
            assert_int_equal(reader.line, 2);
        }
    arena_destroy(scratch);
}

/* Killed after any number of bytes: complete lines stay, the owner truncates the rest and appends.
 */
static void test_truncated_at_every_length(void **state)
{
    static const char text[] = "{\"run\":\"host 1\"}\n" LINE("1", "0", "5") LINE("2", "0", "5");
    const LedgerEntry third = {3, 0, record_of(5), identity_of(1)};
    Scratch scratch;
    DiagLog log;
    (void)state;
    scratch_make(&scratch);
    diag_log_init(&log);
    const char *file = scratch_path(&scratch, "l");
    for (size_t size = 0; size < sizeof text; size++) {
        size_t whole = 0, lines = 0;
        for (size_t i = 0; i < size; i++)
            if (text[i] == '\n') {
                whole = i + 1;
                lines++;
            }
        Seen seen = {.count = 0};
        LedgerTail tail;
        Ledger ledger;
        struct stat st;
        save(file, text, size);
        assert_true(ledger_read(file, see, &seen, &tail, &log.diag));
        assert_int_equal(seen.count, lines ? lines - 1 : 0);
        assert_true(ledger_open(&ledger, file, &log.diag));
        assert_int_equal(stat(file, &st), 0);
        assert_int_equal(st.st_size, whole);
        assert_true(ledger_add(&ledger, &third, 1, &log.diag));
        ledger_close(&ledger);
        seen.count = 0;
        assert_true(ledger_read(file, see, &seen, &tail, &log.diag));
        assert_int_equal(seen.pictures[seen.count - 1].frame, 3);
    }
    assert_int_equal(log.used, 0);
    scratch_remove(&scratch);
}

/* The last complete line may end far before the incomplete one: blocks are read backwards. */
static void test_long_incomplete_line(void **state)
{
    enum { SIZE = 20000 };
    static char text[SIZE];
    Scratch scratch;
    DiagLog log;
    (void)state;
    scratch_make(&scratch);
    diag_log_init(&log);
    const char *file = scratch_path(&scratch, "l");
    static const size_t ends[] = {0, 1, 4095, 4096, 4097, 15904, 15905, SIZE};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        Ledger ledger;
        struct stat st;
        memset(text, 0, sizeof text);
        if (ends[i])
            text[ends[i] - 1] = '\n';
        save(file, text, SIZE);
        assert_true(ledger_open(&ledger, file, &log.diag));
        ledger_close(&ledger);
        assert_int_equal(stat(file, &st), 0);
        assert_int_equal(st.st_size, ends[i]);
    }
    scratch_remove(&scratch);
}

static void test_no_room(void **state)
{
    const LedgerEntry picture = {1, 0, record_of(5), identity_of(1)};
    DiagLog log;
    Ledger ledger;
    Scratch scratch;
    (void)state;
    scratch_make(&scratch);
    diag_log_init(&log);
    assert_true(ledger_open(&ledger, scratch_path(&scratch, "l"), &log.diag));
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    assert_true(full >= 0 && dup2(full, ledger.fd) == ledger.fd);
    close(full);
    assert_false(ledger_add(&ledger, &picture, 1, &log.diag));
    ledger_close(&ledger);
    assert_int_equal(log.diag.kind, DIAG_IO);
    assert_non_null(strstr(log.text, "/l': No space left on device"));
    scratch_remove(&scratch);

    diag_log_init(&log);
    assert_false(ledger_open(&ledger, "/dev/null/l", &log.diag));
    ledger_close(&ledger);
    assert_int_equal(log.diag.kind, DIAG_CREATE);
}

/* A write that stops in the middle (here by the limit of a file's size) leaves nothing of itself.
 */
static void test_short_write_is_taken_back(void **state)
{
    LedgerEntry pictures[10];
    Scratch scratch;
    (void)state;
    scratch_make(&scratch);
    const char *file = scratch_path(&scratch, "l");
    for (int i = 0; i < 10; i++)
        pictures[i] = (LedgerEntry){i, 0, record_of(5), identity_of(0)};
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {400, 400};
        DiagLog log;
        Ledger ledger;
        diag_log_init(&log);
        signal(SIGXFSZ, SIG_IGN);
        const bool good =
            ledger_open(&ledger, file, &log.diag) && ledger_add(&ledger, pictures, 1, &log.diag) &&
            setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
            !ledger_add(&ledger, pictures + 1, 9, &log.diag) && log.diag.kind == DIAG_IO;
        _exit(good ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    char text[2048];
    assert_string_equal(load(text, sizeof text, file), LINE("0", "0", "5"));
    scratch_remove(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_as_documented),
        cmocka_unit_test(test_what_counts),
        cmocka_unit_test(test_where_and_odd_lines),
        cmocka_unit_test(test_many_lines_at_once),
        cmocka_unit_test(test_names_of_runs),
        cmocka_unit_test(test_long_lines_and_blocks),
        cmocka_unit_test(test_truncated_at_every_length),
        cmocka_unit_test(test_long_incomplete_line),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_short_write_is_taken_back),
    };
    return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}
