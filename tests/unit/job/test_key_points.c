// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "job/job_check.h"
#include "job/job_scene.h"
#include "scratch.h"
#include "unit_test.h"

typedef struct Table {
    Scratch scratch;
    DiagLog log;
    Arena *arena;
    Job job;
} Table;

/* Loads a job with this text after its head. */
static bool load(Table *t, const char *text)
{
    memset(t, 0, sizeof *t);
    scratch_make(&t->scratch);
    diag_log_init(&t->log);
    t->arena = arena_create();
    const char *yaml = arena_printf(t->arena,
                                    "version: 1\noutputs: [o.mp4]\nmodels:\n  - id: a\n"
                                    "    file: a.pmx\n%s\n",
                                    text);
    const char *path = scratch_path(&t->scratch, "job.yaml");
    assert_true(file_save(path, yaml, strlen(yaml), &t->log.diag));
    const JobSource source = {.path = path, .needs_output = true};
    return job_load(&t->job, &source, t->arena, &t->log.diag);
}

static void clear(Table *t)
{
    scratch_remove(&t->scratch);
    arena_destroy(t->arena);
}

static void seconds_frames_degrees(void **state)
{
    (void)state;
    Table t;
    assert_true(load(
        &t,
        "    attach: { model: b, bone: x, offset: [0, 1, 0] }\n"
        "    path: [{frame: 7.5, position: [1, 2, 3], rotation_deg: [0, 90, 0]},\n"
        "           {frame: 8, rotation_deg: [90, 0, 0]}, {frame: 9, rotation_deg: [0, 0, 90]}]\n"
        "  - { id: b, file: b.pmx }\n"
        "camera: { orientation: axes, path: [\n"
        "  {time_s: 0.1, eye: [0, 1, 2], velocity: [30, 0, -60], roll_deg: 90},\n"
        "  {time_s: 1.001, eye: [0, 1, 2], fov_deg: 45},\n"
        "  {frame: 30.03, eye: [3, 1, 2], cut: true, up: [0, 0, 1]}] }\n"
        "light: { color: \"#ff0000\", path: [{frame: 0}, {time_s: 1, color: [0, 0, 1],\n"
        "  direction: [1, -1, 0]}] }"));
    SceneSpec spec;
    spec = job_scene_spec(&t.job, false, t.arena);

    const CameraSpec *camera = &spec.camera;
    assert_int_equal(camera->orientation, SPLINE_TURNS_AXES);
    assert_int_equal(camera->path_count, 3);
    const CameraSpline path = camera_spline_bind(camera->path, 3, camera->orientation, t.arena);
    const Spline *x = &path.eye[0], *z = &path.eye[2];
    assert_true(x->segments[0].t0 == 3 && x->segments[1].t0 == 30.03 && x->segments[2].t0 == 30.03);
    assert_true(fabs(spline_at(x, 3.001) - 0.001) < 1e-5 &&
                fabs(spline_at(z, 3.001) - 1.998) < 1e-5);
    assert_true(spline_at(x, 30.029) < 1 && spline_at(x, 30.03) == 3); /* a cut */
    assert_true(fabs(spline_at(&path.roll, 3) - M_PI / 2) < 1e-12);
    assert_true(spline_at(&path.fov_deg, 3) == 30 && camera->path[1].fov_deg == 45);
    assert_true(spline_at(&path.target[1], 3) == 10);

    const LightSpline light = light_spline_bind(&spec.light, t.arena);
    const LightState first = light_spline_at(&light, 0), last = light_spline_at(&light, 30);
    assert_int_equal(light.count, 2);
    assert_true(first.color[0] == 1 && first.direction[1] < -0.8f); /* those of light */
    assert_true(last.color[2] == 1 && fabsf(last.direction[0] - sqrtf(0.5f)) < 1e-6f);

    const ModelSpec *model = &spec.models[0];
    float position[3], q[4];
    assert_int_equal(model->path_count, 3);
    const PlacementSpline moves =
        placement_spline_bind(model->path, 3, model->attach->offset, t.arena);
    for (int i = 0; i < 3; i++) { /* about y, x and z; frames 7.5, 8 and 9 */
        placement_spline_at(position, q, &moves, i ? 7 + i : 7.5);
        assert_true(fabsf(fabsf(q[i == 0 ? 1 : i == 1 ? 0 : 2]) - sqrtf(0.5f)) < 1e-6f);
        assert_true(position[1] == (i ? 1 : 3));
    }
    assert_int_equal(spec.models[1].path_count, 0);
    clear(&t);
}

