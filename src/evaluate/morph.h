/*
 * morph.h - morphs of one model: weights, bones, materials (evaluate/README.md 7)
 *
 * Vertex and UV morphs are applied where vertices are (skin.h, and the renderer's shader), by leaf
 * weight.
 */
#ifndef EVALUATE_MORPH_H
#define EVALUATE_MORPH_H

#include "evaluate/frame_state.h"
#include "evaluate/pose.h"

/* Weights by name: the motion's, and the job's constants over them. */
void morph_key_weights(float *out, const SceneModel *model, double frame);

/* Spreads groups (one level) and flips over their members; these themselves get 0. */
void morph_leaf_weights(float *out, const float *key_weights, const PmxModel *pmx);

/* Adds bone morphs to the keys of a pose: `offset` and `turn`. */
void morph_bones(Pose *pose, const float *leaf_weights);

/* The file's materials after material morphs; a hidden one has alpha 0. */
void morph_materials(MaterialState *out, const SceneModel *model, const float *leaf_weights);

#endif
