// SPDX-License-Identifier: MIT
#include "media/audio/loudness.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

/* ---- the K filter of BS.1770, for any rate ---- */

typedef struct Biquad {
    double b[3], a[2];
    double x[2], y[2]; /* the last two samples */
} Biquad;

static double filter(Biquad *f, double x)
{
    const double y =
        f->b[0] * x + f->b[1] * f->x[0] + f->b[2] * f->x[1] - f->a[0] * f->y[0] - f->a[1] * f->y[1];
    f->x[1] = f->x[0];
    f->x[0] = x;
    f->y[1] = f->y[0];
    f->y[0] = y;
    return y;
}

/* A shelf of +4 dB above 1.7 kHz.  The constants give the coefficients of the Recommendation at
 * 48 kHz, as in libebur128. */
static Biquad shelf_filter(int rate)
{
    const double q = 0.7071752369554196, high = pow(10, 3.999843853973347 / 20);
    const double middle = pow(high, 0.4996667741545416), k = tan(PI * 1681.974450955533 / rate);
    const double a0 = 1 + k / q + k * k;
    return (Biquad){.b = {(high + middle * k / q + k * k) / a0, 2 * (k * k - high) / a0,
                          (high - middle * k / q + k * k) / a0},
                    .a = {2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0}};
}

/* A high-pass filter at 38 Hz. */
static Biquad low_cut_filter(int rate)
{
    const double q = 0.5003270373238773, k = tan(PI * 38.13547087602444 / rate);
    const double a0 = 1 + k / q + k * k;
    return (Biquad){.b = {1, -2, 1}, .a = {2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0}};
}

/* ---- measuring ---- */

enum { STEPS = 4 /* of 100 ms in a block */ };

static double lufs_of(double power)
{
    return -0.691 + 10 * log10(power);
}

/* Adds the mean square of each whole step of a channel to powers[]. */
static void add_powers(double *powers, size_t count, size_t step, const float *samples,
                       int channels, int rate)
{
    Biquad shelf = shelf_filter(rate), cut = low_cut_filter(rate);
    for (size_t s = 0; s < count; s++) {
        double sum = 0;
        for (size_t i = 0; i < step; i++, samples += channels) {
            const double value = filter(&cut, filter(&shelf, (double)*samples));
            sum += value * value;
        }
        powers[s] += sum / (double)step;
    }
}

/* The mean power of the blocks that are louder than a gate; 0 if none is. */
static double gated_mean(const double *powers, size_t count, double gate)
{
    double sum = 0;
    size_t blocks = 0;
    for (size_t s = 0; s + STEPS <= count; s++) {
        double power = 0;
        for (size_t i = 0; i < STEPS; i++)
            power += powers[s + i] / STEPS;
        if (power > 0 && lufs_of(power) > gate) {
            sum += power;
            blocks++;
        }
    }
    return blocks ? sum / (double)blocks : 0;
}

double loudness_measure(const float *samples, size_t frames, int channels, int rate)
{
    const size_t step = (size_t)rate / 10, count = frames / step;
    Arena *arena = arena_create();
    double *powers = arena_calloc(arena, count + 1, sizeof *powers);
    for (int c = 0; c < channels; c++)
        add_powers(powers, count, step, samples + c, channels, rate);
    const double mean = gated_mean(powers, count, -70);
    const double gated = mean > 0 ? gated_mean(powers, count, lufs_of(mean) - 10) : 0;
    arena_destroy(arena);
    return gated > 0 ? lufs_of(gated) : -(double)INFINITY;
}

/* ---- the limiter ---- */

/* The factor that a frame needs. */
static double needed_gain(const float *frame, int channels, double peak)
{
    double largest = 0;
    for (int c = 0; c < channels; c++)
        largest = fmax(largest, fabs((double)frame[c]));
    return largest > peak ? peak / largest : 1;
}

/*
 * The gain of a frame is the mean over the last 5 ms of values that are no more than what any frame
 * of the next 5 ms needs, and that rise slowly: so it is no more than the frame itself needs.
 */
void loudness_limit(float *samples, size_t frames, int channels, int rate, double peak)
{
    const size_t length = (size_t)(rate >= 400 ? rate / 200 : 2); /* 5 ms */
    const double release = 1 - exp(-1 / (0.1 * rate));            /* 100 ms */
    Arena *arena = arena_create();
    double *need = arena_calloc(arena, length, sizeof *need); /* of frame i at i % length */
    double *held = arena_calloc(arena, length, sizeof *held);
    size_t *queue = arena_calloc(arena, length + 1, sizeof *queue); /* frames with rising needs */
    size_t first = 0, last = 0;             /* of the queue, not reduced by its length */
    double state = 1, sum = (double)length; /* sum: of held */
    for (size_t i = 0; i < length; i++)
        held[i] = 1;
    for (size_t i = 0; i + 1 < frames + length; i++) { /* i: the frame that comes into view */
        if (i < frames) {
            const double value = needed_gain(samples + i * (size_t)channels, channels, peak);
            need[i % length] = value;
            while (last > first && need[queue[(last - 1) % length] % length] >= value)
                last--;
            queue[last++ % length] = i;
        }
        if (i + 1 < length)
            continue;
        const size_t now = i + 1 - length;
        const double least = last > first ? need[queue[first % length] % length] : 1;
        state = fmin(least, state + (1 - state) * release);
        sum += state - held[now % length];
        held[now % length] = state;
        const double gain = sum / (double)length;
        float *frame = samples + now * (size_t)channels;
        for (int c = 0; gain < 1 && c < channels; c++)
            frame[c] = (float)fmax(fmin((double)frame[c] * gain, peak), -peak);
        while (last > first && queue[first % length] <= now)
            first++;
    }
    arena_destroy(arena);
}

static void amplify(float *samples, size_t count, double gain_db)
{
    const double factor = pow(10, gain_db / 20);
    for (size_t i = 0; i < count; i++)
        samples[i] = (float)((double)samples[i] * factor);
}

void loudness_set(float *samples, size_t frames, int channels, int rate, double lufs, Arena *arena)
{
    enum { ROUNDS = 3 };
    const double enough = 0.1, most = 6;
    const size_t count = frames * (size_t)channels;
    const double before = loudness_measure(samples, frames, channels, rate);
    if (!isfinite(before))
        return;
    const float *original = arena_copy(arena, samples, count * sizeof *samples);
    double extra = 0, after;
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(samples, original, count * sizeof *samples);
        amplify(samples, count, lufs - before + extra);
        loudness_limit(samples, frames, channels, rate, LOUDNESS_PEAK);
        after = loudness_measure(samples, frames, channels, rate);
        if (after > lufs - enough || extra >= most)
            return;
        extra = fmin(extra + lufs - after, most);
    }
}
