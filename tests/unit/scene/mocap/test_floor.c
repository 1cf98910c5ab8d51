// SPDX-License-Identifier: MIT
/* floor: heights, scale and slide of feet, by frames whose positions are worked out by hand */

#include <math.h>

#include "scene/mocap/floor.h"
#include "unit_test.h"

#define LEG 8.0
#define DEGREES (M_PI / 180)

enum { FRAMES = 60 };

typedef struct Take {
    FloorFrame frames[FRAMES];
    FloorPlan plans[FRAMES];
} Take;

static void plan_take(Take *take)
{
    Arena *arena = arena_create();
    Floor floor;
    floor_begin(&floor, (const double[]){1, 1}, LEG, FRAMES, arena);
    for (int k = 0; k < FRAMES; k++)
        floor_add(&floor, &take->frames[k]);
    floor_end(&floor);
    for (int k = 0; k < FRAMES; k++)
        floor_plan(&take->plans[k], &floor, &take->frames[k]);
    arena_destroy(arena);
}

/* A standing figure: ankles of the source at height 2, `apart` from the middle, and those of
 * the model, which has legs of 8. */
static void stand(Take *take, double apart, double model_apart)
{
    for (int k = 0; k < FRAMES; k++)
        for (int side = 0; side < 2; side++) {
            const double x = side ? -1 : 1;
            FloorFrame *f = &take->frames[k];
            f->hips[side] = (Vec3){x * apart, 10, 0};
            f->ankles[side] = (Vec3){x * apart, 2, 0};
            f->placed_hips[side] = (Vec3){x * model_apart, 9, 0};
            f->placed_ankles[side] = (Vec3){x * model_apart, 1, 0};
            f->forward = (Vec3){0, 0, -1};
        }
}

static Vec3 ankle(const Take *take, int frame, int side)
{
    const FloorFrame *f = &take->frames[frame];
    const FloorPlan *plan = &take->plans[frame];
    const Vec3 leg = vec3_sub(f->placed_ankles[side], f->placed_hips[side]);
    return vec3_add(vec3_add(f->placed_hips[side], plan->center),
                    quat_rotate(plan->corrections[side], leg));
}

static double angle_deg(Quat q)
{
    return 2 * atan2(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), fabs(q.w)) / DEGREES;
}

static double largest_correction(const Take *take)
{
    double largest = 0;
    for (int k = 0; k < FRAMES; k++)
        for (int side = 0; side < 2; side++)
            largest = fmax(largest, angle_deg(take->plans[k].corrections[side]));
    return largest;
}

static double slide(const Take *take, int side)
{
    double sum = 0;
    for (int k = 1; k < FRAMES; k++) {
        const Vec3 step = vec3_sub(ankle(take, k, side), ankle(take, k - 1, side));
        sum += hypot(step.x, step.z);
    }
    return sum;
}

static void expect_vector(Vec3 got, double x, double y, double z, double limit)
{
    if (vec3_length(vec3_sub(got, (Vec3){x, y, z})) > limit)
        fail_msg("%g %g %g instead of %g %g %g", got.x, got.y, got.z, x, y, z);
}

/* The ankle of the source is at 2, that of the model at 1, whatever both are in the file. */
static void test_stand(void **state)
{
    (void)state;
    Take take = {0};
    stand(&take, 1, 1.5);
    plan_take(&take);
    for (int k = 0; k < FRAMES; k++) {
        expect_vector(take.plans[k].center, 0, 0, 0, 1e-9);
        expect_vector(take.plans[k].ankles[0], 1.5, 1, 0, 1e-9);
        expect_vector(take.plans[k].ankles[1], -1.5, 1, 0, 1e-9);
    }
    assert_true(largest_correction(&take) < 1e-6);
}

/* The model's ankles are 0.4 before its hips and 0.3 to the left; it faces aside.  Its center
 * stays, because that is its usual pose. */
