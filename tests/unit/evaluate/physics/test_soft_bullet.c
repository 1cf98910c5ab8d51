// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diag_log.h"
#include "evaluate/frame.h"
#include "evaluate/physics/physics.h"
#include "format/model/pmx.h"
#include "math/rotation.h"
#include "model_fixture.h"
#include "near.h"
#include "scratch.h"
#include "sheet_fixture.h"
#include "skin_model.h"
#include "unit_test.h"

/* Soft bodies in the world, compared with the laws of motion and of hanging cloth. */
enum { HZ = 120, BODIES = 2, MOST = 3 + BODIES };

typedef struct Rig {
    Arena *arena;
    Model model;
    SceneModel in_scene;
    Scene scene;
    BonePose bones[MOST];
    bool kinematic[MOST];
    WorldInput input;
    ClothVertex *cloth;
    World *world;
} Rig;

/* Bones 3 and 4 are for bodies, which the test may fill in; there are none by default. */
static PmxModel *rig_init(Rig *rig, SheetSpec sheet)
{
    *rig = (Rig){.arena = arena_create()};
    PmxModel *pmx = &rig->model.pmx;
    *pmx = fixture_sheet(sheet, rig->arena);
    PmxBone *bones = arena_array(rig->arena, PmxBone, MOST);
    memcpy(bones, pmx->bones, 3 * sizeof *bones);
    for (uint32_t i = 3; i < MOST; i++)
        bones[i] = fixture_bone("body", -1, 0, 0, 0);
    pmx->bones = bones;
    pmx->bone_count = MOST;
    pmx->bodies = arena_array(rig->arena, PmxBody, BODIES);
    rig->scene.physics = (PhysicsSpec){.gravity = {0, -98, 0}, .step_hz = HZ};
    return pmx;
}

static void rig_start(Rig *rig)
{
    const PmxModel *pmx = &rig->model.pmx;
    DiagLog log;
    diag_log_init(&log);
    for (uint32_t i = 0; i < MOST; i++) {
        memcpy(rig->bones[i].position, pmx->bones[i].position, sizeof rig->bones[i].position);
        rig->bones[i].rotation[3] = 1;
    }
    model_prepare(&rig->model, rig->arena, &log.diag);
    rig->in_scene = (SceneModel){.model = &rig->model,
                                 .attach_model = -1,
                                 .spec.physics = true,
                                 .soft = true,
                                 .placement = PLACEMENT_NONE};
    rig->scene.models = &rig->in_scene;
    rig->scene.model_count = 1;
    rig->input = (WorldInput){rig->bones, rig->kinematic, NULL, PLACEMENT_NONE};
    rig->cloth = arena_array(rig->arena, ClothVertex, pmx->vertex_count);
    rig->world = world_create(&rig->scene);
    assert_non_null(rig->world);
    world_reset(rig->world, &rig->input);
}

static void rig_step(Rig *rig, int ticks)
{
    for (int i = 0; i < ticks; i++)
        world_step(rig->world, &rig->input);
    assert_true(world_soft(rig->cloth, rig->world, 0, &rig->input.placement, 1));
}

static void rig_finish(Rig *rig)
{
    world_destroy(rig->world);
    arena_destroy(rig->arena);
}

static double distance(const float a[3], const float b[3])
{
    return vec3_length(vec3_sub(vec3_load(a), vec3_load(b)));
}

/* ---- laws ---- */

/* Each tick: v becomes v + g dt, then x becomes x + v dt; with damping, v (1 - damping) at its end.
 */
