// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "job/job_scene.h"
#include "scratch.h"
#include "unit_test.h"

typedef struct Table {
    Scratch scratch;
    DiagLog log;
    Arena *arena;
    Job job;
    SceneSpec spec;
} Table;

static bool load(Table *t, const char *text)
{
    memset(t, 0, sizeof *t);
    scratch_make(&t->scratch);
    diag_log_init(&t->log);
    t->arena = arena_create();
    const char *yaml =
        arena_printf(t->arena,
                     "version: 1\noutputs: [o.mp4]\nmodels: [{ id: a, file: a.pmx }]\n"
                     "physics: { gravity: [1, -10, 2], cloth_hz: 300 }\n%s",
                     text);
    const char *path = scratch_path(&t->scratch, "job.yaml");
    assert_true(file_save(path, yaml, strlen(yaml), &t->log.diag));
    const JobSource source = {.path = path, .needs_output = true};
    if (!job_load(&t->job, &source, t->arena, &t->log.diag))
        return false;
    t->spec = job_scene_spec(&t->job, false, t->arena);
    return true;
}

static void clear(Table *t)
{
    scratch_remove(&t->scratch);
    arena_destroy(t->arena);
}

static void assert_vector(Vec3 v, double x, double y, double z)
{
    if (fabs(v.x - x) > 1e-12 || fabs(v.y - y) > 1e-12 || fabs(v.z - z) > 1e-12)
        fail_msg("%g, %g, %g instead of %g, %g, %g", v.x, v.y, v.z, x, y, z);
}

