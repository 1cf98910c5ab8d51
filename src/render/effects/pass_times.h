// SPDX-License-Identifier: MIT
/*
 * pass_times.h - CPU time of the passes of effects
 *
 * The passes of a scene are numbered: all passes of all techniques of its effects that run, in the
 * order of the files.  A frame in which a pass is drawn for the first time by a process also
 * compiles it, so such frames are summed up apart.
 */
#pragma once

#include "scene/effects.h"

typedef struct FxPassTime {
    double s;         /* of frames that only draw it */
    double compile_s; /* of frames that also compile it */
    uint32_t frames, compile_frames;
} FxPassTime;

/* The number of passes of a scene. */
size_t fx_pass_count(const SceneEffects *effects);

/* "FILE: TECHNIQUE, pass PASS" of each of them; allocated in the arena. */
const char **fx_pass_names(const SceneEffects *effects, Arena *arena);

/* The pass in its frame so far: draws of `s` seconds more. */
void fx_pass_time_draw(FxPassTime *time, double s, bool compiles);

/* Adds the times of other frames. */
void fx_pass_time_add(FxPassTime *sum, const FxPassTime *time);
