// SPDX-License-Identifier: MIT
/* preview_plan: which frames, and how large; all worked by hand */

#include <stdio.h>
#include <string.h>

#include "diag_log.h"
#include "film/film.h"
#include "film/preview_plan.h"
#include "unit_test.h"

enum { RANGES = 4, SHOWN = 8 };

/* "0 25 50" of ranges that are one frame each */
static void print_frames(char *out, size_t size, const FrameRanges *frames)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < frames->count && used < size; i++) {
        assert_true(frames->items[i].first == frames->items[i].last);
        used += (size_t)snprintf(out + used, size - used, "%s%d", i ? " " : "",
                                 (int)frames->items[i].first);
    }
}

static void test_spread(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        FrameRange ranges[RANGES];
        size_t range_count;
        int count;
        const char *frames;
    } rows[] = {
        {"99 i / 4, halves up", {{0, 99}}, 1, 5, "0 25 50 74 99"},
        {"as many as there are", {{3, 6}}, 1, 4, "3 4 5 6"},
        {"fewer than cells", {{3, 6}}, 1, 24, "3 4 5 6"},
        {"one cell: the middle", {{0, 99}}, 1, 1, "49"},
        {"across a gap", {{0, 9}, {100, 109}}, 2, 3, "0 100 109"},
        {"single frames", {{1, 1}, {5, 5}, {9, 9}}, 3, 2, "1 9"},
        {"the longest film", {{0, 99999999}}, 1, 3, "0 50000000 99999999"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        FrameRange ranges[RANGES];
        char text[256];
        memcpy(ranges, rows[i].ranges, sizeof ranges);
        const FrameRanges from = {ranges, rows[i].range_count};
        const FrameRanges got = preview_spread(&from, rows[i].count, arena);
        print_frames(text, sizeof text, &got);
        if (strcmp(text, rows[i].frames) != 0)
            fail_msg("%s: %s, not %s", rows[i].what, text, rows[i].frames);
        arena_destroy(arena);
    }
}

static void test_steps(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        FrameRange ranges[RANGES];
        size_t range_count;
        Rational fps, slower;
        const char *frames;
    } rows[] = {
        {"every fifth", {{0, 19}}, 1, {60, 1}, {12, 1}, "0 5 10 15"},
        {"the first of the next step", {{0, 20}}, 1, {60, 1}, {12, 1}, "0 5 10 15 20"},
        {"2.5 k, halves up", {{0, 10}}, 1, {30, 1}, {12, 1}, "0 3 5 8 10"},
        {"not from 0", {{7, 17}}, 1, {30, 1}, {12, 1}, "7 10 12 15 17"},
        {"all of them", {{0, 3}}, 1, {24, 1}, {24, 1}, "0 1 2 3"},
        {"of NTSC: 2.4975 k", {{0, 12}}, 1, {30000, 1001}, {12, 1}, "0 2 5 7 10 12"},
        {"across a gap", {{0, 4}, {100, 104}}, 2, {30, 1}, {10, 1}, "0 3 101 104"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        FrameRange ranges[RANGES];
        char text[256];
        memcpy(ranges, rows[i].ranges, sizeof ranges);
        const FrameRanges from = {ranges, rows[i].range_count};
        const FrameRanges got = preview_steps(&from, rows[i].fps, rows[i].slower, arena);
        print_frames(text, sizeof text, &got);
        if (strcmp(text, rows[i].frames) != 0)
            fail_msg("%s: %s, not %s", rows[i].what, text, rows[i].frames);
        arena_destroy(arena);
    }
}

