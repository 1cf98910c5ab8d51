// SPDX-License-Identifier: MIT
/* Values of a job: their messages, the text that a dump writes, and their fields of the scene. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "job/job.h"
#include "job/job_scene.h"
#include "job/job_visit.h"
#include "record/yaml.h"
#include "scratch.h"
#include "unit_test.h"

typedef struct Table {
    Scratch scratch;
    DiagLog log;
    Arena *arena;
    Job job;
} Table;

/* Loads a job with this text after its first lines; -o unless `output` is NULL. */
static bool load(Table *t, const char *text, const char *output)
{
    memset(t, 0, sizeof *t);
    scratch_make(&t->scratch);
    diag_log_init(&t->log);
    t->arena = arena_create();
    const char *yaml = arena_printf(t->arena, "version: 1\n%s", text);
    const char *path = scratch_path(&t->scratch, "job.yaml");
    assert_true(file_save(path, yaml, strlen(yaml), &t->log.diag));
    const JobSource source = {.path = path, .output = output, .needs_output = true};
    return job_load(&t->job, &source, t->arena, &t->log.diag);
}

static void clear(Table *t)
{
    scratch_remove(&t->scratch);
    arena_destroy(t->arena);
}

#define MODEL "models: [{ id: a, file: a.pmx }]\n"
#define REST MODEL "outputs: [o.mp4]\n"

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message; /* NULL: accepted */
    } rows[] = {
        {REST "background: { image: a.png, video: b.mp4 }\n",
         "job.yaml:4:36: background: at most one of image and video can be given"},
        {REST "background: { image: a.png }\n", NULL},
        {REST "background: { video: b.mp4 }\n", NULL},
        {REST "burn_in: { text: \"{name} {nam}\" }\n",
         "job.yaml:4:18: burn_in.text: unknown field '{nam}'; known are {name}, {frame}, {time}, "
         "and {{ for a brace"},
        {REST "light: { direction: [0, 0, 1] }\n", NULL},
        {REST "light: { direction: [0, 1, 0] }\n", NULL},
        {REST "light: { direction: [1, 0, 0] }\n", NULL},
        {REST "render: { size: [4096, 4096], supersample: 4 }\n", NULL},
        {REST "render: { size: [4097, 2], supersample: 4 }\n",
         "job.yaml:4:41: render.supersample: 4097 x 4 pixels exceed the limit of 16384"},
        {REST "render: { size: [2, 4097], supersample: 4 }\n",
         "job.yaml:4:41: render.supersample: 4097 x 4 pixels exceed the limit of 16384"},
        {REST "credits: [a, null]\n",
         "job.yaml:4:14: credits.lines: value is empty; expected a text"},
        {REST "credits: [a, [b]]\n", "credits.lines: expected a text, not a list of 1"},
        {REST "credits: a\n", NULL},
        {MODEL "outputs: [a.mp4, b.mp4, c.mp4, d.mp4, e.mp4, f.mp4, g.mp4, h.mp4, "
               "i.mp4, j.mp4, k.mp4, l.mp4, m.mp4, n.mp4, o.mp4, p.mp4]\n",
         NULL},
        {MODEL "outputs: [a.mp4, b.mp4, c.mp4, d.mp4, e.mp4, f.mp4, g.mp4, h.mp4, "
               "i.mp4, j.mp4, k.mp4, l.mp4, m.mp4, n.mp4, o.mp4, p.mp4, q.mp4]\n",
         "outputs: 17 items; expected 1..16"},
        {REST "previews: [{ type: still, file: s.png, frame: 0 }]\n", NULL},
        {REST "previews: [{ type: still, file: s.png, time_s: 1 }]\n", NULL},
        {REST "previews: [{ type: still, file: s.png, frame: 0, time_s: 1 }]\n",
         "previews.0: at most one of frame and time_s can be given"},
        {REST "previews: [{ type: gif, file: s.GIF, range_s: [2, 2] }]\n", NULL},
        {REST "previews: [{ type: webp, file: s.gif }]\n",
         "previews.0.file: 's.gif' is not the name of a single .webp file"},
        {"outputs: [o.mp4, p.mp4, o.mp4]\n" MODEL, "outputs.2.file: outputs.0 has the same file"},
        {"outputs: [o.mp4]\nmodels: [{ file: a.pmx, morphs: [1] }]\n",
         "models.0.morphs: expected a map from names to numbers (-10..10), not a list of 1"},
        {"outputs: [o.mp4]\nmodels: [{ file: a.pmx, morphs: { b: 10, c: -10 } }]\n", NULL},
        {"outputs: [o.mp4]\nmodels: [{ file: a.pmx, morphs: { b: 10.5 } }]\n",
         "models.0.morphs.b: 10.5 is out of range (-10..10)"},
        {"outputs: [o.mp4]\nmodels: [{ id: a, file: a.pmx, attach: { model: b, bone: x } },\n"
         "  { id: b, file: b.pmx, attach: { model: c, bone: x } },\n"
         "  { id: c, file: c.pmx, attach: { model: b, bone: x } }]\n",
         "models.1.attach: attachment cycle b -> c -> b"},
        {"outputs: [o.mp4]\nmodels: [{ id: a, file: a.pmx, attach: { model: b, bone: x } },\n"
         "  { id: b, file: b.pmx, attach: { model: c, bone: x } },\n"
         "  { id: c, file: c.pmx }]\n",
         NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table t;
        const bool good = load(&t, rows[i].text, NULL);
        if (good == (rows[i].message != NULL) || (!good && !strstr(t.log.text, rows[i].message)))
            fail_msg("%s\nreported %s", rows[i].text, t.log.text);
        clear(&t);
    }
}

