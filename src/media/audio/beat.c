// SPDX-License-Identifier: MIT
#include "media/audio/beat.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "media/audio/spectrum.h"

enum { RATE = 100 };                   /* values of the onset strength per second */
enum { WINDOW = 512 };                 /* samples of a spectrum, a power of two */
enum { BANDS = 24 };                   /* bands of a spectrum */
enum { LOW_RATE = 12000 };             /* Hz, at least; spectra need nothing above its half */
enum { SHORTEST = 33, LONGEST = 100 }; /* values from beat to beat: 182 to 60 beats per minute */
enum { MAX_VALUES = 4 * 3600 * RATE }; /* longest sound: 4 hours */
static const double USUAL = 50;        /* values: 120 beats per minute */
static const double STEADINESS = 100;  /* weight of an even tempo against strong onsets */

/* Onset strength over time: at least 0, with a mean square of 1 unless all is silent. */
typedef struct Onsets {
    double *values; /* [count] RATE per second */
    size_t count;
} Onsets;

/* ---- onsets of a sound ---- */

typedef struct Analysis {
    const Sound *sound;
    size_t decimation; /* samples of the sound that are averaged to one */
    Complex roots[WINDOW / 2];
    double window[WINDOW];
    size_t edges[BANDS + 1]; /* first bin of each band */
} Analysis;

static Analysis create_analysis(const Sound *sound)
{
    Analysis a = {.sound = sound, .decimation = (size_t)(sound->rate / LOW_RATE)};
    a.decimation = a.decimation ? a.decimation : 1;
    spectrum_roots(a.roots, WINDOW);
    for (int i = 0; i < WINDOW; i++)
        a.window[i] = 0.5 - 0.5 * cos(2 * PI * i / WINDOW);
    for (int i = 0; i <= BANDS; i++) { /* even on a logarithmic scale, a bin wide at least */
        const size_t edge = (size_t)(pow(WINDOW / 2.0, (double)i / BANDS) + 0.5);
        a.edges[i] = i && edge <= a.edges[i - 1] ? a.edges[i - 1] + 1 : edge;
    }
    return a;
}

/* The average of some samples of all channels; 0 outside of the sound. */
static double sample_at(const Analysis *a, int64_t index)
{
    const Sound *s = a->sound;
    double sum = 0;
    for (size_t i = 0; i < a->decimation; i++) {
        const int64_t frame = index * (int64_t)a->decimation + (int64_t)i;
        if (frame < 0 || frame >= (int64_t)s->frames)
            continue;
        for (int c = 0; c < s->channels; c++)
            sum += (double)s->samples[frame * s->channels + c];
    }
    return sum / (double)(a->decimation * (size_t)s->channels);
}

/* Logarithmic levels of all bands around a time. */
static void find_levels(double levels[BANDS], const Analysis *a, double time_s)
{
    Complex v[WINDOW];
    const double rate = (double)a->sound->rate / (double)a->decimation;
    const int64_t first = (int64_t)(time_s * rate) - WINDOW / 2;
    for (int i = 0; i < WINDOW; i++)
        v[i] = (Complex){sample_at(a, first + i) * a->window[i], 0};
    spectrum_transform(v, a->roots, WINDOW);
    for (int band = 0; band < BANDS; band++) {
        double power = 0;
        for (size_t k = a->edges[band]; k < a->edges[band + 1] && k < WINDOW / 2; k++)
            power += v[k].re * v[k].re + v[k].im * v[k].im;
        levels[band] = log(1 + power);
    }
}

/* How much the levels rise from value to value. */
static Onsets find_onsets(const Sound *sound, Arena *arena)
{
    const Analysis a = create_analysis(sound);
    const double length_s = (double)sound->frames / sound->rate;
    Onsets onsets = {.count = (size_t)fmin(length_s * RATE, MAX_VALUES)};
    double before[BANDS] = {0}, now[BANDS];
    onsets.values = arena_array(arena, double, onsets.count);
    for (size_t i = 0; i < onsets.count; i++) {
        find_levels(now, &a, (double)i / RATE);
        for (int band = 0; band < BANDS; band++)
            onsets.values[i] += fmax(now[band] - before[band], 0);
        memcpy(before, now, sizeof before);
    }
    return onsets;
}

/* ---- tempo and beats ---- */

/* Removes the slowly changing part, and scales to a mean square of 1.  False for silence. */
static bool normalize(Onsets *o, Arena *arena)
{
    const size_t radius = RATE / 2;
    double *sums = arena_array(arena, double, o->count + 1), square = 0;
    for (size_t i = 0; i < o->count; i++)
        sums[i + 1] = sums[i] + o->values[i];
    for (size_t i = 0; i < o->count; i++) {
        const size_t first = i > radius ? i - radius : 0;
        const size_t end = i + radius < o->count ? i + radius + 1 : o->count;
        o->values[i] = fmax(o->values[i] - (sums[end] - sums[first]) / (double)(end - first), 0);
        square += o->values[i] * o->values[i];
    }
    for (size_t i = 0; square > 0 && i < o->count; i++)
        o->values[i] /= sqrt(square / (double)o->count);
    return square > 0;
}

