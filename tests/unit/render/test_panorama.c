// SPDX-License-Identifier: MIT
/* panorama: where known directions fall in each projection, and where faces of a cube meet */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "near.h"
#include "render/panorama.h"
#include "unit_test.h"

static Panorama panorama(Projection projection, Stereo stereo, int width, int height)
{
    const PanoramaOptions options = {
        .projection = projection, .angle = (float)PI, .stereo = stereo, .eye_distance = 0.8f};
    return panorama_of(&options, width, height);
}

static void expect_direction(const Panorama *p, double x, double y, const double expected[3])
{
    double got[3], length = 0;
    assert_true(panorama_direction(got, p, x, y));
    for (int i = 0; i < 3; i++)
        length += got[i] * got[i];
    for (int i = 0; i < 3; i++)
        assert_near(got[i] / sqrt(length), expected[i], 1e-6);
}

typedef struct Known {
    double x, y, direction[3]; /* to the right, up, ahead */
} Known;

static void expect_known(const Panorama *p, const Known *known, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_direction(p, known[i].x, known[i].y, known[i].direction);
}

#define H 0.70710678 /* of 45 degrees, the sine */

/* 400 x 200: a degree of longitude is 400 / 360 pixels, one of latitude 200 / 180. */
static void test_equirect(void **state)
{
    static const Known known[] = {
        {200, 100, {0, 0, 1}},    {300, 100, {1, 0, 0}},  {100, 100, {-1, 0, 0}},
        {0, 100, {0, 0, -1}},     {400, 100, {0, 0, -1}}, {200, 0, {0, 1, 0}},
        {17, 200, {0, -1, 0}},    {200, 50, {0, H, H}},   {250, 100, {H, 0, H}},
        {250, 50, {0.5, H, 0.5}}, /* 45 degrees to the right, and 45 above that */
    };
    const Panorama p = panorama(PROJECTION_EQUIRECT, STEREO_NONE, 400, 200);
    (void)state;
    expect_known(&p, known, sizeof known / sizeof *known);
}

/* The image of an eye is 200 x 200 and shows 180 degrees in both directions. */
static void test_vr180(void **state)
{
    static const Known known[] = {
        {100, 100, {0, 0, 1}}, {200, 100, {1, 0, 0}},  {0, 100, {-1, 0, 0}},
        {150, 100, {H, 0, H}}, {100, 150, {0, -H, H}}, {150, 50, {0.5, H, 0.5}},
    };
    const Panorama p = panorama(PROJECTION_VR180, STEREO_LEFT_RIGHT, 400, 200);
    (void)state;
    assert_int_equal(p.eyes, 2);
    assert_int_equal(p.width, 200);
    assert_false(p.used[FACE_BACK]);
    expect_known(&p, known, sizeof known / sizeof *known);
}

/* A circle of 180 degrees with the radius 100 in an image of 300 x 200. */
static void test_fisheye(void **state)
{
    static const Known known[] = {
        {150, 100, {0, 0, 1}},
        {250, 100, {1, 0, 0}},
        {150, 0, {0, 1, 0}},
        {200, 100, {H, 0, H}},
        {150, 150, {0, -H, H}},
        {150 + 50 * H, 100 - 50 * H, {0.5, 0.5, H}}, /* 45 degrees, half right and half up */
    };
    const Panorama p = panorama(PROJECTION_FISHEYE, STEREO_NONE, 300, 200);
    double direction[3];
    (void)state;
    expect_known(&p, known, sizeof known / sizeof *known);
    assert_false(panorama_direction(direction, &p, 260, 100));
    assert_false(panorama_direction(direction, &p, 230, 30));
}

/* Squares of 100: right, left, up above down, front, back.  The top of up is ahead, that of down
 * behind, as libavutil/spherical.h says of its cube maps. */
