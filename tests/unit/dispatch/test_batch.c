// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "dispatch/batch.h"
#include "unit_test.h"

typedef struct Bench {
    Arena *arena;
    DiagLog log;
    Batch batch;
} Bench;

static int set_up(void **state)
{
    Bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        return 1;
    bench->arena = arena_create();
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    Bench *bench = *state;
    arena_destroy(bench->arena);
    free(bench);
    return 0;
}

static bool read_text(Bench *bench, const char *text)
{
    YamlSource *source = arena_array(bench->arena, YamlSource, 1);
    *source = (YamlSource){.name = "m/batch.yaml", .text = text, .size = strlen(text)};
    diag_log_init(&bench->log);
    return batch_parse(&bench->batch, source, "/films/m/", bench->arena, &bench->log.diag);
}

/* "NAME OUT KEY=VALUE...", one line per job */
static const char *describe(Bench *bench)
{
    const char *text = "";
    for (size_t i = 0; i < bench->batch.job_count; i++) {
        const BatchJob *job = &bench->batch.jobs[i];
        text = arena_printf(bench->arena, "%s%s %s", text, job->name, job->out ? job->out : "-");
        for (size_t k = 0; k < job->layer_count; k++)
            for (const YamlNode *value = job->layers[k]->first; value; value = value->next)
                text = arena_printf(bench->arena, "%s %s", text,
                                    batch_set_argument(value, bench->arena));
        text = arena_printf(bench->arena, "%s\n", text);
    }
    return text;
}

static const struct Row {
    const char *what, *text, *expected;
} expansions[] = {
    {"two axes, the last one fastest; paths are relative to the manifest",
     "matrix:\n"
     "  model: { miku: {models.0.file: models/miku.pmx}, \"踊り\": {models.0.file: /r/rin.pmx} }\n"
     "  size: { small: {render.size: [640, 360], name: a b}, final: {} }\n"
     "out: \"out/./x//../{model}-{size}.mp4\"\n",
     "miku-small /films/m/out/miku-small.mp4 models.0.file=\"/films/m/models/miku.pmx\" "
     "render.size=[640, 360] name=\"a b\"\n"
     "miku-final /films/m/out/miku-final.mp4 models.0.file=\"/films/m/models/miku.pmx\"\n"
     "踊り-small /films/m/out/踊り-small.mp4 models.0.file=\"/r/rin.pmx\" render.size=[640, 360] "
     "name=\"a b\"\n"
     "踊り-final /films/m/out/踊り-final.mp4 models.0.file=\"/r/rin.pmx\"\n"},
    {"a partial exclude removes several combinations, a full one removes one",
     "matrix: { a: {p: {}, q: {}}, b: {r: {}, s: {}}, c: {t: {}, u: {}} }\n"
     "exclude: [ {a: p, c: t}, {a: q, b: r, c: u} ]\n",
     "p-r-u -\np-s-u -\nq-r-t -\nq-s-t -\nq-s-u -\n"},
    {"plain values of a key; the name of a file is its stem, that of a number its text",
     "matrix: { render.fps: [30, 29.97], models.0.motions: [a/one.vmd, b/two.x.vmd] }\n"
     "out: \"{render.fps}/{name}\"\n",
     "30-one /films/m/30/30-one/ render.fps=30 models.0.motions=\"/films/m/a/one.vmd\"\n"
     "30-two.x /films/m/30/30-two.x/ render.fps=30 models.0.motions=\"/films/m/b/two.x.vmd\"\n"
     "29.97-one /films/m/29.97/29.97-one/ render.fps=29.97 "
     "models.0.motions=\"/films/m/a/one.vmd\"\n"
     "29.97-two.x /films/m/29.97/29.97-two.x/ render.fps=29.97 "
     "models.0.motions=\"/films/m/b/two.x.vmd\"\n"},
    {"include: with and set, given and default names; set has precedence",
     "matrix: { size: { small: {render.fps: 30} } }\n"
     "include:\n"
     "  - { name: test, set: { render.fps: 24 }, with: { size: small } }\n"
     "  - { name: bare }\n",
     "small - render.fps=30\ntest - render.fps=30 render.fps=24\nbare -\n"},
    {"nested paths in values; choices and null are kept",
     "include:\n"
     "  - name: a\n"
     "    set:\n"
     "      models: [ {file: a.pmx, motions: [b.vmd, {file: ../c.vmd, speed: 2}]}, d.x ]\n"
     "      audio: ~\n"
     "      physics.bake: auto\n"
     "      background: {image: e.png, fit: cover}\n"
     "      outputs.0: f.mp4\n",
     "a - models=[{file: \"/films/m/a.pmx\", motions: [\"/films/m/b.vmd\", {file: "
     "\"/films/m/../c.vmd\", speed: 2}]}, \"/films/m/d.x\"] audio=null physics.bake=auto "
     "background={image: \"/films/m/e.png\", fit: cover} outputs.0=\"/films/m/f.mp4\"\n"},
    {"a file extension, unlike a number or placeholder after a dot",
     "matrix: { a: {x.mp4: {}} }\nout: \"v1.5/{a}\"\n", "x.mp4 /films/m/v1.5/x.mp4/\n"},
    {"null output", "matrix: { a: {x: {}} }\nout: \"null:\"\n", "x null:\n"},
};

