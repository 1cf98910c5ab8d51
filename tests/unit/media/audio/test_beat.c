// SPDX-License-Identifier: MIT
/* Beats of clicks at known times, of silence, and of MIDI songs with changes of tempo. */
#include <math.h>

#include "media/audio/beat.h"
#include "near.h"
#include "unit_test.h"

enum { RATE = 48000 };

static Sound silence(double length_s, int channels, Arena *arena)
{
    Sound sound = {.frames = (size_t)(length_s * RATE), .channels = channels, .rate = RATE};
    sound.samples = arena_array(arena, float, sound.frames *(size_t)channels);
    return sound;
}

/* A decaying tone of 0.1 s. */
static void add_click(Sound *sound, double at_s, double hertz, double level)
{
    for (int i = 0; i < RATE / 10; i++) {
        const size_t frame = (size_t)(at_s * RATE) + (size_t)i;
        const double value = level * exp(-i / 800.0) * sin(2 * M_PI * hertz * i / RATE);
        for (int c = 0; frame < sound->frames && c < sound->channels; c++)
            sound->samples[frame * (size_t)sound->channels + (size_t)c] += (float)value;
    }
}

/* A click on each beat, a lower and louder one on the first of four. */
static void clicks(void **state)
{
    (void)state;
    static const struct {
        double period_s, start_s;
        int first_bar, channels; /* first_bar: index of the first accented click */
    } rows[] = {
        {0.5, 0.25, 0, 1}, {0.5, 0.25, 3, 2}, {60.0 / 97, 0.4, 1, 1}, {60.0 / 140, 1, 2, 2}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        Sound sound = silence(30, rows[r].channels, arena);
        for (int i = 0; rows[r].start_s + i * rows[r].period_s < 30; i++) {
            const bool accent = i % 4 == rows[r].first_bar;
            add_click(&sound, rows[r].start_s + i * rows[r].period_s, accent ? 200 : 900,
                      accent ? 0.8 : 0.3);
        }
        const Beats beats = beat_find(&sound, arena);
        assert_near(beats.period_s, rows[r].period_s, 0.011);
        assert_true((double)beats.count > 26 / rows[r].period_s);
        for (size_t i = 0; i < beats.count; i++) {
            const double at = (beats.times_s[i] - rows[r].start_s) / rows[r].period_s;
            if (fabs(at - round(at)) * rows[r].period_s > 0.035)
                fail_msg("row %zu: beat %zu at %g s", r, i, beats.times_s[i]);
        }
        const double bar = (beats.times_s[beats.downbeat] - rows[r].start_s) / rows[r].period_s;
        if ((lround(bar) % 4 + 4) % 4 != rows[r].first_bar)
            fail_msg("row %zu: bars start at click %g", r, bar);
        arena_destroy(arena);
    }
}

/* A sound that was cut off at its start has the same times. */
static void times_count_from_the_file(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Sound sound = silence(20, 1, arena);
    for (int i = 0; i < 38; i++)
        add_click(&sound, 0.2 + 0.5 * i, 500, 0.5);
    const Beats plain = beat_find(&sound, arena);
    sound.first = 3 * RATE;
    const Beats later = beat_find(&sound, arena);
    assert_int_equal(plain.count, later.count);
    assert_near(later.times_s[5] - plain.times_s[5], 3, 1e-9);
    arena_destroy(arena);
}

static void nothing_to_find(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Sound silent = silence(20, 2, arena), empty = silence(0, 1, arena);
    Sound click = silence(2, 1, arena);
    add_click(&click, 0.5, 500, 0.5);
    assert_int_equal(beat_find(&silent, arena).count, 0);
    assert_int_equal(beat_find(&empty, arena).count, 0);
    assert_int_equal(beat_find(&click, arena).count, 0);
    arena_destroy(arena);
}

/* Two seconds of 120 beats per minute, then 60; the change is in the middle of a beat. */
static void songs_have_their_tempo(void **state)
{
    (void)state;
    static const double times[] = {0, 0.5, 1, 1.5, 2, 2.75, 3.75, 4.75};
    MidiTempo tempos[] = {{0, 500000}, {2.25, 1000000}};
    const MidiSong song = {.tempos = tempos, .tempo_count = 2, .length_s = 5};
    const MidiSong smpte = {.length_s = 5};
    Arena *arena = arena_create();
    const Beats beats = beat_find_song(&song, arena);
    assert_int_equal(beats.count, sizeof times / sizeof *times);
    for (size_t i = 0; i < beats.count; i++)
        assert_near(beats.times_s[i], times[i], 1e-12);
    assert_near(beats.period_s, 0.5, 1e-12);
    assert_int_equal(beats.downbeat, 0);
    assert_int_equal(beat_find_song(&smpte, arena).count, 0);

    tempos[0].beat_us = 1; /* a damaged file: ten beats a second at most */
    const size_t count = beat_find_song(&song, arena).count;
    assert_true(count >= 20 && count <= 30);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clicks),
        cmocka_unit_test(times_count_from_the_file),
        cmocka_unit_test(nothing_to_find),
        cmocka_unit_test(songs_have_their_tempo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
