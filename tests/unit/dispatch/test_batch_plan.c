// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu_quota.h"
#include "base/file.h"
#include "diag_log.h"
#include "dispatch/batch_run.h"
#include "scratch.h"
#include "unit_test.h"

typedef struct Bench {
    Arena *arena;
    DiagLog log;
    Scratch scratch;
    Batch batch;
    BatchPlan plan;
} Bench;

/* The models do not exist: jobs are loaded, scenes are not. */
static const char base[] = "version: 1\nmodels: [ a.pmx ]\noutputs: [ o/one.mp4, \"o/%05d.png\" ]\n"
                           "previews: [ { type: sheet, file: p/sheet.png } ]\n";

static int set_up(void **state)
{
    Bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        return 1;
    bench->arena = arena_create();
    scratch_make(&bench->scratch);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    Bench *bench = *state;
    scratch_remove(&bench->scratch);
    arena_destroy(bench->arena);
    free(bench);
    return 0;
}

static void write_file(Bench *bench, const char *name, const char *text)
{
    assert_true(
        file_save(scratch_path(&bench->scratch, name), text, strlen(text), &bench->log.diag));
}

static bool plan(Bench *bench, const char *text)
{
    diag_log_init(&bench->log);
    write_file(bench, "base.yaml", base);
    write_file(bench, "m.yaml",
               arena_printf(bench->arena, "version: 1\nbase: base.yaml\n%s", text));
    const char *path = arena_strdup(bench->arena, scratch_path(&bench->scratch, "m.yaml"));
    if (!batch_load(&bench->batch, path, bench->arena, &bench->log.diag))
        fail_msg("%s", bench->log.text);
    return batch_plan(&bench->plan, &bench->batch, BATCH_JOBS, bench->arena, &bench->log.diag);
}

/* "NAME -o FILE --set ... = FILES", paths relative to the directory. */
static const char *shown(Bench *bench)
{
    const char *directory = bench->scratch.directory;
    char *text = arena_strdup(bench->arena, "");
    for (size_t i = 0; i < bench->batch.job_count; i++) {
        const BatchItem *item = &bench->plan.items[i];
        text = arena_printf(bench->arena, "%s%s", text, item->job->name);
        if (item->output)
            text = arena_printf(bench->arena, "%s -o %s", text, item->output);
        for (size_t k = 0; k < item->set_count; k++)
            text = arena_printf(bench->arena, "%s %s", text, item->sets[k]);
        for (size_t k = 0; k < item->output_count; k++)
            text = arena_printf(bench->arena, "%s > %s", text, item->outputs[k]);
        text = arena_printf(bench->arena, "%s\n", text);
    }
    for (char *at; (at = strstr(text, directory)) != NULL;)
        memmove(at, at + strlen(directory), strlen(at + strlen(directory)) + 1);
    return text;
}

typedef struct Row {
    const char *what, *text, *expected;
} Row;

static void test_sets_outputs(void **state)
{
    static const Row rows[] = {
        {"a file replaces all outputs; previews are written beside it",
         "matrix: { a: { x: {}, y: { render.fps: 30 } } }\nout: \"f/{a}.webm\"\n",
         "x -o f/x.webm previews.0.file=\"f/x-sheet.png\" > f/x.webm > f/x-sheet.png\n"
         "y -o f/y.webm render.fps=30 previews.0.file=\"f/y-sheet.png\" > f/y.webm > "
         "f/y-sheet.png\n"},
        {"outputs in a directory keep their names", "include: [ { name: x } ]\nout: \"f/{name}\"\n",
         "x outputs.0.file=\"f/x/one.mp4\" outputs.1.file=\"f/x/%05d.png\" "
         "previews.0.file=\"f/x/sheet.png\" > f/x/one.mp4 > f/x/%05d.png > f/x/sheet.png\n"},
        {"without out the outputs of the job are kept", "include: [ { name: x } ]\n",
         "x > o/one.mp4 > o/%05d.png > p/sheet.png\n"},
        {"null output",
         "include: [ { name: x, set: { outputs: [ \"null:\" ], previews: [] } }, { name: y, set: { "
         "outputs: [ \"null:\" ], previews: [] } } ]\n",
         "x outputs=[\"null:\"] previews=[] > null:\ny outputs=[\"null:\"] previews=[] > null:\n"},
    };
    Bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!plan(bench, rows[i].text))
            fail_msg("%s: %s", rows[i].what, bench->log.text);
        if (strcmp(shown(bench), rows[i].expected) != 0)
            fail_msg("%s:\n%s", rows[i].what, shown(bench));
    }
}

