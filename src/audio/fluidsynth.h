/*
 * fluidsynth.h - a song played by FluidSynth, on the instruments of a soundfont
 *
 * Optional: built in where pkg-config found libfluidsynth (HAVE_FLUIDSYNTH).  FluidSynth reads the
 * MIDI file by itself; midi_load must have accepted it before.  Two channels at 48000 Hz, at
 * FluidSynth's own loudness, with its reverb and chorus.
 */
#ifndef AUDIO_FLUIDSYNTH_H
#define AUDIO_FLUIDSYNTH_H

#include "media/sound.h"
#include "base/file.h"

enum { FLUID_TAIL_S = 3 }; /* what may ring on behind the end */

/*
 * The first length_s seconds of a song, and a tail.  Errors: DIAG_RESOURCE where FluidSynth is not
 * built in or has no memory, DIAG_MISSING and DIAG_DATA for the soundfont.
 */
bool fluidsynth_play(Sound *sound, Bytes midi, const char *soundfont, double length_s, Arena *arena,
                     Diag *diag);

#endif
