#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "job/job_spline.h"
#include "scratch.h"

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
    assert_true(job_scene_spec(&spec, &t.job, false, t.arena, &t.log.diag));

    const CameraPoint *c = spec.camera_path;
    assert_int_equal(spec.camera_kind, CAMERA_PATH);
    assert_int_equal(spec.camera_orientation, SPLINE_TURNS_AXES);
    assert_int_equal(spec.camera_path_count, 3);
    assert_true(c[0].time.frame == 3 && c[1].time.frame == 30.03 && c[2].time.frame == 30.03);
    assert_true(c[2].time.cut && !c[1].time.cut && !c[1].time.velocity_given);
    assert_true(c[0].time.velocity_given && fabs(c[0].time.velocity.x - 1) < 1e-12 &&
                fabs(c[0].time.velocity.z + 2) < 1e-12);
    assert_true(fabs(c[0].roll - M_PI / 2) < 1e-12 && c[1].fov_deg == 45 && c[0].fov_deg == 30);
    assert_true(c[0].target.y == 10 && c[0].up.y == 1 && c[2].up.z == 1);

    assert_int_equal(spec.light_path_count, 2);
    assert_true(spec.light_path[0].color.x == 1 && spec.light_path[0].direction.y == -1);
    assert_true(spec.light_path[1].color.z == 1 && spec.light_path[1].direction.x == 1);

    const ModelSpec *model = &spec.models[0];
    assert_int_equal(model->path_count, 3);
    assert_true(model->path[0].time.frame == 7.5 && model->path[0].position.y == 3);
    assert_true(fabs(model->path[0].rotation.y - sqrt(0.5)) < 1e-12);
    assert_true(fabs(model->path[1].rotation.x - sqrt(0.5)) < 1e-12);
    assert_true(fabs(model->path[2].rotation.z - sqrt(0.5)) < 1e-12);
    assert_null(spec.models[1].path);
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
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
