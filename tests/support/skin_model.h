// SPDX-License-Identifier: MIT
/*
 * skin_model.h - morphs and skinning on the CPU: the reference for the GPU
 */
#ifndef SUPPORT_SKIN_MODEL_H
#define SUPPORT_SKIN_MODEL_H

#include "evaluate/skin.h"

/* Model-space positions and normals, [vertex_count][3] each; normals may be NULL.  Without
 * placement.  Vertices of cloth come from the state. */
void skin_model(float (*positions)[3], float (*normals)[3], const Model *model,
                const ModelState *state);

#endif
