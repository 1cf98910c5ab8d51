// SPDX-License-Identifier: MIT
/*
 * morph.h - morphs of one model: weights, bones, materials (evaluate/README.md 6)
 *
 * Vertex and UV morphs are applied where vertices are (skin.h, and the renderer's shader), by leaf
 * weight.
 */
#pragma once

#include "evaluate/frame_state.h"
#include "evaluate/pose.h"

/* Weights from the motion; constants of the job override them. */
void morph_key_weights(float *out, const SceneModel *model, double frame);

/* Applies groups (one level) and flips to their members; groups and flips get 0.  Before that,
 * expressions of a VRM model are limited by others. */
void morph_leaf_weights(float *out, const float *key_weights, const PmxModel *pmx);

/* Applies bone morphs to local_offset and local_rotation of a pose. */
void morph_bones(Pose *pose, const float *leaf_weights);

/* The materials after material morphs; hidden ones have alpha 0. */
void morph_materials(MaterialState *out, const SceneModel *model, const float *leaf_weights);
