// SPDX-License-Identifier: MIT
/*
 * beep.h - a MIDI song as one square wave, like the beeper of an old computer
 * (media/audio/README.md 1)
 *
 * One voice plays all notes in turn, a time slice each.  The steps of its wave are band-limited
 * (README.md 2): aliases are 90 dB below the note.  Deterministic.
 */
#pragma once

#include "format/midi.h"
#include "media/sound.h"

enum { BEEP_RATE = 48000, BEEP_MAX_VOICES = 128 };

typedef struct BeepOptions {
    int voices;      /* notes that are played in turn at a time, 1..BEEP_MAX_VOICES */
    double slice_ms; /* > 0 */
    bool percussion; /* include channel 10 */
} BeepOptions;

/* One channel with levels of +-0.25, as long as the song, at most max_s seconds. */
Sound beep_play(const MidiSong *song, const BeepOptions *options, double max_s, Arena *arena);
