/*
 * skin.h - morphs and skinning on the CPU: the reference that the GPU is held against
 *
 * BDEF1/2/4, SDEF, QDEF: reference 2.10; vertex morphs by leaf weights.
 */
#ifndef EVALUATE_SKIN_H
#define EVALUATE_SKIN_H

#include "evaluate/frame.h"

/* Model-space positions and normals, [vertex_count][3] each; normals may be NULL.  Without placement. */
void skin_model(float (*positions)[3], float (*normals)[3], const Model *model,
                const ModelState *state);

#endif
