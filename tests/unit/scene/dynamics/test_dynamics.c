// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diag_log.h"
#include "model_fixture.h"
#include "scene/dynamics/dynamics.h"
#include "unit_test.h"

/* Four bones down a rope, each with a ball on it. */
enum { BONES = 4 };

static PmxModel rope(Arena *arena)
{
    PmxModel m = fixture_empty();
    m.bones = arena_array(arena, PmxBone, BONES);
    m.bodies = arena_array(arena, PmxBody, BONES);
    m.joints = arena_array(arena, PmxJoint, BONES);
    m.bone_count = m.body_count = BONES;
    m.joint_count = BONES - 1;
    for (int32_t i = 0; i < BONES; i++) {
        m.bones[i] = fixture_bone("rope", i - 1, 0, 10 - 2 * (float)i, 0);
        m.bodies[i] = (PmxBody){.bone = i,
                                .mask = 0xffff,
                                .shape = PMX_SPHERE,
                                .size = {0.5f},
                                .position = {0, 10 - 2 * (float)i, 0},
                                .mass = 1,
                                .mode = i ? PMX_PHYSICS : PMX_FOLLOW_BONE};
        m.joints[i] =
            (PmxJoint){.body_a = i, .body_b = i + 1, .position = {0, 9 - 2 * (float)i, 0}};
    }
    return m;
}

static const uint32_t order[BONES] = {0, 1, 2, 3};

static Dynamics plan(const PmxModel *m, Arena *arena, DiagLog *log)
{
    Dynamics out;
    diag_log_init(log);
    diag_file(&log->diag, "m.pmx");
    dynamics_plan(&out, m, order, arena, &log->diag);
    return out;
}

