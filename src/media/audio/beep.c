#include "media/audio/beep.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "media/audio/blep.h"

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

static size_t voice_count(const Beeper *b)
{
    return b->count < b->voices ? b->count : b->voices;
}

/* Selects the first note at or after a slot, or the first of all. */
static void select_slot(Beeper *b, unsigned slot, double at)
{
    const size_t rank = rank_of(b, slot);
    if (!b->count)
        return;
    b->current = b->sounding[rank < voice_count(b) ? rank : 0];
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
