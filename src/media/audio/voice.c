// SPDX-License-Identifier: MIT
#include "media/audio/voice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "media/audio/spectrum.h"

enum { WINDOW = 512, SIZE = 2 * WINDOW }; /* samples of a moment; those of its transform */
enum { LOW_RATE = 11025 };                /* Hz, at least */
enum { TAPS = 8 };            /* of the low pass, on each side, in samples of low rate */
enum { OCTAVE = 96 };         /* points of an envelope in an octave */
enum { POINTS = OCTAVE * 6 }; /* from LOWEST_HZ on */
enum { SHORTEST = -20, LONGEST = 48, STEP = 4 }; /* scales of a voice, in points: 0.87 to 1.41 */
enum { SCALES = (LONGEST - SHORTEST) / STEP + 1 };
enum { MAX_HARMONICS = 40 };
static const double LOWEST_HZ = 60, HIGHEST_HZ = 2600;       /* of what is compared */
static const double LOWEST_PITCH = 70, HIGHEST_PITCH = 1000; /* Hz */
static const double PERIODIC = 0.5;                          /* least periodicity of a vowel */
static const double QUIETEST = -40;    /* dB below the loud moments: below, there is no vowel */
static const double HIGH_PITCH = 0.02; /* preference for the higher one of two pitches, an octave */
static const double RANGE_DB = 60;     /* levels of harmonics below that are noise */
static const double SOURCE_DB = -6;    /* per octave: glottis and radiation from the lips */
static const double TILT = 5;          /* resistance to another slope, octaves squared */
static const double WIDER = 1.5;       /* bandwidths are those of the table times this */
static const double CERTAIN = 8; /* difference of distances by which a vowel is e times as likely */
static const double NASAL = -10,
                    NASAL_DB = 4; /* of a nasal's distance, dB squared: always, and for */
static const double QUIETER = 10; /* each dB that it is less than so much quieter */

/* ---- resonances ---- */

enum { FORMANTS = 4 };

typedef struct Resonances {
    Vowel vowel;
    double hz[FORMANTS], width_hz[FORMANTS];
} Resonances;

/* README.md 6.2 has the sources. */
static const Resonances table[] = {
    {VOWEL_A, {753, 1385, 2500, 3500}, {60, 90, 150, 200}},
    {VOWEL_I, {315, 2172, 3000, 3500}, {60, 90, 150, 200}},
    {VOWEL_U, {367, 1332, 2500, 3500}, {60, 90, 150, 200}},
    {VOWEL_U, {300, 870, 2240, 3500}, {60, 90, 150, 200}}, /* with rounded lips */
    {VOWEL_E, {500, 1947, 2500, 3500}, {60, 90, 150, 200}},
    {VOWEL_O, {520, 997, 2500, 3500}, {60, 90, 150, 200}},
    {VOWEL_N, {250, 1500, 2000, 2600}, {60, 400, 200, 200}},
};
enum { ROWS = sizeof table / sizeof *table };

/* The level of a resonator at a frequency, in dB: a pair of poles, 0 dB at 0 Hz. */
static double resonance(double hz, double center, double width)
{
    const double b = width / 2, low = (hz - center) * (hz - center) + b * b;
    const double high = (hz + center) * (hz + center) + b * b;
    return 20 * log10(center * center + b * b) - 10 * log10(low * high);
}

/* ---- the sound at a low rate ---- */

typedef struct Analysis {
    float *samples; /* [count] of all channels, at `rate` */
    size_t count;
    double rate;
    Complex roots[SIZE / 2];
    double window[WINDOW], window_correlation[WINDOW];
    float envelopes[ROWS][POINTS]; /* dB */
} Analysis;

/* A windowed sinc with its edge at 0.45 of the low rate. */
static void decimate(Analysis *a, const Sound *sound, Arena *arena)
{
    const int step = sound->rate / LOW_RATE, reach = TAPS * step;
    double *filter = arena_array(arena, double, (size_t)reach + 1), sum = 0;
    for (int i = 0; i <= reach; i++) {
        const double x = 0.9 * i / step, hann = 0.5 + 0.5 * cos(PI * i / (reach + 1));
        filter[i] = (i ? sin(PI * x) / (PI * x) : 1) * hann;
        sum += i ? 2 * filter[i] : filter[i];
    }
    a->rate = (double)sound->rate / step;
    a->count = sound->frames / (size_t)step;
    a->samples = arena_array(arena, float, a->count);
    for (size_t i = 0; i < a->count; i++) {
        const int64_t center = (int64_t)i * step, frames = (int64_t)sound->frames;
        double value = 0;
        for (int64_t at = center - reach; at <= center + reach; at++)
            for (int c = 0; at >= 0 && at < frames && c < sound->channels; c++)
                value +=
                    filter[llabs(at - center)] * (double)sound->samples[at * sound->channels + c];
        a->samples[i] = (float)(value / (sum * sound->channels));
    }
}