/* A little wider, so that neighbouring values agree. */
static double onset_at(const Onsets *o, size_t i)
{
    const double before = i ? o->values[i - 1] : 0;
    const double after = i + 1 < o->count ? o->values[i + 1] : 0;
    return (before + 2 * o->values[i] + after) / 4;
}

/* The lag after which the onsets repeat best, with a preference for usual tempos. */
static double find_period(const Onsets *o)
{
    double best = -1, period = USUAL;
    for (size_t lag = SHORTEST; lag <= LONGEST; lag++) {
        const double octaves = log2((double)lag / USUAL);
        double sum = 0;
        for (size_t i = lag; i < o->count; i++)
            sum += onset_at(o, i) * onset_at(o, i - lag);
        sum *= exp(-octaves * octaves / 2);
        if (sum > best) {
            best = sum;
            period = (double)lag;
        }
    }
    return period;
}

/* Ellis, "Beat tracking by dynamic programming" (2007): the best sum of the onset strengths of all
 * beats and of penalties for uneven steps. */
static Beats track_beats(const Onsets *o, double period, Arena *arena)
{
    double *scores = arena_array(arena, double, o->count), best_end = -HUGE_VAL;
    size_t *previous = arena_array(arena, size_t, o->count), end = 0, count = 0;
    const size_t shortest = (size_t)(period / 2), longest = (size_t)(period * 2);
    for (size_t i = 0; i < o->count; i++) {
        double best = 0; /* the first beat */
        previous[i] = i;
        for (size_t lag = shortest; lag <= longest && lag <= i; lag++) {
            const double uneven = log((double)lag / period);
            const double score = scores[i - lag] - STEADINESS * uneven * uneven;
            if (score > best) {
                best = score;
                previous[i] = i - lag;
            }
        }
        scores[i] = best + onset_at(o, i);
        if (i + longest >= o->count && scores[i] > best_end) {
            best_end = scores[i];
            end = i;
        }
    }
    for (size_t i = end;; i = previous[i]) {
        count++;
        if (previous[i] == i)
            break;
    }
    Beats beats = {.count = count, .period_s = period / RATE};
    beats.times_s = arena_array(arena, double, count);
    for (size_t k = count, i = end; k-- > 0; i = previous[i])
        beats.times_s[k] = (double)i / RATE;
    return beats;
}

/* Which of four beats is the loudest one. */
static size_t find_downbeat(const Beats *beats, const Onsets *o)
{
    double sums[4] = {0};
    size_t best = 0;
    for (size_t i = 0; i < beats->count; i++)
        sums[i % 4] += onset_at(o, (size_t)(beats->times_s[i] * RATE + 0.5));
    for (size_t i = 1; i < 4; i++)
        best = sums[i] > sums[best] ? i : best;
    return best;
}

static Beats find_beats(Onsets *onsets, double start_s, Arena *arena, Arena *scratch)
{
    if (onsets->count < 4 * LONGEST || !normalize(onsets, scratch))
        return (Beats){.count = 0};
    Beats beats = track_beats(onsets, find_period(onsets), arena);
    beats.downbeat = find_downbeat(&beats, onsets);
    for (size_t i = 0; i < beats.count; i++)
        beats.times_s[i] += start_s;
    return beats;
}

/* ---- public functions ---- */

/* Absurdly short beats are made longer, which limits their number. */
static double beat_length_s(const MidiTempo *tempo)
{
    return fmax(tempo->beat_us * 1e-6, 0.1);
}

Beats beat_find(const Sound *sound, Arena *arena)
{
    Arena *scratch = arena_create();
    Onsets onsets = find_onsets(sound, scratch);
    const Beats beats = find_beats(&onsets, (double)sound->first / sound->rate, arena, scratch);
    arena_destroy(scratch);
    return beats;
}

Beats beat_find_song(const MidiSong *song, Arena *arena)
{
    ARENA_LIST(double) times = {0};
    double at = 0; /* the start of a beat */
    size_t tempo = 0;
    if (!song->tempo_count)
        return (Beats){.count = 0};
    while (at < song->length_s) {
        double left = 1; /* part of the beat */
        *arena_push(arena, &times) = at;
        for (;; tempo++) {
            const double beat_s = beat_length_s(&song->tempos[tempo]);
            const double end_s = at + left * beat_s;
            if (tempo + 1 == song->tempo_count || end_s <= song->tempos[tempo + 1].start_s) {
                at = end_s;
                break;
            }
            left -= (song->tempos[tempo + 1].start_s - at) / beat_s;
            at = song->tempos[tempo + 1].start_s;
        }
    }
    return (Beats){
        .times_s = times.items, .count = times.count, .period_s = beat_length_s(&song->tempos[0])};
}