static void test_expands_manifests(void **state)
{
    Bench *bench = *state;
    for (size_t i = 0; i < sizeof expansions / sizeof *expansions; i++) {
        const struct Row *row = &expansions[i];
        const char *text = arena_printf(bench->arena, "version: 1\nbase: b.yaml\n%s", row->text);
        if (!read_text(bench, text))
            fail_msg("%s: %s", row->what, bench->log.text);
        if (strcmp(describe(bench), row->expected) != 0)
            fail_msg("%s:\n%s", row->what, describe(bench));
    }
}

static void test_reads_run(void **state)
{
    Bench *bench = *state;
    assert_true(read_text(bench, "version: 1\nbase: jobs/b.yaml\ninclude: [{name: a}]\n"
                                 "run: { jobs: auto, on_failure: stop, retries: 5, shards: 3, "
                                 "share_bakes: false }\n"));
    assert_string_equal(bench->batch.base, "m/jobs/b.yaml");
    assert_int_equal(bench->batch.rules.jobs, 0);
    assert_int_equal(bench->batch.rules.on_failure, BATCH_STOP);
    assert_int_equal(bench->batch.rules.retries, 5);
    assert_int_equal(bench->batch.rules.shards, 3);
    assert_false(bench->batch.rules.share_bakes);
}

