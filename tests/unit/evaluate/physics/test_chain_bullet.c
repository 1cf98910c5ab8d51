// SPDX-License-Identifier: MIT
/* Chains of bodies: their links stay closed however fast they are pulled, and do not whip; they
 * swing freely within their limits, and come to rest when nothing moves them any more. */

#include <math.h>

#include "diag_log.h"
#include "evaluate/physics/physics.h"
#include "model_fixture.h"
#include "unit_test.h"

enum { BODIES = 4, HZ = 120 };

/* Body 0 follows its bone at (0, 20, 0); the others hang below it, one unit apart, without damping.
 * Joint i, half way between the bodies i and i + 1, allows every rotation. */
typedef struct Chain {
    Arena *arena;
    Model model;
    SceneModel entry;
    Scene scene;
    uint32_t order[BODIES];
    BonePose bones[BODIES];
    bool kinematic[BODIES];
    float weights[1];
    WorldInput input;
    World *world;
} Chain;

static void add_parts(PmxModel *pmx)
{
    for (uint32_t i = 0; i < BODIES; i++) {
        const float y = 20 - (float)i;

        pmx->bones[i] = fixture_bone("b", (int32_t)i - 1, 0, y, 0);
        pmx->bodies[i] = (PmxBody){.bone = (int32_t)i,
                                   .shape = PMX_SPHERE,
                                   .size = {0.2f},
                                   .position = {0, y, 0},
                                   .mass = 1,
                                   .mode = i > 0 ? PMX_PHYSICS : PMX_FOLLOW_BONE};
        if (i > 0)
            pmx->joints[i - 1] = (PmxJoint){.body_a = (int32_t)i - 1,
                                            .body_b = (int32_t)i,
                                            .position = {0, y + 0.5f, 0},
                                            .angular_lower = {-3, -1.5f, -3},
                                            .angular_upper = {3, 1.5f, 3}};
    }
    pmx->bone_count = pmx->body_count = BODIES;
    pmx->joint_count = BODIES - 1;
}

static void set_up(Chain *chain)
{
    PmxModel *pmx = &chain->model.pmx;
    DiagLog log;

    *chain = (Chain){.arena = arena_create()};
    *pmx = fixture_empty();
    pmx->bones = arena_array(chain->arena, PmxBone, BODIES);
    pmx->bodies = arena_array(chain->arena, PmxBody, BODIES);
    pmx->joints = arena_array(chain->arena, PmxJoint, BODIES);
    add_parts(pmx);
    for (uint32_t i = 0; i < BODIES; i++) {
        chain->order[i] = i;
        chain->bones[i] = (BonePose){{0, 20 - (float)i, 0}, {0, 0, 0, 1}};
    }
    diag_log_init(&log);
    chain->model.parents_first = chain->order;
    dynamics_plan(&chain->model.dynamics, pmx, chain->order, chain->arena, &log.diag);
    chain->entry = (SceneModel){.model = &chain->model,
                                .attach_model = -1,
                                .spec.physics = true,
                                .placement = PLACEMENT_NONE};
    chain->scene = (Scene){.models = &chain->entry,
                           .model_count = 1,
                           .physics = {.gravity = {0, -98, 0}, .step_hz = HZ}};
    chain->input = (WorldInput){chain->bones, chain->kinematic, chain->weights, PLACEMENT_NONE};
    chain->world = world_create(&chain->scene);
    world_reset(chain->world, &chain->input);
}

static void tear_down(Chain *chain)
{
    world_destroy(chain->world);
    arena_destroy(chain->arena);
}

static void body_at(float center[3], float top[3], float bottom[3], const Chain *chain,
                    uint32_t body)
{
    BonePose pose;

    assert_true(world_body(&pose, chain->world, 0, body, 1));
    const float *q = pose.rotation;
    /* the rotated (0, 1, 0) */
    const float up[3] = {2 * (q[0] * q[1] - q[3] * q[2]), 1 - 2 * (q[0] * q[0] + q[2] * q[2]),
                         2 * (q[1] * q[2] + q[3] * q[0])};
    for (int k = 0; k < 3; k++) {
        center[k] = pose.position[k];
        top[k] = pose.position[k] + 0.5f * up[k];
        bottom[k] = pose.position[k] - 0.5f * up[k];
    }
}

/* The largest distance between the ends of a joint. */
static float widest_gap(const Chain *chain)
{
    float widest = 0;

    for (uint32_t i = 1; i < BODIES; i++) {
        float center[3], top[3], unused[3], bottom[3];

        body_at(center, unused, bottom, chain, i - 1);
        body_at(center, top, unused, chain, i);
        widest = fmaxf(widest,
                       hypotf(hypotf(top[0] - bottom[0], top[1] - bottom[1]), top[2] - bottom[2]));
    }
    return widest;
}

