// SPDX-License-Identifier: MIT
/* plot: scales, coordinates worked by hand, clipped peaks, grouped points */

#include <math.h>
#include <string.h>

#include "base/text_stream.h"
#include "inspect/report/plot.h"
#include "unit_test.h"

static const struct {
    double value, end;
} ends[] = {
    {1, 1},     {1.01, 1.2}, {0.15, 0.16}, {28, 30},        {30, 30},      {81, 100},
    {100, 100}, {7.9, 8},    {0, 1},       {-5, 1},         {HUGE_VAL, 1}, {1e-9, 1e-9},
    {5, 6},     {2.5, 3},    {1999, 2000}, {0.0031, 0.004},
};

static void chooses_round_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fabs(plot_scale_end(ends[i].value) - ends[i].end) > 1e-9 * ends[i].end)
            fail_msg("%g: %g, not %g", ends[i].value, plot_scale_end(ends[i].value), ends[i].end);
}

static const char *plot_text(const Plot *plot, Arena *arena)
{
    TextStream stream;
    plot_write(text_stream_open(&stream, arena), plot);
    return text_stream_close(&stream);
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no '%s' in\n%s", part, text);
}

/* Frames 10 to 30: x is 0, 500, 1000 of 1000.  Values up to 4 on a scale of 4, 240 high. */
static void stacks_areas(void **state)
{
    const double x[] = {10, 20, 30}, below[] = {1, 2, 3}, above[] = {1, 0, 1};
    const Plot plot = {.description = "a < b",
                       .unit = "ms & more",
                       .x = x,
                       .count = 3,
                       .frames_per_s = 10,
                       .series = {{"<first>", below, 0}, {"second", above, 4}},
                       .series_count = 2,
                       .stacked = true};
    Arena *arena = arena_create();
    (void)state;
    const char *text = plot_text(&plot, arena);
    expect(text, "aria-label=\"a &lt; b\"");
    expect(text, "ms &amp; more");
    expect(text, "</i>&lt;first&gt;</li>");
    expect(text, "<path class=\"s0\" d=\"M0.0 180.0L500.0 120.0L1000.0 60.0"
                 "L1000.0 240.0L500.0 240.0L0.0 240.0Z\"/>");
    expect(text, "<path class=\"s4\" d=\"M0.0 120.0L500.0 120.0L1000.0 0.0"
                 "L1000.0 60.0L500.0 120.0L0.0 180.0Z\"/>");
    expect(text, "<span>0:01.0</span><span>0:01.5</span>");
    expect(text, "<span>0:03.0</span></div>");
    assert_null(strstr(text, "above the scale"));
    arena_destroy(arena);
}

static void draws_a_single_point(void **state)
{
    const double x = 5, y = 0;
    const Plot plot = {.description = "",
                       .unit = "",
                       .x = &x,
                       .count = 1,
                       .frames_per_s = 30,
                       .series = {{"", &y, 0}},
                       .series_count = 1};
    Arena *arena = arena_create();
    (void)state;
    expect(plot_text(&plot, arena), "<path class=\"line s0\" d=\"M500.0 240.0\"/>");
    arena_destroy(arena);
}

enum { MANY = 4 * PLOT_MAX_POINTS };

/* One of 500 groups of four has 400 ms, all others 10: the scale is that of the others. */
static void clips_peaks_and_averages(void **state)
{
    static double x[MANY], y[MANY];
    for (size_t i = 0; i < MANY; i++) {
        x[i] = (double)i;
        y[i] = i / 4 == 100 ? 400 : i % 2 ? 12 : 8;
    }
    const Plot plot = {.description = "",
                       .unit = "",
                       .x = x,
                       .count = MANY,
                       .frames_per_s = 30,
                       .series = {{"", y, 0}},
                       .series_count = 1};
    Arena *arena = arena_create();
    (void)state;
    const char *text = plot_text(&plot, arena);
    expect(text, "1 of 500 points are above the scale.");
    expect(text, "M0.8 0.0L"); /* 10 of 10; the mean of frames 0 to 3 is 1.5 of 1999 */
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses_round_ends),
        cmocka_unit_test(stacks_areas),
        cmocka_unit_test(draws_a_single_point),
        cmocka_unit_test(clips_peaks_and_averages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