/* Makes of a spectrum the autocorrelation of its signal, without the bins before `first`. */
static void correlate(Complex v[SIZE], const Analysis *a, size_t first)
{
    for (size_t k = 0; k < SIZE; k++) {
        const bool counts = (k < SIZE - k ? k : SIZE - k) >= first;
        v[k] = (Complex){counts ? v[k].re * v[k].re + v[k].im * v[k].im : 0, 0};
    }
    spectrum_transform(v, a->roots, SIZE);
}

static Analysis *create_analysis(const Sound *sound, Arena *arena)
{
    Analysis *a = arena_array(arena, Analysis, 1);
    Complex v[SIZE] = {0};
    spectrum_roots(a->roots, SIZE);
    for (int i = 0; i < WINDOW; i++) {
        a->window[i] = 0.5 - 0.5 * cos(2 * PI * i / WINDOW);
        v[i].re = a->window[i];
    }
    spectrum_transform(v, a->roots, SIZE);
    correlate(v, a, 0);
    for (int i = 0; i < WINDOW; i++)
        a->window_correlation[i] = v[i].re / v[0].re;
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < POINTS; i++)
            for (int f = 0; f < FORMANTS; f++)
                a->envelopes[row][i] +=
                    (float)resonance(LOWEST_HZ * exp2((double)i / OCTAVE), table[row].hz[f],
                                     table[row].width_hz[f] * WIDER);
    decimate(a, sound, arena);
    return a;
}

/* ---- moments ---- */

/* One moment of the sound. */
typedef struct Slice {
    float level_db, pitch_hz;
    float periodicity;              /* 0..1 */
    float harmonics[MAX_HARMONICS]; /* dB */
    uint32_t count;                 /* of harmonics; 0: no voice */
} Slice;

/* Boersma, 1993: the highest maximum of the autocorrelation, divided by that of the window. */
static void find_pitch(Slice *slice, const Complex *correlation, const Analysis *a)
{
    const size_t shortest = (size_t)(a->rate / HIGHEST_PITCH);
    const size_t longest = (size_t)(a->rate / LOWEST_PITCH);
    double values[WINDOW], best = -1;
    size_t lag = 0;
    for (size_t i = shortest - 1; i <= longest + 1; i++)
        values[i] = correlation[i].re / correlation[0].re / a->window_correlation[i];
    for (size_t i = shortest; i <= longest; i++) {
        const double score = values[i] - HIGH_PITCH * log2((double)i / (double)shortest);
        if (values[i] < values[i - 1] || values[i] < values[i + 1] || score <= best)
            continue;
        best = score;
        lag = i;
    }
    if (!lag)
        return;
    const double before = values[lag - 1], after = values[lag + 1];
    const double bend = before - 2 * values[lag] + after;
    const double offset = bend < 0 ? (before - after) / (2 * bend) : 0; /* of a parabola's top */
    slice->pitch_hz = (float)(a->rate / ((double)lag + offset));
    slice->periodicity = (float)fmin(values[lag], 1);
}

/* The largest level within a quarter of the pitch of each harmonic. */
static void find_harmonics(Slice *slice, const double *power, const Analysis *a)
{
    const double bin = a->rate / SIZE, pitch = (double)slice->pitch_hz;
    const size_t last = (size_t)(HIGHEST_HZ / pitch);
    slice->count = (uint32_t)(last < MAX_HARMONICS ? last : MAX_HARMONICS);
    for (size_t h = 0; h < slice->count; h++) {
        const double hz = pitch * (double)(h + 1);
        const size_t first = (size_t)round((hz - pitch / 4) / bin);
        const size_t end = (size_t)round((hz + pitch / 4) / bin) + 1;
        double most = 1e-12;
        for (size_t k = first; k < end && k < SIZE / 2; k++)
            most = fmax(most, power[k]);
        slice->harmonics[h] = (float)(10 * log10(most));
    }
}

