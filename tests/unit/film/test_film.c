// SPDX-License-Identifier: MIT
/* film: frame indices, segments and shards; numbers computed by hand, or laws */

#include <math.h>

#include "base/cpu_quota.h"
#include "film/film.h"
#include "job/job.h"
#include "unit_test.h"

static FrameRange ranges[] = {{10, 12}, {100, 100}, {200, 205}}; /* 3 + 1 + 6 frames */
static const Film film = {.frames = {ranges, 3}, .frame_count = 10, .segment_frames = 4};

static void test_places(void **state)
{
    (void)state;
    static const int64_t frames[] = {10, 11, 12, 100, 200, 201, 202, 203, 204, 205};
    for (int64_t place = 0; place < 10; place++) {
        assert_int_equal(film_frame_at(&film, place), frames[place]);
        assert_int_equal(film_index_of(&film, frames[place]), place);
    }
    static const int64_t strangers[] = {0, 9, 13, 99, 101, 199, 206};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        assert_int_equal(film_index_of(&film, strangers[i]), -1);
}

static void test_segments(void **state)
{
    (void)state;
    static const FilmSpan segments[] = {{0, 4}, {4, 8}, {8, 10}};
    assert_int_equal(film_segment_count(&film), 3);
    for (int64_t i = 0; i < 3; i++) {
        const FilmSpan segment = film_segment(&film, i);
        assert_int_equal(segment.first, segments[i].first);
        assert_int_equal(segment.end, segments[i].end);
    }
}

/* Shards are adjacent, cover all segments, and their lengths differ by at most one segment. */
static void test_shards(void **state)
{
    (void)state;
    for (int64_t count = 1; count < 60; count++) {
        const Film f = {.frame_count = count * 4 - 1, .segment_frames = 4};
        for (int n = 1; n < 20; n++) {
            int64_t end = 0, least = INT64_MAX, most = 0;
            for (int i = 1; i <= n; i++) {
                const FilmSpan span = film_shard_segments(&f, (FilmShard){i, n});
                const int64_t size = span.end - span.first;
                assert_int_equal(span.first, end);
                end = span.end;
                least = size < least ? size : least;
                most = size > most ? size : most;
            }
            assert_int_equal(end, count);
            assert_true(most - least <= 1);
        }
    }
    const FilmSpan none = film_shard_segments(&film, (FilmShard){0, 0});
    assert_int_equal(none.end - none.first, 0);
}

/* By hand, at 60 frames a second: 0.5 s are 30 frames of the film and 15 of the motion. */
static void test_starts(void **state)
{
    (void)state;
    static FrameRange frames[] = {{10, 12}, {100, 100}, {131, 131}, {160, 200}};
    static const struct {
        double given, of_film; /* physics.preroll_s of the job, NaN for none; of the film */
        int64_t frame;
        double start;
    } rows[] = {
        {NAN, 0, 150, 0},   {0, 9, 150, 0},    {NAN, 0.5, 11, 0},   {0.5, 0, 11, 0},
        {0.5, 0, 100, 35},  {0.5, 0, 131, 50}, {0.5, 0, 160, 50},   {0.5, 0, 200, 50},
        {0.5, 0, 201, 50},  {0.6, 0, 131, 32}, {0.6, 0, 200, 32},   {0.6, 0, 100, 32},
        {0.51, 9, 100, 34}, {10, 0, 200, 0},   {0.001, 0, 160, 79}, {0.001, 0, 100, 49},
        {0.5, 0, 99, 35},   {0.5, 0, 50, 35},  {0.5, 0, 5, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Job job = {.render = {.fps = {60, 1}}, .physics = {.preroll_s = rows[i].given}};
        FilmScene scene = {.job = &job, .count = 1000};
        const Film simulated = {.job = &job,
                                .scenes = &scene,
                                .scene_count = 1,
                                .simulated = {frames, 4},
                                .preroll_s = rows[i].of_film};
        const double start = film_start(&simulated, 0, rows[i].frame);
        if (start != rows[i].start)
            fail_msg("row %zu: %g", i, start);
    }
}

/* A scene that begins at frame 500 of the film with its own frame 200. */
static void test_starts_of_scenes(void **state)
{
    (void)state;
    static FrameRange frames[] = {{0, 520}, {800, 800}};
    Job job = {.render = {.fps = {30, 1}}, .physics = {.preroll_s = 1}};
    FilmScene scenes[] = {{.job = &job, .count = 500},
                          {.job = &job, .start = 500, .first = 200, .count = 900}};
    const Film f = {.job = &job, .scenes = scenes, .scene_count = 2, .simulated = {frames, 2}};
    assert_true(film_start(&f, 0, 499) == 0);
    assert_true(film_start(&f, 1, 200) == 170); /* it begins there, not with the film */
    assert_true(film_start(&f, 1, 220) == 170);
    assert_true(film_start(&f, 1, 500) == 470);
    const FrameRanges all = {frames, 2};
    assert_true(film_simulated_frames(&f, 0, &all) == 500);
    assert_true(film_simulated_frames(&f, 1, &all) == 51 + 31);
}

/* A process more for each 2^19 pixels and vertices, up to the cores. */
static void test_workers(void **state)
{
    (void)state;
    static const struct {
        int width, height, asked;
        int64_t frames;
        uint64_t vertices;
        int useful; /* where there are cores enough */
    } rows[] = {
        {64, 36, 0, 2, 1000, 1},      {64, 36, 0, 0, 1000, 1},  {1024, 512, 0, 1, 0, 1},
        {1024, 512, 0, 1, 1, 2},      {1024, 512, 0, 2, 0, 2},  {64, 36, 0, 1, 1 << 20, 3},
        {1024, 512, 0, 3000, 0, 999}, {64, 36, 7, 2, 1000, -7},
    };
    const int cores = cpu_quota_cores();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Job job = {.render = {.workers = rows[i].asked}};
        FilmScene scene = {.job = &job, .scene = {.vertices = rows[i].vertices}};
        const Film f = {.job = &job,
                        .scenes = &scene,
                        .scene_count = 1,
                        .render = {.width = rows[i].width, .height = rows[i].height}};
        const char *source;
        const int workers = film_workers(&f, rows[i].frames, &source);
        if (rows[i].useful < 0)
            assert_true(workers == -rows[i].useful && !source);
        else
            assert_true(workers == (rows[i].useful < cores ? rows[i].useful : cores) && source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),           cmocka_unit_test(test_segments),
        cmocka_unit_test(test_shards),           cmocka_unit_test(test_starts),
        cmocka_unit_test(test_starts_of_scenes), cmocka_unit_test(test_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
