// SPDX-License-Identifier: MIT
/*
 * skin.h - skinning on the CPU, for cloth and soft bodies
 *
 * BDEF1/2/4, SDEF, QDEF: evaluate/README.md 7; vertex morphs by leaf weights.
 */
#pragma once

#include "evaluate/frame_state.h"
#include "math/rotation.h"

/* One vertex, moved by the bones alone: position and normal go from rest to model space. */
void skin_vertex(const Model *model, const ModelState *state, const PmxVertex *vertex,
                 Vec3 *position, Vec3 *normal);
