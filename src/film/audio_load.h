// SPDX-License-Identifier: MIT
/*
 * audio_load.h - loads the sound of a job: a sound file, or a MIDI song played by a synthesizer
 */
#pragma once

#include "job/job.h"
#include "media/sound.h"

/* True for the name of a MIDI file (.mid, .midi). */
bool audio_is_midi(const char *path);

/* At least a part of the sound; a MIDI song is synthesized from its start.  Errors name
 * audio->file. */
bool audio_load(Sound *sound, const JobAudio *audio, const SoundPart *part, Arena *arena,
                Diag *diag);