static void test_free_fall(void **state)
{
    (void)state;
    static const float dampings[] = {0, 0.05f, 1};
    for (size_t row = 0; row < sizeof dampings / sizeof *dampings; row++) {
        const double dt = 1.0 / HZ;
        double v = 0, y = 30;
        Rig rig;
        rig_init(&rig, (SheetSpec){4, 4, 3, 3, 30, false});
        rig.model.pmx.soft_bodies[0].config[1] = dampings[row];
        rig_start(&rig);
        for (int i = 0; i < 60; i++) {
            v += -98 * dt;
            y += v * dt;
            v *= 1 - (double)dampings[row];
        }
        rig_step(&rig, 60);
        assert_near((double)rig.cloth[0].position[1], y, 2e-3);
        assert_near((double)rig.cloth[3].position[0], 1.5, 1e-4);
        assert_near((double)rig.cloth[15].position[1], y - 3, 2e-3);
        rig_finish(&rig);
    }
}

/* The height by which a chain of length l hangs through between two ends, d apart. */
static double catenary_sag(double l, double d)
{
    double low = 1e-3 * d, high = 1e3 * d; /* of a, where l = 2 a sinh(d / 2a) */
    for (int i = 0; i < 200; i++) {
        const double a = sqrt(low * high);
        if (2 * a * sinh(fmin(d / (2 * a), 300)) > l)
            low = a;
        else
            high = a;
    }
    return low * (cosh(d / (2 * low)) - 1);
}

/* A strip held along its two short edges, which come closer: it hangs as a chain of its length,
 * stretched by a hundredth, does. */
static void test_a_sheet_sags_as_a_chain(void **state)
{
    (void)state;
    static const float gaps[] = {9, 7, 4}; /* of 10 */
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        enum { COLUMNS = 21 };
        Rig rig;
        PmxModel *pmx = rig_init(&rig, (SheetSpec){COLUMNS, 2, 10, 0.5f, 30, false});
        for (uint32_t r = 0; r < 2; r++) {
            fixture_pin(pmx, r * COLUMNS);
            fixture_pin(pmx, r * COLUMNS + COLUMNS - 1);
        }
        pmx->soft_bodies[0].config[1] = 0.02f;
        pmx->soft_bodies[0].iterations[1] = 60;
        for (uint32_t v = 0; v < pmx->vertex_count; v++) { /* level */
            pmx->vertices[v].position[2] = v < COLUMNS ? 0 : 0.5f;
            pmx->vertices[v].position[1] = 30;
        }
        rig_start(&rig);
        for (int t = 1; t <= HZ; t++) {
            const float in = (10 - gaps[i]) / 2 * (float)t / HZ;
            rig.bones[1].position[0] = -5 + in;
            rig.bones[2].position[0] = 5 - in;
            rig_step(&rig, 1);
        }
        rig_step(&rig, 3 * HZ);
        double length = 0;
        for (uint32_t c = 1; c < COLUMNS; c++)
            length += distance(rig.cloth[c].position, rig.cloth[c - 1].position);
        assert_near(length, 10, 0.15);
        const double sag = 30 - (double)rig.cloth[COLUMNS / 2].position[1];
        const double law = catenary_sag(length, (double)gaps[i]);
        if (fabs(sag - law) > 0.01 * law)
            fail_msg("gap %g: hangs %g deep, not %g", (double)gaps[i], sag, law);
        assert_near((double)rig.cloth[0].position[0], -(double)gaps[i] / 2, 1e-5);
        rig_finish(&rig);
    }
}

/* Pinned along its upper edge it hangs straight down, hardly longer than it is; and its normals
 * keep facing -z. */
static void test_a_hanging_sheet_keeps_its_length(void **state)
{
    (void)state;
    Rig rig;
    PmxModel *pmx = rig_init(&rig, (SheetSpec){9, 9, 4, 4, 20, true});
    for (uint32_t c = 0; c < 9; c++)
        fixture_pin(pmx, c);
    pmx->soft_bodies[0].config[1] = 0.05f;
    rig_start(&rig);
    rig_step(&rig, 3 * HZ);
    for (uint32_t c = 0; c < 9; c++) {
        assert_near((double)rig.cloth[c].position[1], 20, 1e-5);
        assert_near((double)rig.cloth[72 + c].position[1], 16, 0.2);
        assert_near((double)rig.cloth[72 + c].normal[2], -1, 0.01);
        assert_near((double)rig.cloth[81 + 72 + c].normal[2], 1, 0.01); /* the other layer */
        assert_near(distance(rig.cloth[72 + c].position, rig.cloth[81 + 72 + c].position), 0, 0);
    }
    rig_finish(&rig);
}

