// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "output/chart/chart_file.h"
#include "output/chart/chart_image.h"
#include "unit_test.h"

static char *written(const ChartPanel *panels, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    chart_file_write_svg(out, &(Chart){"a < b & c", "caption", panels, count, 2});
    fclose(out);
    return text;
}

static int times(const char *text, const char *what)
{
    int count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

static void lines_break_and_text_is_escaped(void **state)
{
    (void)state;
    const ChartPoint points[] = {{0, 1}, {1, 2}, {(double)NAN, 0}, {1, 5}, {2, (double)INFINITY},
                                 {3, 6}, {4, 7}};
    const ChartNote note = {2, "w 0.3"};
    const ChartPanel panel = {
        .title = "title",
        .x_name = "x",
        .y_name = "y",
        .lines = {{points, 7, "line", CHART_BLUE, 2, true}, {points, 7, NULL, CHART_RED, 0, false}},
        .line_count = 2,
        .notes = &note,
        .note_count = 1};
    char *text = written(&panel, 1);
    const char *line = strstr(text, "stroke-width=\"2.0\"");
    assert_non_null(strstr(text, "a &lt; b &amp; c"));
    assert_non_null(strstr(text, ">w 0.3<"));
    assert_int_equal(times(text, "<circle"), 5);
    assert_non_null(line);
    char *path = strndup(line, strcspn(line, ">"));
    assert_int_equal(times(path, "M"), 3); /* to 1 2; 1 5 alone; 3 6 to 4 7 */
    assert_int_equal(times(path, "L"), 2);
    assert_non_null(strstr(path, "dasharray"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(path);

    char *again = written(&panel, 1);
    assert_string_equal(text, again);
    free(again);
    free(text);
}

/* A map has equal scales: a square is drawn as a square. */
static void maps_have_one_scale(void **state)
{
    (void)state;
    const ChartPoint square[] = {{10, 10}, {13, 13}, {10, 30}};
    const ChartPanel panel = {.title = "map",
                              .x_name = "x",
                              .y_name = "y",
                              .lines = {{square, 3, NULL, CHART_BLUE, 3, false}},
                              .line_count = 1,
                              .map = true};
    char *text = written(&panel, 1);
    const char *line = strstr(text, "stroke-width=\"3.0\"");
    assert_non_null(line);
    double x[3], y[3];
    assert_int_equal(sscanf(strstr(line, "d=\"M"), "d=\"M%lf %lfL%lf %lfL%lf %lf", &x[0], &y[0],
                            &x[1], &y[1], &x[2], &y[2]),
                     6);
    assert_true(fabs((x[1] - x[0]) - (y[0] - y[1])) < 0.02 && x[1] > x[0]);
    assert_true(fabs((y[0] - y[2]) - (x[1] - x[0]) * 20 / 3) < 0.1 && x[2] == x[0]);
    free(text);
}

static void nothing_and_points_that_stand_still(void **state)
{
    (void)state;
    const ChartPoint still[] = {{5, 5}, {5, 5}};
    const ChartPanel panels[] = {
        {.title = "none", .x_name = "x", .y_name = "y"},
        {.title = "still",
         .x_name = "x",
         .y_name = "y",
         .line_count = 1,
         .lines = {{still, 2, NULL, CHART_BLUE, 1, false}}},
        {.title = "map",
         .x_name = "x",
         .y_name = "y",
         .line_count = 1,
         .map = true,
         .lines = {{still, 2, NULL, CHART_BLUE, 1, false}}},
    };
    char *text = written(panels, 3);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_non_null(strstr(text, "height=\"784\"")); /* 64 and rows of 260 and 460 */
    free(text);
}

/* ---- as an image ---- */

static const uint8_t *pixel(const Image *image, int x, int y)
{
    return image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
}

static size_t count_color(const Image *image, ChartColor color, int left, int right)
{
    size_t count = 0;
    for (int y = 0; y < image->height; y++)
        for (int x = left; x < right; x++) {
            const uint8_t *p = pixel(image, x, y);
            count += ((unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2]) == chart_rgb[color];
        }
    return count;
}

/* A horizontal line of 4 pixels and a vertical one of 2, drawn twice as large: y = 0 and x = 5 of
 * an area from 64, 108 with a size of 1120 x 172.  The range of y is widened by 0.08 of 10. */
static void an_image_has_the_lines(void **state)
{
    (void)state;
    const ChartPoint flat[] = {{0, 0}, {10, 0}}, steep[] = {{5, 0}, {5, 10}};
    const ChartPanel panel = {
        .title = "",
        .x_name = "",
        .y_name = "",
        .lines = {{flat, 2, NULL, CHART_RED, 4, false}, {steep, 2, NULL, CHART_GREEN, 2, true}},
        .line_count = 2};
    const Chart chart = {"", NULL, &panel, 1, 1};
    Arena *arena = arena_create();
    DiagLog log;
    Image image;
    diag_log_init(&log);
    assert_true(chart_image_draw(&image, &chart, arena, &log.diag));
    assert_int_equal(image.width, 2400);
    assert_int_equal(image.height, 648);
    const int left = 2 * 64, right = 2 * 1184, y = (int)(2 * (108 + 172 * 10.8 / 11.6));
    assert_int_equal(count_color(&image, CHART_RED, left + 40, left + 50) / 10, 8 - 1);
    for (int x = left + 2; x < right - 2; x++)
        if (x < 1240 || x > 1256)
            assert_int_equal(pixel(&image, x, y)[0], 0xc9);
    assert_int_equal(pixel(&image, left + 45, y - 6)[0], 255);
    const size_t green = count_color(&image, CHART_GREEN, left, right); /* 5 of 9 of 297 rows */
    if (green < 3 * 120 || green > 4 * 180)
        fail_msg("%zu pixels are green", green);
    assert_string_equal(log.text, "");
    arena_destroy(arena);
}

/* Text to the right of its anchor, and upwards beside the area. */
static void an_image_has_the_text(void **state)
{
    (void)state;
    const ChartPanel panel = {.title = "", .x_name = "", .y_name = "upwards"};
    const Chart chart = {"title", NULL, &panel, 1, 1};
    Arena *arena = arena_create();
    DiagLog log;
    Image image;
    diag_log_init(&log);
    assert_true(chart_image_draw(&image, &chart, arena, &log.diag));
    int left = image.width, right = -1, top = image.height, bottom = -1, title = 0;
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++) {
            const bool ink = pixel(&image, x, y)[0] < 128;
            title += ink && y < 80 && x >= 128 && x < 260;
            if (!ink || x >= 2 * 30 || y < 120)
                continue;
            left = x < left ? x : left;
            right = x > right ? x : right;
            top = y < top ? y : top;
            bottom = y > bottom ? y : bottom;
        }
    assert_true(title > 100);
    assert_true(bottom - top > 2 * (right - left) && right - left > 6); /* higher than wide */
    assert_true(abs((top + bottom) / 2 - 2 * (108 + 86)) < 8);          /* in the middle */
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_image_has_the_lines),
        cmocka_unit_test(an_image_has_the_text),
        cmocka_unit_test(lines_break_and_text_is_escaped),
        cmocka_unit_test(maps_have_one_scale),
        cmocka_unit_test(nothing_and_points_that_stand_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
