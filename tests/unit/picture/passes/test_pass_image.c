// SPDX-License-Identifier: MIT
/* The values of passes, by hand: grey levels of depths, colors of labels. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/passes/pass_image.h"
#include "unit_test.h"

static void test_depth(void **unused)
{
    /* inverse: (1/z - 1/40) / (1/10 - 1/40) = (1/z - 0.025) / 0.075 */
    static const struct {
        const char *what;
        bool linear;
        float distance;
        int expected;
    } rows[] = {
        {"near is white", false, 10, 65535},
        {"far is black", false, 40, 0},
        {"inverse at 20: 0.025 / 0.075", false, 20, 21845},
        {"inverse at 16: 0.0375 / 0.075", false, 16, 32768},
        {"linear at 25: 15 / 30", true, 25, 32768},
        {"linear at 32.5: 7.5 / 30", true, 32.5f, 16384},
        {"nearer than near", false, 1, 65535},
        {"farther than far", true, 1000, 0},
        {"no surface", false, 0, 0},
        {"no surface, linear", true, 0, 0},
        {"not a number", true, NAN, 0},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const DepthRange range = {.near = 10, .far = 40, .linear = rows[i].linear};
        const int value = pass_depth_value(&range, rows[i].distance);
        uint16_t image = 77;
        if (abs(value - rows[i].expected) > 1)
            fail_msg("%s: %d instead of %d", rows[i].what, value, rows[i].expected);
        pass_depth_image(&image, &rows[i].distance, 1, &range);
        assert_int_equal(image, value);
    }
}

/* The color map of the PASCAL VOC challenge, as published with its annotations. */
static void test_label_colors(void **unused)
{
    static const struct {
        uint32_t label;
        uint8_t color[3];
    } rows[] = {
        {0, {0, 0, 0}},
        {1, {128, 0, 0}},
        {2, {0, 128, 0}},
        {3, {128, 128, 0}},
        {4, {0, 0, 128}},
        {5, {128, 0, 128}},
        {6, {0, 128, 128}},
        {7, {128, 128, 128}},
        {8, {64, 0, 0}},
        {15, {192, 128, 128}},
        {20, {0, 64, 128}},
        {255, {224, 224, 192}},
        {0xffffff, {255, 255, 255}},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t color[4];
        pass_label_color(color, rows[i].label);
        assert_memory_equal(color, rows[i].color, 3);
        assert_int_equal(color[3], 255);
    }
}

static void test_mask(void **unused)
{
    static const uint32_t ids[] = {0, 2, 2, 1, 3, 0}, labels[] = {0, 1, 1, 2};
    static const uint8_t expected[6][4] = {{0, 0, 0, 255},   {128, 0, 0, 255}, {128, 0, 0, 255},
                                           {128, 0, 0, 255}, {0, 128, 0, 255}, {0, 0, 0, 255}};
    uint8_t out[6][4];
    (void)unused;

    pass_mask_image(out, ids, 6, labels);
    assert_memory_equal(out, expected, sizeof expected);
}

static void test_normals(void **unused)
{
    static const uint8_t normals[2][4] = {{0, 0, 0, 0}, {218, 37, 128, 255}};
    static const uint8_t expected[2][4] = {{128, 128, 255, 255}, {218, 37, 128, 255}};
    uint8_t out[2][4];
    (void)unused;

    pass_normal_image(out, normals, 2);
    assert_memory_equal(out, expected, sizeof expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_label_colors),
        cmocka_unit_test(test_mask),
        cmocka_unit_test(test_normals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
