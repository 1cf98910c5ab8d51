// SPDX-License-Identifier: MIT
/* The structure of IK chains and the limits of rotations. */
#include <math.h>

#include "evaluate/ik/ik.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

static Quat euler(const int order[3], const double degrees[3])
{
    Quat q = QUAT_IDENTITY;
    for (int i = 0; i < 3; i++) {
        const int k = order[i];
        const Vec3 axis = {k == 0, k == 1, k == 2};
        q = quat_mul(q, quat_from_axis_angle(axis, degrees[k] * M_PI / 180));
    }
    return q;
}

/* evaluate/ik/README.md 2.1: the order of axes follows from the limits, each angle is clamped, or
 * reflected at its limit where that is inside the range. */
static void rotations_are_limited(void **state)
{
    (void)state;
    static const int yxz[3] = {1, 0, 2}, zyx[3] = {2, 1, 0}, xzy[3] = {0, 2, 1};
    const struct {
        const char *what;
        const int *order;
        double lower[3], upper[3], angles[3]; /* degrees about x, y, z */
        bool reflect;
        double expected[3];
    } rows[] = {
        {"Y X Z inside",
         yxz,
         {-60, -170, -170},
         {60, 170, 170},
         {40, 100, -130},
         false,
         {40, 100, -130}},
        {"Y X Z clamped",
         yxz,
         {-20, -50, -100},
         {30, 60, 120},
         {40, 100, -130},
         false,
         {30, 60, -100}},
        {"Y X Z reflected",
         yxz,
         {-20, -50, -100},
         {30, 60, 120},
         {40, 100, -130},
         true,
         {20, 20, -70}},
        {"reflected out of the range",
         yxz,
         {-20, -10, -5},
         {30, 10, 5},
         {-75, 40, -20},
         true,
         {-20, 10, -5}},
        {"reflected past the middle",
         yxz,
         {-20, -10, -10},
         {20, 10, 10},
         {50, 15, -15},
         true,
         {-10, 5, -5}},
        {"x limit of 90 degrees: Z Y X inside",
         zyx,
         {-90, -60, -170},
         {60, 60, 170},
         {-85, 50, 110},
         false,
         {-85, 50, 110}},
        {"Z Y X clamped",
         zyx,
         {-170, -30, -60},
         {170, 20, 80},
         {130, 50, 110},
         false,
         {130, 20, 80}},
        {"upper y limit of 90 degrees: X Z Y inside",
         xzy,
         {-170, -60, -80},
         {170, 90, 80},
         {140, -100, 70},
         false,
         {140, -60, 70}},
        {"X Z Y clamped",
         xzy,
         {-100, -120, -30},
         {95, 130, 20},
         {-140, 150, 70},
         false,
         {-100, 130, 20}},
        {"X Z Y near the pole",
         xzy,
         {-170, -120, -120},
         {170, 130, 120},
         {0, 0, 89.5},
         false,
         {0, 0, 88}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        IkLink link = {.limited = true};
        for (int k = 0; k < 3; k++) {
            link.lower[k] = rows[i].lower[k] * M_PI / 180;
            link.upper[k] = rows[i].upper[k] * M_PI / 180;
        }
        const Quat got =
            ik_limit_rotation(&link, euler(rows[i].order, rows[i].angles), rows[i].reflect);
        const Quat expected = euler(rows[i].order, rows[i].expected);
        if (fabs(quat_dot(got, expected)) < 1 - 1e-9)
            fail_msg("%s: (%g %g %g %g), not (%g %g %g %g)", rows[i].what, got.x, got.y, got.z,
                     got.w, expected.x, expected.y, expected.z, expected.w);
    }
}

/* A half turn about z, whose sign is that of zero, reflected exactly to the other limit. */
static void rotations_are_reflected_to_the_other_limit(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double end = 0.75 * M_PI, other = 2 * end - M_PI; /* as the reflection computes it */
        IkLink link = {.limited = true, .lower = {-1, -1, other}, .upper = {1, 1, end}};
        if (sign < 0) {
            link.lower[2] = -end;
            link.upper[2] = -other;
        }
        const Quat half = {copysign(0, sign), 0, 1, copysign(0, sign)};
        const Quat got = ik_limit_rotation(&link, half, true);
        const Quat expected = quat_from_axis_angle((Vec3){0, 0, 1}, sign * other);
        if (fabs(quat_dot(got, expected)) < 1 - 1e-9)
            fail_msg("%+d: (%g %g %g %g)", sign, got.x, got.y, got.z, got.w);
    }
}