static Slice take_slice(const Analysis *a, double time_s)
{
    Slice slice = {0};
    Complex v[SIZE] = {0};
    double power[SIZE / 2];
    const int64_t start = (int64_t)(time_s * a->rate) - WINDOW / 2;
    const size_t lowest = (size_t)ceil(LOWEST_HZ * SIZE / a->rate);
    for (int64_t i = 0; i < WINDOW; i++)
        if (start + i >= 0 && start + i < (int64_t)a->count)
            v[i].re = a->window[i] * (double)a->samples[start + i];
    spectrum_transform(v, a->roots, SIZE);
    for (size_t k = 0; k < SIZE / 2; k++)
        power[k] = v[k].re * v[k].re + v[k].im * v[k].im;
    correlate(v, a, lowest);
    slice.level_db = (float)(10 * log10(v[0].re + 1e-12));
    if (v[0].re > 0)
        find_pitch(&slice, v, a);
    if ((double)slice.periodicity >= PERIODIC)
        find_harmonics(&slice, power, a);
    return slice;
}

/* ---- comparison with the table ---- */

/* The harmonics of a moment, with weights whose sum is 1. */
typedef struct Harmonics {
    double level[MAX_HARMONICS]; /* dB, without the slope of the source */
    double weight[MAX_HARMONICS];
    double octave[MAX_HARMONICS]; /* relative to their mean */
    double spread;                /* variance of the octaves */
    int point[MAX_HARMONICS];     /* of an envelope */
    uint32_t count;
} Harmonics;

/* Weights: of the ear's bandwidth (Glasberg and Moore, 1990) each harmonic has its part, louder
 * ones more. */
static Harmonics weigh_harmonics(const Slice *slice)
{
    Harmonics h = {.count = slice->count};
    double loudest = -HUGE_VAL, sum = 0, mean = 0;
    for (uint32_t i = 0; i < h.count; i++)
        loudest = fmax(loudest, (double)slice->harmonics[i]);
    for (uint32_t i = 0; i < h.count; i++) {
        const double hz = (double)slice->pitch_hz * (i + 1);
        const double level = fmax((double)slice->harmonics[i], loudest - RANGE_DB);
        const double ear_hz = 24.7 * (0.00437 * hz + 1);
        h.octave[i] = log2(hz / LOWEST_HZ);
        h.point[i] = (int)round(OCTAVE * h.octave[i]);
        h.level[i] = level - SOURCE_DB * h.octave[i];
        h.weight[i] =
            fmin((double)slice->pitch_hz / ear_hz, 1) * pow(10, 0.015 * (level - loudest));
        sum += h.weight[i];
    }
    for (uint32_t i = 0; i < h.count; i++) {
        h.weight[i] /= sum;
        mean += h.weight[i] * h.octave[i];
    }
    for (uint32_t i = 0; i < h.count; i++) {
        h.octave[i] -= mean;
        h.spread += h.weight[i] * h.octave[i] * h.octave[i];
    }
    return h;
}

/* The variance of the levels about an envelope, whatever the loudness and, at a price, the slope
 * are: dB squared. */
static double compare(const Harmonics *h, const float *envelope, int scale)
{
    double mean = 0, square = 0, slope = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        const int point = h->point[i] - scale;
        const double d = h->level[i] - (double)envelope[point < 0 ? 0 : point];
        mean += h->weight[i] * d;
        square += h->weight[i] * d * d;
        slope += h->weight[i] * d * h->octave[i];
    }
    return square - mean * mean - slope * slope / (h->spread + TILT);
}

static void find_distances(double distances[VOWELS], const Slice *slice, const Harmonics *h,
                           const Analysis *a, int scale, double loud_db)
{
    for (int v = 0; v < VOWELS; v++)
        distances[v] = HUGE_VAL;
    for (int row = 0; row < ROWS; row++) {
        const Vowel vowel = table[row].vowel;
        distances[vowel] = fmin(distances[vowel], compare(h, a->envelopes[row], scale));
    }
    distances[VOWEL_N] += NASAL + NASAL_DB * fmax(0, (double)slice->level_db - loud_db + QUIETER);
}