static void test_roles(void **state)
{
    (void)state;
    /* body 2 of the rope, below the moving body 1 */
    static const struct {
        const char *what;
        uint8_t mode, above; /* of body 2, and of body 1 */
        int32_t bone;
        float mass;
        bool joined;
        BodyRole role;
        const char *reported;
    } rows[] = {
        {"mode 0", PMX_FOLLOW_BONE, PMX_PHYSICS, 2, 1, true, BODY_FOLLOWS, ""},
        {"mode 1", PMX_PHYSICS, PMX_PHYSICS, 2, 1, true, BODY_MOVES, ""},
        {"mode 2 below a follower", PMX_PHYSICS_WITH_BONE, PMX_FOLLOW_BONE, 2, 1, true, BODY_TURNS,
         ""},
        {"mode 2 below a moving one", PMX_PHYSICS_WITH_BONE, PMX_PHYSICS, 2, 1, true, BODY_MOVES,
         ""},
        {"mode 2 below mode 2", PMX_PHYSICS_WITH_BONE, PMX_PHYSICS_WITH_BONE, 2, 1, true,
         BODY_MOVES, ""},
        {"mode 2 not joined to it", PMX_PHYSICS_WITH_BONE, PMX_PHYSICS, 2, 1, false, BODY_TURNS,
         ""},
        {"mode 2 of a bone elsewhere", PMX_PHYSICS_WITH_BONE, PMX_PHYSICS, 3, 1, true, BODY_TURNS,
         ""},
        {"mode 2 without a bone", PMX_PHYSICS_WITH_BONE, PMX_PHYSICS, -1, 1, true, BODY_MOVES, ""},
        {"no mass", PMX_PHYSICS, PMX_PHYSICS, 2, 0, true, BODY_FOLLOWS,
         "warning: m.pmx: rigid body 2: mode is physics but mass is 0: follows its bone\n"},
        {"negative mass", PMX_PHYSICS_WITH_BONE, PMX_PHYSICS, 2, -1, true, BODY_FOLLOWS,
         "warning: m.pmx: rigid body 2: mode is physics but mass is -1: follows its bone\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        PmxModel m = rope(arena);
        m.bodies[1].mode = rows[i].above;
        m.bodies[2].mode = rows[i].mode;
        m.bodies[2].bone = rows[i].bone;
        m.bodies[2].mass = rows[i].mass;
        if (!rows[i].joined)
            m.joints[1].body_b = 3;
        const Dynamics d = plan(&m, arena, &log);
        if (d.bodies[2].role != rows[i].role || strcmp(log.text, rows[i].reported))
            fail_msg("%s: role %d, messages '%s'", rows[i].what, d.bodies[2].role, log.text);
        arena_destroy(arena);
    }
}

static void test_collision_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint8_t shape;
        float size[3];
        uint16_t mask;
        bool touches;
        float planned[3];
    } rows[] = {
        {"a ball", PMX_SPHERE, {2, 0, 0}, 1, true, {2, 0.01f, 0.01f}},
        {"no mask", PMX_SPHERE, {2, 0, 0}, 0, false, {2, 0.01f, 0.01f}},
        {"no radius", PMX_SPHERE, {0, 3, 3}, 1, false, {0.01f, 3, 3}},
        {"a flat box", PMX_BOX, {1, 0, 1}, 1, false, {1, 0.01f, 1}},
        {"a box with a negative size", PMX_BOX, {1, -2, 1}, 1, true, {1, 2, 1}},
        {"a capsule of no height", PMX_CAPSULE, {1, 0, 0}, 1, true, {1, 0, 0.01f}},
        {"a capsule of no radius", PMX_CAPSULE, {0, 2, 0}, 1, false, {0.01f, 2, 0.01f}},
        {"larger than any world", PMX_BOX, {1e30f, 1, 1}, 1, true, {10000, 1, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        PmxModel m = rope(arena);
        m.bodies[1].shape = rows[i].shape;
        m.bodies[1].mask = rows[i].mask;
        memcpy(m.bodies[1].size, rows[i].size, sizeof m.bodies[1].size);
        const BodyPlan body = plan(&m, arena, &log).bodies[1];
        if (body.touches != rows[i].touches)
            fail_msg("%s: touches %d", rows[i].what, body.touches);
        for (int k = 0; k < 3; k++)
            if (body.size[k] != rows[i].planned[k])
                fail_msg("%s: size %d is %g", rows[i].what, k, (double)body.size[k]);
        arena_destroy(arena);
    }
}

static void test_ignored_joints(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m = rope(arena);
    m.joints[0].body_a = -1;
    m.joints[1].body_a = 2;
    m.bodies[2].mode = m.bodies[3].mode = PMX_FOLLOW_BONE;
    const Dynamics d = plan(&m, arena, &log);

    assert_string_equal(
        log.text, "warning: m.pmx: joint 0: does not connect two bodies (-1 and 1): ignored\n"
                  "warning: m.pmx: joint 1: does not connect two bodies (2 and 2): ignored\n");
    assert_false(d.joint_works[0]);
    assert_false(d.joint_works[1]);
    assert_false(
        d.joint_works[2]); /* both follow their bones: no joint is needed, no warning is given */
    arena_destroy(arena);
}

/* From body 0's joint at y = 9: 1 to body 1 (8), then 1 + 1 to body 2 (6), and so on; play adds up.
 */
static void test_length_of_a_chain(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m = rope(arena);
    m.joints[1].linear_lower[0] = -3; /* the farther limit of each axis: 3, 0, 4, so 5 */
    m.joints[1].linear_upper[0] = 1;
    m.joints[1].linear_upper[2] = 4;
    Dynamics d = plan(&m, arena, &log);

    assert_float_equal(d.bodies[1].max_distance, 1, 1e-6f);
    assert_float_equal(d.bodies[2].max_distance, 1 + 2 + 5, 1e-6f);
    assert_float_equal(d.bodies[3].max_distance, 1 + 2 + 5 + 2, 1e-6f);
    for (int i = 1; i < BONES; i++) {
        assert_int_equal(d.bodies[i].anchor, 0);
        assert_int_equal(d.bodies[i].anchor_joint, 0);
    }

    m.joints[1].linear_lower[1] = 1; /* above the upper limit: free */
    d = plan(&m, arena, &log);
    assert_true(isinf(d.bodies[2].max_distance));
    m.joints[1].type = PMX_JOINT_POINT;
    d = plan(&m, arena, &log);
    assert_float_equal(d.bodies[2].max_distance, 3, 1e-6f);
    m.joints[0].body_a = -1;
    d = plan(&m, arena, &log);
    assert_int_equal(d.bodies[2].anchor, -1);
    arena_destroy(arena);
}

/* The same rope that hangs on its last body, with joints in both directions: bodies at 10, 8, 6 and
 * 4, joints at 9, 7 and 5. */
static void test_length_from_the_last_body(void **state)
{
    (void)state;
    static const float distances[] = {5, 3, 1};
    for (int turned = 0; turned < 2; turned++) {
        Arena *arena = arena_create();
        DiagLog log;
        PmxModel m = rope(arena);
        m.bodies[0].mode = PMX_PHYSICS;
        m.bodies[3].mode = PMX_FOLLOW_BONE;
        for (int i = 0; turned && i < 3; i++) {
            m.joints[i].body_a = i + 1;
            m.joints[i].body_b = i;
        }
        const Dynamics d = plan(&m, arena, &log);
        assert_string_equal(log.text, "");
        for (int i = 0; i < 3; i++) {
            assert_true(d.joint_works[i]);
            assert_int_equal(d.bodies[i].anchor, 3);
            assert_int_equal(d.bodies[i].anchor_joint, 2);
            assert_float_equal(d.bodies[i].max_distance, distances[i], 1e-6f);
        }
        arena_destroy(arena);
    }
}

/* A rope of which no body has a place reaches any distance. */
static void test_length_without_a_place(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m = rope(arena);
    m.bodies[0].mode = PMX_PHYSICS;
    const Dynamics d = plan(&m, arena, &log);
    for (int i = 0; i < BONES; i++) {
        assert_int_equal(d.bodies[i].anchor, -1);
        assert_true(isinf(d.bodies[i].max_distance));
    }
    arena_destroy(arena);
}

/* Bones are 2 apart and joints 1 from the centers; a body of half that length has a shorter link.
 */
static void test_links(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m = rope(arena);
    m.joints[1].linear_upper[2] = 4;
    m.bodies[3].position[1] = 4.75f; /* its joint is at 5 */
    Dynamics d = plan(&m, arena, &log);

    assert_int_equal(d.chained_count, 3);
    for (int32_t i = 1; i < BONES; i++) {
        assert_int_equal(d.chained[i - 1], i);
        assert_int_equal(d.bodies[i].link, i - 1);
        assert_int_equal(d.bodies[i].link_from, i - 1);
        assert_float_equal(d.bodies[i].link_play, i == 2 ? 4 : 0, 1e-6f);
        assert_float_equal(d.bodies[i].link_length, i == 3 ? 0.5f : 2, 1e-6f);
    }
    assert_int_equal(d.bodies[0].link, -1);

    m.bodies[1].bone = -1;
    d = plan(&m, arena, &log);
    assert_float_equal(d.bodies[1].link_length, 2, 1e-6f); /* twice from the joint to the center */
    m.joints[0].body_a = -1;
    d = plan(&m, arena, &log);
    assert_int_equal(d.chained_count, 0);
    arena_destroy(arena);
}

/* A body of mode 2 is put to its bone unless a joint without play ties it to a follower. */
static void test_fitted_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint8_t mode, above; /* of body 1, and of body 0 */
        float play;
        bool fitted;
    } rows[] = {
        {"tied to a follower", PMX_PHYSICS_WITH_BONE, PMX_FOLLOW_BONE, 0, false},
        {"tied with some play", PMX_PHYSICS_WITH_BONE, PMX_FOLLOW_BONE, 0.5f, true},
        {"tied with any play", PMX_PHYSICS_WITH_BONE, PMX_FOLLOW_BONE, -0.5f, true},
        {"mode 1", PMX_PHYSICS, PMX_FOLLOW_BONE, 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        PmxModel m = rope(arena);
        m.bodies[1].mode = rows[i].mode;
        m.joints[0].linear_upper[1] = rows[i].play;
        const Dynamics d = plan(&m, arena, &log);
        if (d.bodies[1].fitted != rows[i].fitted || d.fitted_count != rows[i].fitted)
            fail_msg("%s", rows[i].what);
        arena_destroy(arena);
    }
}

