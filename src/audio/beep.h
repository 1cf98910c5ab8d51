/*
 * beep.h - a song on the beeper of an old computer: one square wave for all notes
 *
 * Key n sounds at 440 * 2^((n - 69) / 12) Hz, every note as loud as any other.  The one voice goes
 * around the notes that sound, a slice of time each, from low channels to high ones and within a
 * channel from high keys to low ones.  A note that begins is heard at once (of several the first in
 * that order), and the round goes on from there; a slice ends early where its note ends.
 *
 * Each note's wave runs on from its beginning while others are heard, so that a chord keeps the
 * notes' exact pitches; the voice itself is only ever at one of two levels, or at rest.  All its
 * jumps are band-limited (step.h): aliases lie 90 dB below the note.
 */
#ifndef AUDIO_BEEP_H
#define AUDIO_BEEP_H

#include "media/sound.h"
#include "format/midi.h"

enum { BEEP_RATE = 48000, BEEP_MAX_VOICES = 128 };

typedef struct BeepOptions {
    int voices; /* notes that take part at a time, 1..BEEP_MAX_VOICES: the first in the order */
    double slice_ms; /* > 0 */
    bool percussion; /* channel 10 too */
} BeepOptions;

/* One channel, levels about +-0.25; ends with the song, or after `most_s` seconds of it. */
Sound beep_play(const MidiSong *song, const BeepOptions *options, double most_s, Arena *arena);

#endif
