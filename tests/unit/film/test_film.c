// SPDX-License-Identifier: MIT
/* film: frame indices, segments and shards; numbers computed by hand, or laws */

#include "film/film.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_shards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
