// SPDX-License-Identifier: MIT
#include <math.h>

#include "diag_log.h"
#include "model_fixture.h"
#include "scene/dynamics/loops.h"
#include "unit_test.h"

/* Seven balls on bones, two units apart along x; balls 0 and 6 follow their bones.  Each joint is
 * between two of them. */
enum { BODIES = 7, JOINTS = 8 };

static const uint32_t order[BODIES] = {0, 1, 2, 3, 4, 5, 6};

static PmxModel balls(const int32_t joints[][2], uint32_t count, Arena *arena)
{
    PmxModel m = fixture_empty();
    m.bones = arena_array(arena, PmxBone, BODIES);
    m.bodies = arena_array(arena, PmxBody, BODIES);
    m.joints = arena_array(arena, PmxJoint, JOINTS);
    m.bone_count = m.body_count = BODIES;
    m.joint_count = count;
    for (int32_t i = 0; i < BODIES; i++) {
        m.bones[i] = fixture_bone("ball", -1, 2 * (float)i, 10, 0);
        m.bodies[i] = (PmxBody){.bone = i,
                                .shape = PMX_SPHERE,
                                .size = {0.5f},
                                .position = {2 * (float)i, 10, 0},
                                .mass = 1,
                                .mode = i % 6 ? PMX_PHYSICS : PMX_FOLLOW_BONE};
    }
    for (uint32_t i = 0; i < count; i++)
        m.joints[i] = (PmxJoint){.body_a = joints[i][0],
                                 .body_b = joints[i][1],
                                 .position = {(float)(joints[i][0] + joints[i][1]), 10, 0}};
    return m;
}

static Dynamics plan(const PmxModel *m, Arena *arena)
{
    Dynamics out;
    DiagLog log;
    diag_log_init(&log);
    dynamics_plan(&out, m, order, arena, &log.diag);
    return out;
}

static void expect_steps(const Loop *loop, uint32_t from, const uint32_t steps[][2], uint32_t count)
{
    assert_int_equal(loop->from, from);
    assert_int_equal(loop->step_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(loop->steps[i].joint, steps[i][0]);
        assert_int_equal(loop->steps[i].body, steps[i][1]);
    }
}

/* A chain without another joint has no loop; bodies in place at both ends make one. */
static void test_chain_between_two_places(void **state)
{
    static const int32_t joints[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}};
    static const uint32_t steps[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}};
    (void)state;

    Arena *arena = arena_create();
    PmxModel m = balls(joints, 6, arena);
    m.joint_count = 5;
    assert_int_equal(plan(&m, arena).loop_count, 0);
    m.joint_count = 6;
    const Dynamics d = plan(&m, arena);
    assert_int_equal(d.loop_count, 1);
    assert_int_equal(d.loop_group_count, 1);
    expect_steps(&d.loops[0], 0, steps, 6);
    for (int i = 0; i < BODIES; i++)
        assert_int_equal(d.bodies[i].loops, i % 6 ? 0 : -1);
    assert_float_equal(d.loops[0].steps[3].length, 2, 1e-6f);
    arena_destroy(arena);
}

/* Body 1 hangs on 0, the ring of 1, 2, 3, 4 on it; body 5 hangs on the ring. */
static void test_ring_on_a_chain(void **state)
{
    static const int32_t joints[][2] = {{0, 1}, {2, 1}, {2, 3}, {3, 4}, {4, 1}, {5, 3}};
    static const uint32_t steps[][2] = {{1, 2}, {2, 3}, {3, 4}, {4, 1}};
    (void)state;

    Arena *arena = arena_create();
    const PmxModel m = balls(joints, 6, arena);
    const Dynamics d = plan(&m, arena);
    assert_int_equal(d.loop_count, 1);
    expect_steps(&d.loops[0], 1, steps, 4);
    assert_int_equal(d.bodies[1].loops, -1);
    assert_int_equal(d.bodies[3].loops, 0);
    assert_int_equal(d.bodies[5].loops, -1);
    arena_destroy(arena);
}

/* 1, 2 and 3, 4 are loops on 0, in another order than in the file; 2, 5 and 5, 1 join the first. */
static void test_groups(void **state)
{
    static const int32_t joints[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4},
                                        {3, 4}, {1, 2}, {2, 5}, {1, 5}};
    (void)state;

    Arena *arena = arena_create();
    const PmxModel m = balls(joints, 8, arena);
    const Dynamics d = plan(&m, arena);
    assert_int_equal(d.loop_count, 3);
    assert_int_equal(d.loop_group_count, 2);
    assert_int_equal(d.first_loop[0], 0);
    assert_int_equal(d.first_loop[1], 2);
    assert_int_equal(d.first_loop[2], 3);
    assert_int_equal(d.loops[2].steps[1].joint, 4);
    assert_int_equal(d.bodies[5].loops, 0);
    assert_int_equal(d.bodies[4].loops, 1);
    arena_destroy(arena);
}

/* What does not hold bodies together closes no loop: here joint 2 between 1 and 2, with play, and
 * joint 3, which is apart from joint 0. */
static void test_no_loops(void **state)
{
    static const int32_t joints[][2] = {{0, 1}, {0, 2}, {1, 2}, {1, 0}};
    static const struct {
        const char *what;
        float play, apart;
        uint32_t loops;
    } rows[] = {{"none", 0, 0, 1},
                {"some play", 1.9f, 0, 1},
                {"play beyond the length", 2.1f, 0, 0},
                {"no limit", -1, 0, 0},
                {"two joints of the same bodies", 2.1f, 0.1f, 0},
                {"two joints of the same bodies, apart", 2.1f, 0.5f, 1}};
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel m = balls(joints, 4, arena);
        m.joints[2].linear_upper[0] = rows[i].play;
        m.joints[3].position[1] += rows[i].apart;
        const Dynamics d = plan(&m, arena);
        if (d.loop_count != rows[i].loops)
            fail_msg("%s: %u loops", rows[i].what, d.loop_count);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_between_two_places),
        cmocka_unit_test(test_ring_on_a_chain),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_no_loops),
    };
    return cmocka_run_group_tests_name("loops", tests, NULL, NULL);
}
