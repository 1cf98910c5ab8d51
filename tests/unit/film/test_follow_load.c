// SPDX-License-Identifier: MIT
/* The following camera of a job: when there is one, its aspect ratio, and where its cuts are. */
#include <math.h>

#include <stdio.h>

#include "film_fixture.h"
#include "media/sound.h"
#include "near.h"
#include "unit_test.h"
#include "wav_fixture.h"

/* A job with a dance of 30 frames, that of the fixture, at a speed. */
static const Scene *scene_of(FilmFixture *f, const char *size, double speed, const char *rest)
{
    const char *job = arena_printf(
        f->arena,
        "version: 1\nmodels: [{ id: a, file: strip.pmx, motions: [{ file: move.vmd, speed: %g }] "
        "}]\nrender: { size: %s, fps: 30 }\noutputs: [ out/%%d.png ]\n%s",
        speed, size, rest);
    return &film_fixture_load(f, job)->scenes[0].scene;
}

static void follows_unless_there_is_a_camera(void **state)
{
    static const struct {
        const char *camera;
        bool follows;
    } rows[] = {
        {"", true},
        {"camera: {}\n", true},
        {"camera: { follow: a, shot: bust }\n", true},
        {"camera: { motion: camera.vmd }\n", false},
        {"camera: { fixed: {} }\n", false},
        {"camera: { path: [{ time_s: 0, eye: [0, 1, -9] }] }\n", false},
    };
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Scene *scene = scene_of(&f, "[64, 36]", 1, rows[i].camera);
        if ((scene->camera_follow.count > 0) != rows[i].follows)
            fail_msg("%s: %u segments", rows[i].camera, (unsigned)scene->camera_follow.count);
    }
    film_fixture_remove(&f);
}

/* A strip of 1 x 4 is as high as 0.9 of a frame that is wide, and as wide as 0.9 of a narrow one.
 */
static void fits_the_size_of_the_frame(void **state)
{
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    const double slope = tan(M_PI / 12) * 0.9;
    static const struct {
        int width;
        double half;
    } rows[] = {{200, 2}, {100, 2}, {16, 0.5 / 0.16}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "version: 1\nmodels: [strip.pmx]\nrender: { size: [%d, 100] }\n"
                 "outputs: [ out/%%d.png ]\n",
                 rows[i].width);
        const Film *film = film_fixture_load(&f, text);
        const CameraState camera = follow_at(&film->scenes[0].scene.camera_follow, 0);
        assert_near(-(double)camera.distance, rows[i].half / slope, 1e-3);
    }
    film_fixture_remove(&f);
}

static void expect_cuts(const Scene *scene, const char *what, const double *frames, uint32_t count)
{
    const FollowTrack *track = &scene->camera_follow;
    if (track->count != count + 1)
        fail_msg("%s: %u segments", what, (unsigned)track->count);
    for (uint32_t i = 0; i < count; i++)
        if (track->segments[i + 1].start != frames[i])
            fail_msg("%s: cut %u at frame %g, expected %g", what, (unsigned)i,
                     track->segments[i + 1].start, frames[i]);
}

/* The dance has 300 frames, 10 s. */
static void cuts_at_intervals(void **state)
{
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    expect_cuts(scene_of(&f, "[64, 36]", 0.1, "camera: { cuts: 4s }\n"), "4 s",
                (const double[]){120, 240}, 2);
    expect_cuts(scene_of(&f, "[64, 36]", 0.1, "camera: { cuts: 2.5 }\n"), "2.5 s",
                (const double[]){75, 150, 225}, 3); /* none at the last frame */
    expect_cuts(scene_of(&f, "[64, 36]", 0.1, "camera: { cuts: 60s }\n"), "60 s", NULL, 0);
    film_fixture_remove(&f);
}

/* Clicks twice a second from 0.5 s on; bars of 2 s are too short, so a cut comes every second one,
 * on the loud click. */
static void cuts_on_beats_of_a_sound(void **state)
{
    enum { RATE = 48000 };
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    Sound sound = {.frames = 30 * RATE, .channels = 1, .rate = RATE};
    sound.samples = arena_array(f.arena, float, sound.frames);
    for (int i = 1; i < 60; i++)
        for (int k = 0; k < 4800; k++)
            sound.samples[i * RATE / 2 + k] +=
                (float)((i % 4 == 1 ? 0.8 : 0.2) * exp(-k / 700.0) * sin(k * 0.1));
    assert_true(wav_fixture_save(&sound, film_fixture_path(&f, "clicks.wav"), &f.log.diag));

    const Scene *scene = scene_of(
        &f, "[64, 36]", 0.04, "camera: { cuts: auto }\naudio: { file: clicks.wav, offset_s: 1 }\n");
    const FollowTrack *track = &scene->camera_follow; /* of 25 s */
    assert_true(track->count >= 5 && track->count <= 7);
    for (uint32_t i = 1; i < track->count; i++) {
        const double beat = (track->segments[i].start / 30 - 1.5) / 2;
        assert_near(beat, round(beat), 0.04);
        if (i > 1)
            assert_near(track->segments[i].start - track->segments[i - 1].start, 120, 3);
    }
    film_fixture_remove(&f);
}

/* Loads a job with these keys; the number of errors. */
static uint64_t errors_of(FilmFixture *f, bool with_outputs, const char *keys)
{
    Film film;
    Job job;
    film_fixture_save(f, "job.yaml",
                      arena_printf(f->arena, "version: 1\nmodels: [strip.pmx]\n%s\n", keys));
    const JobSource source = {.path = film_fixture_path(f, "job.yaml"), .needs_output = true};
    diag_log_init(&f->log);
    if (!job_load(&job, &source, f->arena, &f->log.diag))
        fail_msg("%s", f->log.text);
    const bool good = with_outputs ? film_load(&film, &job, f->arena, &f->log.diag)
                                   : film_load_previews(&film, &job, f->arena, &f->log.diag);
    assert_int_equal(good, !f->log.diag.errors);
    return f->log.diag.errors;
}

/* A sound that cannot be read is reported once, if it is needed; one that does not exist in any
 * case. */
static void a_bad_sound_is_an_error(void **state)
{
#define CUTS "camera: { cuts: auto }\n"
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    film_fixture_save(&f, "bad.wav", "RIFF");
    assert_int_equal(errors_of(&f, true, CUTS "audio: none.wav\noutputs: [ out%d.png ]"), 1);
    assert_int_equal(errors_of(&f, false, CUTS "audio: none.wav\noutputs: [ out%d.png ]"), 1);
    assert_int_equal(errors_of(&f, true, "audio: none.wav\noutputs: [ out%d.png ]"), 1);
    assert_int_equal(errors_of(&f, true, CUTS "audio: bad.wav\noutputs: [ out%d.png ]"), 1);
    assert_int_equal(errors_of(&f, true, "audio: bad.wav\noutputs: [ a.sha256, a.mp4 ]"), 1);
    assert_int_equal(errors_of(&f, true, "audio: bad.wav\noutputs: [ a.sha256, out%d.png ]"), 0);
    assert_int_equal(errors_of(&f, true, "sounds: [ bad.wav ]\noutputs: [ a.mkv ]"), 1);
    assert_int_equal(errors_of(&f, true, "sounds: [ bad.wav ]\noutputs: [ 'null:' ]"), 0);
    film_fixture_remove(&f);
#undef CUTS
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_unless_there_is_a_camera),
        cmocka_unit_test(fits_the_size_of_the_frame),
        cmocka_unit_test(cuts_at_intervals),
        cmocka_unit_test(cuts_on_beats_of_a_sound),
        cmocka_unit_test(a_bad_sound_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
