// SPDX-License-Identifier: MIT
#include "inspect/comparison/sound_comparison.h"

#include <math.h>
#include <stdint.h>

typedef struct Side {
    SoundReader *reader;
    const float *samples; /* [frames] that are not compared yet */
    size_t frames;
    int64_t total; /* frames read so far */
} Side;

/* Reads more samples if none are left. */
static bool refill(Side *side, Diag *diag)
{
    if (side->frames)
        return true;
    const bool good = sound_reader_read(&side->samples, &side->frames, side->reader, diag);
    side->total += (int64_t)side->frames;
    return good;
}

static void drop(Side *side, size_t frames, int channels)
{
    side->samples += frames * (size_t)channels;
    side->frames -= frames;
}

/* Drops the samples before the start of the other side. */
static bool align(Side *side, const SoundFormat *own, const SoundFormat *other, Diag *diag)
{
    double left = round((other->start_s - own->start_s) * own->rate);
    while (left > 0) {
        if (!refill(side, diag))
            return false;
        if (!side->frames)
            return true;
        const size_t count = (size_t)fmin(left, (double)side->frames);
        drop(side, count, own->channels);
        left -= (double)count;
    }
    return true;
}

typedef struct Sums {
    double signal, noise;
    int64_t compared; /* frames */
} Sums;

static void compare_frames(SoundComparison *out, Sums *sums, const Side *a, const Side *b,
                           size_t frames)
{
    const size_t channels = (size_t)out->a.channels;
    for (size_t i = 0; i < frames * channels; i++) {
        const double left = (double)a->samples[i], right = (double)b->samples[i];
        const double difference = fabs(left - right);
        sums->signal += left * left;
        sums->noise += difference * difference;
        out->max_difference = fmax(out->max_difference, difference);
        if (left != right && out->first_s < 0)
            out->first_s = fmax(out->a.start_s, out->b.start_s) +
                           (double)(sums->compared + (int64_t)(i / channels)) / (double)out->a.rate;
    }
    sums->compared += (int64_t)frames;
}

static bool compare_samples(SoundComparison *out, Side *a, Side *b,
                            const volatile sig_atomic_t *stop, Diag *diag)
{
    Sums sums = {0};
    if (!align(a, &out->a, &out->b, diag) || !align(b, &out->b, &out->a, diag))
        return false;
    for (;;) {
        if ((stop && *stop) || !refill(a, diag) || !refill(b, diag))
            return false;
        const size_t frames = a->frames < b->frames ? a->frames : b->frames;
        if (!frames)
            break;
        compare_frames(out, &sums, a, b, frames);
        drop(a, frames, out->a.channels);
        drop(b, frames, out->b.channels);
    }
    out->snr_db = sums.noise > 0 ? 10 * log10(sums.signal / sums.noise) : (double)INFINITY;
    return true;
}

/* Reads the rest, for its length. */
static bool read_all(Side *side, const volatile sig_atomic_t *stop, Diag *diag)
{
    do {
        side->frames = 0;
        if ((stop && *stop) || !refill(side, diag))
            return false;
    } while (side->frames);
    return true;
}

static bool run(SoundComparison *out, Side *a, Side *b, const volatile sig_atomic_t *stop,
                Diag *diag)
{
    out->a = sound_reader_format(a->reader);
    out->b = sound_reader_format(b->reader);
    out->comparable = out->a.rate == out->b.rate && out->a.channels == out->b.channels;
    if ((out->comparable && !compare_samples(out, a, b, stop, diag)) || !read_all(a, stop, diag) ||
        !read_all(b, stop, diag))
        return false;
    out->length_a_s = out->a.start_s + (double)a->total / out->a.rate;
    out->length_b_s = out->b.start_s + (double)b->total / out->b.rate;
    out->equal = out->comparable && out->first_s < 0 && a->total == b->total;
    return true;
}

bool sound_comparison_run(SoundComparison *out, const char *a, const char *b,
                          const volatile sig_atomic_t *stop, Diag *diag)
{
    *out = (SoundComparison){.first_s = -1, .snr_db = (double)INFINITY};
    Side left = {.reader = sound_reader_open(a, diag)};
    Side right = {.reader = left.reader ? sound_reader_open(b, diag) : NULL};
    const bool good = right.reader && run(out, &left, &right, stop, diag);
    sound_reader_close(left.reader);
    sound_reader_close(right.reader);
    diag_file(diag, NULL);
    return good;
}
