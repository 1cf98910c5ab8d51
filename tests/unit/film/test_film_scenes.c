// SPDX-License-Identifier: MIT
/* film_scenes: which scenes a frame shows, by hand and by laws; the messages of lengths */

#include <stdio.h>
#include <string.h>

#include "film/film_scenes.h"
#include "film/sub_frames.h"
#include "film_fixture.h"
#include "unit_test.h"

#define HEAD                                                                    \
    "version: 1\nmodels: [ { id: a, file: strip.pmx, motions: [move.vmd] } ]\n" \
    "render: { size: [64, 36], fps: 60 }\noutputs: [ out/%d.png ]\n"

/* move.vmd has a last frame of 30: frames 0-60 at 60 frames/s. */
static const char three[] =
    HEAD "camera: { fixed: {} }\n"
         "scenes:\n"
         "  - {}\n"
         "  - { frames: 0.5s-1s, transition: { type: cross-fade, length: 10 } }\n"
         "  - { models: [], frames: 100-139, transition: { type: dip, length: m10 } }\n";

static void places_scenes(void **state)
{
    static const struct {
        int64_t frame;
        int count;
        FilmShown shown[2];
        int64_t index, length;
    } rows[] = {
        {0, 1, {{0, 0}}, 0, 0},
        {50, 1, {{0, 50}}, 0, 0},
        {51, 2, {{0, 51}, {1, 30}}, 0, 10},
        {60, 2, {{0, 60}, {1, 39}}, 9, 10},
        {61, 2, {{1, 40}, {2, 100}}, 0, 20},
        {80, 2, {{1, 59}, {2, 119}}, 19, 20},
        {81, 1, {{2, 120}}, 0, 0},
        {100, 1, {{2, 139}}, 0, 0},
        {110, 1, {{2, 149}}, 0, 0}, /* after the end */
    };
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, three);
    assert_int_equal(film->scene_count, 3);
    assert_int_equal(film->frame_count, 101);
    assert_int_equal(film_end(film), 100);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const FilmMoment m = film_moment(film, rows[i].frame);
        assert_int_equal(m.count, rows[i].count);
        for (int k = 0; k < m.count; k++) {
            assert_int_equal(m.shown[k].scene, rows[i].shown[k].scene);
            assert_int_equal(m.shown[k].frame, rows[i].shown[k].frame);
        }
        assert_int_equal(m.transition != NULL, m.count == 2);
        assert_int_equal(m.time.index, rows[i].index);
        assert_int_equal(m.time.length, rows[i].length);
    }
    film_fixture_remove(&f);
}

/* The states of both scenes of a transition, and room for the largest ones. */
static void has_room_for_states(void **state)
{
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, three);
    size_t bytes[3];
    for (int i = 0; i < 3; i++)
        bytes[i] = sub_frames_bytes(film->scenes[i].job, &film->scenes[i].scene);
    assert_true(bytes[2] < bytes[1]); /* without a model */
    assert_int_equal(film_state_bytes(film), bytes[0] + bytes[1]);
    for (int64_t frame = 0; frame <= film_end(film); frame++) {
        const FilmMoment m = film_moment(film, frame);
        assert_int_equal(film_states_offset(film, &m, 0), 0);
        if (m.count == 2)
            assert_int_equal(film_states_offset(film, &m, 1), bytes[m.shown[0].scene]);
    }
    film_fixture_remove(&f);
}

/* Each frame of the film is in the ranges of the scenes that it shows, and in no other. */
static void divides_ranges(void **state)
{
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, three);
    for (int64_t frame = 0; frame < 120; frame++) {
        const FilmMoment m = film_moment(film, frame);
        int found = 0;
        for (size_t i = 0; i < 3; i++) {
            FrameRange own;
            if (!film_scene_range(&own, film, i, (FrameRange){frame, frame}))
                continue;
            assert_int_equal(m.shown[found].scene, i);
            assert_int_equal(m.shown[found].frame, own.first);
            assert_int_equal(own.first, own.last);
            found++;
        }
        assert_int_equal(found, m.count);
    }
    FrameRange own;
    assert_true(film_scene_range(&own, film, 1, (FrameRange){55, 70}));
    assert_int_equal(own.first, 34);
    assert_int_equal(own.last, 49);
    film_fixture_remove(&f);
}

/* A job without scenes is a film with one, which is the job itself. */
static void one_scene(void **state)
{
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, HEAD "camera: { fixed: {} }\n");
    assert_int_equal(film->scene_count, 1);
    assert_ptr_equal(film->scenes[0].job, film->job);
    assert_int_equal(film->frame_count, 61);
    const FilmMoment m = film_moment(film, 1000);
    assert_int_equal(m.count, 1);
    assert_int_equal(m.shown[0].frame, 1000);
    film_fixture_remove(&f);
}

static void reports_lengths(void **state)
{
    static const struct {
        const char *scenes, *message;
    } rows[] = {
        {"[ {}, { transition: { type: cross-fade, length: 62 } } ]",
         "scenes.1.transition.length: a transition of 62 frames: scenes.1 has 61 frames"},
        {"[ { frames: 0-9 }, { transition: { type: dip, length: 11 } } ]",
         "scenes.1.transition.length: a transition of 11 frames: scenes.0 has 10 frames"},
        {"[ {}, { frames: 0-19, transition: { type: dip, length: 12 } }, { transition: { type: "
         "dip, length: 9 } } ]",
         "a transition of 9 frames after one of 12: scenes.1 has 20 frames"},
        {"[ {}, { frames: 0-99 } ]", "37 of 100 frames are after the end of all motions"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FilmFixture f;
        Job job;
        Film film;
        char text[1000];
        film_fixture_make(&f);
        snprintf(text, sizeof text, "%scamera: { fixed: {} }\nscenes: %s\n", HEAD, rows[i].scenes);
        film_fixture_save(&f, "job.yaml", text);
        const JobSource source = {.path = film_fixture_path(&f, "job.yaml"), .needs_output = true};
        assert_true(job_load(&job, &source, f.arena, &f.log.diag));
        film_load(&film, &job, f.arena, &f.log.diag);
        if (!strstr(f.log.text, rows[i].message))
            fail_msg("%s: %s", rows[i].scenes, f.log.text);
        film_fixture_remove(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_scenes),   cmocka_unit_test(has_room_for_states),
        cmocka_unit_test(divides_ranges),  cmocka_unit_test(one_scene),
        cmocka_unit_test(reports_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