/* Two parts, far from each other: both fall, and no step blocks. */
static void test_a_sheet_of_two_parts(void **state)
{
    (void)state;
    for (uint8_t flags = 0; flags < 8; flags++) {
        Rig rig;
        PmxModel *pmx = rig_init(&rig, (SheetSpec){4, 2, 3, 1, 20, false});
        for (uint32_t i = 6; i < 12; i++) /* without the squares in the middle */
            pmx->indices[i] = pmx->indices[i + 6];
        pmx->index_count = pmx->materials[0].index_count = 12;
        pmx->soft_bodies[0].flags = flags;
        pmx->soft_bodies[0].b_link_distance = 3;
        rig_start(&rig);
        rig_step(&rig, 10);
        assert_true(rig.cloth[0].position[1] < 20 && rig.cloth[7].position[1] < 19);
        rig_finish(&rig);
    }
}

/* The first pose has its upper corners closer than the sheet is wide: it is not cut to size. */
static void test_links_keep_the_lengths_of_rest(void **state)
{
    (void)state;
    Rig rig;
    PmxModel *pmx = rig_init(&rig, (SheetSpec){9, 9, 4, 4, 20, false});
    fixture_pin(pmx, 0);
    fixture_pin(pmx, 8);
    pmx->soft_bodies[0].config[1] = 0.05f;
    rig_start(&rig);
    rig.bones[2].position[0] = -1; /* was 2 */
    world_reset(rig.world, &rig.input);
    rig_step(&rig, 3 * HZ);
    for (uint32_t c = 1; c < 9; c++)
        assert_near(distance(rig.cloth[c].position, rig.cloth[c - 1].position), 0.5, 0.1);
    rig_finish(&rig);
}

/* ---- what holds it, and what it touches ---- */

/* Two corners on a kinematic body that moves in a circle: they stay on it, and the rest follows.
 */
static void test_an_anchored_sheet_follows(void **state)
{
    (void)state;
    Rig rig;
    PmxModel *pmx = rig_init(&rig, (SheetSpec){5, 5, 2, 2, 20, false});
    pmx->body_count = 1;
    pmx->bodies[0] =
        (PmxBody){.bone = 3, .shape = PMX_SPHERE, .size = {0.1f}, .position = {0, 21, 0}};
    fixture_anchor(pmx, 0, 0);
    fixture_anchor(pmx, 4, 0);
    rig_start(&rig);
    for (int t = 1; t <= 3 * HZ; t++) {
        const float angle = 2 * (float)t / HZ;
        rig.bones[3].position[0] = 5 * sinf(angle);
        rig.bones[3].position[2] = 5 - 5 * cosf(angle);
        rig_step(&rig, 1);
        for (int k = 0; k < 2; k++) {
            const float corner[3] = {rig.bones[3].position[0] + (k ? 1.f : -1.f), 20,
                                     rig.bones[3].position[2]};
            if (distance(rig.cloth[4 * k].position, corner) > 0.08)
                fail_msg("tick %d: corner %d is %g away", t, k,
                         distance(rig.cloth[4 * k].position, corner));
        }
        assert_true(distance(rig.cloth[22].position, rig.cloth[2].position) < 1.5 * 3);
    }
    rig_finish(&rig);
}

