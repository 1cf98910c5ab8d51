// SPDX-License-Identifier: MIT
/* kept_states: the segments of drawn frames, as they were added, and no more than the limit */

#include <string.h>

#include "film/film_scenes.h"
#include "film_fixture.h"
#include "run/pipeline/kept_states.h"
#include "unit_test.h"

/* Adds all frames, each with bytes of its own. */
static void add_all(KeptStates *kept, const Film *film, int64_t drawn_first, int64_t drawn_end)
{
    const size_t size = film_state_bytes(film);
    Arena *arena = arena_create();
    uint8_t *states = arena_array(arena, uint8_t, size);
    for (int64_t i = 0; i < film->frame_count; i++) {
        memset(states, (int)(i % 251), size);
        kept_states_add(kept, i, states, i >= drawn_first && i < drawn_end);
    }
    arena_destroy(arena);
}

static void segments_of_drawn_frames(void **state)
{
    (void)state;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, "version: 1\nmodels: [quad.pmx]\n"
                                             "render: { size: [16, 16], frames: 100-169 }\n"
                                             "outputs: [ film.sha256 ]\n");
    const size_t size = film_state_bytes(film);
    KeptStates *kept = kept_states_create(film);
    assert_int_equal(film_segment_count(film), 3);
    add_all(kept, film, 35, 36);
    for (int64_t i = 0; i < film->frame_count; i++) {
        const uint8_t *found = kept_states_find(kept, i);
        assert_true((found != NULL) == (i >= 30 && i < 60));
        assert_true(!found || (found[0] == i && found[size - 1] == i));
    }
    assert_null(kept_states_find(NULL, 0));
    kept_states_destroy(kept);
    film_fixture_remove(&f);
}

static void no_more_than_the_limit(void **state)
{
    (void)state;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, "version: 1\nmodels: [quad.pmx]\n"
                                             "render: { size: [16, 16], frames: 0-999999 }\n"
                                             "outputs: [ film.sha256 ]\n");
    const size_t size = film_state_bytes(film);
    KeptStates *kept = kept_states_create(film);
    size_t count = 0;
    assert_true((size_t)film->frame_count > KEPT_STATES_BYTES / size);
    add_all(kept, film, 0, film->frame_count);
    for (int64_t i = 0; i < film->frame_count; i++)
        count += kept_states_find(kept, i) != NULL;
    assert_in_range(count, 1, KEPT_STATES_BYTES / size);
    assert_non_null(kept_states_find(kept, 0));
    assert_null(kept_states_find(kept, film->frame_count - 20)); /* a short segment may fit */
    kept_states_destroy(kept);
    film_fixture_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_of_drawn_frames),
        cmocka_unit_test(no_more_than_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
