// SPDX-License-Identifier: MIT
/* state_cache: a frame is simulated from the nearest one before it, or takes the oldest place */

#include "film_fixture.h"
#include "run/pipeline/state_cache.h"
#include "unit_test.h"

static void nearest_simulation(void **state)
{
    (void)state;
    static char packers[3]; /* stand for simulations */
    static const struct {
        int64_t frame;
        int found;  /* the simulation; -1: none */
        int placed; /* the one that takes its place */
    } rows[] = {
        {60, -1, 0},              /* the first one */
        {300, 0, 0}, {10, -1, 1}, /* none is before 10 */
        {310, 0, 0}, {20, 1, 1},  {5, -1, 2},  {300, 1, 1},
        {6, 2, 2},   {305, 1, 1}, {311, 0, 0}, /* 310 is nearer than 305 */
        {4, 2, 2},   /* no place is empty: that of frame 6 was used longest ago */
        {305, 2, 2}, /* not that of 305 itself, which has this frame already */
    };
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, "version: 1\nmodels: [quad.pmx]\n"
                                             "render: { size: [16, 16], frames: 0-9 }\n"
                                             "outputs: [ film.sha256 ]\n");
    StateCache *cache = state_cache_create(film, f.arena);
    assert_non_null(cache);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct FramePacker **place = state_cache_packer(cache, rows[i].frame);
        const char *found = (const char *)*place;
        if (found != (rows[i].found < 0 ? NULL : &packers[rows[i].found]))
            fail_msg("frame %d, row %zu", (int)rows[i].frame, i);
        *place = (struct FramePacker *)(void *)&packers[rows[i].placed];
    }
    film_fixture_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_simulation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