/* Anchored to a body that can fall: both fall, and the sheet's weight is not lost. */
static void test_a_sheet_carries_an_anchored_body(void **state)
{
    (void)state;
    Rig rig;
    PmxModel *pmx = rig_init(&rig, (SheetSpec){3, 5, 1, 4, 20, false});
    pmx->body_count = 1;
    pmx->bodies[0] = (PmxBody){.bone = 3,
                               .shape = PMX_SPHERE,
                               .size = {0.5f},
                               .position = {0, 16, 0},
                               .mass = 0.2f,
                               .linear_damping = 0.9f,
                               .angular_damping = 0.9f,
                               .mode = PMX_PHYSICS};
    memcpy(pmx->bones[3].position, pmx->bodies[0].position, sizeof pmx->bones[3].position);
    for (uint32_t c = 0; c < 3; c++)
        fixture_pin(pmx, c);
    fixture_anchor(pmx, 13, 0);
    pmx->soft_bodies[0].config[1] = 0.05f;
    rig_start(&rig);
    rig_step(&rig, 4 * HZ);
    BonePose body;
    assert_true(world_body(&body, rig.world, 0, 0, 1));
    if (!(body.position[1] > 14.5f && body.position[1] < 16.1f))
        fail_msg("the body hangs at %g", (double)body.position[1]);
    rig_finish(&rig);
}

/* A sheet on a ball, and on the floor. */
static void test_colliders_of_a_sheet(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint8_t flags, group, ball_group;
        uint16_t mask, ball_mask;
        bool floor;
        double lowest, highest; /* of the middle after two seconds; NaN: falls for ever */
    } rows[] = {
        {"a ball", 0, 1, 2, 1 << 2, 1 << 1, false, 12.9, 13.4},
        {"a ball, by clusters", PMX_SOFT_CLUSTERS, 1, 2, 1 << 2, 1 << 1, false, 12.7, 13.6},
        {"a ball whose mask excludes the sheet", 0, 1, 2, 1 << 2, 0xfffd, false, (double)NAN,
         (double)NAN},
        {"a ball that the mask of the sheet excludes", 0, 1, 2, 1, 1 << 1, false, (double)NAN,
         (double)NAN},
        {"the floor", 0, 1, 2, 1, 1, true, 0.05, 0.15},
        {"no mask, so no floor", 0, 1, 2, 0, 0xffff, true, (double)NAN, (double)NAN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Rig rig;
        PmxModel *pmx = rig_init(&rig, (SheetSpec){9, 9, 4, 4, 15, false});
        for (uint32_t v = 0; v < pmx->vertex_count; v++) { /* level */
            pmx->vertices[v].position[2] = pmx->vertices[v].position[1] - 13;
            pmx->vertices[v].position[1] = 15;
        }
        pmx->body_count = 1;
        pmx->bodies[0] = (PmxBody){.bone = 3,
                                   .shape = PMX_SPHERE,
                                   .size = {3},
                                   .position = {0, 10, 0},
                                   .group = rows[i].ball_group,
                                   .mask = rows[i].ball_mask,
                                   .friction = 1};
        pmx->soft_bodies[0].flags = rows[i].flags;
        pmx->soft_bodies[0].cluster_count = 16;
        pmx->soft_bodies[0].group = rows[i].group;
        pmx->soft_bodies[0].mask = rows[i].mask;
        pmx->soft_bodies[0].margin = 0.1f;
        pmx->soft_bodies[0].config[1] = 0.02f;
        pmx->soft_bodies[0].config[6] = 1; /* friction */
        pmx->soft_bodies[0].config[9] = 1; /* hardness against what bones move */
        rig.scene.physics.floor = rows[i].floor;
        rig_start(&rig);
        rig_step(&rig, 2 * HZ);
        const double y = (double)rig.cloth[40].position[1];
        if (isnan(rows[i].lowest) ? y > -40 : !(y >= rows[i].lowest && y <= rows[i].highest))
            fail_msg("%s: middle at %g", rows[i].what, y);
        rig_finish(&rig);
    }
}

