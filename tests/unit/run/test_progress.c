// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "record/yaml.h"
#include "run/progress.h"
#include "unit_test.h"

typedef struct Bench {
    FILE *out;
    char *text;
    size_t size;
    Progress progress;
} Bench;

static void begin(Bench *bench, ProgressMode mode)
{
    bench->text = NULL;
    bench->out = open_memstream(&bench->text, &bench->size);
    assert_non_null(bench->out);
    progress_init(&bench->progress, bench->out, mode, COLOR_AUTO);
}

static void done(Bench *bench)
{
    fclose(bench->out);
    free(bench->text);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        n++;
    return n;
}

static void report(Progress *progress, DiagLevel level, const char *text)
{
    Diag diag;
    diag_init(&diag, progress_report, progress);
    diag_forward(&diag, level, text);
}

/* A small run with a warning while it loads. */
static void small_run(Bench *bench, int status)
{
    Progress *progress = &bench->progress;
    progress_stage(progress, "load", 0, 0);
    report(progress, DIAG_WARNING, "m.pmx: odd \"name\"");
    progress_start(progress, "job", 4, 10, 13);
    progress_stage(progress, "render", 4, 0);
    for (int i = 0; i < 4; i++) {
        progress_frame(progress, 10 + i, 1.5);
        progress_step(progress, i + 1);
    }
    progress_output(progress, &(ProgressOutput){"o.mp4", 1234, 30, 1, {{0}}});
    progress_end(progress, status);
    progress_end(progress, status);
    fflush(bench->out);
}

/* Every line is a complete object. */
static void check_lines(const char *text)
{
    Arena *arena = arena_create();
    DiagLog log;
    diag_log_init(&log);
    while (*text) {
        const size_t size = strcspn(text, "\n");
        const YamlSource source = {.name = "line", .text = text, .size = size};
        YamlNode *root;
        if (!yaml_load(&root, &source, arena, &log.diag))
            fail_msg("%.*s\n%s", (int)size, text, log.text);
        assert_string_equal(yaml_find(root, "v")->text, "1");
        assert_non_null(yaml_find(root, "t"));
        assert_non_null(yaml_find(root, "event"));
        text += size + (text[size] == '\n');
    }
    arena_destroy(arena);
}

static void test_json(void **state)
{
    Bench bench;
    (void)state;
    begin(&bench, PROGRESS_JSON);
    bench.progress.verbose = true;
    small_run(&bench, 0);
    check_lines(bench.text);
    /* start comes first, although a warning was reported before the frames were known */
    static const char first[] = "{\"v\":1,\"t\":0,\"event\":\"start\",\"job\":\"job\","
                                "\"renderer\":null,\"frames\":4,\"first\":10,\"last\":13,\"pid\":";
    assert_int_equal(strncmp(bench.text, first, sizeof first - 1), 0);
    assert_int_equal(count(bench.text, "\"event\":\"start\""), 1);
    assert_int_equal(count(bench.text, "\"event\":\"stage\""), 2);
    assert_int_equal(count(bench.text, "\"event\":\"frame\""), 4);
    assert_int_equal(count(bench.text, "\"event\":\"warning\""), 1);
    assert_true(count(bench.text, "\"event\":\"progress\"") >= 1);
    assert_int_equal(count(bench.text, "\"event\":\"end\""), 1);
    assert_non_null(strstr(bench.text, "\"ok\":true,\"exit\":0,\"rendered\":4,\"skipped\":0,"
                                       "\"outputs\":[{\"file\":\"o.mp4\",\"bytes\":1234,\"sha256\":"
                                       "null,\"frames\":30,\"seconds\":1}]}\n"));
    done(&bench);
}

/* A run that fails while it loads has a start and an end all the same. */
static void test_json_failure(void **state)
{
    Bench bench;
    (void)state;
    begin(&bench, PROGRESS_JSON);
    progress_stage(&bench.progress, "load", 0, 0);
    report(&bench.progress, DIAG_ERROR, "a.pmx: cannot open");
    progress_end(&bench.progress, 66);
    fflush(bench.out);
    check_lines(bench.text);
    assert_int_equal(count(bench.text, "\"event\":\"start\""), 1);
    assert_true(strstr(bench.text, "\"start\"") < strstr(bench.text, "\"error\""));
    assert_non_null(strstr(bench.text, "\"ok\":false,\"exit\":66,"));
    done(&bench);
}

