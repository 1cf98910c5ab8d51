// SPDX-License-Identifier: MIT
/*
 * focus.h - what is in focus: the bones that a look with depth of field names, and their distance
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "evaluate/frame_state.h"
#include "picture/look/look_options.h"
#include "scene/scene.h"

/*
 * Replaces look->focus, which is not NULL, by a copy with what it names in the scene, and sets
 * look->defocus.  first_model: the model that is in focus if none is named.  samples: images that
 * are averaged for a frame.  location: of the key of the bone, for messages.  False after an error.
 */
bool focus_find(LookOptions *look, const Scene *scene, uint32_t first_model, int samples,
                const DiagLocation *location, Arena *arena, Diag *diag);

#define FOCUS_MIN_DISTANCE 0.1f /* MMD units, of a point or the camera's target */

/* The distance along the view that is in focus, MMD units: the given one, else that of the nearest
 * point. */
float focus_distance(const FocusOptions *focus, const FrameState *state);