/* The kind of a link follows from its limits and the fixed axis of its bone. */
static void kinds_of_links(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        bool limited;
        float lower[3], upper[3], fixed[3];
        IkLinkKind kind;
        Vec3 axis;
    } rows[] = {
        {"free", false, {0}, {0}, {0, 0, 0}, IK_FREE, {0, 0, 0}},
        {"limits of 0", true, {0}, {0}, {0, 0, 0}, IK_RIGID, {0, 0, 0}},
        {"limits of 0 and an axis", true, {0}, {0}, {0, 2, 0}, IK_RIGID, {0, 0, 0}},
        {"lower x", true, {-1, 0, 0}, {0}, {0, 0, 0}, IK_HINGE, {1, 0, 0}},
        {"upper y", true, {0}, {0, 1, 0}, {0, 0, 0}, IK_HINGE, {0, 1, 0}},
        {"both z", true, {0, 0, -1}, {0, 0, 1}, {0, 0, 0}, IK_HINGE, {0, 0, 1}},
        {"x and z", true, {-1, 0, 0}, {0, 0, 1}, {0, 0, 0}, IK_LIMITED, {0, 0, 0}},
        {"axis", false, {0}, {0}, {0, 3, 4}, IK_FIXED_AXIS, {0, 0.6, 0.8}},
        {"hinge about its axis", true, {-1, 0, 0}, {0}, {-5, 0, 0}, IK_HINGE, {1, 0, 0}},
        {"hinge about another", true, {-1, 0, 0}, {0}, {0, 2, 0}, IK_FIXED_AXIS, {0, 1, 0}},
        {"limits and an axis", true, {-1, 0, 0}, {0, 1, 0}, {0, 2, 0}, IK_FIXED_AXIS, {0, 1, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxIkLink link = {.bone = 0, .limited = rows[i].limited};
        for (int k = 0; k < 3; k++) {
            link.lower[k] = rows[i].lower[k];
            link.upper[k] = rows[i].upper[k];
        }
        PmxModel pmx = fixture_empty();
        PmxBone bones[] = {fixture_bone("link", -1, 0, 0, 0), fixture_bone("effector", 0, 0, 2, 0),
                           fixture_bone("goal", -1, 2, 0, 0)};
        bones[2].flags |= PMX_BONE_IK;
        bones[2].ik = (PmxIk){.effector = 1, .loops = 1, .links = &link, .link_count = 1};
        bones[0].flags |= PMX_BONE_FIXED_AXIS;
        pmx.bones = bones;
        pmx.bone_count = 3;
        for (int k = 0; k < 3; k++)
            bones[0].fixed_axis[k] = rows[i].fixed[k];
        const Scene *scene = fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena);
        static const uint32_t order_index[] = {0, 1, 2};
        IkChain chain;
        ik_chain_create(&chain, scene->models[0].model, 2, order_index, arena);
        const IkLink *got = &chain.links[0];
        if (got->kind != rows[i].kind || got->limited != rows[i].limited ||
            vec3_length(vec3_sub(got->axis, rows[i].axis)) > 1e-6)
            fail_msg("%s: kind %d, axis (%g %g %g)", rows[i].what, got->kind, got->axis.x,
                     got->axis.y, got->axis.z);
        if (got->kind == IK_HINGE)
            assert_int_equal(got->axis_index, got->axis.y > 0 ? 1 : got->axis.z > 0 ? 2 : 0);
        arena_destroy(arena);
    }
}

/*
 * Bones 0 to 4 are a chain; 3 is the effector, links are 2 and 1, and 5 and 6 branch off 1 and 5;
 * 7 is the goal, a child of 4, and 8 a child of 0.  So the path is 1 2 3; 4 to 7 are below it,
 * but only as far as they precede the goal in the order.
 */
static void structure_of_a_chain(void **state)
{
    (void)state;
    enum { GOAL_BONE = 7, COUNT = 9 };
    static const int32_t parents[COUNT] = {-1, 0, 1, 2, 3, 1, 5, 4, 0};
    static const struct {
        uint32_t order_index[COUNT];
        uint32_t below[4], below_count;
    } rows[] = {
        {{0, 1, 2, 3, 4, 5, 6, 7, 8}, {5, 6, 4, 7}, 4},
        {{0, 1, 2, 3, 4, 7, 8, 5, 6}, {4, 7}, 2},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        PmxModel pmx = fixture_empty();
        PmxIkLink links[] = {{.bone = 8}, {.bone = 2}, {.bone = -1}, {.bone = 1}, {.bone = 3}};
        pmx.bones = arena_array(arena, PmxBone, COUNT);
        pmx.bone_count = COUNT;
        for (int i = 0; i < COUNT; i++)
            pmx.bones[i] = fixture_bone("bone", parents[i], 0, (float)i, 0);
        pmx.bones[GOAL_BONE].flags |= PMX_BONE_IK;
        pmx.bones[GOAL_BONE].ik =
            (PmxIk){.effector = 3, .loops = 7, .unit_angle = 0.5f, .links = links, .link_count = 5};
        const Scene *scene = fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena);
        IkChain chain;
        ik_chain_create(&chain, scene->models[0].model, GOAL_BONE, rows[r].order_index, arena);
        assert_true(chain.goal == GOAL_BONE && chain.effector == 3 && chain.loops == 7 &&
                    chain.unit_angle == 0.5);
        assert_int_equal(chain.path_count, 3);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(chain.path[i], i + 1);
        assert_int_equal(chain.link_count, 2);
        assert_true(chain.links[0].bone == 2 && chain.links[0].path_index == 1);
        assert_true(chain.links[1].bone == 1 && chain.links[1].path_index == 0);
        assert_int_equal(chain.below_count, rows[r].below_count);
        for (uint32_t i = 0; i < chain.below_count; i++)
            assert_int_equal(chain.below[i], rows[r].below[i]);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_are_limited),
        cmocka_unit_test(rotations_are_reflected_to_the_other_limit),
        cmocka_unit_test(kinds_of_links),
        cmocka_unit_test(structure_of_a_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