/* Layers of a batch set keys by dotted names; they override the file. */
static void test_layers(void **state)
{
    (void)state;
    static const char *const files[] = {"a.pmx"};
    static const struct {
        const char *text, *message; /* NULL: accepted */
    } rows[] = {
        {"render.size: [64, 36]\nname: n\nmodels.0.position.1: 5\n", NULL},
        {"render.siz: [64, 36]\n", "y:1:8: unknown key 'siz'; did you mean 'size'?"},
        {"name: n\n\"\": 1\n", "y:2:1: the key is empty"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        Job job;
        YamlNode *layer;
        diag_log_init(&log);
        const YamlSource yaml = {.name = "y", .text = rows[i].text, .size = strlen(rows[i].text)};
        assert_true(yaml_load(&layer, &yaml, arena, &log.diag));
        const YamlNode *const layers[] = {layer};
        const JobSource source = {
            .files = files, .file_count = 1, .layers = layers, .layer_count = 1};
        const bool good = job_load(&job, &source, arena, &log.diag);
        if (good == (rows[i].message != NULL) || (!good && !strstr(log.text, rows[i].message)))
            fail_msg("%s: %s", rows[i].text, log.text);
        if (good) {
            assert_string_equal(job.name, "n");
            assert_true(job.render.size[0] == 64 && job.models[0].position.y == 5);
        }
        arena_destroy(arena);
    }
}

/* A value of 1000 bytes is recorded whole, a longer one without an incomplete character. */
static void test_recorded_values(void **state)
{
    (void)state;
    static const struct {
        int letters;
        const char *rest;
        size_t kept; /* 0: all */
    } rows[] = {{999, "b", 0}, {1000, "b", 1000}, {999, "\u8e0a", 999}, {998, "\u8e0a", 998}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[2048] = "", expected[2048];
        for (int k = 0; k < rows[i].letters; k++)
            strcat(text, "a");
        strcat(text, rows[i].rest);
        snprintf(expected, sizeof expected, "%.*s%s",
                 (int)(rows[i].kept ? rows[i].kept : strlen(text)), text,
                 rows[i].kept ? "..." : "");
        Table t;
        const char *recorded = NULL;
        char yaml[4096];
        snprintf(yaml, sizeof yaml, REST "name: %s\n", text);
        assert_true(load(&t, yaml, NULL));
        for (size_t k = 0; k < t.job.value_count; k++)
            if (!strcmp(t.job.values[k].key, "name"))
                recorded = t.job.values[k].value;
        assert_non_null(recorded);
        assert_string_equal(recorded, expected);
        clear(&t);
    }
}

/* A list with one item more than is accepted. */
static void test_too_many_items(void **state)
{
    (void)state;
    for (int count = 1000; count <= 1001; count++) {
        char text[8192] = REST "credits: [";
        for (int i = 0; i < count; i++)
            strcat(text, i ? ",a" : "a");
        strcat(text, "]\n");
        Table t;
        assert_true(load(&t, text, NULL) == (count == 1000));
        if (count > 1000 && !strstr(t.log.text, "credits.lines: 1001 items; expected at most 1000"))
            fail_msg("%s", t.log.text);
        clear(&t);
    }
}

/* A dump has the value of each type in the form in which a job file has it. */
static void test_dump(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "- id: \"a\"\n",
        "  - file: \"/m.vmd\"\n    offset: 0\n    speed: 0.1\n    only: [morphs]\n",
        ("  - file: \"/n.vmd\"\n    offset: 1.5\n    speed: 1\n    only: [bones, "
         "properties]\n"),
        "  position: [0, 0.3333333333333333, -1000000]\n",
        "  morphs: {\"b\": 0.4, \"c\": -1}\n",
        "  hide_materials: [\"d\", \"12\"]\n",
        "  attach: null\n",
        "stage: []\n",
        "  capsules: [[\"e\", \"f\", 0.5], [\"g\", \"h\", 1.25]]\n",
        "  integrator: rk2\n",
        "  substeps: auto\n",
        "  motion: null\n",
        "  - time_s: null\n",
        "    frame: 7.25\n",
        "    velocity: null\n",
        "    cut: true\n",
        "    color: null\n",
        "  bake: auto\n",
        "  size: [64, 36]\n",
        "  fps: \"30000/1001\"\n",
        "  frames: \"0-9,20-20,30-39\"\n",
        "  workers: 3\n",
        "- file: \"null:\"\n",
        "  crf: 0\n",
        "  gop: auto\n",
        "- type: webp\n",
        "  fps: 12\n",
        "credits:\n  lines: [\"i\", \"j\"]\n",
    };
    Table t;
    if (!load(&t,
              "models: [{ id: a, file: /a.pmx, position: [0, 0.3333333333333333, -1e6],\n"
              "  motions: [{ file: /m.vmd, speed: 0.1, only: [morphs] },\n"
              "    { file: /n.vmd, offset: 1.5, only: [properties, bones] }],\n"
              "  morphs: { b: 0.4, c: -1 }, hide_materials: [d, 12] }]\n"
              "cloth: [{ model: a, material: m, integrator: rk2,\n"
              "  capsules: [[e, f, 0.5], [g, h, 1.25]] }]\n"
              "light: { path: [{ frame: 7.25, cut: true }] }\n"
              "camera: { path: [{ frame: 7.25, eye: [0, 0, 1] }] }\n"
              "render: { size: [64, 36], fps: 29.97, frames: \"0-9,20,30-39\", workers: 3 }\n"
              "outputs: [{ file: \"null:\", crf: 0 }]\n"
              "previews: [{ type: webp, file: /p.webp }]\n"
              "credits: [i, j]\n",
              NULL))
        fail_msg("%s", t.log.text);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    job_write(out, &t.job);
    fclose(out);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(text, lines[i]))
            fail_msg("'%s' is not in\n%s", lines[i], text);
    free(text);
    clear(&t);
}

