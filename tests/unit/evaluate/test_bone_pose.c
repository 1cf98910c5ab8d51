// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "evaluate/pose.h"
#include "math/rotation.h"
#include "model_fixture.h"
#include "unit_test.h"

static const float H = 0.70710678f;

static void check_pose(const char *what, const BonePose *got, const BonePose *expected)
{
    float error = 0, dot = 0;
    for (int i = 0; i < 3; i++)
        error = fmaxf(error, fabsf(got->position[i] - expected->position[i]));
    for (int i = 0; i < 4; i++)
        dot += got->rotation[i] * expected->rotation[i];
    if (!(error < 1e-5f && fabsf(dot) > 1 - 1e-5f))
        fail_msg("%s: (%g %g %g), (%g %g %g %g)", what, (double)got->position[0],
                 (double)got->position[1], (double)got->position[2], (double)got->rotation[0],
                 (double)got->rotation[1], (double)got->rotation[2], (double)got->rotation[3]);
}

/* From no rotation to 90 degrees about z, whose quaternion is given with the other sign. */
static void blends_by_hand(void **state)
{
    (void)state;
    const BonePose a = {{1, 2, 3}, {0, 0, 0, 1}}, b = {{5, 0, 3}, {0, 0, -H, -H}};
    const struct {
        const char *what;
        float t;
        BonePose expected;
    } rows[] = {
        {"half", 0.5f, {{3, 1, 3}, {0, 0, 0.38268343f, 0.92387953f}}},
        {"a third", 1.0f / 3, {{1 + 4.0f / 3, 2 - 2.0f / 3, 3}, {0, 0, 0.25881905f, 0.96592583f}}},
        {"almost the end", 0.999999f, b},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const BonePose got = pose_between(&a, &b, rows[i].t);
        check_pose(rows[i].what, &got, &rows[i].expected);
    }
}

/* At and beyond the ends every bit is kept, which a rotation that is not normalized shows. */
static void ends_are_exact(void **state)
{
    (void)state;
    const BonePose a = {{1, 2, 3}, {0, 0, 0, 2}}, b = {{5, 0, 3}, {0, 0, -3, 0}};
    const struct {
        float t;
        const BonePose *expected;
    } rows[] = {{0, &a}, {-1, &a}, {NAN, &a}, {1, &b}, {2, &b}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const BonePose got = pose_between(&a, &b, rows[i].t);
        assert_memory_equal(&got, rows[i].expected, sizeof got);
    }
}

/*
 * A root at (1, 2, 3), rotated by 180 degrees about y, its child 2 above it and rotated by 90
 * degrees about z, and a tip 2 further along the child's x, which is up.  Half of it: the root is
 * rotated by 90 degrees, the child by 45, so that the tip is 2 away along (1, 1) of the root's x
 * and y, where x is -z of the model.
 */
static void eases_local_rotations(void **state)
{
    (void)state;
    PmxBone bones[] = {fixture_bone("tip", 2, 3, 4, 3), fixture_bone("root", -1, 1, 2, 3),
                       fixture_bone("child", 1, 1, 4, 3), fixture_bone("leaf", 0, 0, 0, 0)};
    uint32_t order[] = {1, 2, 0, 3};
    Model model = {.pmx = {.bones = bones, .bone_count = 4}, .parents_first = order};
    const BonePose pose[] = {{{1, 6, 3}, {H, H, 0, 0}}, /* y 180, z 90 */
                             {{1, 2, 3}, {0, 1, 0, 0}}, /* y 180 */
                             {{1, 4, 3}, {H, H, 0, 0}},
                             {{1, 6, 3}, {H, H, 0, 0}}}; /* at the tip */
    const float s = sinf((float)M_PI / 8), c = cosf((float)M_PI / 8), r = sqrtf(2);
    const struct {
        const char *what;
        float part;
        BonePose expected[4];
    } rows[] = {
        {"all", 1, {pose[0], pose[1], pose[2], pose[3]}},
        {"none",
         0,
         {{{3, 4, 3}, {0, 0, 0, 1}},
          {{1, 2, 3}, {0, 0, 0, 1}},
          {{1, 4, 3}, {0, 0, 0, 1}},
          {{3, 4, 3}, {0, 0, 0, 1}}}},
        {"half",
         0.5f,
         {{{1, 4 + r, 3 - r}, {H * s, H * c, H * s, H * c}},
          {{1, 2, 3}, {0, H, 0, H}},
          {{1, 4, 3}, {H * s, H * c, H * s, H * c}},
          {{1, 4 + r, 3 - r}, {H * s, H * c, H * s, H * c}}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BonePose got[4];
        pose_ease(got, pose, &model, rows[i].part);
        for (int k = 0; k < 4; k++)
            check_pose(rows[i].what, &got[k], &rows[i].expected[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blends_by_hand),
        cmocka_unit_test(ends_are_exact),
        cmocka_unit_test(eases_local_rotations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
