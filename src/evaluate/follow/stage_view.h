// SPDX-License-Identifier: MIT
/*
 * stage_view.h - whether a stage comes between two points
 *
 * The visible, mostly opaque triangles of the stages of a scene at rest, in a tree of boxes each. A
 * triangle hides nothing from behind unless its material is drawn from both sides.  Motions,
 * bones and morphs of a stage do not count; its placement does.
 */
#pragma once

#include "base/arena.h"
#include "evaluate/frame_state.h"
#include "scene/scene.h"

typedef struct StageView StageView;

/* NULL if the scene has no stage with such a triangle. */
StageView *stage_view_create(const Scene *scene, Arena *arena);

/* Whether a stage that is visible at the frame of the state hides the point from the eye. */
bool stage_view_hides(const StageView *view, const FrameState *state, Vec3 eye, Vec3 point);
