// SPDX-License-Identifier: MIT
/* Vowels of a voice that is made here: pulses through resonators, with resonances from other
 * measurements than those of voice.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "media/audio/voice.h"
#include "near.h"
#include "unit_test.h"

enum { RATE = 48000, FORMANTS = 3 };

/*
 * Sung vowels of a tenor and a soprano: the tables of formants in the manual of Csound (appendix
 * D).  Its u and o are those of European languages.
 */
static const struct {
    const char *singer;
    double hertz[5][FORMANTS]; /* a i u e o, as Vowel */
} singers[] = {
    {"tenor",
     {{650, 1080, 2650}, {290, 1870, 2800}, {350, 600, 2700}, {400, 1700, 2600}, {400, 800, 2600}}},
    {"soprano",
     {{800, 1150, 2900}, {270, 2140, 2950}, {325, 700, 2700}, {350, 2000, 2800}, {450, 800, 2830}}},
};

/* A digital resonator with unity gain at 0 Hz (Klatt, 1980). */
static void resonate(double *samples, size_t count, double hertz, double width)
{
    const double c = -exp(-2 * M_PI * width / RATE);
    const double b = 2 * exp(-M_PI * width / RATE) * cos(2 * M_PI * hertz / RATE), a = 1 - b - c;
    double y1 = 0, y2 = 0;
    for (size_t i = 0; i < count; i++) {
        const double y = a * samples[i] + b * y1 + c * y2;
        y2 = y1;
        y1 = y;
        samples[i] = y;
    }
}

/* Adds a vowel of 0.3 s with a vibrato of half a half-tone. */
static void add_vowel(Sound *sound, double start_s, const double hertz[FORMANTS], double scale,
                      double pitch)
{
    enum { COUNT = RATE * 3 / 10 };
    static double samples[COUNT];
    double phase = 0, flow = 0, peak = 0;
    for (int i = 0; i < COUNT; i++) {
        phase += pitch * (1 + 0.03 * sin(2 * M_PI * 5.5 * i / RATE)) / RATE;
        const double pulse = phase >= 1 ? 1 : 0;
        phase -= pulse;
        flow = 0.97 * flow + pulse; /* -6 dB an octave: glottis and lips */
        samples[i] = flow;
    }
    for (int f = 0; f < FORMANTS; f++)
        resonate(samples, COUNT, hertz[f] * scale, 60 + 40 * f);
    resonate(samples, COUNT, 3500 * scale, 200);
    for (int i = 0; i < COUNT; i++)
        peak = fmax(peak, fabs(samples[i]));
    for (size_t i = 0; i < COUNT; i++) {
        const double fade = fmin(1, fmin((double)i, (double)(COUNT - i)) / (0.02 * RATE));
        const size_t frame = (size_t)(start_s * RATE) + i;
        for (int c = 0; c < sound->channels; c++)
            sound->samples[frame * (size_t)sound->channels + (size_t)c] +=
                (float)(0.5 * fade * samples[i] / peak);
    }
}

static Sound silence(double length_s, int channels, Arena *arena)
{
    Sound sound = {.frames = (size_t)(length_s * RATE), .channels = channels, .rate = RATE};
    sound.samples = arena_array(arena, float, sound.frames *(size_t)channels);
    return sound;
}

/* The vowel with the largest sum around the middle of a vowel that starts at start_s. */
static int heard(const Voice *voice, double start_s)
{
    double sums[VOWELS] = {0};
    int best = 0;
    for (size_t i = (size_t)((start_s + 0.1) * VOICE_RATE);
         i < (size_t)((start_s + 0.2) * VOICE_RATE); i++)
        for (int v = 0; v < VOWELS; v++)
            sums[v] += (double)voice->moments[i].vowels[v];
    for (int v = 1; v < VOWELS; v++)
        best = sums[v] > sums[best] ? v : best;
    return best;
}

/* 0.5 s for each vowel, three rounds. */
static Sound sing(int singer, double scale, double pitch, int channels, Arena *arena)
{
    Sound sound = silence(7.8, channels, arena);
    for (int i = 0; i < 15; i++)
        add_vowel(&sound, 0.1 + 0.5 * i, singers[singer].hertz[i % 5], scale,
                  pitch * (1 + 0.06 * (i % 4)));
    return sound;
}

static void vowels(void **state)
{
    (void)state;
    static const struct {
        int singer;
        double scale, pitch;
    } rows[] = {{0, 1, 110}, {0, 1, 165}, {0, 0.9, 130},  {0, 1.1, 260}, {1, 1, 196},
                {1, 1, 262}, {1, 1, 392}, {1, 1.12, 220}, {1, 1.12, 330}};
    int table[5][VOWELS] = {{0}}, right = 0, all = 0;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        const Sound sound = sing(rows[r].singer, rows[r].scale, rows[r].pitch, 1, arena);
        const Voice voice = voice_analyze(&sound, arena);
        for (int i = 0; i < 15; i++) {
            const int vowel = heard(&voice, 0.1 + 0.5 * i);
            table[i % 5][vowel]++;
            right += vowel == i % 5;
            all++;
        }
        arena_destroy(arena);
    }
    if (right >= 0.8 * all)
        return;
    for (int v = 0; v < 5; v++) {
        for (int h = 0; h < VOWELS; h++)
            print_message("%5d", table[v][h]);
        print_message("  %c\n", "aiueo"[v]);
    }
    fail_msg("%d of %d vowels are right", right, all);
}

