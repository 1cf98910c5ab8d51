// SPDX-License-Identifier: MIT
/* The file names that the program removes from a checkpoint directory: exactly its own. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "diag_log.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_job.h"
#include "scratch.h"
#include "unit_test.h"

#define DIGITS "0123456789abcdef"
#define DIGEST DIGITS DIGITS DIGITS DIGITS

enum { OTHER, SEGMENT, LEDGER, BAKE, RECORD };

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int kind;
    } rows[] = {
        {"0-000012.nut", SEGMENT},
        {"10-1234567.mp4", SEGMENT},
        {"0-00012.nut", OTHER},
        {"0-0000012.nut", OTHER},
        {"00-000012.nut", OTHER},
        {"-000012.nut", OTHER},
        {"0_000012.nut", OTHER},
        {"0-000012", OTHER},
        {"0-000012.", OTHER},
        {"0-000012.nut.x", OTHER},
        {"0-000012.NUT", OTHER},
        {"0-1234567890123456789.nut", OTHER},
        {"0-123456789012345678.nut", SEGMENT},
        {"0001-of-0004.jsonl", LEDGER},
        {"12345-of-12345.jsonl", LEDGER},
        {"001-of-0004.jsonl", OTHER},
        {"00001-of-0004.jsonl", OTHER},
        {"0001-of-004.jsonl", OTHER},
        {"0001-0004.jsonl", OTHER},
        {"0001-of-0004.json", OTHER},
        {"0001-of-0004.jsonl2", OTHER},
        {DIGEST ".bake", BAKE},
        {DIGEST "0.bake", OTHER},
        {DIGEST ".baked", OTHER},
        {DIGEST "bake", OTHER},
        {DIGEST, OTHER},
        {DIGITS ".bake", OTHER},
        {"report.json", RECORD},
        {"renderers.txt", RECORD},
        {"times.jsonl", RECORD},
        {"runs.json", RECORD},
        {"job.0001-of-0004.json", RECORD},
        {"job.json", OTHER},
        {"job.0001-of-0004.jsonl", OTHER},
        {"job.0001-of-004.json", OTHER},
        {"job_0001-of-0004.json", OTHER},
        {"report.jso", OTHER},
        {"", OTHER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *name = rows[i].name;
        const bool is[] = {false, checkpoint_is_segment_name(name), checkpoint_is_ledger_name(name),
                           checkpoint_is_bake_name(name), checkpoint_is_record_name(name)};
        for (int kind = SEGMENT; kind <= RECORD; kind++)
            if (is[kind] != (kind == rows[i].kind))
                fail_msg("'%s': kind %d is %d", name, kind, is[kind]);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    size_t output = 0;
    int64_t segment = 0;
    const char *path = checkpoint_segment_path("d", 7, 1234, "mkv", arena);
    assert_string_equal(path, "d/segment/7-001234.mkv");
    assert_true(checkpoint_parse_segment_name(&output, &segment, path_name(path)));
    assert_true(output == 7 && segment == 1234);
    assert_string_equal(checkpoint_ledger_path("d", (FilmShard){.index = 2, .count = 31}, arena),
                        "d/ledger/0002-of-0031.jsonl");
    arena_destroy(arena);
}

/* A job.json that is missing is removed; one that is a directory cannot be. */
static void test_removal_of_the_job(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    scratch_make(&scratch);
    diag_log_init(&log);
    assert_true(checkpoint_job_remove(scratch_path(&scratch, "missing"), &log.diag));
    assert_true(checkpoint_job_remove(scratch_path(&scratch, "."), &log.diag));
    assert_int_equal(mkdir(scratch_path(&scratch, "job.json"), 0777), 0);
    assert_false(checkpoint_job_remove(scratch_path(&scratch, "."), &log.diag));
    assert_non_null(strstr(log.text, "job.json': "));
    scratch_remove(&scratch);
}

/* ---- paths ---- */

/* Directories a/b/d, a/c and ab. */
static void make_directories(Scratch *scratch)
{
    static const char *const names[] = {"a", "a/b", "a/b/d", "a/c", "ab"};
    scratch_make(scratch);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(mkdir(scratch_path(scratch, names[i]), 0777), 0);
}

