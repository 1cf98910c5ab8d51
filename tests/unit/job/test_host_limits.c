// SPDX-License-Identifier: MIT
/* the limits file: keys, profile, sources, and how it lowers the limits of a job */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag_log.h"
#include "job/job.h"
#include "scratch.h"
#include "unit_test.h"

typedef struct Bench {
    Arena *arena;
    DiagLog log;
    HostLimits limits;
    char file[64];
} Bench;

static void open_bench(Bench *b)
{
    *b = (Bench){.arena = arena_create(), .file = "/tmp/odori-limits-XXXXXX"};
    diag_log_init(&b->log);
}

static bool load_text(Bench *b, const char *text)
{
    const int fd = mkstemp(b->file);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    const bool good = host_limits_load(&b->limits, b->file, b->arena, &b->log.diag);
    unlink(b->file);
    return good;
}

static void test_defaults_limit_little(void **state)
{
    Bench b;
    (void)state;
    open_bench(&b);
    assert_true(host_limits_load(&b.limits, NULL, b.arena, &b.log.diag));
    assert_int_equal(b.limits.paths, HOST_PATHS_ANY);
    assert_true(b.limits.frames.max == 0);
    assert_true(b.limits.memory_mib.max == 0);
    assert_true(b.limits.scene.ik.max == 20000000);
    assert_true(b.limits.scene.pairs.max == 100000);
    assert_string_equal(b.limits.scene.ik.name, "ik_bones");
    assert_string_equal(b.limits.scene.ik.source, "default");
    arena_destroy(b.arena);
}

/* A profile that leaves a resource without limit would not suit strangers. */
static void test_untrusted_limits_everything(void **state)
{
    Bench b;
    (void)state;
    open_bench(&b);
    assert_true(host_limits_load(&b.limits, "untrusted", b.arena, &b.log.diag));
    assert_int_equal(b.limits.paths, HOST_PATHS_JOB_DIRECTORY);
    assert_string_equal(b.limits.paths_source, "profile untrusted");
    for (size_t i = 0; i < option_limits.count; i++) {
        const Option *row = &option_limits.rows[i];
        if (row->type != OPTION_NUMBER)
            continue;
        const Limit *limit =
            (const void *)((const char *)&b.limits + row->offset - offsetof(Limit, max));
        assert_string_equal(limit->name, row->key);
        assert_string_equal(limit->source, "profile untrusted");
        if (!(limit->max > 0))
            fail_msg("%s has no limit", row->key);
    }
    arena_destroy(b.arena);
}

static void test_own_values_replace_the_profile(void **state)
{
    Bench b;
    char source[80];
    (void)state;
    open_bench(&b);
    assert_true(load_text(&b, "frames: 7\nprofile: untrusted\npaths: any\nmodels: 0\n"));
    assert_true(b.limits.frames.max == 7);
    snprintf(source, sizeof source, "%s:1", b.file);
    assert_string_equal(b.limits.frames.source, source);
    assert_int_equal(b.limits.paths, HOST_PATHS_ANY);
    assert_true(b.limits.scene.models.max == 0);
    assert_string_equal(b.limits.scene.sound_s.source, "profile untrusted");
    arena_destroy(b.arena);
}

static void test_mistakes(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"frame: 7\n", ":1:1: unknown key 'frame'; did you mean 'frames'?"},
        {"frames: -1\n", ":1:9: frames: -1 is out of range (0..1e+12)"},
        {"frames: .inf\n", ":1:9: frames: "},
        {"a: 1\nprofile: strict\n", ":2:10: profile: 'strict' is not one of none, untrusted"},
        {"- frames: 1\n", "expected a map of keys"},
        {"frames: 1\nframes: 2\n", ":2:1:"},
        {"profile: [untrusted]\n", ":1:10: profile"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench b;
        open_bench(&b);
        assert_false(load_text(&b, rows[i].text));
        assert_int_equal(b.log.diag.kind, DIAG_JOB);
        if (!strstr(b.log.text, rows[i].message))
            fail_msg("'%s': '%s' lacks '%s'", rows[i].text, b.log.text, rows[i].message);
        arena_destroy(b.arena);
    }
}