static void keys_for_the_scene(void **state)
{
    (void)state;
    Table t;
    assert_true(load(
        &t,
        "    position: [1, 2, 3]\n    scale: 2\n    opacity: 0.5\n"
        "    edge_color: \"#ff0000\"\n"
        "    keys: [{frame: 5}, {time_s: 1, position: [4, 5, 6], rotation_deg: [90, 0, 0],\n"
        "      scale: 3, opacity: 0.25, shadow: false, visible: false}]\n"
        "  - { id: b, file: b.pmx, shadow: false, attach_keys: [{frame: 0, own_bone: x},\n"
        "      {frame: 0, model: a, bone: y}, {time_s: 0.1, own_bone: x, model: a, bone: z}] }\n"
        "camera: { fixed: {}, attach: { model: a, bone: y } }\n"
        "physics: { enabled: false, gravity_noise: 4, gravity_keys: [{frame: 1},\n"
        "  {frame: 2, gravity: [1, 2, 3], noise: 0}] }\n"));
    SceneSpec spec;
    spec = job_scene_spec(&t.job, false, t.arena);
    const ModelSpec *a = &spec.models[0], *b = &spec.models[1];
    const ModelKeys keys = model_keys_bind(a, t.arena);
    const ModelKey *first = &keys.items[0], *second = &keys.items[1];
    assert_int_equal(keys.count, 2);
    assert_true(first->frame == 5 && first->position.z == 3 && first->scale == 2 &&
                first->opacity == 0.5 && first->shadow && first->visible);
    assert_true(second->frame == 30 && second->position.x == 4 && second->scale == 3 &&
                second->opacity == 0.25 && !second->shadow && !second->visible);
    assert_true(fabs(second->rotation.x - M_PI / 2) < 1e-12);
    assert_true(a->opacity == 0.5 && a->edge_color[0] == 1 && a->shadow && !b->shadow &&
                isnan(b->edge_color[0]));
    assert_true(!a->physics && !b->physics);
    assert_int_equal(b->attach_key_count, 3);
    assert_null(b->attach_keys[0].model);
    assert_null(b->attach_keys[1].own_bone);
    assert_true(b->attach_keys[2].time_s == 0.1 && !strcmp(b->attach_keys[2].own_bone, "x") &&
                !strcmp(b->attach_keys[2].bone, "z"));
    assert_string_equal(spec.camera.attach->bone, "y");
    const PhysicsSpec *p = &spec.physics;
    assert_true(p->gravity_noise == 4 && p->gravity_key_count == 2);
    assert_true(p->gravity_keys[0].gravity[1] == -98 && p->gravity_keys[0].noise == 4 &&
                p->gravity_keys[1].gravity[2] == 3 && p->gravity_keys[1].noise == 0);
    clear(&t);
}

static void test_errors(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } rows[] = {
        {"camera: { path: [{eye: [0, 0, 0]}] }",
         "camera.path.0: exactly one of time_s and frame must be given"},
        {"camera: { path: [{time_s: 1, frame: 2, eye: [0, 0, 0]}] }",
         "camera.path.0: exactly one of time_s and frame must be given"},
        {"camera: { path: [{time_s: 1, eye: [0, 0, 0]}, {frame: 30, eye: [1, 0, 0]}] }",
         "camera.path.1: time 1 s is not after that of the previous point (1 s); equal times need "
         "cut: true"},
        {"camera: { path: [{time_s: 1, eye: [0, 0, 0]}, {frame: 3, eye: [1, 0, 0], cut: true}] }",
         "camera.path.1: time 0.1 s is not after that of the previous point (1 s)"},
        {"camera: { path: [{time_s: 1, eye: [0, 10, 0]}] }",
         "camera.path.0: eye and target must differ"},
        {"camera: { path: [{time_s: 1, eye: [0, 0, 0], up: [0, 0, 0]}] }",
         "camera.path.0.up: must not be the zero vector"},
        {"camera: { motion: c.vmd, path: [{time_s: 1, eye: [0, 0, 0]}] }",
         "camera: at most one of motion, fixed and path can be given"},
        {"light: { motion: l.vmd, path: [{time_s: 1}] }",
         "light: at most one of motion and path can be given"},
        {"light: { path: [{time_s: 1, direction: [0, 0, 0]}] }",
         "light.path.0.direction: must not be the zero vector"},
        {"    path: [{time_s: 2}, {time_s: 1}]",
         "models.0.path.1: time 1 s is not after that of the previous point (2 s)"},
        {"stage: [{file: s.pmx, path: [{time_s: 2}, {time_s: 2}]}]",
         "stage.0.path.1: time 2 s is not after that of the previous point (2 s); equal times need "
         "cut: true"},
        {"    keys: [{frame: 2}, {frame: 2}]",
         "models.0.keys.1: time 0.06666666667 s is not after that of the previous point "
         "(0.06666666667 s)\n"},
        {"    path: [{frame: 2}]\n    keys: [{frame: 2}]",
         "models.0: at most one of path and keys can be given"},
        {"    attach: { model: b, bone: x }\n    attach_keys: [{frame: 2}]\n"
         "  - { id: b, file: b.pmx }",
         "models.0: at most one of attach and attach_keys can be given"},
        {"    attach_keys: [{frame: 2, model: b}]\n  - { id: b, file: b.pmx }",
         "models.0.attach_keys.0: model and bone must be given together"},
        {"    attach_keys: [{frame: 2}, {frame: 2, own_bone: x}, {frame: 2}]",
         "models.0.attach_keys.2: an earlier key has the same time and own_bone"},
        {"    attach_keys: [{frame: 2, model: aa, bone: x}]",
         "models.0.attach_keys.0: no model has the id 'aa'"},
        {"camera: { fixed: {}, attach_keys: [{frame: 2, model: aa, bone: x}] }",
         "camera.attach_keys.0: no model has the id 'aa'"},
        {"camera: { attach_keys: [{frame: 2}] }",
         "camera.attach_keys: not for a camera that follows models; give motion, fixed or path"},
        {"physics: { gravity_keys: [{frame: 2}, {frame: 1}] }",
         "physics.gravity_keys.1: time 0.03333333333 s is not after"},
        {"camera: { path: [{time_s: x, eye: [0, 0, 0]}] }",
         "camera.path.0.time_s: 'x' is not a number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table t;
        const bool good = load(&t, rows[i].text);
        if (good || !strstr(t.log.text, rows[i].message))
            fail_msg("%s: %s", rows[i].message, t.log.text);
        assert_int_equal(t.log.diag.errors, 1);
        clear(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seconds_frames_degrees),
        cmocka_unit_test(keys_for_the_scene),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
