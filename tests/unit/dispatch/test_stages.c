// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text_stream.h"
#include "diag_log.h"
#include "dispatch/stages.h"
#include "dispatch/submit_script.h"
#include "unit_test.h"

static const char *const arguments[] = {"it's.yaml", "--set", "render.fps=30"};

static Stages example(void)
{
    return (Stages){.name = "dance",
                    .bake = true,
                    .shards = 4,
                    .resources = {{1, 100}, {2, 300}, {1, 200}},
                    .program = "odori",
                    .arguments = arguments,
                    .argument_count = sizeof arguments / sizeof *arguments,
                    .checkpoint = "/films/.a.mp4.odori"};
}

static const char *command_of(const Stages *stages, StageKind kind, Arena *arena)
{
    const StageCommand command = stages_command(stages, kind, arena);
    const char *text = "";
    for (size_t i = 0; i < command.count; i++)
        text = arena_printf(arena, "%s%s ", text, command.items[i]);
    return text;
}

static void test_commands(void **state)
{
    static const struct {
        StageKind kind;
        const char *output;
        bool bake, accept_renderer;
        const char *expected;
    } rows[] = {
        {STAGE_BAKE, NULL, true, false,
         "odori bake it's.yaml --set render.fps=30 --state /films/.a.mp4.odori "},
        {STAGE_SHARDS, NULL, true, false,
         "odori render it's.yaml --set render.fps=30 --state /films/.a.mp4.odori "},
        {STAGE_JOIN, NULL, false, false,
         "odori join it's.yaml --set render.fps=30 --state /films/.a.mp4.odori "},
        {STAGE_BAKE, "b.mkv", true, false,
         "odori bake it's.yaml --set render.fps=30 --output /films/.a.mp4.odori/bake/film.bake "},
        {STAGE_SHARDS, "b.mkv", true, false,
         "odori render it's.yaml --set render.fps=30 --output b.mkv --set "
         "physics.bake=/films/.a.mp4.odori/bake/film.bake --state /films/.a.mp4.odori "},
        {STAGE_JOIN, "b.mkv", false, false,
         "odori join it's.yaml --set render.fps=30 --output b.mkv --state /films/.a.mp4.odori "},
        {STAGE_BAKE, NULL, true, true,
         "odori bake it's.yaml --set render.fps=30 --state /films/.a.mp4.odori "},
        {STAGE_SHARDS, NULL, true, true,
         "odori render it's.yaml --set render.fps=30 --accept-renderer --state "
         "/films/.a.mp4.odori "},
        {STAGE_JOIN, NULL, true, true,
         "odori join it's.yaml --set render.fps=30 --state /films/.a.mp4.odori "},
    };
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Stages stages = example();
        stages.output = rows[i].output;
        stages.bake = rows[i].bake;
        stages.accept_renderer = rows[i].accept_renderer;
        assert_string_equal(command_of(&stages, rows[i].kind, arena), rows[i].expected);
    }
    arena_destroy(arena);
}

static const char *script_of(const char *scheduler, const Stages *stages,
                             const SubmitOptions *options, DiagLog *log, Arena *arena)
{
    TextStream stream;
    diag_log_init(log);
    const bool good =
        submit_script_write(text_stream_open(&stream, arena), scheduler_find(scheduler), stages,
                            options, arena, &log->diag);
    const char *text = text_stream_close(&stream);
    return good ? text : NULL;
}

static void expect_parts(const char *text, const char *const *parts)
{
    assert_non_null(text);
    for (; *parts; parts++)
        if (!strstr(text, *parts))
            fail_msg("missing '%s' in:\n%s", *parts, text);
}