static void step_to(Chain *chain, float x)
{
    chain->bones[0].position[0] = x;
    world_step(chain->world, &chain->input);
}

/* Links are one unit long: their joints come apart by at most 0.08. */
static void test_links_stay_closed(void **state)
{
    static const float per_tick[] = {0.1f, 0.4f, 1, 3};
    (void)state;

    for (size_t row = 0; row < sizeof per_tick / sizeof *per_tick; row++) {
        Chain chain;

        set_up(&chain);
        for (int i = 0; i < 2 * HZ; i++) { /* to and fro, 15 ticks each way */
            const int phase = i % 30 < 15 ? i % 30 : 30 - i % 30;

            step_to(&chain, (float)phase * per_tick[row]);
            if (widest_gap(&chain) > 0.0805f)
                fail_msg("%g a tick, tick %d: a gap of %g", (double)per_tick[row], i,
                         (double)widest_gap(&chain));
        }
        tear_down(&chain);
    }
}

static float tip_motion(const Chain *chain, float before[3])
{
    float center[3], top[3], bottom[3];

    body_at(center, top, bottom, chain, BODIES - 1);
    const float way =
        hypotf(hypotf(center[0] - before[0], center[1] - before[1]), center[2] - before[2]);
    for (int k = 0; k < 3; k++)
        before[k] = center[k];
    return way;
}

/* Pushed aside for a tenth of a second, a chain without damping swings on for more than two
 * seconds, and is still after ten: within 0.0009 units a frame, which is 0.05 degrees of its length
 * of one. */
static void test_swings_and_rests(void **state)
{
    float before[3] = {0, 17, 0}, swing = 0;
    Chain chain;
    (void)state;

    set_up(&chain);
    for (int i = 1; i <= HZ / 10; i++)
        step_to(&chain, 0.1f * (float)i);
    for (int i = 0; i < 12 * HZ; i += HZ / 30) {
        for (int k = 0; k < HZ / 30; k++)
            step_to(&chain, 1.2f);
        const float way = tip_motion(&chain, before);
        if (i >= 2 * HZ && i < 3 * HZ)
            swing = fmaxf(swing, way);
        if (i >= 10 * HZ && way > 0.0009f)
            fail_msg("%g s: the tip moves %g in a frame", (double)i / HZ, (double)way);
    }
    assert_true(swing > 0.05f);
    tear_down(&chain);
}

/* A bone that moves slowly does not let its chain fall behind. */
static void test_follows_slow_motion(void **state)
{
    float center[3], top[3], bottom[3];
    Chain chain;
    (void)state;

    set_up(&chain);
    for (int i = 0; i < 10 * HZ; i++)
        step_to(&chain, 0);
    for (int i = 1; i <= 10 * HZ; i++)
        step_to(&chain, 0.2f * (float)i / HZ);
    body_at(center, top, bottom, &chain, BODIES - 1);
    assert_float_equal(center[0], 2, 0.2f);
    tear_down(&chain);
}

/* Limits the rotation of all joints on each axis, and builds the world anew. */
static void set_limits(Chain *chain, const float lower[3], const float upper[3])
{
    PmxModel *pmx = &chain->model.pmx;

    for (uint32_t j = 0; j < pmx->joint_count; j++)
        for (int k = 0; k < 3; k++) {
            pmx->joints[j].angular_lower[k] = lower[k];
            pmx->joints[j].angular_upper[k] = upper[k];
        }
    world_destroy(chain->world);
    chain->world = world_create(&chain->scene);
    world_reset(chain->world, &chain->input);
}

