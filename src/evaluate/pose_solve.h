// SPDX-License-Identifier: MIT
/*
 * pose_solve.h - computes the bones of one model for a frame
 *
 * The functions are called in this order (evaluate/README.md 1):
 *
 *     pose_solve_begin           keys and bone morphs, then a plain pass: parents first, without
 *                                append and IK
 *     pose_solve_before_physics  bones in transform order: append, world transform, IK; then node
 *                                constraints
 *     pose_solve_physics         moves the bones of simulated bodies, and their descendants
 *     pose_solve_after_physics   as before physics, for bones with the after-physics flag
 *
 * A bone that comes before its parent or its append source in the order uses the result of the
 * plain pass.  Only pose_solve_create allocates.
 */
#pragma once

#include "evaluate/bone_subset.h"
#include "evaluate/physics/physics.h"

void pose_solve_create(Pose *pose, const SceneModel *model, const Compat *compat, Arena *arena);

/* Solves the bones of a subset; those of others are not valid then.  leaf_weights: of all morphs;
 * only bone morphs count here. */
void pose_solve_begin(Pose *pose, const BoneSubset *bones, const float *leaf_weights, double frame);
void pose_solve_before_physics(Pose *pose, const BoneSubset *bones);

/*
 * Moves bones as bodies have moved, if the scene has physics.  The local parts of a moved bone are
 * recomputed from its parent and its simulated transform, so that later appends see its motion.
 * Descendants of moved bones follow; all other bones keep every bit.
 * model: its index in the scene.  blend: as in world_bone.  placement: at this frame.
 */
void pose_solve_physics(Pose *pose, const World *world, size_t model, const Placement *placement,
                        float blend);

/* Solves all bones. */
void pose_solve_after_physics(Pose *pose);

/* The appended parts of one bone, from the local and appended parts of its source. */
void pose_solve_append(Pose *pose, uint32_t bone);
