// SPDX-License-Identifier: MIT
/* run_record: what is written of two runs is read again, and nothing else */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "diag_log.h"
#include "run/checkpoint/run_record.h"
#include "scratch.h"
#include "unit_test.h"

#define DIGEST_1 "1123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define DIGEST_2 "2123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static Digest digest_of(const char *text)
{
    Digest digest;
    assert_true(digest_parse(&digest, text));
    return digest;
}

static void save_text(Scratch *scratch, const char *text)
{
    FILE *out = fopen(scratch_path(scratch, RUN_RECORD_NAME), "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static void two_runs(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    Arena *arena = arena_create();
    RunRecords written = {.count = 0}, read;
    FrameRange drawn[RUN_RECORD_RANGES + 1], changed[] = {{300, 330}, {332, 332}};
    JobChange changes[] = {{"audio.gain_db", NULL, "0", "-3"},
                           {"models.0.file", "踊/\xff.pmx", DIGEST_1, DIGEST_2},
                           {"a", NULL, "1", NULL}};
    const FrameChange compared[] = {{300, 10}, {301, 500}, {332, 0}};
    int64_t shown[] = {301, 300};
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        drawn[i] = (FrameRange){2 * (int64_t)i, 2 * (int64_t)i};
    scratch_make(&scratch);
    diag_log_init(&log);

    RunRecord run = {.digest = digest_of(DIGEST_1), .frames = 720, .seconds = NAN};
    run_records_add(&written, &run);
    run_record_set_drawn(&written.items[0], (FrameRanges){drawn, RUN_RECORD_RANGES + 1});
    run = (RunRecord){.digest = digest_of(DIGEST_2),
                      .frames = 721,
                      .changes = {changes, 3, 3, 2},
                      .changed_ranges = {changed, 2},
                      .reason = "--fresh",
                      .compared = compared,
                      .compared_count = 3,
                      .picture_pixels = 2000,
                      .shown = shown,
                      .shown_count = 2,
                      .seconds = 2.5};
    run_records_add(&written, &run);
    assert_int_equal(written.count, 2);
    run_records_add(&written, &written.items[0]); /* no more than two are kept */
    written.items[1] = (RunRecord){.digest = digest_of(DIGEST_1), .frames = 720, .seconds = NAN};
    run_record_set_drawn(&written.items[1], (FrameRanges){drawn, RUN_RECORD_RANGES + 1});
    assert_int_equal(written.count, 2);
    assert_true(run_records_save(scratch.directory, &written, &log.diag));

    Digest job = digest_of(DIGEST_2);
    run_records_load(&read, scratch.directory, &job, arena, &log.diag);
    assert_int_equal(read.count, 2);
    assert_int_equal(read.items[0].changes.count, 3);
    assert_string_equal(read.items[0].changes.items[1].file, changes[1].file);
    assert_null(read.items[0].changes.items[2].after);
    assert_string_equal(run_record_drawn_text(&read.items[0], arena), "none of 721 frames drawn");
    assert_string_equal(run_record_why_text(&read.items[0], arena),
                        "audio.gain_db: was 0, is now -3; 4 more; changed in frames 300-330,332; "
                        "--fresh");
    assert_true(read.items[0].seconds == 2.5);
    assert_int_equal(read.items[0].shown_count, 2);
    assert_int_equal(read.items[0].shown[0], 301);
    assert_string_equal(run_record_pixels_text(&read.items[0], arena), /* 510 of 6000 */
                        "8.50 % of 3 frames, most of frame 301 (25.00 %), 300 (0.50 %)");
    assert_string_equal(run_record_pixels_text(&read.items[1], arena), "");
    assert_int_equal(read.items[1].drawn, RUN_RECORD_RANGES + 1);
    assert_int_equal(read.items[1].ranges.count, RUN_RECORD_RANGES);
    assert_string_equal(run_record_why_text(&read.items[1], arena), "");
    assert_true(isnan(read.items[1].seconds));

    job = digest_of(DIGEST_1); /* a run that was killed before it replaced job.json */
    run_records_load(&read, scratch.directory, &job, arena, &log.diag);
    assert_int_equal(read.count, 1);
    assert_int_equal(read.items[0].frames, 720);
    job.bytes[0] ^= 1;
    run_records_load(&read, scratch.directory, &job, arena, &log.diag);
    assert_int_equal(read.count, 0);
    assert_string_equal(log.text, "");
    arena_destroy(arena);
    scratch_remove(&scratch);
}

#define FILE_OF(version, runs) \
    "{\"format\":\"odori-runs\",\"version\":" version ",\"runs\":[" runs "]}"
#define RUN(drawn, ranges, changes, more)                                                    \
    "{\"digest\":\"" DIGEST_1 "\",\"frames\":9,\"drawn\":" drawn ",\"drawn_ranges\":" ranges \
    ",\"changes\":" changes ",\"more_changes\":" more                                        \
    ",\"changed_ranges\":[],\"reason\":null,\"seconds\":1}"
#define COMPARED(frames, pixels, pictures)                                                     \
    "{\"compared\":" frames ",\"picture_pixels\":" pixels ",\"pictures\":" pictures ","        \
    "\"digest\":\"" DIGEST_1 "\",\"frames\":9,\"drawn\":0,\"drawn_ranges\":[],\"changes\":[]," \
    "\"more_changes\":0,\"changed_ranges\":[],\"reason\":null,\"seconds\":1}"
#define FRAME(frame, pixels) "{\"frame\":" frame ",\"pixels\":" pixels "}"
#define GOOD RUN("2", "[[1,2]]", "[]", "0")

static void files_of_others(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t count; /* 0: damaged */
    } rows[] = {
        {FILE_OF("3", GOOD), 1},
        {FILE_OF("3", GOOD "," GOOD), 2},
        {FILE_OF("3", GOOD "," GOOD "," GOOD), 0},
        {FILE_OF("3", COMPARED("[" FRAME("1", "5") "," FRAME("2", "0") "]", "5", "[1]")), 1},
        {FILE_OF("3", COMPARED("[" FRAME("1", "6") "]", "5", "[1]")), 0},
        {FILE_OF("3", COMPARED("[" FRAME("1", "-1") "]", "5", "[1]")), 0},
        {FILE_OF("3", COMPARED("[" FRAME("2", "1") "," FRAME("2", "1") "]", "5", "[1]")), 0},
        {FILE_OF("3", COMPARED("[" FRAME("-1", "1") "]", "5", "[1]")), 0},
        {FILE_OF("3", COMPARED("[7]", "5", "[1]")), 0},
        {FILE_OF("3", COMPARED("{}", "5", "[1]")), 0},
        {FILE_OF("3", COMPARED("[]", "-5", "[]")), 0},
        {FILE_OF("3", COMPARED("[]", "null", "[]")), 0},
        {FILE_OF("3", COMPARED("[]", "5", "[-1]")), 0},
        {FILE_OF("3", COMPARED("[]", "5", "[1,2,3,4,5,6,7]")), 0},
        {FILE_OF("3", COMPARED("[]", "5", "{}")), 0},
        {FILE_OF("4", GOOD), 0},
        {"", 0},
        {"{}", 0},
        {FILE_OF("3", "7"), 0},
        {FILE_OF("3", RUN("10", "[]", "[]", "0")), 0},
        {FILE_OF("3", RUN("-1", "[]", "[]", "0")), 0},
        {FILE_OF("3", RUN("2", "[[2,1]]", "[]", "0")), 0},
        {FILE_OF("3", RUN("2", "[[-2,1]]", "[]", "0")), 0},
        {FILE_OF("3", RUN("2", "[[1,2],[2,3]]", "[]", "0")), 0},
        {FILE_OF("3", RUN("2", "[[1,100000000]]", "[]", "0")), 0},
        {FILE_OF("3", RUN("2", "[1,2]", "[]", "0")), 0},
        {FILE_OF("3", RUN("2", "null", "[]", "0")), 0},
        {FILE_OF("3", RUN("2", "[]", "[{}]", "0")), 0},
        {FILE_OF("3", RUN("2", "[]", "{}", "0")), 0},
        {FILE_OF("3", RUN("2", "[]", "[]", "-1")), 0},
        {FILE_OF("3", RUN("2", "[]", "[]", "null")), 0},
    };
    const Digest job = digest_of(DIGEST_1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Scratch scratch;
        DiagLog log;
        RunRecords read;
        Arena *arena = arena_create();
        scratch_make(&scratch);
        diag_log_init(&log);
        save_text(&scratch, rows[i].text);
        run_records_load(&read, scratch.directory, &job, arena, &log.diag);
        if (read.count != rows[i].count ||
            !strstr(log.text, "runs.json' is damaged") != (rows[i].count != 0))
            fail_msg("%s: %zu runs, %s", rows[i].text, read.count, log.text);
        arena_destroy(arena);
        scratch_remove(&scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs),
        cmocka_unit_test(files_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