static void test_scripts(void **state)
{
    static const char *const slurm[] = {
        "cd /films/ ||",
        "mkdir -p '/films/.a.mp4.odori'/log\n",
        "exec odori bake 'it'\\''s.yaml' --set render.fps=30 ",
        "--shard \"$SLURM_ARRAY_TASK_ID/4\" ",
        "--requeue --open-mode=append \"$@\" --partition=long --time=60)",
        "--job-name=dance",
        "bake_step | submit bake 1 100)",
        "shards_step | submit shards 2 300 \"$bake\") || cancel \"$bake\"\n",
        "join_step | submit join 1 200 \"$shards\") || cancel \"$bake\" \"$shards\"\n",
        "--array=1-4 --signal=B:USR2@60",
        "xargs -n 1 scancel",
        "trap '' TERM # the renderer gets it, too\n",
        "render\ntrap - TERM\n",
        NULL};
    static const char *const condor[] = {
        "--shard \"$((ODORI_PROCESS + 1))/4\" ",
        "\n--partition=\\$(x)\n--time=60\n", /* a macro of HTCondor, not a command of the shell */
        "\\$(Process) ODORI_CORES=$2\"",
        "kill -TERM \"$renderer\"' TERM\n",
        "condor_submit_dag -force film.dag",
        NULL};
    static const char *const sge[] = {" bake 'it'\\''s.yaml'", ".mp4.odori || exit 100\n", NULL};
    const SubmitOptions options = {"/films/", " --partition=long\t--time=60 "};
    Stages stages = example();
    Arena *arena = arena_create();
    DiagLog log;
    (void)state;
    expect_parts(script_of("slurm", &stages, &options, &log, arena), slurm);
    expect_parts(script_of("sge", &stages, &options, &log, arena), sge);
    expect_parts(script_of("condor", &stages,
                           &(SubmitOptions){"/films/", "--partition=$(x) --time=60"}, &log, arena),
                 condor);

    /* Every field is known, in the script of every scheduler. */
    for (const Scheduler *row = schedulers; row->name; row++)
        if (row->command)
            assert_null(strstr(script_of(row->name, &stages, &options, &log, arena), "@{"));

    stages.bake = false;
    stages.shards = 1;
    const char *text = script_of("pbs", &stages, &options, &log, arena);
    assert_null(strstr(text, "bake"));
    assert_null(strstr(text, "= shards ]")); /* an array has at least two tasks */
    assert_non_null(strstr(text, "--shard \"1/1\" "));
    assert_non_null(strstr(text, "submit join 1 200 \"$shards\") || cancel \"$shards\"\n"));

    stages.checkpoint = "/a\nb";
    assert_null(script_of("sge", &stages, &options, &log, arena));
    assert_int_equal(log.diag.kind, DIAG_USAGE);
    arena_destroy(arena);
}

/* ---- as bytes ---- */

static Bytes bytes_of(const Stages *stages, Arena *arena)
{
    TextStream *stream = arena_array(arena, TextStream, 1);
    stages_write(text_stream_open(stream, arena), stages);
    const char *text = text_stream_close(stream);
    return (Bytes){(const uint8_t *)text, stream->size};
}

static void test_bytes(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Stages stages = example();
    Stages loaded = {.shards = 7, .program = "kept"};
    DiagLog log;
    diag_log_init(&log);
    assert_true(stages_load(&loaded, bytes_of(&stages, arena), arena, &log.diag));
    assert_string_equal(loaded.name, "dance");
    assert_string_equal(loaded.checkpoint, "/films/.a.mp4.odori");
    assert_true(loaded.bake);
    assert_memory_equal(loaded.resources, stages.resources, sizeof stages.resources);
    assert_int_equal(loaded.shards, 7);
    assert_string_equal(loaded.program, "kept");

    /* The name is written into a comment of the script. */
    Stages hostile = stages;
    hostile.name = "a\nrm b\xE2\x80\xA8"
                   "c";
    assert_true(stages_load(&loaded, bytes_of(&hostile, arena), arena, &log.diag));
    assert_string_equal(loaded.name, "a_rm b_c");
    assert_string_equal(log.text, "");
    arena_destroy(arena);
}

static void expect_damaged(const char *what, Bytes bytes, Arena *arena)
{
    Stages loaded = {.name = "kept"};
    DiagLog log;
    diag_log_init(&log);
    if (stages_load(&loaded, bytes, arena, &log.diag) || log.diag.kind != DIAG_INTERNAL ||
        strcmp(log.text, "error: loading the job gave a damaged result\n") != 0)
        fail_msg("%s: '%s'", what, log.text);
    assert_string_equal(loaded.name, "kept");
    assert_null(loaded.checkpoint);
}

static void test_damaged_bytes(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Stages stages = example();
    const Bytes good = bytes_of(&stages, arena);
    for (size_t size = 0; size < good.size; size++)
        expect_damaged("cut", (Bytes){good.data, size}, arena);

    uint8_t longer[256] = {0};
    memcpy(longer, good.data, good.size);
    expect_damaged("more", (Bytes){longer, good.size + 1}, arena);
    longer[0] = 2;
    expect_damaged("neither with nor without a bake", (Bytes){longer, good.size}, arena);
    stages.resources[STAGE_JOIN].cores = 0;
    expect_damaged("no core", bytes_of(&stages, arena), arena);
    stages = example();
    stages.resources[STAGE_SHARDS].memory_mib = -1;
    expect_damaged("negative memory", bytes_of(&stages, arena), arena);
    stages = example();
    stages.checkpoint = "";
    expect_damaged("no checkpoint directory", bytes_of(&stages, arena), arena);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_damaged_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