static Model *flat_sheet(Arena *arena, float width, float height, bool pinned, uint16_t mask)
{
    Model *model = arena_array(arena, Model, 1);
    PmxModel *pmx = &model->pmx;
    DiagLog log;
    diag_log_init(&log);
    *pmx = fixture_sheet((SheetSpec){9, 9, width, width, 0, false}, arena);
    for (uint32_t v = 0; v < pmx->vertex_count; v++) {
        pmx->vertices[v].position[2] = pmx->vertices[v].position[1] + width / 2;
        pmx->vertices[v].position[1] = height;
        if (pinned && (v < 9 || v >= 72 || v % 9 == 0 || v % 9 == 8))
            fixture_pin(pmx, v);
    }
    pmx->soft_bodies[0].mask = mask;
    pmx->soft_bodies[0].margin = 0.1f;
    pmx->soft_bodies[0].config[1] = 0.05f;
    model_prepare(model, arena, &log.diag);
    return model;
}

/* A sheet falls into another, which is held along its edges; or through it. */
static void test_sheets_touch(void **state)
{
    (void)state;
    for (uint16_t mask = 0; mask < 2; mask++) {
        Arena *arena = arena_create();
        SceneModel entries[2];
        WorldInput inputs[2];
        const Scene scene = {.models = entries,
                             .model_count = 2,
                             .physics = {.gravity = {0, -98, 0}, .step_hz = HZ}};
        for (int i = 0; i < 2; i++) {
            const Model *m = flat_sheet(arena, i ? 3 : 8, i ? 12 : 10, i == 0, mask);
            BonePose *bones = arena_array(arena, BonePose, 3);
            for (uint32_t b = 0; b < 3; b++) {
                memcpy(bones[b].position, m->pmx.bones[b].position, sizeof bones[b].position);
                bones[b].rotation[3] = 1;
            }
            entries[i] =
                (SceneModel){.model = m, .attach_model = -1, .spec.physics = true, .soft = true};
            inputs[i] = (WorldInput){.bones = bones, .placement = PLACEMENT_NONE};
        }
        ClothVertex cloth[81];
        World *world = world_create(&scene);
        world_reset(world, inputs);
        for (int t = 0; t < 2 * HZ; t++)
            world_step(world, inputs);
        assert_true(world_soft(cloth, world, 1, &inputs[1].placement, 1));
        const float y = cloth[40].position[1];
        if (mask ? !(y > 9 && y < 12) : y > 0)
            fail_msg("mask %u: at %g", mask, (double)y);
        world_destroy(world);
        arena_destroy(arena);
    }
}

/* ---- the clock ---- */

static void swing(Rig *rig, int tick)
{
    const float angle = 0.05f * (float)tick;
    for (int i = 1; i <= 2; i++) {
        rig->bones[i].position[0] = (i == 1 ? -2.f : 2.f) + 3 * sinf(angle);
        rig->bones[i].position[2] = 3 - 3 * cosf(angle);
    }
}

static void swinging_sheet(Rig *rig, uint8_t flags)
{
    PmxModel *pmx = rig_init(rig, (SheetSpec){9, 9, 4, 4, 20, false});
    pmx->body_count = 1;
    pmx->bodies[0] = (PmxBody){
        .bone = 3, .mask = 0xffff, .shape = PMX_CAPSULE, .size = {1, 3}, .position = {0, 16, 1.2f}};
    fixture_pin(pmx, 0);
    fixture_pin(pmx, 8);
    pmx->soft_bodies[0].flags = flags;
    pmx->soft_bodies[0].b_link_distance = 2;
    pmx->soft_bodies[0].cluster_count = 8;
    pmx->soft_bodies[0].margin = 0.1f;
    pmx->soft_bodies[0].config[3] = 0.05f; /* lift */
    pmx->soft_bodies[0].config[2] = 0.1f;  /* drag */
    pmx->soft_bodies[0].aero_model = 1;
}