static void test_relative_paths(void **state)
{
    (void)state;
    static const struct {
        const char *directory, *file, *relative; /* NULL: as it is */
    } rows[] = {
        {"a/b", "a/b/x", "x"},           {"a/b", "a/b/d/x", "d/x"},     {"a/b", "a/x", "../x"},
        {"a/b", "a/c/x", "../c/x"},      {"a/b", "x", "../../x"},       {"a", "ab/x", "../ab/x"},
        {"ab", "a/x", "../a/x"},         {"a/b", "ab/x", "../../ab/x"}, {"a", "a/../a/./x", "x"},
        {"a/b/d", "a/c/x", "../../c/x"}, {"a", "missing/x", NULL},      {"missing", "a/x", NULL},
    };
    Scratch scratch;
    Arena *arena = arena_create();
    make_directories(&scratch);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *directory = arena_strdup(arena, scratch_path(&scratch, rows[i].directory));
        const char *file = arena_strdup(arena, scratch_path(&scratch, rows[i].file));
        const char *got = checkpoint_relative_path(directory, file, arena);
        assert_string_equal(got, rows[i].relative ? rows[i].relative : file);
        if (!rows[i].relative)
            continue;
        struct stat parent, back; /* the absolute path leads to the same directory */
        const char *absolute = checkpoint_absolute_path(directory, got, arena);
        assert_true(absolute[0] == '/');
        assert_int_equal(stat(path_directory(file, arena), &parent), 0);
        assert_int_equal(stat(path_directory(absolute, arena), &back), 0);
        assert_true(parent.st_ino == back.st_ino);
        assert_string_equal(path_name(absolute), "x");
    }
    assert_string_equal(checkpoint_relative_path("/proc", "/dev/x", arena), "/dev/x");
    /* From the working directory over the root: the name is absolute as well. */
    const char *ups = "../../../../../../../../../../../../../../../../../../../../../../../..";
    const char *device = arena_printf(arena, "%s/dev/x", ups);
    assert_string_equal(checkpoint_relative_path("/proc", device, arena), "/dev/x");
    assert_string_equal(checkpoint_relative_path("/proc", arena_printf(arena, "%s/x", ups), arena),
                        "/x");
    assert_string_equal(checkpoint_relative_path("/dev", "/dev/x", arena), "x");
    assert_string_equal(checkpoint_absolute_path("/proc", "/dev/x", arena), "/dev/x");
    assert_string_equal(checkpoint_absolute_path("/dev", "x", arena), "/dev/x");
    assert_string_equal(checkpoint_absolute_path("/dev", "../x", arena), "/x");
    assert_string_equal(checkpoint_absolute_path("/dev", "../../../x", arena), "/x");
    assert_string_equal(checkpoint_absolute_path("/dev", "../y/../x", arena), "/y/../x");
    assert_string_equal(checkpoint_absolute_path("/missing", "x", arena), "x");
    arena_destroy(arena);
    scratch_remove(&scratch);
}

/* ---- opening ---- */

/* The lowest descriptor that is free: files that were not closed raise it. */
static int free_descriptor(void)
{
    const int fd = open("/dev/null", O_RDONLY);
    close(fd);
    return fd;
}

static int try_open(Scratch *scratch, const char *name, int flags)
{
    const int fd = checkpoint_open_file(scratch_path(scratch, name), flags);
    const int error = fd < 0 ? errno : 0;
    if (fd >= 0) {
        assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
        close(fd);
    }
    return error;
}

/* Symbolic links below the directory are not followed, those above it are; the first descriptor may
 * be that of a standard input that is closed. */
static void test_opening_files(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int flags, error;
    } rows[] = {
        {"state/job.json", O_RDWR | O_CREAT, 0},
        {"state/job.json", O_RDONLY, 0},
        {"above/job.json", O_RDONLY, 0},
        {"state//job.json", O_RDONLY, 0},
        {"state/segment/0-000000.txt", O_RDWR | O_CREAT, 0},
        {"state/segment//0-000000.txt", O_RDONLY, 0},
        {"above/segment/0-000000.txt", O_RDONLY, 0},
        {"state/report.json", O_RDONLY, ELOOP},
        {"state/report.json", O_RDWR | O_CREAT, ELOOP},
        {"state/bake/x.bake", O_RDONLY, ENOTDIR},
        {"state/ledger/x.jsonl", O_RDONLY, ENOENT},
        {"missing/job.json", O_RDWR | O_CREAT, ENOENT},
        {"missing/segment/x", O_RDWR | O_CREAT, ENOENT},
        {"state/missing", O_RDONLY, ENOENT},
    };
    Scratch scratch;
    make_directories(&scratch);
    assert_int_equal(mkdir(scratch_path(&scratch, "state"), 0777), 0);
    assert_int_equal(mkdir(scratch_path(&scratch, "state/segment"), 0777), 0);
    assert_int_equal(symlink("state", scratch_path(&scratch, "above")), 0);
    assert_int_equal(symlink("job.json", scratch_path(&scratch, "state/report.json")), 0);
    assert_int_equal(symlink("segment", scratch_path(&scratch, "state/bake")), 0);
    for (int closed = 0; closed < 2; closed++) {
        const int input = dup(STDIN_FILENO), before = free_descriptor();
        if (closed)
            close(STDIN_FILENO);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const int error = try_open(&scratch, rows[i].name, rows[i].flags);
            if (error != rows[i].error)
                fail_msg("%s: %s", rows[i].name, strerror(error));
        }
        char long_name[5000];
        memset(long_name, 'a', sizeof long_name);
        for (size_t size = 4093; size < 4099; size++) {
            snprintf(long_name + size, sizeof long_name - size, "/x");
            assert_int_equal(checkpoint_open_file(long_name, O_RDONLY), -1);
            assert_int_equal(errno, ENAMETOOLONG);
            long_name[size] = long_name[size + 1] = 'a';
        }
        if (closed)
            assert_int_equal(dup2(input, STDIN_FILENO), STDIN_FILENO);
        assert_int_equal(free_descriptor(), before);
        close(input);
    }
    scratch_remove(&scratch);
}