static void test_lower_value_wins(void **state)
{
    Bench b;
    Job job = {.limits = {.frame_timeout_s = 60, .total_timeout_s = 0, .memory_mib = 8192},
               .render = {.size = {16, 16}, .samples = 1, .supersample = 1, .workers = 200}};
    (void)state;
    open_bench(&b);
    assert_true(load_text(&b, "frame_s: 90\nwall_s: 100\nmemory_mib: 512\nworkers: 4\n"));
    job.host = b.limits;
    assert_true(host_limits_apply(&job, b.arena, &b.log.diag));
    assert_true(job.limits.frame_timeout_s == 60);
    assert_string_equal(job.limits.frame_origin, "limits.frame_timeout_s");
    assert_true(job.limits.total_timeout_s == 100);
    assert_non_null(strstr(job.limits.total_origin, "wall_s: "));
    assert_int_equal(job.limits.memory_mib, 512);
    assert_non_null(strstr(job.limits.memory_origin, ":3"));
    assert_int_equal(job.render.workers, 4);
    arena_destroy(b.arena);
}

static void test_products_are_compared(void **state)
{
    Bench b;
    Job job = {.render = {.size = {8192, 2}, .samples = 4, .supersample = 3}};
    (void)state;
    open_bench(&b);
    assert_true(load_text(&b, "samples: 36\nframe_side: 8192\nframe_pixels: 16384\n"));
    job.host = b.limits;
    assert_true(host_limits_apply(&job, b.arena, &b.log.diag));
    job.render.supersample = 4; /* 64 */
    assert_false(host_limits_apply(&job, b.arena, &b.log.diag));
    job.render.supersample = 3;
    job.render.size[1] = 3;
    assert_false(host_limits_apply(&job, b.arena, &b.log.diag));
    assert_non_null(strstr(b.log.text, "frame_pixels: 24576 pixels exceeds the limit of 16384"));
    arena_destroy(b.arena);
}

/* 10 frames, one, and 9 frames; a stage, two models and a cloth. */
static void test_sums_are_compared(void **state)
{
    static const struct {
        const char *text;
        bool ok;
    } rows[] = {{"frames: 20\n", true},
                {"frames: 19\n", false},
                {"models: 4\n", true},
                {"models: 3\n", false}};
    FrameRange ranges[] = {{0, 9}, {20, 20}, {101, 109}};
    Job job = {.render = {.size = {2, 2}, .samples = 1, .supersample = 1, .frames = {ranges, 3}},
               .model_count = 2,
               .stage_count = 1,
               .cloth_count = 1};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench b;
        open_bench(&b);
        assert_true(load_text(&b, rows[i].text));
        job.host = b.limits;
        if (host_limits_apply(&job, b.arena, &b.log.diag) != rows[i].ok)
            fail_msg("%s: %s", rows[i].text, b.log.text);
        arena_destroy(b.arena);
    }
}

static void write_limits(const char *name)
{
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    fputs("frames: 3\n", out);
    fclose(out);
}

/* A name without a slash and a dot is that of a profile, although there are such files. */
static void test_names_of_profiles(void **state)
{
    Scratch scratch;
    char before[4096];
    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    scratch_make(&scratch);
    assert_int_equal(chdir(scratch.directory), 0);
    static const struct {
        const char *name;
        double frames; /* the limit that is in force, negative: an error */
        const char *title;
    } rows[] = {
        {"none", 0, "profile none"},
        {"untrusted", 36000, "profile untrusted"},
        {"other", -1, NULL},
        {"./untrusted", 3, "./untrusted, profile none"},
        {"other.yaml", 3, "other.yaml, profile none"},
        {"", 0, "none"},
    };
    write_limits("none");
    write_limits("untrusted");
    write_limits("other");
    write_limits("other.yaml");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench b;
        open_bench(&b);
        const bool good = host_limits_load(&b.limits, rows[i].name, b.arena, &b.log.diag);
        assert_int_equal(good, rows[i].frames >= 0);
        assert_int_equal(b.log.diag.kind, good ? DIAG_NONE : DIAG_JOB);
        if (good) {
            assert_true(b.limits.frames.max == rows[i].frames);
            assert_string_equal(b.limits.title, rows[i].title);
        }
        arena_destroy(b.arena);
    }
    assert_int_equal(chdir(before), 0);
    scratch_remove(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_limit_little),
        cmocka_unit_test(test_untrusted_limits_everything),
        cmocka_unit_test(test_own_values_replace_the_profile),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_lower_value_wins),
        cmocka_unit_test(test_products_are_compared),
        cmocka_unit_test(test_sums_are_compared),
        cmocka_unit_test(test_names_of_profiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