static void test_movers_of_bones(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m = rope(arena);
    m.bodies[1].bone = 2; /* bodies 1 and 2 share bone 2 */
    m.bodies[3].mode = PMX_PHYSICS_WITH_BONE;
    m.joints[2].body_a = -1;
    Dynamics d = plan(&m, arena, &log);

    assert_int_equal(d.mover[0], -1);
    assert_int_equal(d.mover[1], -1);
    assert_int_equal(d.mover[2], 2); /* the last in the file */
    assert_int_equal(d.mover[3], 3);
    assert_int_equal(d.moving_count, 3);
    assert_int_equal(d.fitted_count, 1);
    assert_int_equal(d.fitted[0], 3);
    assert_int_equal(d.bodies[3].support, 2);

    m.bodies[0].mode = m.bodies[2].mode =
        PMX_PHYSICS_WITH_BONE; /* listed from the upper bones down */
    m.bodies[0].bone = 3;
    m.bodies[3].bone = 0;
    m.joint_count = 0;
    d = plan(&m, arena, &log);
    assert_int_equal(d.fitted_count, 3);
    assert_int_equal(d.fitted[0], 3);
    assert_int_equal(d.fitted[1], 2);
    assert_int_equal(d.fitted[2], 0);
    assert_int_equal(d.bodies[3].support, -1);
    assert_int_equal(d.bodies[0].support, 2);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_collision_shapes),
        cmocka_unit_test(test_ignored_joints),
        cmocka_unit_test(test_length_of_a_chain),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_fitted_bodies),
        cmocka_unit_test(test_movers_of_bones),
        cmocka_unit_test(test_length_from_the_last_body),
        cmocka_unit_test(test_length_without_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
