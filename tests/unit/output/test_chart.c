#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/chart.h"

static char *written(const ChartPanel *panels, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    chart_write(out, "a < b & c", "caption", panels, count);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_break_and_text_is_escaped),
        cmocka_unit_test(maps_have_one_scale),
        cmocka_unit_test(nothing_and_points_that_stand_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
