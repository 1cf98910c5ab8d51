// SPDX-License-Identifier: MIT
/* yuv: published BT.709 values, a double-precision reference, and swscale's accurate path */

#include <libswscale/swscale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/pixels/yuv.h"
#include "unit_test.h"

enum { WIDTH = 70, HEIGHT = 38 }; /* two blocks and a remainder */

typedef struct Planar {
    uint8_t y[HEIGHT][WIDTH], cb[HEIGHT / 2][WIDTH / 2], cr[HEIGHT / 2][WIDTH / 2];
} Planar;

static void convert(Planar *out, uint8_t *pixels)
{
    const YuvPlanes planes = {{&out->y[0][0], &out->cb[0][0], &out->cr[0][0]},
                              {WIDTH, WIDTH / 2, WIDTH / 2}};
    const Image image = {WIDTH, HEIGHT, false, pixels};
    yuv_from_image(&planes, &image);
}

/* 8-bit limited-range values of saturated colors, from color-bar tables for BT.709. */
static void test_known_colors(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint8_t rgb[3], y, cb, cr;
    } rows[] = {
        {"white", {255, 255, 255}, 235, 128, 128},    {"black", {0, 0, 0}, 16, 128, 128},
        {"red", {255, 0, 0}, 63, 102, 240},           {"green", {0, 255, 0}, 173, 42, 26},
        {"blue", {0, 0, 255}, 32, 240, 118},          {"yellow", {255, 255, 0}, 219, 16, 138},
        {"cyan", {0, 255, 255}, 188, 154, 16},        {"magenta", {255, 0, 255}, 78, 214, 230},
        {"grey 128", {128, 128, 128}, 126, 128, 128},
    };
    static uint8_t pixels[HEIGHT * WIDTH * 4];
    static Planar out;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int p = 0; p < HEIGHT * WIDTH; p++) {
            memcpy(pixels + 4 * p, rows[i].rgb, 3);
            pixels[4 * p + 3] = (uint8_t)(p * 7); /* must have no effect */
        }
        convert(&out, pixels);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                if (out.y[y][x] != rows[i].y || out.cb[y / 2][x / 2] != rows[i].cb ||
                    out.cr[y / 2][x / 2] != rows[i].cr)
                    fail_msg("%s at %d,%d: %d %d %d", rows[i].what, x, y, out.y[y][x],
                             out.cb[y / 2][x / 2], out.cr[y / 2][x / 2]);
    }
}

static void random_pixels(uint8_t *pixels, size_t size)
{
    uint32_t seed = 12345;
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525u + 1013904223u;
        pixels[i] = (uint8_t)(seed >> 24);
    }
}

static double exact_y(const double rgb[3])
{
    return 16.0 + 219.0 / 255.0 * (0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
}

static double exact_chroma(const double rgb[3], double value, double divisor)
{
    const double luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    return 128.0 + 224.0 / 255.0 * (value - luma) / divisor;
}

/* Rounded to nearest with weights in 1/32768: at most 0.506 away. */
static void test_reference(void **state)
{
    (void)state;
    static uint8_t pixels[HEIGHT][WIDTH][4];
    static Planar out;
    double worst_y = 0.0, worst_c = 0.0;

    random_pixels(&pixels[0][0][0], sizeof pixels);
    convert(&out, &pixels[0][0][0]);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t *p = pixels[y][x];
            worst_y = fmax(worst_y, fabs(exact_y((double[]){p[0], p[1], p[2]}) - out.y[y][x]));
        }
    for (int y = 0; y < HEIGHT / 2; y++)
        for (int x = 0; x < WIDTH / 2; x++) {
            double m[3];
            for (int c = 0; c < 3; c++)
                m[c] = (pixels[2 * y][2 * x][c] + pixels[2 * y][2 * x + 1][c] +
                        pixels[2 * y + 1][2 * x][c] + pixels[2 * y + 1][2 * x + 1][c]) /
                       4.0;
            worst_c = fmax(worst_c, fabs(exact_chroma(m, m[2], 1.8556) - out.cb[y][x]));
            worst_c = fmax(worst_c, fabs(exact_chroma(m, m[0], 1.5748) - out.cr[y][x]));
        }
    if (worst_y > 0.506 || worst_c > 0.506)
        fail_msg("off by %.4f in Y, %.4f in chroma", worst_y, worst_c);
}

static void test_against_swscale(void **state)
{
    (void)state;
    static uint8_t pixels[HEIGHT * WIDTH * 4];
    static Planar ours, theirs;
    const int *const bt709 = sws_getCoefficients(SWS_CS_ITU709);
    struct SwsContext *scaler = sws_getContext(
        WIDTH, HEIGHT, AV_PIX_FMT_RGB0, WIDTH, HEIGHT, AV_PIX_FMT_YUV420P,
        SWS_AREA | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP | SWS_BITEXACT, NULL, NULL, NULL);
    int worst = 0;

    random_pixels(pixels, sizeof pixels);
    convert(&ours, pixels);
    assert_non_null(scaler);
    sws_setColorspaceDetails(scaler, bt709, 1, bt709, 0, 0, 1 << 16, 1 << 16);
    sws_scale(scaler, (const uint8_t *const[]){pixels}, (const int[]){4 * WIDTH}, 0, HEIGHT,
              (uint8_t *const[]){&theirs.y[0][0], &theirs.cb[0][0], &theirs.cr[0][0]},
              (const int[]){WIDTH, WIDTH / 2, WIDTH / 2});
    sws_freeContext(scaler);
    for (int i = 0; i < HEIGHT * WIDTH; i++) {
        const int off = abs(ours.y[i / WIDTH][i % WIDTH] - theirs.y[i / WIDTH][i % WIDTH]);
        worst = off > worst ? off : worst;
    }
    if (worst > 1)
        fail_msg("Y differs by %d from swscale's", worst);
}

/* A pixel is converted alike whether its neighbours repeat or not: a film of one color in which a
 * single pixel differs, at every place, has the values of that color everywhere else. */
static void test_repeated_blocks(void **state)
{
    (void)state;
    static const uint8_t plain[4] = {40, 90, 200, 255}, other[4] = {250, 30, 10, 255};
    static uint8_t pixels[HEIGHT * WIDTH][4];
    static Planar base, out, expected;

    for (int i = 0; i < HEIGHT * WIDTH; i++)
        memcpy(pixels[i], other, 4);
    convert(&expected, &pixels[0][0]);
    const uint8_t other_y = expected.y[0][0];
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        memcpy(pixels[i], plain, 4);
    convert(&base, &pixels[0][0]);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < WIDTH; x++) {
            memcpy(pixels[y * WIDTH + x], other, 4);
            convert(&out, &pixels[0][0]);
            memcpy(pixels[y * WIDTH + x], plain, 4);
            if (out.cb[y / 2][x / 2] == base.cb[0][0] || out.cr[y / 2][x / 2] == base.cr[0][0])
                fail_msg("chroma at %d,%d ignores a pixel", x, y);
            expected = base;
            expected.y[y][x] = other_y;
            expected.cb[y / 2][x / 2] = out.cb[y / 2][x / 2];
            expected.cr[y / 2][x / 2] = out.cr[y / 2][x / 2];
            if (memcmp(&out, &expected, sizeof out) != 0)
                fail_msg("a pixel at %d,%d changes others", x, y);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_colors),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_against_swscale),
        cmocka_unit_test(test_repeated_blocks),
    };
    return cmocka_run_group_tests_name("yuv", tests, NULL, NULL);
}
