// SPDX-License-Identifier: MIT
#include "media/audio/beep.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/* ---- steps of level at any time between two samples, without aliases ---- */

/*
 * A piecewise constant signal is sampled without aliasing by replacing each step with the step
 * response of a low-pass filter at the exact time of the step (media/audio/README.md 2).  The
 * filter is a sinc under a Kaiser window of 64 samples, without delay: it rings BLEP_REACH samples
 * before and after a step.
 */

enum { BLEP_REACH = 32, BLEP_TAPS = 2 * BLEP_REACH, BLEP_PHASES = 256 };

/* Difference between the filtered and the ideal step of height 1, from BLEP_REACH samples before it
 * to BLEP_REACH after it, for BLEP_PHASES positions of the step between two samples. */
typedef struct BlepTable {
    float residual[BLEP_PHASES + 1][BLEP_TAPS];
} BlepTable;

/* Writes a signal in order of time; it begins at level 0.  Times are in samples, with fractions. */
typedef struct BlepWriter {
    const BlepTable *table;
    float *samples; /* zeroed at the start */
    size_t frames;
    double at;    /* the signal is written up to this time */
    double level; /* the level from then on */
} BlepWriter;

/* Cutoff in cycles per sample.  A window of this length and shape has a transition of 0.09. */
static const double CUTOFF = 0.455, SHAPE = 9.0;

/* Modified Bessel function of order 0, by its series. */
static double bessel_i0(double x)
{
    double sum = 1.0, term = 1.0;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= x * x / (4.0 * k * k);
        sum += term;
    }
    return sum;
}

/* Impulse response, up to a factor. */
static double response(double t)
{
    const double x = t / BLEP_REACH, a = 2.0 * PI * CUTOFF * t;
    const double sinc = fabs(a) < 1e-9 ? 1.0 : sin(a) / a;
    return fabs(x) < 1.0 ? sinc * bessel_i0(SHAPE * sqrt(1.0 - x * x)) : sinc;
}

/* The step response is the integral of the impulse response, by Simpson's rule. */
static const BlepTable *blep_table_init(Arena *arena)
{
    enum { COUNT = BLEP_TAPS * BLEP_PHASES };
    const double width = 1.0 / BLEP_PHASES;
    Arena *scratch = arena_create();
    double *step = arena_array(scratch, double, COUNT + 1);
    BlepTable *table = arena_array(arena, BlepTable, 1);

    double left = response(-BLEP_REACH);
    for (int i = 0; i < COUNT; i++) {
        const double t = -BLEP_REACH + i * width;
        const double right = response(t + width);
        step[i + 1] = step[i] + width / 6.0 * (left + 4.0 * response(t + 0.5 * width) + right);
        left = right;
    }
    for (int phase = 0; phase <= BLEP_PHASES; phase++)
        for (int tap = 0; tap < BLEP_TAPS; tap++) {
            const double value = step[tap * BLEP_PHASES + phase] / step[COUNT];
            table->residual[phase][tap] = (float)(tap < BLEP_REACH ? value : value - 1.0);
        }
    arena_destroy(scratch);
    return table;
}

/* Adds the residual of a step by `height` at `time`. */
static void add_residual(BlepWriter *w, double time, double height)
{
    const double first = ceil(time), position = (first - time) * BLEP_PHASES;
    const size_t phase = position < BLEP_PHASES - 1 ? (size_t)position : BLEP_PHASES - 1;
    const double blend = position - (double)phase;
    const float *a = w->table->residual[phase], *b = w->table->residual[phase + 1];
    const double begin = first - BLEP_REACH;

    for (int tap = 0; tap < BLEP_TAPS; tap++) {
        const double i = begin + tap;
        if (i >= 0.0 && i < (double)w->frames)
            w->samples[(size_t)i] +=
                (float)(height * ((double)a[tap] + blend * ((double)b[tap] - (double)a[tap])));
    }
}

/* The signal keeps its level until `time`, then steps.  An earlier time than writer->at means
 * writer->at. */
static void blep_step(BlepWriter *w, double time, double level)
{
    if (!(time > w->at))
        time = w->at;
    const double end = fmin(ceil(time), (double)w->frames);
    if (w->level != 0.0)
        for (double i = ceil(w->at); i < end; i++)
            w->samples[(size_t)i] += (float)w->level;
    if (level != w->level)
        add_residual(w, time, level - w->level);
    w->at = time;
    w->level = level;
}

/* ---- notes ---- */

enum { SLOTS = MIDI_CHANNELS * MIDI_KEYS };

static const double LEVEL = 0.25; /* a full square wave is far louder than music of the same peak */

/* The order of notes: low channels first; in a channel high keys first, since they carry the
 * melody. */
static unsigned slot_of(const MidiNote *note)
{
    return note->channel * MIDI_KEYS + (MIDI_KEYS - 1u - note->key);
}

/* Samples from one jump of the wave to the next. */
static double half_period(unsigned slot)
{
    const double key = MIDI_KEYS - 1 - (int)(slot % MIDI_KEYS);
    return 0.5 * BEEP_RATE / (440.0 * pow(2.0, (key - 69.0) / 12.0));
}

/* A note begins or ends.  At the same time ends come first, so that a note can be repeated. */
typedef struct Change {
    double at; /* samples */
    uint16_t slot;
    uint16_t begins;
} Change;

static int compare_changes(const void *a, const void *b)
{
    const Change *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->begins != y->begins ? x->begins - y->begins : x->slot - y->slot;
}

