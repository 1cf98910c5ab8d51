// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "scene/key_spline.h"
#include "unit_test.h"

static const double DEGREE = M_PI / 180;

static CameraPoint point_at(double frame, Vec3 eye, Vec3 target)
{
    return (CameraPoint){.frame = frame,
                         .eye = eye,
                         .target = target,
                         .up = {0, 1, 0},
                         .fov_deg = 30,
                         .velocity = {NAN, NAN, NAN}};
}

static double apart(const float a[3], Vec3 b)
{
    return vec3_length(vec3_sub(vec3_load(a), b));
}

/* On a point the camera has exactly the given values, for any interpolation. */
static void points_are_exact(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    CameraPoint points[] = {
        point_at(0, (Vec3){0, 12, -40}, (Vec3){0, 10, 0}),
        point_at(30, (Vec3){30, 2, 10}, (Vec3){1, 15, 2}),
        point_at(75.5, (Vec3){-5, 60, 0}, (Vec3){-5, 0, 0}), /* straight down: up is level */
        point_at(90, (Vec3){3, 3, 30}, (Vec3){3, 3, 0}),
    };
    points[1].roll_deg = 20;
    points[1].fov_deg = 50;
    points[2].up = (Vec3){0, 0, 5};
    for (int orientation = 0; orientation < 2; orientation++) {
        const CameraSpline path =
            camera_spline_bind(points, 4, (SplineOrientation)orientation, arena);
        for (int i = 0; i < 4; i++) {
            const CameraState camera = camera_spline_at(&path, points[i].frame);
            const CameraAxes axes = camera_axes(&camera);
            const Vec3 view = vec3_normalize(vec3_sub(points[i].target, points[i].eye));
            assert_true(apart(axes.eye, points[i].eye) < 1e-4);
            assert_true(apart(axes.forward, view) < 1e-6);
            assert_true(apart(camera.target, points[i].target) < 1e-4);
            assert_true(fabs((double)camera.fov_deg - points[i].fov_deg) < 1e-5);
            if (i == 2) /* up is +z: right is x = up cross forward = (0,0,1) x (0,-1,0) */
                assert_true(apart(axes.right, (Vec3){1, 0, 0}) < 1e-6);
            else if (i != 1) /* without roll the horizon is level */
                assert_true(fabsf(axes.right[1]) < 1e-6f);
            else /* up leans to the right by the roll: right falls by its sine of what is level */
                assert_true(fabs((double)axes.right[1] +
                                 sin(20 * DEGREE) * sqrt(1 - view.y * view.y)) < 1e-6);
        }
    }
    arena_destroy(arena);
}

/* camera_rotation_of_axes is the inverse of camera_axes, also where one angle is lost. */
static void rotations_of_axes(void **state)
{
    (void)state;
    for (int x = -90; x <= 90; x += 15)
        for (int y = -180; y <= 180; y += 45)
            for (int z = -180; z <= 180; z += 45) {
                const CameraState camera = {
                    .rotation = {(float)(x * DEGREE), (float)(y * DEGREE), (float)(z * DEGREE)}};
                const CameraAxes wanted = camera_axes(&camera);
                const Axes axes = {vec3_load(wanted.right), vec3_load(wanted.up),
                                   vec3_load(wanted.forward)};
                CameraState again = {0};
                camera_rotation_of_axes(again.rotation, &axes);
                const CameraAxes got = camera_axes(&again);
                if (apart(got.right, axes.x) + apart(got.up, axes.y) + apart(got.forward, axes.z) >
                    3e-6)
                    fail_msg("%d %d %d degrees", x, y, z);
            }
}

static void interpolates_targets_or_rotations(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Vec3 target = {0, 10, 0};
    const CameraPoint points[] = {point_at(0, (Vec3){0, 10, -40}, target),
                                  point_at(60, (Vec3){40, 10, 0}, target)};
    const CameraSpline follows = camera_spline_bind(points, 2, SPLINE_FOLLOWS_TARGET, arena);
    const CameraSpline turns = camera_spline_bind(points, 2, SPLINE_TURNS_AXES, arena);
    for (int frame = 0; frame <= 60; frame++) {
        const CameraState a = camera_spline_at(&follows, frame),
                          b = camera_spline_at(&turns, frame);
        const CameraAxes at = camera_axes(&a), bt = camera_axes(&b);
        assert_true(apart(a.target, target) < 1e-5); /* up to the end */
        assert_true(apart(at.eye, vec3_load(bt.eye)) < 1e-4);
        assert_true(fabsf(bt.forward[1]) < 1e-6f && bt.forward[0] < 1e-6f &&
                    bt.forward[2] > -1e-6f);
    }
    /* by symmetry half way: eye (20, 10, -20), looking along (-1, 0, 1) either way */
    const CameraState half = camera_spline_at(&turns, 30);
    const CameraAxes axes = camera_axes(&half);
    assert_true(apart(axes.eye, (Vec3){20, 10, -20}) < 1e-4);
    assert_true(apart(axes.forward, (Vec3){-sqrt(0.5), 0, sqrt(0.5)}) < 1e-6);
    arena_destroy(arena);
}

