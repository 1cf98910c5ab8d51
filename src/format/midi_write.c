// SPDX-License-Identifier: MIT
#include "format/midi_write.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_SIZE = 14 + 8,
    TEMPO_SIZE = 7,
    EVENT_SIZE = 7,
    END_SIZE = 4
}; /* the largest possible */

typedef struct Event {
    uint32_t tick;
    uint8_t bytes[3]; /* the end of a note is a note on of velocity 0 */
} Event;

/* By tick; at one tick, ends first. */
static int compare_events(const void *a, const void *b)
{
    const Event *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    if (!x->bytes[2] != !y->bytes[2])
        return x->bytes[2] ? 1 : -1;
    return memcmp(x->bytes, y->bytes, sizeof x->bytes);
}

static Event *make_events(const MidiBeatNote *notes, size_t count, Arena *arena)
{
    Event *events = arena_calloc(arena, count, 2 * sizeof *events);
    for (size_t i = 0; i < count; i++) {
        const MidiBeatNote *n = &notes[i];
        const double end = n->beat + n->length;
        const uint8_t status = (uint8_t)(0x90 | n->channel);
        assert(n->beat >= 0 && end * MIDI_WRITE_TICKS < 1 << 27 && n->velocity > 0);
        events[2 * i] =
            (Event){(uint32_t)llround(n->beat * MIDI_WRITE_TICKS), {status, n->key, n->velocity}};
        events[2 * i + 1] = (Event){(uint32_t)llround(end * MIDI_WRITE_TICKS), {status, n->key, 0}};
    }
    qsort(events, 2 * count, sizeof *events, compare_events);
    return events;
}

static uint8_t *write_be(uint8_t *at, uint32_t value, unsigned size)
{
    while (size--)
        *at++ = (uint8_t)(value >> 8 * size);
    return at;
}

/* The inverse of read_varying in midi.c. */
static uint8_t *write_varying(uint8_t *at, uint32_t value)
{
    for (unsigned shift = 21; shift; shift -= 7)
        if (value >> shift)
            *at++ = (uint8_t)(0x80 | (value >> shift & 0x7F));
    *at++ = value & 0x7F;
    return at;
}

static uint8_t *write_events(uint8_t *at, const Event *events, size_t count)
{
    uint32_t tick = 0;
    uint8_t status = 0;
    for (size_t i = 0; i < count; i++) {
        at = write_varying(at, events[i].tick - tick);
        tick = events[i].tick;
        if (events[i].bytes[0] != status)
            *at++ = status = events[i].bytes[0];
        memcpy(at, events[i].bytes + 1, 2);
        at += 2;
    }
    return at;
}

Bytes midi_write(const MidiBeatNote *notes, size_t count, uint32_t beat_us, Arena *arena)
{
    const Event *events = make_events(notes, count, arena);
    uint8_t *bytes =
        arena_alloc(arena, HEADER_SIZE + TEMPO_SIZE + END_SIZE + 2 * count * EVENT_SIZE);
    uint8_t *at = bytes + HEADER_SIZE;

    at = write_be(write_be(at, 0x00FF5103, 4), beat_us, 3); /* delta 0, tempo, 3 bytes */
    at = write_events(at, events, 2 * count);
    at = write_be(at, 0x00FF2F00, 4); /* delta 0, end of track */

    memcpy(bytes, "MThd\0\0\0\6\0\0\0\1..MTrk", 18); /* format 0, one track */
    write_be(bytes + 12, MIDI_WRITE_TICKS, 2);
    write_be(bytes + 18, (uint32_t)(at - (bytes + HEADER_SIZE)), 4);
    return (Bytes){bytes, (size_t)(at - bytes)};
}