/* Messages have their parts, for programs. */
static void test_json_parts(void **state)
{
    const DiagLocation at = {"job.yaml", 4, 11, "render.fps", "\n    4 | x\n      | ^"};
    Bench bench;
    Diag diag;
    (void)state;
    begin(&bench, PROGRESS_JSON);
    progress_start(&bench.progress, "job", 0, 0, 0);
    diag_init(&diag, progress_report, &bench.progress);
    diag_fail_at(&diag, &at, DIAG_JOB, "'x' is no rate; did you mean '24'?");
    diag_note(&diag, "plain");
    fflush(bench.out);
    assert_non_null(strstr(bench.text,
                           "\"code\":\"job\",\"file\":\"job.yaml\",\"line\":4,\"column\":11,"
                           "\"text\":\"render.fps: 'x' is no rate\","
                           "\"hint\":\"did you mean '24'?\"}\n"));
    assert_non_null(strstr(bench.text, "\"message\":\"plain\",\"code\":\"note\",\"file\":null,"
                                       "\"line\":null,\"column\":null,\"text\":\"plain\","
                                       "\"hint\":null}\n"));
    done(&bench);
}

/* Lines that begin with openjd_; the percentage never falls, the first error is the reason. */
static void test_openjd(void **state)
{
    Bench bench;
    (void)state;
    begin(&bench, PROGRESS_OPENJD);
    progress_stage(&bench.progress, "render", 4, 0);
    progress_step(&bench.progress, 4);
    progress_stage(&bench.progress, "finish", 2, 0);
    report(&bench.progress, DIAG_ERROR, "a.pmx: damaged\n    1 | x");
    report(&bench.progress, DIAG_ERROR, "b.pmx: damaged");
    report(&bench.progress, DIAG_WARNING, "c\nopenjd_env: X=1");
    progress_end(&bench.progress, 65);
    fflush(bench.out);
    assert_int_equal(count(bench.text, "openjd_progress: 0.0\n"), 1);
    assert_int_equal(count(bench.text, "openjd_progress: 100.0\n"), 2);
    assert_non_null(strstr(bench.text, "openjd_status: render 4/4 100%"));
    assert_non_null(strstr(bench.text, "\nopenjd_fail: a.pmx: damaged\n"));
    assert_int_equal(count(bench.text, "openjd_fail"), 1);
    assert_null(strstr(bench.text, "\nopenjd_env"));
    done(&bench);
}

static void test_plain(void **state)
{
    Bench bench;
    (void)state;
    begin(&bench, PROGRESS_PLAIN);
    small_run(&bench, 0);
    assert_non_null(strstr(bench.text, "odori: warning: m.pmx: odd \"name\"\n"));
    assert_non_null(strstr(bench.text, "render 4/4 100%"));
    assert_non_null(strstr(bench.text, "4 frames in 0:00"));
    assert_non_null(strstr(bench.text, "wrote o.mp4, 1.2 kB\n"));
    assert_null(strchr(bench.text, '\r'));
    assert_null(strchr(bench.text, '\033'));
    done(&bench);
}

/* Outputs that are joined are not frames and have no frames a second. */
static void test_items(void **state)
{
    Bench bench;
    (void)state;
    begin(&bench, PROGRESS_PLAIN);
    progress_stage(&bench.progress, "render", 4, 0);
    progress_stage_of_items(&bench.progress, "join", 2);
    progress_step(&bench.progress, 2);
    fflush(bench.out);
    assert_string_equal(bench.text, "join 2/2 100%\n");
    done(&bench);
}

static void test_none(void **state)
{
    Bench bench;
    (void)state;
    begin(&bench, PROGRESS_NONE);
    small_run(&bench, 0);
    assert_string_equal(bench.text, "odori: warning: m.pmx: odd \"name\"\n");
    done(&bench);
}

