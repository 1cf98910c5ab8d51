// SPDX-License-Identifier: MIT
/* image_metrics: PSNR and SSIM of images, computed by hand */

#include <math.h>
#include <string.h>

#include "inspect/comparison/image_metrics.h"
#include "unit_test.h"

enum { MAX_PIXELS = 16 * 16 };

typedef uint8_t Shade(int x, int y);

static uint8_t hundred(int x, int y)
{
    (void)x;
    (void)y;
    return 100;
}

static uint8_t hundred_ten(int x, int y)
{
    (void)x;
    (void)y;
    return 110;
}

static uint8_t left_lighter(int x, int y)
{
    (void)y;
    return x < 4 ? 110 : 100;
}

static uint8_t checks(int x, int y)
{
    return (x + y) % 2 ? 255 : 0;
}

static uint8_t other_checks(int x, int y)
{
    return (x + y) % 2 ? 0 : 255;
}

static uint8_t far_corner(int x, int y)
{
    return x > 7 || y > 7 ? 255 : 100;
}

static Image grey(uint8_t pixels[4 * MAX_PIXELS], Shade *shade, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *p = pixels + 4 * (y * width + x);
            p[0] = p[1] = p[2] = shade(x, y);
            p[3] = 255;
        }
    return (Image){width, height, false, pixels};
}

static void test_by_hand(void **unused)
{
    static const struct {
        const char *what;
        int width, height;
        Shade *a, *b;
        double mse, psnr, ssim;
    } rows[] = {
        {"equal", 8, 8, hundred, hundred, 0, (double)INFINITY, 1},
        /* (2 * 100 * 110 + C1) / (100^2 + 110^2 + C1): no structure to differ in */
        {"lighter", 8, 8, hundred, hundred_ten, 100, 28.1308, 0.99547644},
        {"smaller than a window", 3, 5, hundred, hundred_ten, 100, 28.1308, 0.99547644},
        /* windows at x = 0, of mean 105 and variance 25 * 64 / 63, and at x = 4, which are equal */
        {"two windows", 12, 8, hundred, left_lighter, 100.0 / 3, 32.9020, 0.84826862},
        /* -(2 * 127.5^2 * 64 / 63 - C2) / (the same + C2) */
        {"inverted", 8, 8, checks, other_checks, 65025, 0, -0.99646252},
        /* what is left over of blocks of 4 is no part of a window */
        {"beyond the windows", 11, 11, hundred, far_corner, 155.0 * 155 * 57 / 121, 7.5933, 1},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t p[4 * MAX_PIXELS], q[4 * MAX_PIXELS];
        const Image a = grey(p, rows[i].a, rows[i].width, rows[i].height);
        const Image b = grey(q, rows[i].b, rows[i].width, rows[i].height);
        Arena *arena = arena_create();
        const ImageMetrics l = image_metrics_compare(&a, NULL, &b, NULL, arena),
                           back = image_metrics_compare(&b, NULL, &a, NULL, arena);
        const double psnr = image_metrics_psnr(l.mse);
        arena_destroy(arena);
        if (l.equal != (rows[i].mse <= 0) || fabs(l.mse - rows[i].mse) > 1e-9)
            fail_msg("%s: mean squared error %.10g", rows[i].what, l.mse);
        if (!(fabs(psnr - rows[i].psnr) < 1e-4) && !(isinf(psnr) && isinf(rows[i].psnr)))
            fail_msg("%s: %.10g dB", rows[i].what, psnr);
        if (fabs(l.ssim - rows[i].ssim) > 1e-8)
            fail_msg("%s: SSIM %.10g", rows[i].what, l.ssim);
        assert_true(fabs(l.ssim - back.ssim) < 1e-12 && fabs(l.mse - back.mse) < 1e-9);
    }
}

/* Clear white looks like black over black; its alpha differs. */
static void test_alpha(void **unused)
{
    uint8_t p[4 * MAX_PIXELS], q[4 * MAX_PIXELS];
    (void)unused;
    memset(p, 0, sizeof p);
    memset(q, 255, sizeof q);
    for (size_t i = 0; i < MAX_PIXELS; i++)
        p[4 * i + 3] = 255, q[4 * i + 3] = 0;
    const Image black = {16, 16, false, p}, clear = {16, 16, true, q};
    Arena *arena = arena_create();
    const ImageMetrics l = image_metrics_compare(&black, NULL, &clear, NULL, arena);
    arena_destroy(arena);
    assert_false(l.equal);
    assert_true(fabs(l.mse - 255.0 * 255 / 4) < 1e-9 && fabs(l.ssim - 1) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_alpha),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
