// SPDX-License-Identifier: MIT
/*
 * fluidsynth.h - a song played by FluidSynth, on the instruments of a soundfont
 *
 * Optional: built in if pkg-config finds libfluidsynth (HAVE_FLUIDSYNTH).  FluidSynth parses the
 * MIDI file itself; midi_load must have accepted it before.  Two channels at 48000 Hz, with
 * FluidSynth's default gain, reverb and chorus.
 */
#pragma once

#include "base/file.h"
#include "media/sound.h"

enum { FLUIDSYNTH_TAIL_S = 3 }; /* reverberation after the end */

/*
 * The first length_s seconds of a song, and a tail.  Errors: DIAG_RESOURCE if FluidSynth is not
 * built in or has no memory, DIAG_MISSING and DIAG_DATA for the soundfont.
 */
bool fluidsynth_play(Sound *sound, Bytes midi, const char *soundfont, double length_s, Arena *arena,
                     Diag *diag);