static void test_rejects_invalid_jobs(void **state)
{
    static const Row rows[] = {
        {"two jobs, one file", "matrix: { a: { x: {}, y: {} } }\nout: f/one.mp4\n",
         "m.yaml:3:9: jobs 'x' and 'y' both write "},
        {"the same file with another spelling",
         "include: [ { name: x, set: { outputs: [ g/../f/a.mp4 ], previews: [] } },\n"
         "  { name: y, set: { outputs: [ ./f//a.mp4 ], previews: [] } } ]\n",
         "m.yaml:4:11: jobs 'x' and 'y' both write "},
        {"a preview shared by all jobs", "matrix: { a: { x: {}, y: {} } }\n",
         "jobs 'x' and 'y' both write "},
        {"one job with equal names in two directories",
         "include: [ { name: x, set: { outputs: [ a/o.mp4, b/o.mp4 ] } } ]\nout: \"f/{name}\"\n",
         "job 'x' writes "},
        {"an option of videos for images",
         "include: [ { name: x, set: { outputs.1.crf: 20 } } ]\nout: \"f/{name}\"\n",
         "/o/%05d.png': only videos have this option"},
        {"an option of videos for an output of -o",
         "include: [ { name: x, set: { outputs.0.gop: 20 } } ]\nout: \"{name}.sha256\"\n",
         "outputs.0.gop: '"},
        {"an option for an output that -o replaces",
         "include: [ { name: x, set: { outputs.1.gop: 20 } } ]\nout: \"{name}.mkv\"\n",
         "outputs.1: replaced by --output, whose keys are those of outputs.0"},
        {"an unknown key", "matrix: { a: { x: { render.sice: [2, 2] } } }\n",
         "m.yaml:3:28: unknown key 'sice'; did you mean 'size'?"},
        {"a wrong value in a nested map",
         "include: [ { name: x, set: { render: { fps: sixty } } } ]\n",
         "m.yaml:3:45: render.fps: 'sixty' is not a number"},
        {"a wrong plain value", "matrix: { render.samples: [1, 5] }\nout: \"{name}/\"\n",
         "m.yaml:3:31: render.samples: 5 is out of range (1, 4)"},
    };
    Bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (plan(bench, rows[i].text))
            fail_msg("%s: accepted", rows[i].what);
        if (!strstr(bench->log.text, rows[i].expected))
            fail_msg("%s: %s", rows[i].what, bench->log.text);
        assert_int_equal(bench->log.diag.kind, DIAG_JOB);
    }
}

/* An error in one axis value concerns many jobs. */
static void test_reports_equal_errors_once(void **state)
{
    Bench *bench = *state;
    assert_false(plan(bench, "matrix: { a: { x: { nmae: b } }, b: { p: {}, q: {}, r: {} } }\n"
                             "out: \"{name}/\"\n"));
    const char *first = strstr(bench->log.text, "unknown key 'nmae'");
    assert_non_null(first);
    assert_null(strstr(first + 1, "unknown key"));
    assert_non_null(strstr(bench->log.text, "in job 'x-p'"));
    assert_null(strstr(bench->log.text, "'x-q'"));
}

/* On any machine: at most run.jobs, the number of jobs and the number of cores. */
static void test_capacity_by_cores(void **state)
{
    Bench *bench = *state;
    static const char *const asked[] = {"1", "2", "256", "auto"};
    const int cores = cpu_quota_cores();
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        assert_true(plan(bench, arena_printf(bench->arena,
                                             "matrix: { a: { x: {}, y: {}, z: {} } }\n"
                                             "out: \"{name}/\"\nrun: { jobs: %s }\n",
                                             asked[i])));
        const BatchCapacity got = batch_capacity(&bench->plan);
        assert_true(got.parallel_jobs >= 1 && got.parallel_jobs <= 3);
        assert_true(got.workers >= 1 && got.workers <= cores);
        assert_true(got.parallel_jobs * got.workers <= cores);
        assert_true(i != 0 || got.parallel_jobs == 1);
    }
}

/* Jobs that need more memory than available run one by one. */
static void test_capacity_by_memory(void **state)
{
    Bench *bench = *state;
    assert_true(
        plan(bench, "matrix: { a: { x: {}, y: {} } }\nout: \"{name}/\"\nrun: { jobs: 2 }\n"));
    bench->plan.items[1].memory_mib = 1 << 30;
    assert_int_equal(batch_capacity(&bench->plan).parallel_jobs, 1);
}

static void append(Bench *bench, const char *text)
{
    FILE *file = fopen(scratch_path(&bench->scratch, ".m.yaml.odori/results.jsonl"), "a");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_stores_results(void **state)
{
    Bench *bench = *state;
    BatchResult results[2];
    assert_true(plan(bench, "matrix: { a: { x: {}, \"踊り\": {} } }\nout: \"{name}/\"\n"));
    assert_true(batch_results_load(results, &bench->plan, bench->arena, &bench->log.diag));
    assert_int_equal(results[0].state, BATCH_WAITING);

    results[0] = (BatchResult){.state = BATCH_RUNNING, .tries = 1, .frames = 7};
    const int file = batch_results_open(results, &bench->plan, &bench->log.diag);
    assert_true(file >= 0);
    const BatchResult failed = {.state = BATCH_FAILED,
                                .tries = 3,
                                .exit_status = 74,
                                .frames = 7,
                                .wall_s = 1.25,
                                .message = "a \"b\": c"};
    assert_true(batch_results_append(file, &bench->plan.items[1], &failed, &bench->log.diag));
    close(file);
    append(bench, "{\"job\":\"x\",\"key\":\"0\",\"state\":\"done\"}\n"); /* of a changed job */
    append(bench, "{\"job\":\"x\",\"state\":\n");
    append(bench, "{\"job\":\"\xE8\xB8\x8A\xE3\x82\x8A\",\"state\":\"done\""); /* incomplete */

    assert_true(batch_results_load(results, &bench->plan, bench->arena, &bench->log.diag));
    assert_non_null(strstr(bench->log.text, "results.jsonl: 1 damaged line ignored"));
    assert_int_equal(results[0].state, BATCH_RUNNING);
    assert_int_equal(results[1].state, BATCH_FAILED);
    assert_int_equal(results[1].tries, 3);
    assert_int_equal(results[1].exit_status, 74);
    assert_int_equal(results[1].frames, 7);
    assert_true(results[1].wall_s == 1.25);
    assert_string_equal(results[1].message, "a \"b\": c");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sets_outputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rejects_invalid_jobs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reports_equal_errors_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_capacity_by_cores, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_capacity_by_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stores_results, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
