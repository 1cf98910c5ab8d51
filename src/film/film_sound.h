/*
 * film_sound.h - the sound of a film: one sound, or several that are mixed, at a loudness
 */
#pragma once

#include "job/job.h"
#include "output/sink.h"

/* The sound of all ranges of frames, one after another; no samples if the job has none. */
bool film_load_sound(SinkSound *out, const Job *job, const JobFrames *frames, Arena *arena,
                     Diag *diag);