static void velocities_are_kept(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    CameraPoint points[] = {point_at(0, (Vec3){0, 0, -40}, (Vec3){0, 0, 0}),
                            point_at(30, (Vec3){10, 0, -40}, (Vec3){0, 0, 0}),
                            point_at(90, (Vec3){10, 20, -40}, (Vec3){0, 0, 0})};
    points[1].velocity = (Vec3){15, 0, -7.5};
    const CameraSpline path = camera_spline_bind(points, 3, SPLINE_FOLLOWS_TARGET, arena);
    const double h = 1e-3;
    const double sides[][2] = {{30 - h, 30}, {30, 30 + h}};
    for (int i = 0; i < 2; i++) {
        const double x =
            spline_at(&path.eye[0], sides[i][1]) - spline_at(&path.eye[0], sides[i][0]);
        const double z =
            spline_at(&path.eye[2], sides[i][1]) - spline_at(&path.eye[2], sides[i][0]);
        assert_true(fabs(x / h - 0.5) < 1e-3 && fabs(z / h + 0.25) < 1e-3);
    }
    /* at rest at both ends */
    assert_true(fabs(spline_at(&path.eye[1], 90 - h) - 20) < 1e-4);
    assert_true(fabs(spline_at(&path.eye[0], h)) < 1e-4);

    const CameraSpline cubic = camera_spline_cubic(&path, arena);
    assert_true(cubic.eye[1].segments[1].weight == 1 && path.eye[1].segments[1].weight < 1);
    arena_destroy(arena);
}

static void cuts_are_not_blended(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    CameraPoint points[] = {point_at(0, (Vec3){0, 0, -40}, (Vec3){0, 0, 0}),
                            point_at(10, (Vec3){0, 0, -20}, (Vec3){0, 0, 0}),
                            point_at(20, (Vec3){30, 0, 0}, (Vec3){0, 0, 0}),
                            point_at(30, (Vec3){60, 0, 0}, (Vec3){0, 0, 0})};
    points[2].cut = true;
    for (int orientation = 0; orientation < 2; orientation++) {
        const CameraSpline path =
            camera_spline_bind(points, 4, (SplineOrientation)orientation, arena);
        const struct {
            double frame;
            Vec3 eye;
        } rows[] = {{-5, {0, 0, -40}}, {0, {0, 0, -40}}, {5, {0, 0, -30}},      {10, {0, 0, -20}},
                    {15, {0, 0, -20}}, {20, {30, 0, 0}}, {19.999, {0, 0, -20}}, {25, {45, 0, 0}},
                    {30, {60, 0, 0}},  {99, {60, 0, 0}}};
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const CameraState camera = camera_spline_at(&path, rows[i].frame);
            const CameraAxes axes = camera_axes(&camera);
            const Vec3 view = vec3_scale(vec3_normalize(rows[i].eye), -1);
            if (apart(axes.eye, rows[i].eye) > 1e-4 || apart(axes.forward, view) > 1e-6)
                fail_msg("frame %g: eye %g %g %g", rows[i].frame, (double)axes.eye[0],
                         (double)axes.eye[1], (double)axes.eye[2]);
        }
    }
    arena_destroy(arena);
}

/* Turning starts, stops and goes through a pause without a jerk: its speed is 0 there. */
static void rotation_pauses_at_points(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PlacementPoint points[4] = {0};
    const double degrees[] = {0, 60, 60, 180};
    Quat turned[4];
    for (int i = 0; i < 4; i++) {
        points[i].frame = 30 * i;
        points[i].position = (Vec3){i, 0, 0};
        points[i].rotation_deg.y = degrees[i];
        points[i].velocity.x = NAN;
        turned[i] = quat_from_axis_angle((Vec3){0, 1, 0}, degrees[i] * DEGREE);
    }
    const PlacementSpline path = placement_spline_bind(points, 4, (Vec3){0}, arena);
    float position[3], q[4], before[4];
    for (int i = 0; i < 4; i++) {
        placement_spline_at(position, q, &path, 30 * i);
        assert_true(apart(position, points[i].position) < 1e-6);
        assert_true(fabs(quat_dot(quat_normalize(quat_load(q)), turned[i])) > 1 - 1e-12);
        for (int side = -1; side < 2; side += 2) {
            placement_spline_at(position, before, &path, 30 * i + side * 0.1);
            const double dot =
                fabs(quat_dot(quat_normalize(quat_load(q)), quat_normalize(quat_load(before))));
            assert_true(dot > 1 - 1e-7); /* evenly it would turn by 0.2 degrees: 1 - 1.5e-6 */
        }
    }
    placement_spline_at(position, q, &path, 45);
    assert_true(fabs(quat_dot(quat_normalize(quat_load(q)), turned[1])) > 1 - 1e-12);
    arena_destroy(arena);
}

static void light_changes(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    LightPoint points[] = {
        {.frame = 0, .color = {0, 0.5, 1}, .direction = {0, -2, 0}},
        {.frame = 30, .color = {1, 0.5, 0}, .direction = {3, 0, 0}},
        {.frame = 60, .cut = true, .color = {1, 1, 1}, .direction = {0, 0, 1}},
    };
    const LightSpec spec = {.path = points, .path_count = 3};
    const LightSpline path = light_spline_bind(&spec, arena);
    const struct {
        double frame;
        Vec3 color, direction;
    } rows[] = {{0, {0, 0.5, 1}, {0, -1, 0}},
                {15, {0.5, 0.5, 0.5}, {sqrt(0.5), -sqrt(0.5), 0}},
                {30, {1, 0.5, 0}, {1, 0, 0}},
                {59.9, {1, 0.5, 0}, {1, 0, 0}},
                {60, {1, 1, 1}, {0, 0, 1}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const LightState light = light_spline_at(&path, rows[i].frame);
        if (apart(light.color, rows[i].color) > 1e-6 ||
            apart(light.direction, rows[i].direction) > 1e-6)
            fail_msg("frame %g", rows[i].frame);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_exact),
        cmocka_unit_test(rotations_of_axes),
        cmocka_unit_test(interpolates_targets_or_rotations),
        cmocka_unit_test(velocities_are_kept),
        cmocka_unit_test(cuts_are_not_blended),
        cmocka_unit_test(rotation_pauses_at_points),
        cmocka_unit_test(light_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
