// SPDX-License-Identifier: MIT
/*
 * beat.h - the beats of a sound or a MIDI song (media/audio/README.md 4)
 *
 * In a sound, onsets are found first, then the tempo, then the beats, which may drift with the
 * music.  The result depends on the samples or the song only.
 */
#pragma once

#include "base/arena.h"
#include "format/midi.h"
#include "media/sound.h"

typedef struct Beats {
    double *times_s; /* [count] ascending, from the start of the sound's file */
    size_t count;    /* 0: silence, or too short for a tempo */
    double period_s; /* usual time from one beat to the next; 0 without beats */
    size_t downbeat; /* index of the first beat that starts a bar of four beats, 0..3 */
} Beats;

Beats beat_find(const Sound *sound, Arena *arena);

/* By its tempo, from the start of the song; no beats under SMPTE. */
Beats beat_find_song(const MidiSong *song, Arena *arena);