/* The same voice from a shorter vocal tract has higher resonances. */
static void scale_of_the_speaker(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Sound long_tract = sing(1, 1, 220, 1, arena), short_tract = sing(1, 1.25, 220, 1, arena);
    const double before = voice_analyze(&long_tract, arena).scale;
    const double after = voice_analyze(&short_tract, arena).scale;
    if (after < 1.12 * before || after > 1.4 * before)
        fail_msg("%g, then %g", before, after);
    arena_destroy(arena);
}

/* Neither the number of channels nor the loudness nor another analysis before changes a bit. */
static void equal_moments(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Sound mono = sing(1, 1, 262, 1, arena), stereo = sing(1, 1, 262, 2, arena);
    const Voice a = voice_analyze(&mono, arena), b = voice_analyze(&stereo, arena);
    for (size_t i = 0; i < mono.frames; i++)
        mono.samples[i] /= 16;
    const Voice quiet = voice_analyze(&mono, arena);
    assert_true(a.count == b.count && a.alone && b.alone);
    assert_memory_equal(a.moments, b.moments, a.count * sizeof *a.moments);
    for (size_t i = 0; i < a.count; i++)
        for (int v = 0; v < VOWELS; v++)
            assert_near((double)quiet.moments[i].vowels[v], (double)a.moments[i].vowels[v], 1e-4);
    arena_destroy(arena);
}

/* The mouth is closed before and after a vowel, and opens with it. */
static void loudness_opens_the_mouth(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Sound sound = sing(0, 1, 140, 1, arena);
    const Voice voice = voice_analyze(&sound, arena);
    for (int i = 0; i < 15; i++) {
        double open = 0, closed = 0;
        for (int v = 0; v < VOWELS; v++) {
            open += (double)voice.moments[(size_t)((0.25 + 0.5 * i) * VOICE_RATE)].vowels[v];
            closed += (double)voice.moments[(size_t)((0.5 + 0.5 * i) * VOICE_RATE)].vowels[v];
        }
        assert_true(open > 0.8 && open < 1.001 && closed < 0.01);
    }
    assert_near(voice.voiced_s, 15 * 0.3, 0.9);
    arena_destroy(arena);
}

static uint32_t next_random(uint32_t *state)
{
    return *state = *state * 1664525 + 1013904223;
}

/* Noise and silence have no vowels; a voice among chords and drums is not alone. */
static void other_sounds(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    uint32_t random = 1;
    const Sound empty = silence(0, 1, arena), silent = silence(2, 2, arena);
    Sound noise = silence(4, 1, arena), song = sing(1, 1, 262, 1, arena);
    for (size_t i = 0; i < noise.frames; i++)
        noise.samples[i] = (float)((double)(next_random(&random) >> 8) / (1 << 23) - 1);
    for (size_t i = 0; i < song.frames; i++) { /* C major with the third harmonic, and noise */
        const double t = (double)i / RATE;
        double chord = 0;
        for (int n = 0; n < 3; n++) {
            const double hertz = 130.8 * (n == 0 ? 1 : n == 1 ? 1.2599 : 1.4983);
            chord += sin(2 * M_PI * hertz * t) + 0.5 * sin(6 * M_PI * hertz * t);
        }
        song.samples[i] += (float)(0.06 * chord) + 0.1f * noise.samples[i % noise.frames] *
                                                       (float)exp(-fmod(t, 0.25) / 0.05);
    }
    assert_int_equal(voice_analyze(&empty, arena).count, 0);
    assert_true(voice_analyze(&silent, arena).voiced_s == 0);
    assert_true(voice_analyze(&noise, arena).voiced_s < 0.2);
    assert_false(voice_analyze(&song, arena).alone);
    assert_true(voice_analyze(&song, arena).voiced_s > 4);
    arena_destroy(arena);
}

/* Samples that a damaged file may decode to. */
static void odd_samples(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Sound sound = silence(1, 1, arena);
    for (size_t i = 0; i < sound.frames; i++)
        sound.samples[i] = i % 7 ? 1e30f : -1e30f;
    const Voice voice = voice_analyze(&sound, arena);
    for (size_t i = 0; i < voice.count; i++)
        for (int v = 0; v < VOWELS; v++)
            assert_true(voice.moments[i].vowels[v] >= 0 && voice.moments[i].vowels[v] <= 1);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vowels),        cmocka_unit_test(scale_of_the_speaker),
        cmocka_unit_test(equal_moments), cmocka_unit_test(loudness_opens_the_mouth),
        cmocka_unit_test(other_sounds),  cmocka_unit_test(odd_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