static const struct Row invalid_manifests[] = {
    {"not a map", "- a\n", "m/batch.yaml:1:1: a manifest must be a map"},
    {"no base", "version: 1\ninclude: [{name: a}]\n", "base is missing"},
    {"no job", "version: 1\nbase: b.yaml\n", "the manifest defines no job"},
    {"a typo", "version: 1\nbase: b.yaml\nmatirx: {}\n",
     "3:1: unknown key 'matirx'; did you mean 'matrix'?"},
    {"a typo in run", "version: 1\nbase: b.yaml\nrun: { retrys: 2 }\n",
     "3:8: unknown key 'run.retrys'; did you mean 'retries'?"},
    {"a wrong number", "version: 1\nbase: b.yaml\nrun: { jobs: many }\n",
     "3:14: run.jobs: 'many' is not a whole number (auto or 1..256)"},
    {"plain values of an axis that is not a key",
     "version: 1\nbase: b.yaml\nmatrix: {fps: [1, 2]}\n", "3:10: 'fps' is not a key of a job"},
    {"a list of lists", "version: 1\nbase: b.yaml\nmatrix: {render.size: [[[1], 2]]}\n",
     "3:24: render.size: a list is not a plain value"},
    {"an axis without values", "version: 1\nbase: b.yaml\nmatrix: {a: {}}\n",
     "3:13: a: axis has no values"},
    {"an axis named name", "version: 1\nbase: b.yaml\nmatrix: {name: {a: {}}}\n",
     "3:10: 'name' cannot be an axis"},
    {"a name that is a path", "version: 1\nbase: b.yaml\nmatrix: {a: {x/y: {}}}\n",
     "3:14: name 'x/y' contains one of / "},
    {"an unknown axis",
     "version: 1\nbase: b.yaml\nmatrix: {model: {a: {}}}\n"
     "exclude: [{modle: a}]\n",
     "4:12: 'modle' is not an axis of the matrix; did you mean 'model'?"},
    {"an unknown value",
     "version: 1\nbase: b.yaml\nmatrix: {model: {miku: {}}}\n"
     "exclude: [{model: mikku}]\n",
     "4:19: model: 'mikku' is not a value of this axis; did you mean 'miku'?"},
    {"all combinations excluded",
     "version: 1\nbase: b.yaml\nmatrix: {a: {b: {}}}\nexclude: [{a: b}]\n",
     "the manifest defines no job"},
    {"an unknown placeholder in out",
     "version: 1\nbase: b.yaml\nmatrix: {size: {b: {}}}\n"
     "out: \"{siz}\"\n",
     "4:6: 'siz' is not an axis of the matrix; did you mean 'size'?"},
    {"an unmatched brace", "version: 1\nbase: b.yaml\ninclude: [{name: a}]\nout: \"x{name\"\n",
     "4:6: out: unmatched { or }"},
    {"an include without a value for out",
     "version: 1\nbase: b.yaml\nmatrix: {a: {b: {}}}\ninclude: [{name: x}]\nout: \"{a}\"\n",
     "4:18: job 'x' has no value for {a}"},
    {"an include with a duplicate name",
     "version: 1\nbase: b.yaml\nmatrix: {a: {b: {}}}\ninclude: [{with: {a: b}}]\n",
     "4:11: duplicate job name 'b'"},
    {"combinations with equal names",
     "version: 1\nbase: b.yaml\n"
     "matrix: {a: {x-y: {}, x: {}}, b: {z: {}, y-z: {}}}\n",
     "duplicate job name 'x-y-z'"},
    {"too many combinations",
     "version: 1\nbase: b.yaml\nmatrix:\n"
     "  a: {a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}, i: {}, j: {}}\n"
     "  b: {a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}, i: {}, j: {}}\n"
     "  c: {a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}, i: {}, j: {}}\n"
     "  d: {a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}, i: {}, j: {}}\n"
     "  e: {a: {}, b: {}}\n",
     "matrix: too many combinations (at most 10000)"},
    {"an include with an unknown key", "version: 1\nbase: b.yaml\ninclude: [{nmae: a}]\n",
     "3:12: unknown key 'nmae'; did you mean 'name'?"},
};

static void test_rejects_invalid_manifests(void **state)
{
    Bench *bench = *state;
    for (size_t i = 0; i < sizeof invalid_manifests / sizeof *invalid_manifests; i++) {
        const struct Row *row = &invalid_manifests[i];
        if (read_text(bench, row->text))
            fail_msg("%s: accepted", row->what);
        if (!strstr(bench->log.text, row->expected))
            fail_msg("%s: %s", row->what, bench->log.text);
        assert_int_equal(bench->log.diag.kind, DIAG_JOB);
    }
}

static void test_reports_at_most_twenty_errors(void **state)
{
    Bench *bench = *state;
    const char *text = "version: 1\nbase: b.yaml\nmatrix: {a: {b: {}}}\nexclude:\n";
    for (int i = 0; i < 30; i++)
        text = arena_printf(bench->arena, "%s  - {a: x%d}\n", text, i);
    assert_false(read_text(bench, text));
    assert_int_equal(bench->log.diag.errors, 20);
}

static void test_normalizes_paths(void **state)
{
    static const struct {
        const char *path, *normal;
    } rows[] = {
        {"/a/b", "/a/b"},     {"./a", "a"},           {"a//b/", "a/b"}, {"a/./b/../c", "a/c"},
        {"/../a", "/a"},      {"../../a", "../../a"}, {"a/..", "."},    {"a/../..", ".."},
        {"/a/../../b", "/b"}, {"..a/../b", "b"},      {"/", "/"},       {"踊り/../り", "り"},
    };
    Bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(batch_normalize_path(rows[i].path, bench->arena), rows[i].normal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_expands_manifests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reads_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rejects_invalid_manifests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reports_at_most_twenty_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_normalizes_paths, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
