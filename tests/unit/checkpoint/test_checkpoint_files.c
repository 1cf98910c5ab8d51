/* The file names that the program removes from a checkpoint directory: exactly its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/stat.h>

#include "checkpoint/checkpoint_files.h"
#include "checkpoint/checkpoint_job.h"
#include "diag_log.h"
#include "scratch.h"

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
    const char *name = checkpoint_segment_name(7, 1234, "mkv", arena);
    assert_string_equal(name, "7-001234.mkv");
    assert_true(checkpoint_parse_segment_name(&output, &segment, name));
    assert_true(output == 7 && segment == 1234);
    assert_string_equal(checkpoint_ledger_name((FilmShard){.index = 2, .count = 31}, arena),
                        "0002-of-0031.jsonl");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_removal_of_the_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