/* Two runs, one on a world that had another life before, and one on a second world. */
static void test_same_bits(void **state)
{
    (void)state;
    for (uint8_t flags = 0; flags < 8; flags++) {
        ClothVertex seen[4][81];
        Rig rig;
        swinging_sheet(&rig, flags);
        rig.scene.physics.warmup_s = 0.1f;
        rig_start(&rig);
        for (int run = 0; run < 4; run++) {
            if (run == 2) {
                swing(&rig, 1000);
                rig_step(&rig, 23);
            } else if (run == 3) {
                world_destroy(rig.world);
                rig.world = world_create(&rig.scene);
            }
            swing(&rig, 0);
            world_reset(rig.world, &rig.input);
            for (int t = 1; t <= 25; t++) {
                swing(&rig, t);
                rig_step(&rig, 1);
            }
            memcpy(seen[run], rig.cloth, sizeof seen[run]);
        }
        for (int run = 1; run < 4; run++)
            if (memcmp(seen[run], seen[0], sizeof seen[0]) != 0)
                fail_msg("flags %u: run %d differs", flags, run);
        rig_finish(&rig);
    }
}

static void test_between_two_ticks(void **state)
{
    (void)state;
    ClothVertex last[81], middle[81];
    Rig rig;
    swinging_sheet(&rig, 0);
    rig_start(&rig);
    rig_step(&rig, 9);
    memcpy(last, rig.cloth, sizeof last);
    swing(&rig, 1);
    rig_step(&rig, 1);
    assert_true(world_soft(middle, rig.world, 0, &rig.input.placement, 0));
    assert_memory_equal(middle, last, sizeof last);
    assert_true(world_soft(middle, rig.world, 0, &rig.input.placement, 0.25f));
    for (int v = 0; v < 81; v++)
        for (int k = 0; k < 3; k++)
            assert_float_equal(middle[v].position[k],
                               0.75f * last[v].position[k] + 0.25f * rig.cloth[v].position[k],
                               1e-5f);
    rig_finish(&rig);
}

/* A placement changes where, and how large it is, not what is seen in the model's own space but for
 * gravity. */
static void test_a_placed_sheet(void **state)
{
    (void)state;
    Rig rig;
    swinging_sheet(&rig, 0);
    rig.scene.physics.gravity[1] = 0;
    rig_start(&rig);
    rig.input.placement = (Placement){.position = {10, 0, 5}, .scale = 2};
    rig.input.placement.rotation[2] = rig.input.placement.rotation[3] = 0.70710678f;
    world_reset(rig.world, &rig.input);
    rig_step(&rig, 30);
    for (uint32_t v = 0; v < 81; v++)
        assert_true(distance(rig.cloth[v].position, rig.model.pmx.vertices[v].position) < 1e-3);
    rig_finish(&rig);
}

/* 500 units in one tick: carried along, and still hanging. */
static void test_jump(void **state)
{
    (void)state;
    Rig rig;
    swinging_sheet(&rig, 0);
    rig.model.pmx.soft_bodies[0].config[1] = 0.05f;
    rig.model.pmx.body_count = 0;
    rig_start(&rig);
    rig_step(&rig, 2 * HZ);
    const float hung = rig.cloth[76].position[1];
    for (int i = 1; i <= 2; i++)
        rig.bones[i].position[0] += 500;
    for (int t = 0; t < HZ; t++) {
        rig_step(&rig, 1);
        for (uint32_t v = 0; v < 81; v++)
            assert_true(distance(rig.cloth[v].position, rig.cloth[0].position) < 8);
        assert_float_equal(rig.cloth[76].position[1], hung, 0.1f);
    }
    rig_finish(&rig);
}

/* A pin whose bone is a child of a simulated bone follows it. */
static void test_pins_on_moved_bones(void **state)
{
    (void)state;
    Rig rig;
    PmxModel *pmx = rig_init(&rig, (SheetSpec){3, 3, 1, 1, 20, false});
    pmx->body_count = 1;
    pmx->bodies[0] =
        (PmxBody){.bone = 3, .shape = PMX_SPHERE, .size = {0.5f}, .mass = 1, .mode = PMX_PHYSICS};
    pmx->bones[1].parent = 3;
    fixture_pin(pmx, 0);
    rig_start(&rig);
    rig_step(&rig, 60);
    BonePose body;
    assert_true(world_body(&body, rig.world, 0, 0, 1));
    assert_true(body.position[1] < -10);
    assert_near((double)rig.cloth[0].position[1], 20 + (double)body.position[1], 1e-4);
    rig_finish(&rig);
}