/* A word of a key with a range, and of one that a motion or a preview has. */
static void test_words(void **state)
{
    (void)state;
    Table t;
    assert_true(load(&t, REST "previews: [{ type: still, file: s.png }]\n", NULL));
    const JobOutput *output = &t.job.outputs[0];
    assert_true(output->crf == -1 && output->gop == 0 && output->audio_kbps == 0);
    assert_true(t.job.previews[0].frame == -1 && t.job.previews[0].width == 0);
    assert_int_equal(t.job.render.workers, 0);
    clear(&t);
}

/* -o in a job without outputs, and with settings by extension. */
static void test_output(void **state)
{
    (void)state;
    Table t;
    if (!load(&t, MODEL, "/x/y.png"))
        fail_msg("%s", t.log.text);
    assert_int_equal(t.job.output_count, 1);
    assert_string_equal(t.job.outputs[0].file, "/x/y.png");
    clear(&t);
    assert_true(load(&t, MODEL "outputs: [a.mp4, {file: b.mkv, crf: 3}, {file: c.MKV, crf: 4}]\n",
                     "relative.mkv"));
    assert_int_equal(t.job.output_count, 1);
    assert_int_equal(t.job.outputs[0].crf, 3);
    const size_t size = strlen(t.job.outputs[0].file);
    assert_true(t.job.outputs[0].file[0] == '/');
    assert_string_equal(t.job.outputs[0].file + size - 13, "/relative.mkv");
    clear(&t);
}