static void test_cube(void **state)
{
    static const Known known[] = {
        {50, 50, {1, 0, 0}},    {150, 50, {-1, 0, 0}},      {250, 50, {0, 1, 0}},
        {50, 150, {0, -1, 0}},  {150, 150, {0, 0, 1}},      {250, 150, {0, 0, -1}},
        {0.001, 50, {H, 0, H}}, /* the left edge of right is the right one of front */
        {250, 0, {0, H, H}},    {50, 100.001, {0, -H, -H}}, {150, 100.001, {0, H, H}},
    };
    const Panorama p = panorama(PROJECTION_CUBE, STEREO_NONE, 300, 200);
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double got[3];
        assert_true(panorama_direction(got, &p, known[i].x, known[i].y));
        const double length = sqrt(got[0] * got[0] + got[1] * got[1] + got[2] * got[2]);
        for (int k = 0; k < 3; k++)
            assert_near(got[k] / length, known[i].direction[k], 1e-4);
    }
}

/* Where a view that was turned to a face draws a point, pixels. */
static void project(double out[2], const View *view, const Panorama *p, const double point[3])
{
    double clip[4];
    for (int row = 0; row < 4; row++)
        clip[row] = (double)view->clip[0][row] * point[0] + (double)view->clip[1][row] * point[1] +
                    (double)view->clip[2][row] * point[2] + (double)view->clip[3][row];
    assert_true(clip[3] > 0);
    out[0] = (1 + clip[0] / clip[3]) * p->side / 2;
    out[1] = (1 - clip[1] / clip[3]) * p->side / 2;
}

/* The place that resampling reads for a direction is where OpenGL draws what is there, seen from
 * each eye of a camera that is turned. */
static void test_faces_are_where_they_are_read(void **state)
{
    const CameraState camera = {
        .target = {1, 12, 3}, .rotation = {0.3f, -0.7f, 0.2f}, .distance = -9, .fov_deg = 20};
    const Panorama mono = panorama(PROJECTION_EQUIRECT, STEREO_NONE, 400, 200);
    const Panorama stereo = panorama(PROJECTION_VR180, STEREO_TOP_BOTTOM, 200, 400);
    const Panorama *const cases[] = {&mono, &stereo};
    const CameraAxes axes = camera_axes(&camera);
    (void)state;
    for (int n = 0; n < 200; n++) {
        const Panorama *p = cases[n % 2];
        const int eye = n / 2 % p->eyes;
        double direction[3], place[2], drawn[2], point[3];
        panorama_direction(direction, p, (n * 37) % p->width + 0.5, (n * 53) % p->height + 0.5);
        const PanoramaFace face = panorama_place(place, p, direction);
        View view = view_of(&camera, &LIGHT_DEFAULT, p->side, p->side);
        panorama_turn(&view, p, eye, face, 1);
        for (int i = 0; i < 3; i++) {
            const double shift = p->eyes > 1 ? (eye ? 0.4 : -0.4) : 0;
            point[i] =
                (double)axes.eye[i] + shift * (double)axes.right[i] +
                20 * (direction[0] * (double)axes.right[i] + direction[1] * (double)axes.up[i] +
                      direction[2] * (double)axes.forward[i]);
        }
        project(drawn, &view, p, point);
        assert_near(drawn[0], place[0], 0.01);
        assert_near(drawn[1], place[1], 0.01);
        assert_memory_equal(view.axes.right, axes.right, sizeof axes.right);
        assert_memory_equal(view.axes.up, axes.up, sizeof axes.up);
    }
}

/* A near point straight ahead is seen to the right of the middle by the left eye: at 8 units, half
 * of 0.8 units is an angle of atan(0.4 / 8). */
static void test_eyes(void **state)
{
    const CameraState camera = {.target = {0, 10, 8}, .distance = -8};
    const Panorama p = panorama(PROJECTION_VR180, STEREO_LEFT_RIGHT, 400, 200);
    (void)state;
    for (int eye = 0; eye < 2; eye++) {
        View view = view_of(&camera, &LIGHT_DEFAULT, p.side, p.side);
        double drawn[2];
        panorama_turn(&view, &p, eye, FACE_FRONT, 1);
        project(drawn, &view, &p, (const double[3]){0, 10, 8});
        const double inner = p.side / p.half_extent / 2;
        assert_near(drawn[0], p.side / 2.0 + (eye ? -inner : inner) * 0.4 / 8, 0.01);
        assert_near(drawn[1], p.side / 2.0, 0.01);
    }
}

