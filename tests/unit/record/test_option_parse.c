// SPDX-License-Identifier: MIT
/* Texts of times, colors and cuts. */
#include <math.h>
#include <string.h>

#include "near.h"
#include "record/option_parse.h"
#include "unit_test.h"

static void test_times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        FrameUnit given; /* the unit without one in the text */
        bool ok;
        FrameUnit unit;
        double value;
    } rows[] = {
        {"300", FRAME_OUTPUT, true, FRAME_OUTPUT, 300},
        {"300", FRAME_MOTION, true, FRAME_MOTION, 300},
        {"m150", FRAME_OUTPUT, true, FRAME_MOTION, 150},
        {"5s", FRAME_OUTPUT, true, FRAME_SECONDS, 5},
        {"2.5s", FRAME_MOTION, true, FRAME_SECONDS, 2.5},
        {"0", FRAME_OUTPUT, true, FRAME_OUTPUT, 0},
        {"99999999", FRAME_OUTPUT, true, FRAME_OUTPUT, 99999999},
        {"100000000", FRAME_OUTPUT, false, 0, 0},
        {"000000000000000000000024", FRAME_OUTPUT, true, FRAME_OUTPUT, 24},
        {"0000000000000000000000024", FRAME_OUTPUT, false, 0, 0}, /* 25 characters */
        {"m000000000000000000000024", FRAME_OUTPUT, true, FRAME_MOTION, 24},
        {"", FRAME_OUTPUT, false, 0, 0},
        {"m", FRAME_OUTPUT, false, 0, 0},
        {"s", FRAME_OUTPUT, false, 0, 0},
        {"m5s", FRAME_OUTPUT, false, 0, 0},
        {"-5", FRAME_OUTPUT, false, 0, 0},
        {"+5", FRAME_OUTPUT, false, 0, 0},
        {"1e3", FRAME_OUTPUT, false, 0, 0},
        {"5 s", FRAME_OUTPUT, false, 0, 0},
        {"1.2.3", FRAME_OUTPUT, false, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FrameTime time = {0};
        const size_t size = strlen(rows[i].text);
        const bool ok = option_parse_frame_time(&time, rows[i].text, size, rows[i].given);
        if (ok != rows[i].ok || (ok && (time.unit != rows[i].unit || time.value != rows[i].value)))
            fail_msg("'%s': %d, %g of unit %d", rows[i].text, ok, time.value, time.unit);
    }
}

/* At 24000/1001 frames a second, output frame n is motion frame n * 1.25125. */
static void test_times_in_frames(void **state)
{
    (void)state;
    static const struct {
        FrameTime time;
        Rational fps;
        double motion;
        int64_t output;
    } rows[] = {
        {{300, FRAME_OUTPUT}, {60, 1}, 150, 300},
        {{300, FRAME_OUTPUT}, {24, 1}, 375, 300},
        {{240, FRAME_OUTPUT}, {24000, 1001}, 300.3, 240},
        {{150, FRAME_MOTION}, {60, 1}, 150, 300},
        {{150, FRAME_MOTION}, {24, 1}, 150, 120},
        {{151, FRAME_MOTION}, {24, 1}, 151, 121}, /* 120.8 */
        {{300.3, FRAME_MOTION}, {24000, 1001}, 300.3, 240},
        {{5, FRAME_SECONDS}, {60, 1}, 150, 300},
        {{10.01, FRAME_SECONDS}, {24000, 1001}, 300.3, 240},
        {{0.1, FRAME_SECONDS}, {25, 1}, 3, 3}, /* 2.5 */
        {{0, FRAME_SECONDS}, {25, 1}, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_near(frame_time_motion(rows[i].time, rows[i].fps), rows[i].motion, 1e-9);
        assert_int_equal(frame_time_output(rows[i].time, rows[i].fps), rows[i].output);
    }
}

static void test_colors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool ok;
        int rgb[3];
    } rows[] = {
        {"#000000", true, {0, 0, 0}},
        {"#ffffff", true, {255, 255, 255}},
        {"#0A9f70", true, {10, 159, 112}},
        {"#AFafF0", true, {175, 175, 240}},
        {"#fffff", false, {0}},
        {"#fffffff", false, {0}},
        {"ffffff", false, {0}},
        {"0ffffff", false, {0}},
        {"#fffffg", false, {0}},
        {"#gfffff", false, {0}},
        {"#fff ff", false, {0}},
        {"#ff/fff", false, {0}},
        {"#ff:fff", false, {0}},
        {"#ff@fff", false, {0}},
        {"#ff`fff", false, {0}},
        {"", false, {0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double color[3] = {0};
        if (option_parse_color(color, rows[i].text) != rows[i].ok)
            fail_msg("'%s'", rows[i].text);
        for (int k = 0; rows[i].ok && k < 3; k++)
            assert_near(color[k] * 255, rows[i].rgb[k], 1e-12);
    }
}

static void test_cuts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool ok;
        double seconds;
    } rows[] = {
        {"none", true, 0},
        {"auto", true, -1},
        {"4", true, 4},
        {"2.5", true, 2.5},
        {"4s", true, 4},
        {"0", false, 0},
        {"-4", false, 0},
        {"s", false, 0},
        {"", false, 0},
        {"4 s", false, 0},
        {"4ss", false, 0},
        {"nones", false, 0},
        {"autos", false, 0},
        {"Auto", false, 0},
        {"4m", false, 0},
        {"000000000000000000000000000004s", true, 4}, /* 31 characters */
        {"0000000000000000000000000000004s", false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double seconds = 9;
        if (option_parse_cuts(&seconds, rows[i].text) != rows[i].ok ||
            (rows[i].ok && seconds != rows[i].seconds))
            fail_msg("'%s': %g", rows[i].text, seconds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_times_in_frames),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
