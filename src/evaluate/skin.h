/*
 * skin.h - morphs and skinning on the CPU: the reference for the GPU
 *
 * BDEF1/2/4, SDEF, QDEF: evaluate/README.md 7; vertex morphs by leaf weights.
 */
#ifndef EVALUATE_SKIN_H
#define EVALUATE_SKIN_H

#include "evaluate/frame_state.h"
#include "math/rotation.h"

/* One vertex, moved by the bones alone: position and normal go from rest to model space. */
void skin_vertex(const Model *model, const ModelState *state, const PmxVertex *vertex,
                 Vec3 *position, Vec3 *normal);

/* Model-space positions and normals, [vertex_count][3] each; normals may be NULL.  Without
 * placement.  Vertices of cloth come from the state. */
void skin_model(float (*positions)[3], float (*normals)[3], const Model *model,
                const ModelState *state);

#endif
