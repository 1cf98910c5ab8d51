// SPDX-License-Identifier: MIT
/* The path of a following camera: laws of cubic B-splines, and cuts. */
#include <math.h>

#include "near.h"
#include "scene/follow.h"
#include "unit_test.h"

enum { POINTS = 9 };

/* Points on a line in space: x = 2 i, y = 1 - i, z = 5, distance 40 + 3 i. */
static void line(FollowPoint points[POINTS])
{
    for (int i = 0; i < POINTS; i++)
        points[i] = (FollowPoint){{2.0 * i, 1.0 - i, 5}, 40 + 3.0 * i};
}

/* B-splines reproduce straight lines; at an end the last point counts twice. */
static void lines_stay_lines(void **state)
{
    (void)state;
    FollowPoint points[POINTS];
    FollowSegment segment = {.start = 10, .rotation = {0.1f, 0.2f, 0.3f}, points, POINTS};
    const FollowTrack track = {&segment, 1, 5, 33};
    line(points);
    for (double frame = 15; frame <= 45; frame += 0.7) {
        const double at = (frame - 10) / 5;
        const CameraState camera = follow_at(&track, frame);
        assert_near((double)camera.target[0], 2 * at, 1e-5);
        assert_near((double)camera.target[1], 1 - at, 1e-5);
        assert_near((double)camera.target[2], 5, 1e-5);
        assert_near((double)camera.distance, -(40 + 3 * at), 1e-5);
        assert_true(camera.fov_deg == 33 && !camera.orthographic);
        assert_true(camera.rotation[0] == 0.1f && camera.rotation[2] == 0.3f);
    }
    /* (x0 + 4 x0 + x1) / 6 at the first point */
    assert_near((double)follow_at(&track, 10).target[0], 2.0 / 6, 1e-6);
    assert_near((double)follow_at(&track, -1e9).target[0], 2.0 / 6, 1e-6);
    assert_near((double)follow_at(&track, 1e9).target[0], 16, 1e-6);
    assert_near((double)follow_at(&track, 50).target[0], 16 - 2.0 / 6, 1e-6);
}

/* One point that differs gives the basis function: 1/6, 2/3, 1/6 at the points, 0 from two on. */
static void one_point_has_a_short_support(void **state)
{
    (void)state;
    static const double values[] = {0, 0, 1.0 / 6, 2.0 / 3, 1.0 / 6, 0, 0};
    FollowPoint points[POINTS] = {{{0, 0, 0}, 1}};
    FollowSegment segment = {.start = 0, .points = points, .count = POINTS};
    const FollowTrack track = {&segment, 1, 4, 30};
    for (int i = 0; i < POINTS; i++)
        points[i] = (FollowPoint){{0, 0, 0}, 1};
    points[4].target.x = 1;
    for (int i = 0; i < 7; i++)
        assert_near((double)follow_at(&track, 4.0 * (i + 1)).target[0], values[i], 1e-7);
    /* 23/48 in the middle of two points */
    assert_near((double)follow_at(&track, 14).target[0], 23.0 / 48, 1e-7);
}

/* Speed and acceleration have no jumps: their differences over a small step are small. */
static void paths_are_smooth(void **state)
{
    (void)state;
    static const double distances[] = {10, 50, 20, 20, 90, 30, 70, 70, 10};
    FollowPoint points[POINTS] = {{{0, 0, 0}, 1}};
    FollowSegment segment = {.start = 0, .points = points, .count = POINTS};
    const FollowTrack track = {&segment, 1, 1, 30};
    const double h = 1.0 / 64;
    for (int i = 0; i < POINTS; i++)
        points[i].distance = distances[i];
    double before = 0;
    for (int i = 64; i < 7 * 64; i++) { /* the third derivative is at most 8 * 90 */
        const double a = (double)follow_at(&track, (i - 1) * h).distance;
        const double b = (double)follow_at(&track, i * h).distance;
        const double c = (double)follow_at(&track, (i + 1) * h).distance;
        const double acceleration = (a - 2 * b + c) / (h * h);
        if (i > 64)
            assert_near(acceleration, before, 8 * 90 * h + 0.2);
        before = acceleration;
    }
}

static void cuts_separate_segments(void **state)
{
    (void)state;
    FollowPoint points[] = {{{1, 0, 0}, 10}, {{2, 0, 0}, 20}, {{3, 0, 0}, 30}};
    FollowSegment segments[] = {{0, {0, 0, 0}, &points[0], 1},
                                {7.5, {0, 1, 0}, &points[1], 1},
                                {9, {0, 2, 0}, &points[2], 1}};
    const FollowTrack track = {segments, 3, 3, 30};
    static const struct {
        double frame;
        float target, yaw;
    } rows[] = {{-1, 1, 0}, {0, 1, 0},     {7.4999, 1, 0}, {7.5, 2, 1},
                {8, 2, 1},  {8.999, 2, 1}, {9, 3, 2},      {1e6, 3, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const CameraState camera = follow_at(&track, rows[i].frame);
        if (camera.target[0] != rows[i].target || camera.rotation[1] != rows[i].yaw ||
            camera.distance != -10 * rows[i].target)
            fail_msg("frame %g: target %g, yaw %g", rows[i].frame, (double)camera.target[0],
                     (double)camera.rotation[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_stay_lines),
        cmocka_unit_test(one_point_has_a_short_support),
        cmocka_unit_test(paths_are_smooth),
        cmocka_unit_test(cuts_separate_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
