// SPDX-License-Identifier: MIT
/*
 * midi_write.h - serializes notes with times in beats as a MIDI file of one track (format 0)
 *
 * For the built-in demo.  The bytes are in the arena.
 */
#pragma once

#include "format/midi.h"

enum { MIDI_WRITE_TICKS = 480 }; /* per beat */

typedef struct MidiBeatNote {
    double beat, length;            /* rounded to a tick; the end must be below 2^27 ticks */
    uint8_t channel, key, velocity; /* as in MidiNote */
} MidiBeatNote;

/* beat_us: microseconds per beat, below 2^24. */
Bytes midi_write(const MidiBeatNote *notes, size_t count, uint32_t beat_us, Arena *arena);
