// SPDX-License-Identifier: MIT
/* written_files: an existing file is replaced only if a record says that this program wrote it */

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "diag_log.h"
#include "run/checkpoint/written_files.h"
#include "scratch.h"
#include "unit_test.h"

/* printf text | sha256sum */
#define SHA_ONE "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
#define SHA_TWO "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3"
#define LINE(file, bytes, sha) \
    "{\"file\":\"" file "\",\"bytes\":" bytes ",\"sha256\":\"" sha "\"}\n"
#define ANY(file) "{\"file\":\"" file "\"}\n"

typedef struct Fixture {
    Scratch scratch;
    DiagLog log;
    Arena *arena;
    const char *directory; /* the checkpoint directory, beside the files */
} Fixture;

static const char *path(Fixture *f, const char *name)
{
    return arena_strdup(f->arena, scratch_path(&f->scratch, name));
}

static void save(Fixture *f, const char *name, const char *text)
{
    FILE *out = fopen(path(f, name), "wb");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static const char *load(Fixture *f, const char *name)
{
    Bytes bytes;
    if (!file_load(&bytes, path(f, name), 1 << 20, f->arena, &f->log.diag))
        fail_msg("%s", f->log.text);
    return arena_strndup(f->arena, (const char *)bytes.data, bytes.size);
}

static bool approves(const FileApproval *approval, const char *temporary, const char *file,
                     Diag *diag)
{
    return approval == NULL || approval->approve(approval->user, temporary, file, diag);
}

static void make(Fixture *f)
{
    scratch_make(&f->scratch);
    diag_log_init(&f->log);
    f->arena = arena_create();
    f->directory = path(f, "state");
    assert_int_equal(mkdir(f->directory, 0777), 0);
}

static void discard(Fixture *f)
{
    arena_destroy(f->arena);
    scratch_remove(&f->scratch);
}

static WrittenFiles *open_record(Fixture *f)
{
    return written_files_load(f->directory, false, NULL, f->arena);
}

/* The file "a.mp4" contains "one". */
static void records_allow_a_replacement(void **state)
{
    (void)state;
    static const struct {
        const char *what, *record;
        bool has_size, may_replace;
    } rows[] = {
        {"no record", "", false, false},
        {"the same", LINE("../a.mp4", "3", SHA_ONE), true, true},
        {"other contents", LINE("../a.mp4", "3", SHA_TWO), true, false},
        {"another size", LINE("../a.mp4", "4", SHA_ONE), false, false},
        {"another name", LINE("../b.mp4", "3", SHA_ONE), false, false},
        {"a name that begins alike", LINE("../a.mp", "3", SHA_ONE), false, false},
        {"a longer name", LINE("../a.mp4x", "3", SHA_ONE), false, false},
        {"any contents", ANY("../a.mp4"), true, true},
        {"an earlier line", LINE("../a.mp4", "3", SHA_ONE) LINE("../a.mp4", "9", SHA_TWO), true,
         true},
        {"a later line", LINE("../a.mp4", "9", SHA_TWO) LINE("../a.mp4", "3", SHA_ONE), true, true},
        {"between others",
         LINE("../0.mp4", "3", SHA_TWO) LINE("../z.mp4", "3", SHA_TWO)
             LINE("../a.mp4", "3", SHA_ONE) LINE("../b.mp4", "3", SHA_TWO),
         true, true},
        {"after damaged lines", "{}\nnonsense\n\n{\"file\":7}\n" LINE("../a.mp4", "3", SHA_ONE),
         true, true},
        {"an incomplete line", "{\"file\":\"../a.mp4\"}", false, false},
        {"an unknown key",
         "{\"file\":\"../a.mp4\",\"new\":[1],\"bytes\":3,\"sha256\":\"" SHA_ONE "\"}\n", true,
         true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Fixture f;
        make(&f);
        save(&f, "a.mp4", "one");
        save(&f, "state/written.jsonl", rows[i].record);
        const WrittenFiles *files = open_record(&f);
        const char *file = path(&f, "a.mp4");
        if (written_files_has_size(files, file) != rows[i].has_size ||
            written_files_may_replace(files, file) != rows[i].may_replace)
            fail_msg("%s", rows[i].what);
        assert_true(written_files_check(files, file, &f.log.diag) == rows[i].may_replace);
        if (!rows[i].may_replace)
            assert_non_null(strstr(f.log.text, "a.mp4' exists and was not written by this job"));
        discard(&f);
    }
}

/* Names are found wherever they are in a sorted list of any length. */
static void names_are_found_in_long_records(void **state)
{
    (void)state;
    for (int count = 1; count <= 9; count++) {
        Fixture f;
        const char *text = "";
        make(&f);
        for (int i = count; i-- > 0;)
            text = arena_printf(f.arena, "%s{\"file\":\"../%d\"}\n", text, i);
        save(&f, "state/written.jsonl", text);
        const WrittenFiles *files = open_record(&f);
        for (int i = 0; i <= count; i++) {
            const char *name = arena_printf(f.arena, "%d", i);
            save(&f, name, "x");
            assert_true(written_files_may_replace(files, path(&f, name)) == (i < count));
        }
        discard(&f);
    }
}

static void files_that_are_free(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    const WrittenFiles *files = open_record(&f);
    const WrittenFiles *none = written_files_load(NULL, false, NULL, f.arena);
    save(&f, "a.mp4", "one");
    assert_int_equal(mkfifo(path(&f, "fifo"), 0666), 0);
    assert_int_equal(symlink("nowhere", path(&f, "dangling")), 0);
    const struct {
        const char *name;
        bool is_free;
    } rows[] = {{"missing", true}, {"state", true},     {"fifo", true},
                {"a.mp4", false},  {"dangling", false}, {"", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *file = path(&f, rows[i].name);
        if (written_files_may_replace(files, file) != rows[i].is_free ||
            written_files_has_size(files, file) != rows[i].is_free ||
            written_files_may_replace(none, file) != rows[i].is_free ||
            written_files_has_size(none, file) != rows[i].is_free)
            fail_msg("'%s'", rows[i].name);
    }
    const WrittenFiles *all = written_files_load(f.directory, true, NULL, f.arena);
    assert_true(written_files_may_replace(all, path(&f, "a.mp4")));
    assert_true(written_files_has_size(all, path(&f, "a.mp4")));
    discard(&f);
}

/* After a stop nothing is approved, and no error is reported. */
static void a_stop_reports_no_error(void **state)
{
    (void)state;
    static const volatile sig_atomic_t stop = 1;
    Fixture f;
    make(&f);
    save(&f, "a.mp4", "one");
    save(&f, "state/written.jsonl", LINE("../a.mp4", "3", SHA_ONE));
    const WrittenFiles *files = written_files_load(f.directory, false, &stop, f.arena);
    assert_false(written_files_may_replace(files, path(&f, "a.mp4")));
    assert_true(written_files_check(files, path(&f, "a.mp4"), &f.log.diag));
    assert_string_equal(f.log.text, "");
    discard(&f);
}

static void lines_are_appended_once_flushed(void **state)
{
    (void)state;
    Fixture f;
    Digest one;
    make(&f);
    assert_true(digest_parse(&one, SHA_ONE));
    save(&f, "a.mp4", "one");
    save(&f, "b.mp4", "two");
    WrittenFiles *files = open_record(&f);
    assert_true(written_files_flush(files, &f.log.diag)); /* nothing to write: creates nothing */
    assert_int_equal(access(path(&f, "state/written.jsonl"), F_OK), -1);
    written_files_add(files, path(&f, "a.mp4"), 3, &one);
    written_files_add(files, path(&f, "b.mp4"), 0, NULL);
    assert_true(written_files_may_replace(files, path(&f, "a.mp4"))); /* before they are sorted */
    assert_true(written_files_may_replace(files, path(&f, "b.mp4")));
    save(&f, "c.mp4", "one");
    assert_false(written_files_may_replace(files, path(&f, "c.mp4")));
    assert_true(written_files_flush(files, &f.log.diag));
    assert_true(written_files_flush(files, &f.log.diag)); /* each line once */
    static const char text[] = LINE("../a.mp4", "3", SHA_ONE) ANY("../b.mp4");
    assert_string_equal(load(&f, "state/written.jsonl"), text);

    files = open_record(&f);
    assert_true(written_files_may_replace(files, path(&f, "b.mp4")));
    written_files_add(files, path(&f, "c.mp4"), 3, &one);
    assert_true(written_files_flush(files, &f.log.diag));
    assert_string_equal(load(&f, "state/written.jsonl"),
                        arena_printf(f.arena, "%s%s", text, LINE("../c.mp4", "3", SHA_ONE)));
    discard(&f);
}

/* A file is recorded before it is renamed, once for each contents. */
static void approvals_are_recorded(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    save(&f, "new", "one");
    WrittenFiles *files = open_record(&f);
    const FileApproval *approval = written_files_approval(files);
    const char *temporary = path(&f, "new"), *file = path(&f, "a.mp4");
    for (int i = 0; i < 2; i++)
        assert_true(approves(approval, temporary, file, &f.log.diag));
    assert_string_equal(load(&f, "state/written.jsonl"), LINE("../a.mp4", "3", SHA_ONE));
    save(&f, "new", "two");
    for (int i = 0; i < 2; i++)
        assert_true(approves(approval, temporary, file, &f.log.diag));
    save(&f, "new", "one");
    assert_true(approves(approval, temporary, file, &f.log.diag));
    assert_string_equal(load(&f, "state/written.jsonl"),
                        LINE("../a.mp4", "3", SHA_ONE) LINE("../a.mp4", "3", SHA_TWO));
    save(&f, "b.mp4", "precious");
    assert_false(approves(approval, temporary, path(&f, "b.mp4"), &f.log.diag));
    assert_int_equal(f.log.diag.kind, DIAG_CREATE);

    /* that a file may be replaced does not record what replaces it */
    written_files_add(files, path(&f, "b.mp4"), 0, NULL);
    assert_true(approves(approval, temporary, path(&f, "b.mp4"), &f.log.diag));
    assert_non_null(strstr(load(&f, "state/written.jsonl"), LINE("../b.mp4", "3", SHA_ONE)));

    /* without a directory nothing is recorded */
    WrittenFiles *none = written_files_load(NULL, false, NULL, f.arena);
    assert_true(approves(written_files_approval(none), temporary, path(&f, "c.mp4"), &f.log.diag));
    discard(&f);
}

/* The last line of each file that has its size remains. */
static void compaction(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    save(&f, "a.mp4", "one");
    save(&f, "b.mp4", "three");
    save(&f, "c.mp4", "two");
    assert_true(written_files_compact(f.directory, &f.log.diag)); /* no record: none is made */
    assert_int_equal(access(path(&f, "state/written.jsonl"), F_OK), -1);
    save(&f, "state/written.jsonl",
         LINE("../c.mp4", "3", SHA_ONE) LINE("../a.mp4", "9", SHA_ONE) ANY("../a.mp4")
             LINE("../a.mp4", "3", SHA_ONE) LINE("../b.mp4", "3", SHA_TWO)
                 LINE("../gone.mp4", "3", SHA_ONE) LINE("../c.mp4", "3", SHA_TWO) "{\"file\":");
    assert_true(written_files_compact(f.directory, &f.log.diag));
    assert_string_equal(load(&f, "state/written.jsonl"),
                        LINE("../a.mp4", "3", SHA_ONE) LINE("../c.mp4", "3", SHA_TWO));
    save(&f, "state/written.jsonl", LINE("../a.mp4", "3", SHA_ONE) ANY("../a.mp4"));
    assert_true(written_files_compact(f.directory, &f.log.diag));
    assert_string_equal(load(&f, "state/written.jsonl"), "");
    discard(&f);
}

static void records_that_cannot_be_written(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    assert_int_equal(mkdir(path(&f, "state/written.jsonl"), 0777), 0);
    WrittenFiles *files = open_record(&f);
    written_files_add(files, path(&f, "a.mp4"), 0, NULL);
    assert_false(written_files_flush(files, &f.log.diag));
    assert_non_null(strstr(f.log.text, "cannot create '"));
    assert_non_null(strstr(f.log.text, "written.jsonl': Is a directory"));
    discard(&f);
}

/* The name is copied, also while the directory does not exist. */
static void names_are_copied(void **state)
{
    (void)state;
    for (int exists = 0; exists < 2; exists++) {
        Fixture f;
        char name[4096];
        make(&f);
        save(&f, "a.mp4", "one");
        save(&f, "b.mp4", "one");
        if (!exists)
            f.directory = path(&f, "missing");
        WrittenFiles *files = open_record(&f);
        snprintf(name, sizeof name, "%s", path(&f, "a.mp4"));
        written_files_add(files, name, 0, NULL);
        snprintf(name, sizeof name, "%s", path(&f, "b.mp4"));
        assert_true(written_files_may_replace(files, path(&f, "a.mp4")));
        assert_false(written_files_may_replace(files, path(&f, "b.mp4")));
        discard(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_allow_a_replacement),
        cmocka_unit_test(names_are_found_in_long_records),
        cmocka_unit_test(files_that_are_free),
        cmocka_unit_test(a_stop_reports_no_error),
        cmocka_unit_test(lines_are_appended_once_flushed),
        cmocka_unit_test(approvals_are_recorded),
        cmocka_unit_test(compaction),
        cmocka_unit_test(records_that_cannot_be_written),
        cmocka_unit_test(names_are_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