/* The rotation of a body relative to the one before it. */
static void relative_turn(float out[4], const Chain *chain, uint32_t body)
{
    BonePose a, b;

    world_body(&a, chain->world, 0, body - 1, 1);
    world_body(&b, chain->world, 0, body, 1);
    const float *p = a.rotation, *q = b.rotation;
    out[0] = p[3] * q[0] - p[0] * q[3] - p[1] * q[2] + p[2] * q[1];
    out[1] = p[3] * q[1] + p[0] * q[2] - p[1] * q[3] - p[2] * q[0];
    out[2] = p[3] * q[2] - p[0] * q[1] + p[1] * q[0] - p[2] * q[3];
    out[3] = p[3] * q[3] + p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static float degrees_between(const float a[4], const float b[4])
{
    const float dot = fabsf(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
    return 2 * acosf(fminf(dot, 1)) * 180 / 3.14159265f;
}

/* Pulled to and fro and turned over, links with narrow limits turn by less than 90 degrees in 1/30
 * s, and stay within 30 degrees of the limits of 10 on each axis: 70 degrees for all three. */
static void test_links_do_not_whip(void **state)
{
    static const float still[4] = {0, 0, 0, 1};
    static const float lower[] = {-0.175f, -0.175f, -0.175f}, upper[] = {0.175f, 0.175f, 0.175f};
    float before[BODIES][4], now[4];
    Chain chain;
    (void)state;

    set_up(&chain);
    set_limits(&chain, lower, upper);
    for (int i = 0; i < 4 * HZ; i++) {
        const int phase = i % 20 < 10 ? i % 20 : 20 - i % 20;
        const float angle = 0.15f * (float)phase;
        chain.bones[0].rotation[i / HZ % 3] = sinf(angle);
        chain.bones[0].rotation[3] = cosf(angle);
        step_to(&chain, 0.6f * (float)phase);
        for (int k = 0; k < 3 && i % HZ == HZ - 1; k++)
            chain.bones[0].rotation[k] = 0;
        for (uint32_t b = 1; b < BODIES; b++) {
            relative_turn(now, &chain, b);
            if (degrees_between(now, still) > 70)
                fail_msg("tick %d: body %u is turned by %g degrees", i, b,
                         (double)degrees_between(now, still));
            if (i % (HZ / 30) == 0) {
                if (i > 0 && degrees_between(now, before[b]) > 90)
                    fail_msg("tick %d: body %u turns by %g degrees", i, b,
                             (double)degrees_between(now, before[b]));
                for (int k = 0; k < 4; k++)
                    before[b][k] = now[k];
            }
        }
    }
    tear_down(&chain);
}

/* Joints that allow no rotation hold at every step: thin bodies, whose joints are farther from
 * their centers than they are thick, turn by at most 4 degrees against the body before. */
static void test_locked_joints_hold(void **state)
{
    static const int rates[] = {120, 480, 960};
    static const float still[4] = {0, 0, 0, 1}, none[3] = {0, 0, 0};
    (void)state;

    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        float turn[4];
        Chain chain;

        set_up(&chain);
        for (int i = 1; i < BODIES; i++)
            chain.model.pmx.bodies[i].size[0] = 0.015f;
        chain.scene.physics.step_hz = rates[r];
        set_limits(&chain, none, none);
        for (int i = 0; i < 2 * rates[r]; i++) {
            step_to(&chain, 2 * sinf(12 * (float)i / (float)rates[r]));
            for (uint32_t b = 1; b < BODIES; b++) {
                relative_turn(turn, &chain, b);
                if (degrees_between(turn, still) > 4.1f)
                    fail_msg("%d Hz, tick %d: body %u is turned by %g degrees", rates[r], i, b,
                             (double)degrees_between(turn, still));
            }
        }
        tear_down(&chain);
    }
}

/* Gravity along z swings a chain about x, the way that a limit of 1.2 radians allows or does not:
 * Bullet's angles are opposite to the rotation. */
static void test_limits_have_sides(void **state)
{
    static const float none[] = {0, 0, 0}, below[] = {-1.2f, 0, 0}, above[] = {1.2f, 0, 0};
    static const float still[4] = {0, 0, 0, 1};
    (void)state;

    for (int side = -1; side <= 1; side += 2)
        for (int wide = -1; wide <= 1; wide += 2) {
            float turn[4];
            Chain chain;

            set_up(&chain);
            chain.scene.physics.gravity[1] = 0;
            chain.scene.physics.gravity[2] = 98 * (float)side;
            set_limits(&chain, wide < 0 ? below : none, wide < 0 ? none : above);
            for (int i = 0; i < 3 * HZ; i++)
                step_to(&chain, 0);
            relative_turn(turn, &chain, 1);
            const bool allowed = (turn[0] * turn[3] < 0) == (wide > 0);
            const float angle = degrees_between(turn, still);
            if (allowed ? angle < 60 : angle > 31)
                fail_msg("gravity %d, limit %d: %g degrees", side, wide, (double)angle);
            tear_down(&chain);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_stay_closed),   cmocka_unit_test(test_swings_and_rests),
        cmocka_unit_test(test_follows_slow_motion), cmocka_unit_test(test_links_do_not_whip),
        cmocka_unit_test(test_locked_joints_hold),  cmocka_unit_test(test_limits_have_sides)};
    return cmocka_run_group_tests_name("chain_bullet", tests, NULL, NULL);
}