static void test_usual_offset(void **state)
{
    (void)state;
    Take take = {0};
    stand(&take, 1, 1);
    for (int k = 0; k < FRAMES; k++) {
        take.frames[k].forward = (Vec3){0.6, 0.5, -0.8};
        for (int side = 0; side < 2; side++) {
            take.frames[k].placed_ankles[side].x += 0.4 * 0.6 + 0.3 * 0.8;
            take.frames[k].placed_ankles[side].z += -0.4 * 0.8 + 0.3 * 0.6;
        }
    }
    plan_take(&take);
    for (int k = 0; k < FRAMES; k++)
        expect_vector(take.plans[k].center, 0, 0, 0, 1e-9);
}

/* A jump of 3: the center follows; the lower ankle is on the floor in 5 % of the frames. */
static void test_jump(void **state)
{
    (void)state;
    Take take = {0};
    stand(&take, 1, 1);
    for (int k = 3; k < FRAMES; k++)
        for (int side = 0; side < 2; side++) {
            take.frames[k].hips[side].y += 3;
            take.frames[k].ankles[side].y += 3;
        }
    plan_take(&take);
    expect_vector(take.plans[2].center, 0, 0, 0, 1e-9);
    expect_vector(take.plans[3].center, 0, 3, 0, 1e-9);
    expect_vector(ankle(&take, 59, 0), 1, 4, 0, 1e-9);
}

/* The source walks 6 to the side; the center follows, and both feet. */
static void test_travel(void **state)
{
    (void)state;
    Take take = {0};
    stand(&take, 1, 1);
    for (int k = 0; k < FRAMES; k++)
        for (int side = 0; side < 2; side++) {
            take.frames[k].hips[side].x += 0.5 * k;
            take.frames[k].ankles[side].x += 0.5 * k;
        }
    plan_take(&take);
    for (int k = 0; k < FRAMES; k++)
        expect_vector(take.plans[k].center, 0.5 * k, 0, 0, 0.016 + 1e-9);
}

/* A source whose feet tremble by 0.1 % of a leg: those of the model do not. */
static void test_noise(void **state)
{
    (void)state;
    Take take = {0};
    stand(&take, 1, 1);
    for (int k = 0; k < FRAMES; k++)
        take.frames[k].ankles[0].x += k % 2 * 0.008;
    plan_take(&take);
    assert_true(slide(&take, 0) < 1e-6);
    assert_true(slide(&take, 1) < 1e-6);
}

/* One that glides 0.4 % of a leg a frame leaves its foot at most 0.2 % of a leg behind. */
static void test_glide(void **state)
{
    (void)state;
    Take take = {0};
    stand(&take, 1, 1);
    for (int k = 0; k < FRAMES; k++)
        for (int side = 0; side < 2; side++) {
            take.frames[k].hips[side].z += 0.032 * k;
            take.frames[k].ankles[side].z += 0.032 * k;
        }
    plan_take(&take);
    for (int k = 1; k < FRAMES; k++) {
        expect_vector(ankle(&take, k, 0), 1, 1, 0.032 * k - 0.016, 1e-6);
        expect_vector(take.plans[k].center, 0, 0, 0.032 * k - 0.016, 1e-6);
    }
}

/* The hips sway above standing feet.  The model has wider hips; with exact directions its feet
 * would move against each other by 2 x 1.5 x (1 - cos 6 degrees) and 2 x 0.5 x sin 6 degrees. */
static void turn_hips(Take *take, double degrees)
{
    for (int k = 0; k < FRAMES; k++) {
        const double angle = degrees * DEGREES * sin(2 * M_PI * k / 30);
        for (int side = 0; side < 2; side++) {
            const double x = side ? -1 : 1;
            FloorFrame *f = &take->frames[k];
            f->hips[side] = (Vec3){x * cos(angle), 10, x * sin(angle)};
            const Vec3 leg = vec3_sub(f->ankles[side], f->hips[side]);
            f->placed_hips[side] = (Vec3){x * 1.5 * cos(angle), 9, x * 1.5 * sin(angle)};
            f->placed_ankles[side] = vec3_add(f->placed_hips[side], leg);
        }
    }
}