/* ---- from the file to the frame ---- */

/* Loads the sheet, pinned along its upper edge, as a scene of one model. */
static Scene *load_sheet(Arena *arena, bool physics, DiagLog *log)
{
    PmxModel pmx = fixture_sheet((SheetSpec){5, 5, 2, 2, 20, false}, arena);
    Scratch scratch;
    for (uint32_t c = 0; c < 5; c++) {
        fixture_pin(&pmx, c);
        for (uint32_t r = 0; r < 5; r++) /* level */
            pmx.vertices[5 * r + c] = fixture_vertex(0.5f * (float)c - 1, 20, 0.5f * (float)r, 0);
    }
    const Bytes bytes = pmx_write(&pmx, (PmxWriteOptions){0}, arena);
    scratch_make(&scratch);
    FILE *file = fopen(scratch_path(&scratch, "sheet.pmx"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    assert_int_equal(fclose(file), 0);

    const ModelSpec model = {.id = "sheet",
                             .file = scratch_path(&scratch, "sheet.pmx"),
                             MODEL_DEFAULT,
                             .position = {3, 0, 0},
                             .physics = physics};
    const SceneSpec spec = {
        .models = &model, .model_count = 1, .compat = COMPAT_DEFAULT, .physics = PHYSICS_DEFAULT};
    Scene *scene = arena_alloc(arena, sizeof *scene);
    diag_log_init(log);
    assert_true(scene_load(scene, &spec, arena, &log->diag));
    scratch_remove(&scratch);
    return scene;
}

/* Frames in any order, packed and unpacked; what is skinned afterwards is where the sheet hangs. */
static void test_frames_contain_the_sheet(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    Scene *scene = load_sheet(arena, true, &log);
    assert_string_equal(log.text, "");
    Evaluator *evaluator = evaluator_create(scene);
    FrameState *frame = frame_state_create(scene, arena), *again = frame_state_create(scene, arena);
    assert_int_equal(frame->models[0].cloth_count, 25);

    evaluate_frame(frame, evaluator, scene, 45.3);
    evaluate_frame(again, evaluator, scene, 7);
    evaluate_frame(again, evaluator, scene, 45.3);
    assert_memory_equal(frame->models[0].cloth, again->models[0].cloth, 25 * sizeof(ClothVertex));

    void *bytes = arena_alloc(arena, frame_state_size(scene));
    float(*positions)[3] = arena_calloc(arena, 25, sizeof *positions);
    frame_state_pack(bytes, frame, scene);
    frame_state_unpack(again, bytes, scene);
    skin_model(positions, NULL, scene->models[0].model, &again->models[0]);
    for (uint32_t v = 0; v < 25; v++)
        assert_memory_equal(positions[v], frame->models[0].cloth[v].position, sizeof positions[v]);
    assert_float_equal(positions[2][1], 20, 1e-4f);
    assert_true(positions[22][1] < 18.8f); /* hangs down from where it lay */
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

static void test_without_physics_it_stays_with_its_bones(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    Scene *scene = load_sheet(arena, false, &log);
    Evaluator *evaluator = evaluator_create(scene);
    FrameState *frame = frame_state_create(scene, arena);
    evaluate_frame(frame, evaluator, scene, 45);
    assert_int_equal(frame->models[0].cloth_count, 0);
    assert_null(evaluator_world(evaluator));
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/* ---- hostile files ---- */

static void test_hostile_numbers(void **state)
{
    (void)state;
    static const float worst[] = {0, -1, 1e30f, 3e38f};
    enum { FIELDS = 12 + 6 + 3 + 2 };
    for (size_t i = 0; i < sizeof worst / sizeof *worst; i++)
        for (int field = 0; field < FIELDS; field++) {
            Rig rig;
            swinging_sheet(&rig, (uint8_t)(field % 8));
            PmxSoftBody *s = &rig.model.pmx.soft_bodies[0];
            float *const at = field < 12   ? &s->config[field]
                              : field < 18 ? &s->cluster[field - 12]
                              : field < 21 ? &s->stiffness[field - 18]
                              : field < 22 ? &s->margin
                                           : &s->mass;
            *at = worst[i];
            for (int k = 0; k < 4; k++)
                s->iterations[k] = worst[i] > 1 ? INT32_MAX : 1;
            if (field == 22 && worst[i] <= 0)
                s->mass = 1e-38f;
            rig.scene.physics.floor = true;
            rig_start(&rig);
            for (int t = 0; t < 6; t++) {
                swing(&rig, t);
                rig_step(&rig, 1);
            }
            for (uint32_t v = 0; v < 81; v++)
                if (!(distance(rig.cloth[v].position, rig.cloth[0].position) < 1.5 * 12))
                    fail_msg("field %d is %g: vertex %u is lost", field, (double)worst[i], v);
            rig_finish(&rig);
        }
}

/* Bones at positions beyond what Bullet can convert to int: no crash, and the sheet returns. */
static void test_bones_beyond_the_world(void **state)
{
    (void)state;
    static const float far[] = {1e25f, -1e25f, 3.4e38f, INFINITY, NAN, 1e9f};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        Rig rig;
        PmxModel *pmx = rig_init(&rig, (SheetSpec){5, 5, 4, 4, 9, false});
        pmx->body_count = BODIES;
        for (int32_t b = 0; b < BODIES; b++)
            pmx->bodies[b] = (PmxBody){.name = "b",
                                       .name_en = "",
                                       .bone = 3 + b,
                                       .mask = 0xffff,
                                       .size = {1, 1, 1},
                                       .mass = 1,
                                       .mode = b ? PMX_PHYSICS : PMX_FOLLOW_BONE};
        pmx->soft_bodies[0].mask = 0xffff;
        pmx->soft_bodies[0].config[4] = 1e5f; /* pressure; the volume of a flat sheet is 0 */
        fixture_pin(pmx, 0);
        rig_start(&rig);
        for (int k = 0; k < 3; k++) {
            rig.bones[1].position[k] = far[i];
            rig.bones[3].position[2 - k] = -far[i];
            rig.bones[4].rotation[k] = far[i];
            rig_step(&rig, 4);
        }
        for (uint32_t b = 0; b < MOST; b++)
            rig.bones[b] = (BonePose){{0, 0, 0}, {0, 0, 0, 1}};
        rig_step(&rig, 30);
        const Placement placement = PLACEMENT_NONE;
        assert_true(world_soft(rig.cloth, rig.world, 0, &placement, 1));
        for (uint32_t v = 0; v < 25; v++)
            for (int k = 0; k < 3; k++)
                if (!(fabsf(rig.cloth[v].position[k]) < 1e7f))
                    fail_msg("%g: vertex %u is at %g", (double)far[i], v,
                             (double)rig.cloth[v].position[k]);
        world_destroy(rig.world);
        arena_destroy(rig.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_a_sheet_sags_as_a_chain),
        cmocka_unit_test(test_a_hanging_sheet_keeps_its_length),
        cmocka_unit_test(test_a_sheet_of_two_parts),
        cmocka_unit_test(test_links_keep_the_lengths_of_rest),
        cmocka_unit_test(test_an_anchored_sheet_follows),
        cmocka_unit_test(test_a_sheet_carries_an_anchored_body),
        cmocka_unit_test(test_colliders_of_a_sheet),
        cmocka_unit_test(test_sheets_touch),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_between_two_ticks),
        cmocka_unit_test(test_a_placed_sheet),
        cmocka_unit_test(test_jump),
        cmocka_unit_test(test_pins_on_moved_bones),
        cmocka_unit_test(test_frames_contain_the_sheet),
        cmocka_unit_test(test_without_physics_it_stays_with_its_bones),
        cmocka_unit_test(test_hostile_numbers),
        cmocka_unit_test(test_bones_beyond_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