/* Every key of a cloth has a value of its own, and each reaches its field of the scene. */
static void test_all_keys(void **state)
{
    (void)state;
    Table t;
    if (!load(&t, "cloth:\n"
                  "  - model: a\n"
                  "    lining: 0.25\n"
                  "    pin: { bone: p, bones: [q, r] }\n"
                  "    capsules: [[b, c, 0.5], auto, [d, e, 1.5]]\n"
                  "    shape: { form: sheet, columns: 11, rows: 12, radius: [13, 14], depth: 15,\n"
                  "      width: 16, length: 17, thickness: 0.5, offset: [18, 19, 20], "
                  "rotation_deg: [0, 0, 90],\n"
                  "      hold: left, color: [0.25, 0.5, 0.75], texture: t.png, edge: true }\n"
                  "    bodies: true\n"
                  "    floor: false\n"
                  "    integrator: rk4\n"
                  "    substeps: 21\n"
                  "    any_step: true\n"
                  "    arms: firm\n"
                  "    mass: 22\n"
                  "    stiffness: 23\n"
                  "    shear: 0.125\n"
                  "    bend: 0.375\n"
                  "    damping: 0.625\n"
                  "    drag: 24\n"
                  "    air: 25\n"
                  "    wind: [26, 27, 28]\n"
                  "    gust: 0.875\n"
                  "    gravity_scale: 3\n"
                  "    inertia: 0.75\n"
                  "    contact: 29\n"
                  "    friction: 9\n"
                  "    thickness: 8\n"
                  "    self_collision: false\n"
                  "  - { model: a, material: m, stretch: 1.5, pin: { bones: [s] } }\n"
                  "  - { model: a, material: m, pin: auto }\n"
                  "  - { model: a, material: m, pin: [t, auto], loose: true }\n"))
        fail_msg("%s", t.log.text);
    assert_int_equal(t.spec.cloth_count, 4);
    const ClothSpec *c = &t.spec.cloths[0];
    assert_string_equal(c->model, "a");
    assert_null(c->material);
    assert_string_equal(c->pin.bone, "p");
    assert_int_equal(c->pin.bone_count, 2);
    assert_string_equal(c->pin.bones[0], "q");
    assert_string_equal(c->pin.bones[1], "r");
    assert_int_equal(c->capsule_count, 3);
    assert_string_equal(c->capsules[0].from, "b");
    assert_null(c->capsules[1].from); /* auto */
    assert_string_equal(c->capsules[2].from, "d");
    assert_string_equal(c->capsules[2].to, "e");
    assert_true(c->lining == 0.25 && c->capsules[0].radius == 0.5 && c->capsules[2].radius == 1.5 &&
                c->bodies && !c->floor);

    const ClothShapeSpec *s = c->shape;
    assert_int_equal(s->form, CLOTH_SHEET);
    assert_int_equal(s->hold, CLOTH_LEFT);
    assert_true(s->columns == 11 && s->rows == 12 && s->radius[0] == 13 && s->radius[1] == 14 &&
                s->depth == 15 && s->width == 16 && s->length == 17 && s->thickness == 0.5);
    assert_true(s->offset[0] == 18 && s->offset[1] == 19 && s->offset[2] == 20);
    assert_true(s->color[0] == 0.25 && s->color[1] == 0.5 && s->color[2] == 0.75);
    assert_true(s->edge && strstr(s->texture, "/t.png"));
    assert_true(s->rotation_deg[0] == 0 && s->rotation_deg[1] == 0 && s->rotation_deg[2] == 90);

    const ClothTuning *u = &c->tuning;
    assert_string_equal(INTEGRATORS[u->integrator].name, "rk4");
    assert_true(u->step_hz == 300 && u->substeps == 21 && u->any_step && u->mass == 22 &&
                u->stiffness == 23 && u->shear == 0.125 && u->bend == 0.375 &&
                u->damping == 0.625 && u->drag == 24 && u->air == 25 && u->gust == 0.875 &&
                u->inertia == 0.75 && u->contact == 29 && u->friction == 9 && u->thickness == 8 &&
                !u->self_collision);
    assert_true(u->stretch == 0 && c->arms == CLOTH_ARMS_FIRM); /* any_step: no greatest length */
    assert_vector(u->gravity, 3, -30, 6);
    assert_vector(u->wind, 26, 27, 28);

    c = &t.spec.cloths[1];
    assert_string_equal(c->material, "m");
    assert_int_equal(c->pin.bone_count, 1);
    assert_string_equal(c->pin.bones[0], "s");
    assert_int_equal(c->tuning.substeps, 0); /* auto */
    assert_true(c->floor && !c->bodies && !c->tuning.any_step);
    assert_true(c->tuning.stretch == 1.5 && c->arms == CLOTH_ARMS_AUTO);
    assert_false(c->loose);

    c = &t.spec.cloths[2];
    assert_int_equal(c->pin.bone_count, 1);
    assert_string_equal(c->pin.bones[0], "auto");
    c = &t.spec.cloths[3];
    assert_int_equal(c->pin.bone_count, 2);
    assert_string_equal(c->pin.bones[0], "t");
    assert_true(c->loose);
    clear(&t);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"cloth:\n  - { model: a }\n",
         "job.yaml:6:5: cloth.0: exactly one of material and shape must be given"},
        {"cloth:\n  - { model: a, material: m }\n  - { model: a, material: m, shape: {} }\n",
         "job.yaml:7:5: cloth.1: exactly one of material and shape must be given"},
        {"cloth:\n  - { model: a, shape: {} }\n",
         "job.yaml:6:5: cloth.0.pin: a cloth with a shape needs at least one pin bone"},
        {"cloth:\n  - { model: a, shape: {}, pin: [p, auto] }\n",
         "job.yaml:6:33: cloth.0.pin: auto is for a material: a cloth with a shape is fixed to "
         "bones"},
        {"cloth:\n  - { model: b, material: m }\n", "job.yaml:6:14: cloth.0: no model has the id"},
        {"cloth:\n  - { model: a, material: m, capsules: [[b, c]] }\n",
         "job.yaml:6:41: cloth.0.capsules: expected auto or [bone, bone, radius] (0.001..1000), "
         "not a list "
         "of 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table t;
        if (load(&t, rows[i].text) || !strstr(t.log.text, rows[i].message))
            fail_msg("expected %s\nreported %s", rows[i].message, t.log.text);
        assert_int_equal(t.log.diag.errors, 1);
        clear(&t);
    }
    static const char *const good[] = {
        "cloth: [{ model: a, shape: {}, pin: { bone: p } }]\n",
        "cloth: [{ model: a, shape: {}, pin: { bones: [p] } }]\n",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        Table t;
        if (!load(&t, good[i]))
            fail_msg("%s", t.log.text);
        clear(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_keys),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