static void test_quiet(void **state)
{
    Bench bench;
    (void)state;
    begin(&bench, PROGRESS_PLAIN);
    bench.progress.quiet = true;
    small_run(&bench, 0);
    report(&bench.progress, DIAG_ERROR, "broken");
    fflush(bench.out);
    assert_string_equal(bench.text, "odori: error: broken\n");
    done(&bench);
}

/* A warning wipes the bar away, and the bar comes back. */
static void test_bar(void **state)
{
    Bench bench;
    (void)state;
    begin(&bench, PROGRESS_TTY);
    progress_start(&bench.progress, "job", 4, 0, 3);
    progress_stage(&bench.progress, "render", 4, 0);
    report(&bench.progress, DIAG_WARNING, "odd");
    progress_step(&bench.progress, 4);
    progress_end(&bench.progress, 0);
    fflush(bench.out);
    assert_non_null(strstr(bench.text, "\r\033[Kodori: warning: odd\n\r"));
    assert_non_null(strstr(bench.text, "render 4/4 100%"));
    done(&bench);
}

/* A name from a file can neither color the terminal nor forge a line of ours. */
static void test_clean(void **state)
{
    Bench bench;
    (void)state;
    begin(&bench, PROGRESS_PLAIN);
    report(&bench.progress, DIAG_WARNING, "a\033[31mb\nodori: error: forged\xC2\x9B z\n    1 | x");
    fflush(bench.out);
    assert_string_equal(bench.text,
                        "odori: warning: a?[31mb\n    odori: error: forged? z\n    1 | x\n");
    done(&bench);
}

/* Reported once for each request, in every mode, even if nothing else is printed. */
static void test_status(void **state)
{
    static const ProgressMode modes[] = {PROGRESS_NONE, PROGRESS_PLAIN, PROGRESS_JSON};
    (void)state;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        volatile sig_atomic_t asked = 1; /* before there is anything to tell */
        Bench bench;
        begin(&bench, modes[i]);
        bench.progress.status_requests = &asked;
        bench.progress.quiet = modes[i] == PROGRESS_PLAIN;
        progress_stage(&bench.progress, "load", 0, 0);
        progress_start(&bench.progress, "job", 40, 10, 49);
        progress_stage(&bench.progress, "render", 40, 8);
        progress_frame(&bench.progress, 18, 1.5);
        progress_step(&bench.progress, 9);
        bench.progress.processes = (ProgressProcesses){.workers = 3, .alive = 2, .worker_mib = 259};
        asked = 2;
        progress_tick(&bench.progress);
        progress_tick(&bench.progress);
        char place[96];
        progress_format_position(place, sizeof place, &bench.progress);
        assert_string_equal(place, "render: 9 of 40 done, the last was frame 18");
        fflush(bench.out);
        if (modes[i] == PROGRESS_JSON) {
            check_lines(bench.text);
            assert_int_equal(count(bench.text, "\"event\":\"status\""), 2);
            assert_non_null(
                strstr(bench.text, "\"event\":\"status\",\"stage\":\"load\",\"done\":0,"));
            assert_non_null(
                strstr(bench.text, "\"stage\":\"render\",\"done\":9,\"total\":40,\"fps\":"));
            assert_non_null(strstr(bench.text, "\"workers\":3,\"alive\":2,\"worker_mib\":"));
            assert_non_null(strstr(bench.text, "\"worker_mib\":259,\"encoder_mib\":0}\n"));
        } else {
            assert_int_equal(count(bench.text, "\n"), 2);
            assert_non_null(strstr(bench.text, "odori: status: load 0; MiB: main "));
            assert_non_null(strstr(bench.text, "odori: status: render 9/40 22% "));
            assert_non_null(strstr(bench.text, " 8 skipped; 2 of 3 workers; MiB: main "));
            assert_non_null(strstr(bench.text, ", worker 259\n"));
        }
        done(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),       cmocka_unit_test(test_json_failure),
        cmocka_unit_test(test_json_parts), cmocka_unit_test(test_openjd),
        cmocka_unit_test(test_plain),      cmocka_unit_test(test_items),
        cmocka_unit_test(test_none),       cmocka_unit_test(test_quiet),
        cmocka_unit_test(test_bar),        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