/* Rotations by a half turn about each axis and by 90 degrees about two: q = qy qx qz. */
static void test_rotations(void **state)
{
    (void)state;
    static const struct {
        const char *degrees;
        float q[4];
    } rows[] = {
        {"[180, 0, 0]", {1, 0, 0, 0}},
        {"[0, 180, 0]", {0, 1, 0, 0}},
        {"[0, 0, 180]", {0, 0, 1, 0}},
        {"[90, 90, 0]", {0.5f, 0.5f, -0.5f, 0.5f}},
        {"[90, 0, 90]", {0.5f, -0.5f, 0.5f, 0.5f}},
        {"[0, 90, 90]", {0.5f, 0.5f, 0.5f, 0.5f}},
        /* sin and cos of 30, 45 and 15 degrees, multiplied out */
        {"[60, 90, 30]", {0.5f, 0.5f, -0.1830127f, 0.6830127f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table t;
        SceneSpec spec;
        char text[160];
        snprintf(text, sizeof text,
                 "outputs: [o.mp4]\nmodels: [{ file: a.pmx, rotation_deg: %s }]\n",
                 rows[i].degrees);
        assert_true(load(&t, text, NULL));
        spec = job_scene_spec(&t.job, true, t.arena);
        const Placement placement = placement_of_model(&spec.models[0]);
        const float *q = placement.rotation;
        for (int k = 0; k < 4; k++)
            if (fabsf(q[k] - rows[i].q[k]) > 1e-6f)
                fail_msg("%s: %g, %g, %g, %g", rows[i].degrees, (double)q[0], (double)q[1],
                         (double)q[2], (double)q[3]);
        clear(&t);
    }
}

static void test_scene(void **state)
{
    (void)state;
    Table t;
    SceneSpec spec;
    assert_true(
        load(&t,
             "outputs: [o.mp4]\n"
             "models: [{ id: a, file: a.pmx, morphs: { b: 0.5, c: 0.25 }, edge_scale: 3,\n"
             "  hide_materials: [d, e], physics: false, position: [1, 2, 3],\n"
             "  attach: { model: p, bone: q, offset: [10, 20, 30] } },\n"
             "  { id: p, file: p.pmx }]\n"
             "stage: [s.pmx, t.pmx]\n"
             "light: { color: [0.25, 0.5, 0.75], direction: [1, 2, 3],\n"
             "  motion: { file: l.vmd, offset: 4, speed: 5 } }\n"
             "camera: { fixed: { target: [1, 2, 3], distance: 4, rotation_deg: [0, 90, 0],\n"
             "  fov_deg: 50, orthographic: true } }\n"
             "physics: { gravity: [6, 7, 8], step_hz: 90, warmup_s: 2, floor: false,\n"
             "  teleport_reset: true }\n",
             NULL));
    spec = job_scene_spec(&t.job, true, t.arena);
    assert_int_equal(spec.model_count, 4);
    assert_string_equal(spec.models[1].id, "stage-1");
    assert_true(spec.models[1].stage && !spec.models[2].stage);
    const ModelSpec *m = &spec.models[2];
    assert_true(m->morph_count == 2 && m->morphs[0].weight == 0.5 && m->morphs[1].weight == 0.25);
    assert_string_equal(m->morphs[1].name, "c");
    assert_true(m->hide_count == 2 && m->edge_scale == 3 && !m->physics);
    assert_string_equal(m->attach->model, "p");
    const CameraState camera = camera_fixed(spec.camera.fixed);
    const Placement placement = placement_of_model(m);
    assert_true(spec.light.direction.y == 2 && spec.light.direction.z == 3);
    for (int k = 0; k < 3; k++) {
        assert_true(placement.position[k] == (float)(11 * (k + 1)));
        assert_true(spec.light.color[k] == 0.25 * (k + 1));
        assert_true(camera.target[k] == (float)(k + 1));
        assert_true(spec.physics.gravity[k] == (float)(6 + k));
    }
    assert_true(spec.light.motion->time.offset == 4 && spec.light.motion->time.speed == 5);
    assert_true(camera.distance == 4 && camera.fov_deg == 50 && camera.orthographic);
    assert_true(fabsf(camera.rotation[1] - 1.5707963f) < 1e-6f);
    assert_true(spec.physics.step_hz == 90 && spec.physics.warmup_s == 2 && !spec.physics.floor &&
                spec.physics.teleport_reset && spec.textures);
    clear(&t);

    assert_true(load(&t, REST, NULL));
    spec = job_scene_spec(&t.job, false, t.arena);
    assert_false(spec.textures);
    assert_null(spec.light.motion);
    clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors), cmocka_unit_test(test_too_many_items),
        cmocka_unit_test(test_layers), cmocka_unit_test(test_recorded_values),
        cmocka_unit_test(test_dump),   cmocka_unit_test(test_words),
        cmocka_unit_test(test_output), cmocka_unit_test(test_rotations),
        cmocka_unit_test(test_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
