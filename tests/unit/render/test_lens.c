// SPDX-License-Identifier: MIT
/* lens: projected points move as the geometry of a thin lens says */

#include <string.h>

#include "near.h"
#include "render/view.h"
#include "unit_test.h"

enum { WIDTH = 400, HEIGHT = 200 };

/* At the origin, looking along +z; half the height is 1 at distance 1. */
static CameraState camera(bool orthographic)
{
    return (CameraState){.target = {0, 0, 8},
                         .distance = orthographic ? -16 : -8,
                         .fov_deg = 90,
                         .orthographic = orthographic};
}

static View view(bool orthographic)
{
    const CameraState c = camera(orthographic);
    const LightState light = LIGHT_DEFAULT;
    return view_of(&c, &light, WIDTH, HEIGHT);
}

/* Place in the image, in pixels from its middle, to the right and down. */
static void project(double out[2], const View *v, const float point[3])
{
    double clip[4];
    for (int row = 0; row < 4; row++)
        clip[row] = (double)(v->clip[0][row] * point[0] + v->clip[1][row] * point[1] +
                             v->clip[2][row] * point[2] + v->clip[3][row]);
    out[0] = clip[0] / clip[3] * WIDTH / 2;
    out[1] = -clip[1] / clip[3] * HEIGHT / 2;
}

static void expect_at(const View *v, const float point[3], double x, double y)
{
    double at[2];
    project(at, v, point);
    assert_near(at[0], x, 1e-3);
    assert_near(at[1], y, 1e-3);
}

static void test_middle(void **state)
{
    View v = view(false);
    const RenderLens lens = {.focus = 5};
    (void)state;
    expect_at(&v, (const float[3]){3, 1, 10}, 30, -10);
    lens_apply(&v, &lens, WIDTH, HEIGHT);
    expect_at(&v, (const float[3]){3, 1, 10}, 30, -10);
}

/* From (0.5, -0.2) on the lens, focused at 5: a point at 5 stays.  At 10 it is seen
 * from 0.5 further right, so 5 pixels further left; the plane in focus moved it 10 to the right. */
static void test_offset(void **state)
{
    View v = view(false);
    const RenderLens lens = {.offset = {0.5f, -0.2f}, .focus = 5};
    (void)state;
    lens_apply(&v, &lens, WIDTH, HEIGHT);
    expect_at(&v, (const float[3]){1, 2, 5}, 20, -40);
    expect_at(&v, (const float[3]){-4, -1, 5}, -80, 20);
    expect_at(&v, (const float[3]){3, 1, 10}, 30 - 5 + 10, -10 - 2 + 4);
    expect_at(&v, (const float[3]){0, 0, 2.5f}, -20 + 10, -8 + 4);
    assert_near((double)v.axes.eye[0], 0.5, 1e-6);
    assert_near((double)v.axes.eye[1], -0.2, 1e-6);
}

static void test_pixel(void **state)
{
    const RenderLens lens = {.pixel = {0.25f, -0.5f}, .offset = {1, 1}, .focus = 10};
    View v = view(false);
    (void)state;
    lens_apply(&v, &lens, WIDTH, HEIGHT);
    expect_at(&v, (const float[3]){3, 1, 10}, 30.25, -10.5);
}

/* A parallel view has no depth of field, but antialiasing. */
static void test_orthographic(void **state)
{
    const RenderLens lens = {.pixel = {0.25f, -0.5f}, .offset = {1, 1}, .focus = 10};
    View v = view(true);
    double before[2];
    (void)state;
    project(before, &v, (const float[3]){3, 1, 30});
    lens_apply(&v, &lens, WIDTH, HEIGHT);
    expect_at(&v, (const float[3]){3, 1, 30}, before[0] + 0.25, before[1] - 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_middle),
        cmocka_unit_test(test_offset),
        cmocka_unit_test(test_pixel),
        cmocka_unit_test(test_orthographic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
