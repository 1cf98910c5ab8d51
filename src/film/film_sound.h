// SPDX-License-Identifier: MIT
/*
 * film_sound.h - the sound of a film: one sound, or several that are mixed, at a loudness
 */
#pragma once

#include "film/film_types.h"
#include "job/job.h"
#include "media/sound.h"
#include "output/sink.h"

/* Whether an output can contain the sound, or cuts of a camera are on its beats.  Otherwise a
 * render does not decode it. */
bool film_needs_sound(const Film *film);

/* The sound of all ranges of frames, one after another; no samples if the job has none.  The sounds
 * of a scene begin with it. */
bool film_load_sound(SinkSound *out, const Film *film, Arena *arena, Diag *diag);

/* ---- loading a sound ---- */

/* True for the name of a MIDI file (.mid, .midi). */
bool audio_is_midi(const char *path);

/* At least a part of the sound; a MIDI song is synthesized from its start.  Errors name
 * audio->file. */
bool audio_load(Sound *sound, const JobAudio *audio, const SoundPart *part, Arena *arena,
                Diag *diag);