static Change *make_changes(size_t *count, const MidiSong *song, bool percussion, Arena *arena)
{
    Change *changes = arena_calloc(arena, song->note_count, 2 * sizeof *changes);
    *count = 0;
    for (size_t i = 0; i < song->note_count; i++) {
        const MidiNote *n = &song->notes[i];
        const uint16_t slot = (uint16_t)slot_of(n);
        if (n->end_s <= n->start_s || (n->channel == MIDI_PERCUSSION && !percussion))
            continue;
        changes[(*count)++] = (Change){n->start_s * BEEP_RATE, slot, 1};
        changes[(*count)++] = (Change){n->end_s * BEEP_RATE, slot, 0};
    }
    qsort(changes, *count, sizeof *changes, compare_changes);
    return changes;
}

/* ---- the voice ---- */

typedef struct Beeper {
    BlepWriter out;
    size_t voices;
    double slice; /* samples */

    uint16_t sounding[SLOTS]; /* increasing */
    size_t count;
    uint32_t note_count[SLOTS]; /* notes of a slot that sound; they may overlap */
    double start[SLOTS];        /* when the latest of them began */
    uint16_t current;           /* slot that is played */
    double slice_end;
} Beeper;

/* Index of a slot in `sounding`, or where to insert it. */
static size_t rank_of(const Beeper *b, unsigned slot)
{
    size_t low = 0, high = b->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (b->sounding[middle] < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Selects the first note at or after a slot, or the first of all. */
static void select_slot(Beeper *b, unsigned slot, double at)
{
    const size_t rank = rank_of(b, slot);
    if (!b->count)
        return;
    b->current = b->sounding[rank < b->count && rank < b->voices ? rank : 0];
    b->slice_end = at + b->slice;
}

/* Writes the wave of the current note between two times; it began before the first. */
static void write_wave(Beeper *b, double from, double to)
{
    const double start = b->start[b->current], half = half_period(b->current);
    double jump = floor((from - start) / half);

    blep_step(&b->out, from, fmod(jump, 2.0) == 0.0 ? LEVEL : -LEVEL);
    for (;;) {
        jump += 1.0;
        const double at = start + jump * half;
        if (at >= to)
            return;
        blep_step(&b->out, at, fmod(jump, 2.0) == 0.0 ? LEVEL : -LEVEL);
    }
}

/* No note begins or ends between the two times. */
static void play_until(Beeper *b, double from, double end)
{
    if (!b->count) {
        blep_step(&b->out, from, 0.0);
        return;
    }
    while (from < end) {
        if (from >= b->slice_end)
            select_slot(b, b->current + 1u, from);
        const double to = fmin(b->slice_end, end);
        write_wave(b, from, to);
        from = to;
    }
}

static void begin_note(Beeper *b, const Change *change)
{
    const unsigned slot = change->slot;
    b->start[slot] = change->at;
    if (b->note_count[slot]++)
        return;
    const size_t rank = rank_of(b, slot);
    memmove(&b->sounding[rank + 1], &b->sounding[rank], (b->count - rank) * sizeof *b->sounding);
    b->sounding[rank] = (uint16_t)slot;
    b->count++;
}

static void end_note(Beeper *b, unsigned slot)
{
    if (--b->note_count[slot])
        return;
    const size_t rank = rank_of(b, slot);
    b->count--;
    memmove(&b->sounding[rank], &b->sounding[rank + 1], (b->count - rank) * sizeof *b->sounding);
}

/* Applies all changes at one time; returns their number. */
static size_t apply_changes(Beeper *b, const Change *changes, size_t count)
{
    const double at = changes[0].at;
    unsigned first_new = SLOTS;
    size_t i = 0;

    for (; i < count && changes[i].at == at; i++) {
        if (!changes[i].begins)
            end_note(b, changes[i].slot);
        else
            begin_note(b, &changes[i]);
        if (changes[i].begins && changes[i].slot < first_new)
            first_new = changes[i].slot;
    }
    if (first_new < SLOTS && rank_of(b, first_new) < b->voices)
        select_slot(b, first_new, at);
    else if (!b->note_count[b->current] || rank_of(b, b->current) >= b->voices)
        select_slot(b, b->current, at);
    return i;
}

Sound beep_play(const MidiSong *song, const BeepOptions *options, double max_s, Arena *arena)
{
    assert(options->voices >= 1 && options->slice_ms > 0.0);

    const double length_s = fmax(fmin(song->length_s, max_s), 0.0);
    const size_t frames = (size_t)ceil(length_s * BEEP_RATE) + (length_s > 0.0 ? BLEP_REACH : 0);
    Sound sound = {arena_array(arena, float, frames), frames, 1, BEEP_RATE, 0};
    Arena *scratch = arena_create();
    Beeper *b = arena_array(scratch, Beeper, 1);
    size_t count;
    const Change *changes = make_changes(&count, song, options->percussion, scratch);

    b->out = (BlepWriter){blep_table_init(scratch), sound.samples, frames, 0.0, 0.0};
    b->voices = (size_t)options->voices;
    b->slice = options->slice_ms * BEEP_RATE / 1000.0;
    for (size_t i = 0; i < count && changes[i].at < (double)frames;) {
        const double at = changes[i].at;
        i += apply_changes(b, &changes[i], count - i);
        play_until(b, at, i < count ? fmin(changes[i].at, (double)frames) : at);
    }
    blep_step(&b->out, (double)frames, 0.0);
    arena_destroy(scratch);
    return sound;
}
