// SPDX-License-Identifier: MIT
/* view: the camera of an image as other programs read it */

#include <math.h>

#include "render/view.h"
#include "unit_test.h"

/* [x y z 1] M, divided by w. */
static void transform(double out[3], const float m[4][4], const double p[3])
{
    double sum[4];
    for (int c = 0; c < 4; c++)
        sum[c] = p[0] * (double)m[0][c] + p[1] * (double)m[1][c] + p[2] * (double)m[2][c] +
                 (double)m[3][c];
    for (int c = 0; c < 3; c++)
        out[c] = sum[c] / sum[3];
}

static void expect_near(const char *what, const double got[3], const double expected[3])
{
    for (int c = 0; c < 3; c++)
        if (!(fabs(got[c] - expected[c]) < 1e-4))
            fail_msg("%s: %g %g %g instead of %g %g %g", what, got[0], got[1], got[2], expected[0],
                     expected[1], expected[2]);
}

static View look(CameraState camera)
{
    return view_of(&camera, &LIGHT_DEFAULT, 200, 100);
}

/* The eye is 50 units in front of (0, 10, 0), where 50 units are as high as the image, and 100 as
 * wide.  Worked by hand. */
static void test_known_points(void **state)
{
    static const struct {
        const char *what;
        double point[3], camera[3], ndc[3];
    } cases[] = {
        {"the target", {0, 10, 0}, {0, 0, 50}, {0.5, 0.5, 0.02}},
        {"to the right and above", {25, 22.5, 0}, {25, 12.5, 50}, {0.75, 0.25, 0.02}},
        {"twice as far", {25, 22.5, 50}, {25, 12.5, 100}, {0.625, 0.375, 0.01}},
        {"the lower right corner", {50, -15, 0}, {50, -25, 50}, {1, 1, 0.02}},
    };
    const View view =
        look((CameraState){.target = {0, 10, 0}, .distance = -50, .fov_deg = 53.130102f});
    const ImageCamera camera = view_image_camera(&view);
    double got[3];
    (void)state;
    assert_false(camera.orthographic);
    assert_true(fabsf(camera.half_extent[1] - 0.5f) < 1e-6f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        transform(got, camera.world_to_camera, cases[i].point);
        expect_near(cases[i].what, got, cases[i].camera);
        transform(got, camera.world_to_ndc, cases[i].point);
        expect_near(cases[i].what, got, cases[i].ndc);
    }
}

/* Orthographic: z is the distance, and the height of the image is 0.5625 of that of the camera
 * (render/README.md 3): 45 units at 80. */
static void test_orthographic(void **state)
{
    const View view = look((CameraState){.distance = -80, .fov_deg = 30, .orthographic = true});
    const ImageCamera camera = view_image_camera(&view);
    static const double point[3] = {45, -11.25, 20}, expected[3] = {1, 0.75, 100};
    double got[3];
    (void)state;
    assert_true(camera.orthographic);
    transform(got, camera.world_to_ndc, point);
    expect_near("orthographic", got, expected);
}

/* A turned camera: the same image as by the matrix that draws. */
static void test_turned(void **state)
{
    static const double points[][3] = {{3, 8, -2}, {-5, 14, 6}, {0.5, 20, 1}};
    const View view = look((CameraState){
        .target = {1, 12, -3}, .rotation = {0.3f, -1.1f, 0.4f}, .distance = -40, .fov_deg = 35});
    const ImageCamera camera = view_image_camera(&view);
    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        vec4 p = {(float)points[i][0], (float)points[i][1], (float)points[i][2], 1}, clip;
        View copy = view;
        double got[3];
        glm_mat4_mulv(copy.clip, p, clip);
        transform(got, camera.world_to_ndc, points[i]);
        const double expected[3] = {0.5 + 0.5 * (double)(clip[0] / clip[3]),
                                    0.5 - 0.5 * (double)(clip[1] / clip[3]), 1 / (double)clip[3]};
        expect_near("turned", got, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_points),
                                       cmocka_unit_test(test_orthographic),
                                       cmocka_unit_test(test_turned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
