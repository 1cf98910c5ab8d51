// SPDX-License-Identifier: MIT
/*
 * reframe_path.h - how a camera motion is turned, moved back and widened for frames of another
 * shape
 *
 * Of what is in the picture of the given camera, 16:9, the heads and hands of models stay in the
 * frame (evaluate/follow/README.md 9).  It depends on the scene and the shape only, never on the
 * frames that a process renders.
 */
#pragma once

#include "base/arena.h"
#include "scene/reframe.h"
#include "scene/scene.h"

typedef struct ReframeSpec {
    double aspect;     /* width / height */
    double widest_deg; /* vertical angle of view up to which the picture is widened where a stage
                          is in the way back */
} ReframeSpec;

/* No segments if the scene has no camera keys or no model with a head. */
void reframe_path_create(ReframeTrack *out, const Scene *scene, const ReframeSpec *spec,
                         Arena *arena);
