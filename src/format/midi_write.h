/*
 * midi_write.h - notes in beats to a MIDI file of one track (format 0)
 *
 * For the built-in demo.  The bytes are in the arena.
 */
#ifndef FORMAT_MIDI_WRITE_H
#define FORMAT_MIDI_WRITE_H

#include "format/midi.h"

enum { MIDI_WRITE_TICKS = 480 }; /* a beat */

typedef struct MidiBeatNote {
    double beat, length;            /* rounded to a tick; below 2^27 ticks together */
    uint8_t channel, key, velocity; /* as in MidiNote */
} MidiBeatNote;

Bytes midi_write(const MidiBeatNote *notes, size_t count, uint32_t beat_us, Arena *arena);

#endif
