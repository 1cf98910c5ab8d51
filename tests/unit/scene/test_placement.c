// SPDX-License-Identifier: MIT
#include <math.h>

#include "near.h"
#include "scene/placement.h"
#include "unit_test.h"

#define HALF 0.70710678f

static void check_point(const char *what, Vec3 got, double x, double y, double z)
{
    if (fabs(got.x - x) > 1e-6 || fabs(got.y - y) > 1e-6 || fabs(got.z - z) > 1e-6)
        fail_msg("%s: (%g %g %g), not (%g %g %g)", what, got.x, got.y, got.z, x, y, z);
}

/* 90 degrees about z: x becomes y. */
static const Placement TURNED = {
    .position = {10, 20, 30}, .rotation = {0, 0, HALF, HALF}, .scale = 2};

static void points_by_hand(void **state)
{
    (void)state;
    const Vec3 p = {1, 2, 3};
    check_point("identity", placement_point(&PLACEMENT_NONE, p), 1, 2, 3);
    check_point("to the world", placement_point(&TURNED, p), 6, 22, 36);
    check_point("back", placement_inverse_point(&TURNED, (Vec3){6, 22, 36}), 1, 2, 3);
    const Quat q = placement_rotation(&TURNED, (Quat){1, 0, 0, 0});
    assert_near(q.x, (double)HALF, 1e-6);
    assert_near(q.y, (double)HALF, 1e-6);
    assert_near(q.z, 0, 1e-6);
    assert_near(q.w, 0, 1e-6);
}

/* The bone is at (1, 0, 0) of the model, so at (10, 22, 30), and rotated by 90 degrees about x on
 * top: its z is the model's -y, which is the world's x.  Own position (0, 0, 1) is 2 units long. */
static void bones_carry_what_is_attached(void **state)
{
    (void)state;
    const Quat about_x = {(double)HALF, 0, 0, (double)HALF};
    const Placement own = {.position = {0, 0, 1}, .rotation = {HALF, 0, 0, HALF}, .scale = 3};
    const Placement p = placement_on_bone(&TURNED, (Vec3){1, 0, 0}, about_x, &own);
    check_point("position", vec3_load(p.position), 12, 22, 30);
    assert_near((double)p.scale, 6, 0);
    /* 180 degrees about x, then 90 about z */
    check_point("y", quat_rotate(quat_load(p.rotation), (Vec3){0, 1, 0}), 1, 0, 0);
    check_point("z", quat_rotate(quat_load(p.rotation), (Vec3){0, 0, 1}), 0, 0, -1);
}

/* A .vac file applies first: its position is scaled, rotated and moved by the job. */
static void vac_files_apply_before_the_job(void **state)
{
    (void)state;
    const PlacementSpline no_path = {.count = 0};
    const Vac vac = {.position = {1, 2, 3}, .rotation_deg = {0, 90, 0}, .scale = 10};
    const Placement plain = placement_at(&TURNED, &no_path, NULL, 7);
    check_point("without a .vac", vec3_load(plain.position), 10, 20, 30);
    assert_near((double)plain.scale, 2, 0);
    const Placement p = placement_at(&TURNED, &no_path, &vac, 7);
    check_point("position", vec3_load(p.position), 6, 22, 36);
    assert_near((double)p.scale, 20, 0);
    /* 90 degrees about y: z becomes x; then x becomes y */
    check_point("z", quat_rotate(quat_load(p.rotation), (Vec3){0, 0, 1}), 0, 1, 0);
    /* 90 degrees about z, then about x: x becomes y, then z; z becomes -y, which the job rotates to
     * x */
    const Vac two = {.rotation_deg = {90, 0, 90}, .scale = 1};
    const Placement q = placement_at(&TURNED, &no_path, &two, 7);
    check_point("x of two axes", quat_rotate(quat_load(q.rotation), (Vec3){1, 0, 0}), 0, 0, 1);
    check_point("z of two axes", quat_rotate(quat_load(q.rotation), (Vec3){0, 0, 1}), 1, 0, 0);
}

static void paths_replace_position_and_rotation(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const PlacementPoint points[] = {
        {.frame = 0, .velocity = {NAN, NAN, NAN}},
        {.frame = 10, .position = {4, 5, 6}, .velocity = {NAN, NAN, NAN}}};
    const PlacementSpline path = placement_spline_bind(points, 2, (Vec3){0}, arena);
    const Placement p = placement_at(&TURNED, &path, NULL, 10);
    check_point("position", vec3_load(p.position), 4, 5, 6);
    assert_near((double)p.rotation[3], 1, 1e-6);
    assert_near((double)p.scale, 2, 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_by_hand),
        cmocka_unit_test(bones_carry_what_is_attached),
        cmocka_unit_test(vac_files_apply_before_the_job),
        cmocka_unit_test(paths_replace_position_and_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
