// SPDX-License-Identifier: MIT
#include "inspect/comparison/track_comparison.h"

#include <math.h>
#include <stdarg.h>

#include "base/text_escape.h"

/* ---- samples ---- */

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

/* Both files have sound.  False after an error, or after *stop became nonzero; stop may be NULL. */
static bool sound_comparison_run(SoundComparison *out, const char *a, const char *b,
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

static const double RATE_TOLERANCE = 5e-4;     /* relative: half of that between 30 and 29.97 */
static const double FRAME_TOLERANCE = 1.5;     /* frames */
static const double START_TOLERANCE_S = 0.002; /* Matroska stores milliseconds */
static const double CODEC_FRAME_S = 0.05;      /* more than 2048 samples at 44.1 kHz */

static bool has_sound(const VideoInfo *info)
{
    return info->sound_s >= 0;
}

static void add_difference(TrackComparison *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_difference(TrackComparison *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *arena_push(c->arena, &c->differences) = arena_vprintf(c->arena, format, args);
    va_end(args);
}

static void compare_video(TrackComparison *c)
{
    const VideoInfo *a = &c->a, *b = &c->b;
    if (fabs(a->fps - b->fps) > RATE_TOLERANCE * fmax(a->fps, b->fps))
        add_difference(c, "frame rates differ: %.6g and %.6g frames/s", a->fps, b->fps);
    else if (fabs(a->video_s - b->video_s) * fmax(a->fps, 1) > FRAME_TOLERANCE)
        add_difference(c, "lengths differ: %.3f and %.3f s", a->video_s, b->video_s);
}

/* "sound: samples differ from 0.512 s on, by at most 0.0123 of the full scale, SNR 31.2 dB" */
static const char *describe_samples(const TrackComparison *c)
{
    const SoundComparison *s = &c->sound;
    return arena_printf(c->arena,
                        "sound: samples differ from %.3f s on, by at most %.4g of the full scale, "
                        "SNR %.1f dB",
                        s->first_s, s->max_difference, s->snr_db);
}

static void compare_sound(TrackComparison *c, double tolerance)
{
    const SoundComparison *s = &c->sound;
    const double codec_s = tolerance > 0 ? CODEC_FRAME_S : 0;
    if (s->a.rate != s->b.rate)
        add_difference(c, "sound: rates differ: %d and %d Hz", s->a.rate, s->b.rate);
    if (s->a.channels != s->b.channels)
        add_difference(c, "sound: channels differ: %d and %d", s->a.channels, s->b.channels);
    if (fabs(s->a.start_s - s->b.start_s) > START_TOLERANCE_S + codec_s)
        add_difference(c, "sound: starts differ: %.3f and %.3f s", s->a.start_s, s->b.start_s);
    if (fabs(s->length_a_s - s->length_b_s) > START_TOLERANCE_S + codec_s)
        add_difference(c, "sound: lengths differ: %.3f and %.3f s", s->length_a_s, s->length_b_s);
    if (s->comparable && s->max_difference > tolerance)
        add_difference(c, "%s", describe_samples(c));
}

bool track_comparison_run(TrackComparison *out, const char *const files[2],
                          const VideoInfo infos[2], double tolerance,
                          const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    *out = (TrackComparison){.arena = arena, .a = infos[0], .b = infos[1]};
    compare_video(out);
    if (has_sound(&out->a) != has_sound(&out->b))
        add_difference(out, "sound: only in %s", files[has_sound(&out->b)]);
    if (!has_sound(&out->a) || !has_sound(&out->b))
        return true;
    if (!sound_comparison_run(&out->sound, files[0], files[1], stop, diag))
        return false;
    compare_sound(out, tolerance);
    return true;
}

void track_comparison_write_text(FILE *out, const TrackComparison *c)
{
    for (size_t i = 0; i < c->differences.count; i++)
        text_printf(out, "%s\n", c->differences.items[i]);
    if (c->differences.count || !has_sound(&c->a))
        return;
    if (c->sound.first_s >= 0)
        fprintf(out, "%s\n", describe_samples(c));
    else
        fprintf(out, "sound: equal, %.3f s\n", c->sound.length_a_s);
}

/* ---- the results ---- */

static const ResultField NumberPair_fields[] = {
    MEMBER(NumberPair, a, "of the first video"),
    MEMBER(NumberPair, b, "of the second video"),
};
RESULT(NumberPair, "values of both videos");

static const ResultField SoundTrack_fields[] = {
    MEMBER_NAMED(SoundTrack, format.rate, "rate", "samples per second", .unit = "Hz"),
    MEMBER_NAMED(SoundTrack, format.channels, "channels", "channels"),
    MEMBER_NAMED(SoundTrack, format.start_s, "start_s", "first sample", .unit = "seconds"),
    MEMBER(SoundTrack, length_s, "from the first frame to the last sample", .unit = "seconds"),
};
RESULT(SoundTrack, "the sound of a video");

static const ResultField SoundPair_fields[] = {
    MEMBER_RECORD(SoundPair, a, SoundTrack, "sound of the first video"),
    MEMBER_RECORD(SoundPair, b, SoundTrack, "sound of the second video"),
    MEMBER(SoundPair, equal, "all samples, and their number, are equal"),
    MEMBER(SoundPair, first_difference_s, "first sample that differs", .unit = "seconds",
           .nullable = true),
    MEMBER(SoundPair, max_difference,
           "largest difference of two samples, where 1 is the full scale; null if rates or "
           "channels differ",
           .nullable = true),
    MEMBER(SoundPair, snr_db, "signal-to-noise ratio, if they differ", .unit = "dB",
           .nullable = true),
};
RESULT(SoundPair, "two sounds");

static const ResultField SoundResult_fields[] = {
    MEMBER(SoundResult, in_a, "the first video has sound"),
    MEMBER(SoundResult, in_b, "the second video has sound"),
    MEMBER_OPTIONAL_PART(SoundResult, both, SoundPair),
};
RESULT(SoundResult, "the sounds of two videos");

static const ResultField TrackResult_fields[] = {
    MEMBER_RECORD(TrackResult, rate, NumberPair, "frame rates", .unit = "frames per second"),
    MEMBER_RECORD(TrackResult, length_s, NumberPair, "durations", .unit = "seconds"),
    MEMBER_RECORD(TrackResult, sound, SoundResult, "sound"),
    MEMBER_VALUES_NAMED(TrackResult, differences, difference_count, "track_differences",
                        "differences of rate, length and sound, as texts"),
};
const ResultTable TrackResult_result = RESULT_TABLE(TrackResult, "what videos have besides images");

TrackResult track_comparison_result(const TrackComparison *c)
{
    const SoundComparison *s = &c->sound;
    TrackResult result = {.rate = {c->a.fps, c->b.fps},
                          .length_s = {c->a.video_s, c->b.video_s},
                          .sound = {.in_a = has_sound(&c->a), .in_b = has_sound(&c->b)},
                          .differences = c->differences.items,
                          .difference_count = c->differences.count};
    if (result.sound.in_a && result.sound.in_b) {
        SoundPair *both = arena_array(c->arena, SoundPair, 1);
        *both = (SoundPair){.a = {s->a, s->length_a_s},
                            .b = {s->b, s->length_b_s},
                            .equal = s->equal,
                            .first_difference_s =
                                s->comparable && s->first_s >= 0 ? s->first_s : (double)NAN,
                            .max_difference = s->comparable ? s->max_difference : (double)NAN,
                            .snr_db = s->comparable ? s->snr_db : (double)NAN};
        result.sound.both = both;
    }
    return result;
}