static void test_wider_hips(void **state)
{
    (void)state;
    Take take = {0};
    stand(&take, 1, 1.5);
    turn_hips(&take, 3); /* 0.5 sin 3 degrees = 0.026; 0.3 degrees of a leg are 0.042 */
    plan_take(&take);
    assert_true(slide(&take, 0) < 1e-6 && slide(&take, 1) < 1e-6);
    assert_true(fabs(largest_correction(&take) - asin(0.5 * sin(3 * DEGREES) / LEG) / DEGREES) <
                0.002);
    for (int k = 0; k < FRAMES; k++)
        for (int side = 0; side < 2; side++)
            assert_true(vec3_length(vec3_sub(ankle(&take, k, side), take.plans[k].ankles[side])) <
                        1e-9);
}

/* Beyond the limit a foot slides by what is left, and not back while it is within the limit. */
static void test_limit(void **state)
{
    (void)state;
    Take take = {0};
    stand(&take, 1, 1.5);
    turn_hips(&take, 6);
    plan_take(&take);
    const double path = 0.5 * sin(6 * DEGREES), limit = LEG * sin(0.3 * DEGREES);
    /* first beyond one limit, then three times from one to the other */
    const double expected = path - limit + 3 * 2 * (path - limit);
    assert_true(fabs(largest_correction(&take) - 0.3) < 1e-6);
    for (int side = 0; side < 2; side++)
        if (fabs(slide(&take, side) - expected) > 0.004)
            fail_msg("slides %g instead of %g", slide(&take, side), expected);
}

/* The left foot is lifted by 0.5 and moves by 2: the right one stays, also as the legs of the model
 * carry it 2.2 far; the left one lands near where the limbs put it. */
static void test_step(void **state)
{
    (void)state;
    Take take = {0};
    stand(&take, 1, 1);
    for (int k = 20; k < FRAMES; k++) {
        const double part = fmin(1, (k - 20) / 10.0);
        take.frames[k].ankles[0].z -= 2 * part;
        take.frames[k].ankles[0].y += 4 * part * (1 - part) * 0.5;
        take.frames[k].placed_ankles[0].z -= 2.2 * part;
        take.frames[k].placed_ankles[0].y += 4 * part * (1 - part) * 0.5;
    }
    plan_take(&take);
    assert_true(slide(&take, 1) < 0.06);
    const Vec3 landed = ankle(&take, 30, 0);
    assert_true(landed.z < -2.1 && landed.z > -2.2);
    for (int k = 31; k < FRAMES; k++)
        expect_vector(ankle(&take, k, 0), landed.x, 1, landed.z, 0.01);
}

/* A leg that points upwards, or that cannot reach, is not corrected. */
static void test_high_legs(void **state)
{
    (void)state;
    Take take = {0};
    stand(&take, 1, 1);
    for (int k = 1; k < FRAMES; k++) {
        take.frames[k].ankles[0] = (Vec3){1, 18, 0.3};
        take.frames[k].placed_ankles[0] = (Vec3){1, 17, 0};
        take.frames[k].ankles[1] = (Vec3){-1, 2, 0};
    }
    plan_take(&take);
    for (int k = 1; k < FRAMES; k++) {
        assert_true(angle_deg(take.plans[k].corrections[0]) == 0);
        expect_vector(ankle(&take, k, 1), -1, 1, 0, 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stand),      cmocka_unit_test(test_usual_offset),
        cmocka_unit_test(test_jump),       cmocka_unit_test(test_travel),
        cmocka_unit_test(test_noise),      cmocka_unit_test(test_glide),
        cmocka_unit_test(test_wider_hips), cmocka_unit_test(test_limit),
        cmocka_unit_test(test_step),       cmocka_unit_test(test_high_legs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
