// SPDX-License-Identifier: MIT
/* focus: distances of points that move with bones, along the view */

#include "near.h"
#include "picture/look/focus.h"
#include "unit_test.h"

/* At the origin, looking along +z. */
static const CameraState CAMERA = {.target = {0, 0, 8}, .distance = -8, .fov_deg = 90};

static float focus_of(const FrameState *frame, uint32_t model, int32_t bone)
{
    const FocusOptions focus = {
        .model_index = model, .point_count = bone >= 0, .points = {{.bone = bone}}};

    return focus_distance(&focus, frame);
}

static void test_focus(void **state)
{
    BonePose bones[2] = {{.position = {9, 9, 9}, .rotation = {0, 0, 0, 1}},
                         {.position = {4, 1, 3}, .rotation = {0, 0, 0, 1}}};
    ModelState models[2] = {
        {.placement = {{0, 0, 0}, {0, 0, 0, 1}, 1}, .bones = bones},
        {.placement = {{7, -2, 1}, {0, 0, 0, 1}, 2}, .bones = bones},
    };
    FrameState frame = {.models = models, .camera = CAMERA};
    (void)state;
    assert_near((double)focus_of(&frame, 0, 1), 3, 1e-5);
    assert_near((double)focus_of(&frame, 1, 1), 7, 1e-5); /* twice as large, 1 further away */
    assert_near((double)focus_of(&frame, 1, -1), 8, 1e-5);
    assert_near((double)focus_distance(&(FocusOptions){.distance = 5}, &frame), 5, 0);
    bones[1].position[2] = -5; /* behind the eye */
    assert_near((double)focus_of(&frame, 0, 1), (double)FOCUS_MIN_DISTANCE, 0);
}

/* Of two points the nearer one, which moves with its bone: half a turn around the y axis puts what
 * was 1 in front of the bone 1 behind it. */
static void test_focus_points(void **state)
{
    BonePose bones[2] = {{.position = {2, 0, 9}, .rotation = {0, 0, 0, 1}},
                         {.position = {-2, 0, 8}, .rotation = {0, 0, 0, 1}}};
    ModelState model = {.placement = {{0, 0, 0}, {0, 0, 0, 1}, 1}, .bones = bones};
    const FrameState frame = {.models = &model, .camera = CAMERA};
    const FocusOptions focus = {.point_count = 2,
                                .points = {{0, {0.3f, 0, -1}}, {1, {0.3f, 0.1f, -1}}}};
    (void)state;
    assert_near((double)focus_distance(&focus, &frame), 7, 1e-5);
    bones[1].rotation[1] = 1, bones[1].rotation[3] = 0;
    assert_near((double)focus_distance(&focus, &frame), 8,
                1e-5); /* the first one now; it is at 9 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_focus),
        cmocka_unit_test(test_focus_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
