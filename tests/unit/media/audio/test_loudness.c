// SPDX-License-Identifier: MIT
/* Loudness by EBU Tech 3341's signals, and the limiter of peaks. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "media/audio/loudness.h"
#include "unit_test.h"

enum { SECONDS = 20 };

/* A sine in all channels, whose peak is `level` dB of the full scale. */
static float *sine(double hertz, double level, int channels, int rate, double seconds, Arena *arena)
{
    const size_t frames = (size_t)(seconds * rate);
    float *samples = arena_calloc(arena, frames * (size_t)channels, sizeof *samples);
    for (size_t i = 0; i < frames; i++)
        for (int c = 0; c < channels; c++)
            samples[i * (size_t)channels + (size_t)c] =
                (float)(pow(10, level / 20) * sin(2 * PI * hertz * (double)i / rate));
    return samples;
}

static void measures_sines(void **state)
{
    /* Test signals 1 and 2 of EBU Tech 3341: stereo, 1 kHz; the others are 3 dB less with one
     * channel, and those of another rate. */
    static const struct {
        double level;
        int channels, rate;
        double lufs;
    } rows[] = {
        {-23, 2, 48000, -23}, {-33, 2, 48000, -33}, {-23, 1, 48000, -26.01}, {-23, 2, 44100, -23}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        const int rate = rows[i].rate, channels = rows[i].channels;
        const float *samples = sine(1000, rows[i].level, channels, rate, SECONDS, arena);
        const double lufs = loudness_measure(samples, (size_t)(SECONDS * rate), channels, rate);
        if (fabs(lufs - rows[i].lufs) > 0.1)
            fail_msg("row %zu: %g LUFS", i, lufs);
        arena_destroy(arena);
    }
}

/* Signal 3 of EBU Tech 3341: 10 s at -36, 60 s at -23, 10 s at -36 dB; the quiet parts are gated.
 */
static void gates_quiet_parts(void **state)
{
    enum { RATE = 48000 };
    Arena *arena = arena_create();
    float *samples = sine(1000, -23, 2, RATE, 80, arena);
    (void)state;
    for (size_t i = 0; i < 80 * RATE; i++)
        if (i < 10 * RATE || i >= 70 * RATE)
            for (size_t c = 0; c < 2; c++)
                samples[2 * i + c] *= (float)pow(10, -13.0 / 20);
    assert_true(fabs(loudness_measure(samples, 80 * RATE, 2, RATE) + 23) < 0.1);
    memset(samples, 0, 80 * RATE * 2 * sizeof *samples);
    assert_true(isinf(loudness_measure(samples, 80 * RATE, 2, RATE)));
    assert_true(isinf(loudness_measure(samples, 100, 2, RATE)));
    assert_true(isinf(loudness_measure(samples, 0, 2, RATE)));
    arena_destroy(arena);
}

static void limits_peaks_only(void **state)
{
    enum { RATE = 48000, COUNT = 2 * RATE };
    Arena *arena = arena_create();
    float *samples = sine(100, -6, 1, RATE, 2, arena);
    (void)state;
    samples[0] = 3;
    samples[RATE] = -5;
    samples[COUNT - 1] = 2;
    const float *before = arena_copy(arena, samples, COUNT * sizeof *samples);
    loudness_limit(samples, COUNT, 1, RATE, 0.9);
    for (size_t i = 0; i < COUNT; i++) {
        if (fabs((double)samples[i]) > 0.9 + 1e-6)
            fail_msg("sample %zu is %g", i, (double)samples[i]);
        if (fabs((double)samples[i]) > fabs((double)before[i]) + 1e-6)
            fail_msg("sample %zu is larger than before", i);
    }
    assert_true(samples[RATE] < -0.5f);                      /* not more than it needs */
    assert_true(samples[RATE - 300] == before[RATE - 300] || /* 5 ms before, nothing changes */
                fabs((double)(samples[RATE - 300] - before[RATE - 300])) < 1e-3);
    loudness_limit(samples, 0, 1, RATE, 0.9);
    arena_destroy(arena);
}

static void reaches_a_loudness(void **state)
{
    enum { RATE = 48000 };
    Arena *arena = arena_create();
    float *samples = sine(1000, -30, 2, RATE, SECONDS, arena);
    (void)state;
    loudness_set(samples, (size_t)SECONDS * RATE, 2, RATE, -14, arena);
    assert_true(fabs(loudness_measure(samples, (size_t)SECONDS * RATE, 2, RATE) + 14) < 0.2);
    for (size_t i = 0; i < (size_t)SECONDS * RATE * 2; i++)
        assert_true(fabs((double)samples[i]) <= LOUDNESS_PEAK + 1e-6);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_sines),
        cmocka_unit_test(gates_quiet_parts),
        cmocka_unit_test(limits_peaks_only),
        cmocka_unit_test(reaches_a_loudness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
