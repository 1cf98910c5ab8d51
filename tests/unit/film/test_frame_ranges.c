/* frames: sets of frames as they are told; every text written by hand */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "film/frame_ranges.h"

static void test_growing(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    FrameRangeList set = {0};
    frame_ranges_add(&set, (JobRange){3, 3}, arena);
    frame_ranges_add(&set, (JobRange){4, 4}, arena);
    frame_ranges_add(&set, (JobRange){5, 9}, arena);
    frame_ranges_add(&set, (JobRange){11, 11}, arena);
    const JobFrames frames = {set.items, set.count};
    assert_string_equal(frame_ranges_text(&frames, arena), "3-9,11");
    arena_destroy(arena);
}

static void test_many(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    FrameRangeList set = {0};
    for (int64_t i = 0; i < 23; i++) /* the longest numbers that there are */
        frame_ranges_add(&set, (JobRange){99999900 + 4 * i, 99999901 + 4 * i}, arena);
    const JobFrames frames = {set.items, set.count};
    const char *text = frame_ranges_text(&frames, arena);
    const char *start = "99999900-99999901,99999904-99999905,",
               *end = ",99999976-99999977 and 3 more ranges";
    assert_memory_equal(text, start, strlen(start));
    assert_string_equal(text + strlen(text) - strlen(end), end);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_growing), cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