static void test_lists_of_files(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int error;
    } rows[] = {{"state", 0},         {"state/segment", 0},    {"above", 0},
                {"above/segment", 0}, {"state/bake", ENOTDIR}, {"state/ledger", ENOENT},
                {"missing", ENOENT}};
    Scratch scratch;
    make_directories(&scratch);
    assert_int_equal(mkdir(scratch_path(&scratch, "state"), 0777), 0);
    assert_int_equal(mkdir(scratch_path(&scratch, "state/segment"), 0777), 0);
    assert_int_equal(symlink("state", scratch_path(&scratch, "above")), 0);
    assert_int_equal(symlink("segment", scratch_path(&scratch, "state/bake")), 0);
    const int before = free_descriptor();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DIR *list = checkpoint_open_list(scratch_path(&scratch, rows[i].name));
        const int error = list ? 0 : errno;
        if (error != rows[i].error)
            fail_msg("%s: %s", rows[i].name, strerror(error));
        if (list)
            closedir(list);
    }
    assert_int_equal(free_descriptor(), before);
    scratch_remove(&scratch);
}

static void test_loading_files(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    Bytes bytes;
    Arena *arena = arena_create();
    make_directories(&scratch);
    diag_log_init(&log);
    diag_file(&log.diag, "f");
    assert_false(
        checkpoint_load_file(&bytes, scratch_path(&scratch, "missing"), 100, arena, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_MISSING);
    assert_string_equal(log.text, "error: f: cannot open: No such file or directory\n");
    FILE *out = fopen(scratch_path(&scratch, "a/b/f"), "w");
    assert_non_null(out);
    fputs("text", out);
    fclose(out);
    assert_true(checkpoint_load_file(&bytes, scratch_path(&scratch, "a/b/f"), 4, arena, &log.diag));
    assert_int_equal(bytes.size, 4);
    assert_memory_equal(bytes.data, "text", 4);
    assert_false(
        checkpoint_load_file(&bytes, scratch_path(&scratch, "a/b/f"), 3, arena, &log.diag));
    arena_destroy(arena);
    scratch_remove(&scratch);
}

/* ---- links ---- */

static void test_links_in_the_directory(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool symbolic;
        const char *words; /* of the error; NULL: accepted */
    } rows[] = {
        {"state/any", true, "is a symbolic link"},
        {"state/segment/0-000000.txt", true, "segment/0-000000.txt' is a symbolic link"},
        {"state/ledger/x", true, "ledger/x' is a symbolic link"},
        {"state/bake/x", true, "bake/x' is a symbolic link"},
        {"state/lock", false, "lock' is a hard link"},
        {"state/written.jsonl", false, "is a hard link"},
        {"state/renderers.txt", false, "is a hard link"},
        {"state/ledger/0001-of-0001.jsonl", false, "is a hard link"},
        {"state/job.json", false, NULL}, /* replaced, not changed */
        {"state/report.json", false, NULL},
        {"state/segment/0-000000.txt", false, NULL},
        {"other", true, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const char *const directories[] = {"state", "state/segment", "state/ledger",
                                                  "state/bake"};
        Scratch scratch;
        DiagLog log;
        char file[sizeof scratch.path];
        scratch_make(&scratch);
        diag_log_init(&log);
        assert_true(checkpoint_check_links(scratch_path(&scratch, "state"), &log.diag)); /* none */
        for (int k = 0; k < 4; k++)
            assert_int_equal(mkdir(scratch_path(&scratch, directories[k]), 0777), 0);
        strcpy(file, scratch_path(&scratch, "target"));
        fclose(fopen(file, "w"));
        const char *name = scratch_path(&scratch, rows[i].name);
        assert_int_equal(rows[i].symbolic ? symlink(file, name) : link(file, name), 0);
        const bool ok = checkpoint_check_links(scratch_path(&scratch, "state"), &log.diag);
        if (ok == (rows[i].words != NULL) || (!ok && !strstr(log.text, rows[i].words)))
            fail_msg("%s: '%s'", rows[i].name, log.text);
        scratch_remove(&scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_removal_of_the_job),
        cmocka_unit_test(test_relative_paths),
        cmocka_unit_test(test_opening_files),
        cmocka_unit_test(test_lists_of_files),
        cmocka_unit_test(test_loading_files),
        cmocka_unit_test(test_links_in_the_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