/* ---- resampling ---- */

/* Faces whose pixels are a smooth function of their direction: what is resampled is that function
 * of the direction of each pixel, on both sides of every edge. */
static void value_of(double out[3], const double direction[3])
{
    const double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] +
                               direction[2] * direction[2]);
    for (int i = 0; i < 3; i++)
        out[i] = 127.5 + 120 * direction[i] / length;
}

static void paint(uint8_t *pixels, const Panorama *p, PanoramaFace face)
{
    const CameraState camera = {.target = {0, 0, 1}, .distance = -1};
    View view = view_of(&camera, &LIGHT_DEFAULT, p->side, p->side);
    panorama_turn(&view, p, 0, face, 1);
    for (int y = 0; y < p->side; y++)
        for (int x = 0; x < p->side; x++) {
            const double right = (2 * (x + 0.5) / p->side - 1) * p->half_extent;
            const double up = (1 - 2 * (y + 0.5) / p->side) * p->half_extent;
            double direction[3], value[3];
            for (int i = 0; i < 3; i++) /* rows of the matrix are the axes */
                direction[i] = right * (double)view.clip[i][0] * p->half_extent +
                               up * (double)view.clip[i][1] * p->half_extent +
                               (double)view.clip[i][3];
            value_of(value, direction);
            uint8_t *pixel = pixels + 4 * ((size_t)y * (size_t)p->side + (size_t)x);
            for (int i = 0; i < 3; i++)
                pixel[i] = (uint8_t)lround(value[i]);
            pixel[3] = 255;
        }
}

static void test_resampling(void **state)
{
    static const Projection projections[] = {PROJECTION_EQUIRECT, PROJECTION_VR180,
                                             PROJECTION_FISHEYE, PROJECTION_CUBE};
    (void)state;
    for (size_t n = 0; n < sizeof projections / sizeof *projections; n++) {
        const Panorama p = panorama(projections[n], STEREO_NONE, 96, 64);
        uint8_t *faces[PANORAMA_FACES] = {0}, pixels[96 * 64 * 4];
        Image image = {.width = 96, .height = 64, .pixels = pixels};
        for (int face = 0; face < PANORAMA_FACES; face++)
            if (p.used[face]) {
                faces[face] = malloc((size_t)p.side * (size_t)p.side * 4);
                assert_non_null(faces[face]);
                paint(faces[face], &p, (PanoramaFace)face);
            }
        memset(pixels, 7, sizeof pixels);
        panorama_resample(&image, &p, 0, faces);
        for (int y = 0; y < image.height; y++)
            for (int x = 0; x < image.width; x++) {
                const uint8_t *pixel = pixels + 4 * (y * image.width + x);
                double direction[3], value[3] = {0};
                if (panorama_direction(direction, &p, x + 0.5, y + 0.5))
                    value_of(value, direction);
                for (int i = 0; i < 3; i++)
                    assert_near(pixel[i], value[i], 1.5);
                assert_int_equal(pixel[3], 255);
            }
        for (int face = 0; face < PANORAMA_FACES; face++)
            free(faces[face]);
    }
}

/* The middle of a face has at least as many pixels as the image has there. */
static void test_density(void **state)
{
    const Panorama p = panorama(PROJECTION_EQUIRECT, STEREO_NONE, 400, 200);
    double direction[3], here[2], next[2];
    (void)state;
    panorama_direction(direction, &p, 199.5, 100);
    panorama_place(here, &p, direction);
    panorama_direction(direction, &p, 200.5, 100);
    panorama_place(next, &p, direction);
    assert_true(next[0] - here[0] >= 1);
    assert_true(next[0] - here[0] < 1.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equirect),
        cmocka_unit_test(test_vr180),
        cmocka_unit_test(test_fisheye),
        cmocka_unit_test(test_cube),
        cmocka_unit_test(test_faces_are_where_they_are_read),
        cmocka_unit_test(test_eyes),
        cmocka_unit_test(test_resampling),
        cmocka_unit_test(test_density),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