static void test_plan(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        JobPreview preview;
        int film_width, film_height;
        const char *frames; /* NULL: not given */
        int width, height, supersample;
        bool alpha;
    } rows[] = {
        {"a sheet",
         {.type = PREVIEW_SHEET, .cells = {3, 1}, .frame = -1},
         1920,
         1080,
         "0 300 599",
         320,
         180,
         2,
         false},
        {"a part, both ends in it",
         {.type = PREVIEW_SHEET, .cells = {3, 1}, .frame = -1, .range_s = {1, 2}},
         1920,
         1080,
         "60 90 120",
         320,
         180,
         2,
         false},
        {"a part to the end",
         {.type = PREVIEW_SHEET, .cells = {1, 2}, .frame = -1, .range_s = {9.975, 99}},
         1920,
         1080,
         "599",
         320,
         180,
         2,
         false}, /* from 598.5 on */
        {"a part beyond the end",
         {.type = PREVIEW_SHEET, .cells = {3, 1}, .frame = -1, .range_s = {10, 20}},
         1920,
         1080,
         NULL,
         0,
         0,
         0,
         false},
        {"cells of a width",
         {.type = PREVIEW_SHEET, .cells = {2, 1}, .frame = -1, .width = 100},
         1920,
         1080,
         "0 599",
         100,
         56,
         2,
         false},
        {"a film smaller than a cell",
         {.type = PREVIEW_SHEET, .cells = {2, 1}, .frame = -1},
         200,
         301,
         "0 599",
         200,
         301,
         2,
         false},
        {"a still by time, as the film",
         {.type = PREVIEW_STILL, .frame = -1, .time_s = 1.509},
         1920,
         1080,
         "91",
         1920,
         1080,
         3,
         true},
        {"a still by frame, small",
         {.type = PREVIEW_STILL, .frame = 42, .width = 640},
         1920,
         1080,
         "42",
         640,
         360,
         2,
         true},
        {"an animation, without the end of its part, alpha kept",
         {.type = PREVIEW_WEBP, .fps = {12, 1}, .range_s = {1, 1.5}},
         1920,
         1080,
         "60 65 70 75 80 85",
         480,
         270,
         2,
         true},
        {"moments that are frames by their decimals", /* 0.1 + 0.2, as a double, is above 0.3 */
         {.type = PREVIEW_WEBP, .fps = {60, 1}, .range_s = {0.1 + 0.2, 0.35}},
         1920,
         1080,
         "18 19 20",
         480,
         270,
         2,
         true},
        {"faster than the film: as the film",
         {.type = PREVIEW_WEBP, .fps = {90, 1}, .range_s = {0, 0.05}},
         1920,
         1080,
         "0 1 2",
         480,
         270,
         2,
         true},
        {"a small film: as the film",
         {.type = PREVIEW_WEBP, .fps = {2, 1}, .range_s = {9, 10}},
         320,
         180,
         "540 570",
         320,
         180,
         3,
         true},
        {"a GIF is opaque, and of 50 a second",
         {.type = PREVIEW_GIF, .fps = {60, 1}, .range_s = {0, 0.1}},
         1920,
         1080,
         "0 1 2 4 5",
         480,
         270,
         2,
         false}, /* 1.2 k */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        diag_log_init(&log);
        JobPreview preview = rows[i].preview;
        FrameRange range = {0, 599};
        const Job job = {
            .file = "job.yaml", .render.fps = {60, 1}, .previews = &preview, .preview_count = 1};
        FilmScene scene = {.job = &job, .count = 1};
        Film film = {.job = &job,
                     .scenes = &scene,
                     .scene_count = 1,
                     .frames = {&range, 1},
                     .render = {.width = rows[i].film_width,
                                .height = rows[i].film_height,
                                .supersample = 3,
                                .alpha = true}};
        char text[256] = "";
        const bool good = preview_plan(&film, arena, &log.diag);
        const FilmPreview *p = film.previews;
        const size_t count = rows[i].frames != NULL;
        if (count && film.preview_count)
            print_frames(text, sizeof text, &p->output.frames);
        if (!good || film.preview_count != count ||
            (count &&
             (strcmp(text, rows[i].frames) != 0 || p->render.width != rows[i].width ||
              p->render.height != rows[i].height || p->render.supersample != rows[i].supersample ||
              p->render.alpha != rows[i].alpha)))
            fail_msg("%s: %zu, frames %s, %s", rows[i].what, film.preview_count, text, log.text);
        arena_destroy(arena);
    }
}

static void test_past_the_end(void **state)
{
    (void)state;
    static const struct {
        double end_s;
        const char *message, *frames;
    } rows[] = {
        {10, "", "570 580 590"},
        {10.1,
         "warning: job.yaml: previews.0.range_s: the film ends at 10 s, before the end 10.1 of the "
         "range\n",
         "570 580 590"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        diag_log_init(&log);
        JobPreview preview = {.type = PREVIEW_WEBP, .fps = {6, 1}, .range_s = {9.5, rows[i].end_s}};
        FrameRange range = {0, 599};
        const Job job = {
            .file = "job.yaml", .render.fps = {60, 1}, .previews = &preview, .preview_count = 1};
        FilmScene scene = {.job = &job, .count = 1};
        Film film = {.job = &job,
                     .scenes = &scene,
                     .scene_count = 1,
                     .frames = {&range, 1},
                     .render = {.width = 64, .height = 36, .supersample = 1}};
        char text[256];
        assert_true(preview_plan(&film, arena, &log.diag));
        assert_string_equal(log.text, rows[i].message);
        const SinkOptions *options = &film.previews[0].output.options;
        print_frames(text, sizeof text, &film.previews[0].output.frames);
        assert_string_equal(text, rows[i].frames);
        assert_int_equal(options->fps_num, 6);
        assert_int_equal(options->frame_count, 3);
        assert_int_equal(options->first_frame, 570);
        arena_destroy(arena);
    }
}

static void test_too_large(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        JobPreview preview;
        int film_width, film_height;
        const char *message;
    } rows[] = {
        {"a sheet of 64 x 328 pixels",
         {.type = PREVIEW_SHEET, .cells = {64, 1}, .frame = -1},
         1920,
         1080,
         "error: job.yaml: previews.0: a sheet of 64 x 1 cells of 320x180 pixels exceeds "
         "16384 pixels in width or height\n"},
        {"an animation of two columns",
         {.type = PREVIEW_WEBP, .fps = {1, 1}, .width = 16},
         2,
         8192,
         "error: job.yaml: previews.0: an image of 16x65536 pixels is too large (at most 8192 per "
         "side)\n"},
        {"a film of two columns",
         {.type = PREVIEW_STILL, .frame = 0, .width = 16},
         2,
         8192,
         "error: job.yaml: previews.0: an image of 16x65536 pixels is too large (at most 8192 per "
         "side)\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        diag_log_init(&log);
        JobPreview preview = rows[i].preview;
        FrameRange range = {0, 599};
        const Job job = {
            .file = "job.yaml", .render.fps = {60, 1}, .previews = &preview, .preview_count = 1};
        FilmScene scene = {.job = &job, .count = 1};
        Film film = {.job = &job,
                     .scenes = &scene,
                     .scene_count = 1,
                     .frames = {&range, 1},
                     .render = {.width = rows[i].film_width,
                                .height = rows[i].film_height,
                                .supersample = 1}};
        assert_false(preview_plan(&film, arena, &log.diag));
        assert_string_equal(log.text, rows[i].message);
        assert_int_equal(log.diag.kind, DIAG_JOB);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spread),    cmocka_unit_test(test_steps),
        cmocka_unit_test(test_plan),      cmocka_unit_test(test_past_the_end),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