/* ---- the voice ---- */

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The level that 5 % of the voiced moments exceed; -INFINITY without any. */
static double find_loud_level(const Slice *slices, size_t count, Arena *scratch)
{
    float *levels = arena_array(scratch, float, count);
    size_t voiced = 0;
    for (size_t i = 0; i < count; i++)
        if (slices[i].count)
            levels[voiced++] = slices[i].level_db;
    if (!voiced)
        return -HUGE_VAL;
    qsort(levels, voiced, sizeof *levels, by_value);
    return (double)levels[voiced - 1 - voiced / 20];
}

static bool is_vowel(const Slice *slice, double loud_db)
{
    return slice->count > 1 && (double)slice->level_db > loud_db + QUIETEST;
}

/* The length of the speaker's vocal tract: the scale with the smallest sum of distances. */
static int find_scale(const Slice *slices, size_t count, const Analysis *a, double loud_db)
{
    double sums[SCALES] = {0}, distances[VOWELS];
    int best = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_vowel(&slices[i], loud_db))
            continue;
        const Harmonics h = weigh_harmonics(&slices[i]);
        for (int s = 0; s < SCALES; s++) {
            double least = HUGE_VAL;
            find_distances(distances, &slices[i], &h, a, SHORTEST + s * STEP, loud_db);
            for (int v = 0; v < VOWELS; v++)
                least = fmin(least, distances[v]);
            sums[s] += least;
        }
    }
    for (int s = 1; s < SCALES; s++)
        best = sums[s] < sums[best] ? s : best;
    return SHORTEST + best * STEP;
}

static void set_moment(VoiceMoment *moment, const Slice *slice, const Analysis *a, int scale,
                       double loud_db)
{
    const Harmonics h = weigh_harmonics(slice);
    double distances[VOWELS], least = HUGE_VAL, sum = 0;
    const double loudness = fmin(fmax(1 + ((double)slice->level_db - loud_db + 6) / 24, 0), 1);
    find_distances(distances, slice, &h, a, scale, loud_db);
    for (int v = 0; v < VOWELS; v++)
        least = fmin(least, distances[v]);
    for (int v = 0; v < VOWELS; v++)
        sum += exp((least - distances[v]) / CERTAIN);
    for (int v = 0; v < VOWELS; v++)
        moment->vowels[v] = (float)(exp((least - distances[v]) / CERTAIN) / sum * loudness);
}

/* Instruments make a sound less periodic, and play while a voice breathes (README.md 6.5). */
static void find_company(Voice *voice, const Slice *slices, size_t count, double loud_db)
{
    size_t loud = 0, quiet = 0;
    for (size_t i = 0; i < count; i++) {
        quiet += (double)slices[i].level_db < loud_db - 30;
        if ((double)slices[i].level_db > loud_db - 20) {
            voice->periodicity += (double)slices[i].periodicity;
            loud++;
        }
    }
    if (!loud)
        return;
    voice->periodicity /= (double)loud;
    voice->pauses = (double)quiet / (double)count;
    voice->alone = voice->periodicity > 0.7 && (voice->periodicity > 0.85 || voice->pauses > 0.1);
}

Voice voice_analyze(const Sound *sound, Arena *arena)
{
    Arena *scratch = arena_create();
    const Analysis *a = create_analysis(sound, scratch);
    const size_t count = (size_t)((double)a->count / a->rate * VOICE_RATE);
    Slice *slices = arena_array(scratch, Slice, count);
    for (size_t i = 0; i < count; i++)
        slices[i] = take_slice(a, (double)i / VOICE_RATE);

    Voice voice = {.moments = arena_array(arena, VoiceMoment, count), .count = count};
    const double loud_db = find_loud_level(slices, count, scratch);
    const int scale = find_scale(slices, count, a, loud_db);
    size_t voiced = 0;
    for (size_t i = 0; i < count; i++)
        if (is_vowel(&slices[i], loud_db)) {
            set_moment(&voice.moments[i], &slices[i], a, scale, loud_db);
            voiced++;
        }
    voice.voiced_s = (double)voiced / VOICE_RATE;
    voice.scale = exp2((double)scale / OCTAVE);
    find_company(&voice, slices, count, loud_db);
    arena_destroy(scratch);
    return voice;
}
