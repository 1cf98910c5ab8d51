// SPDX-License-Identifier: MIT
/*
 * bone_subset.h - the bones that a pose is solved for
 *
 * A tick of physics needs only the bones of bodies and what these depend on, so that it does not
 * have to solve IK of legs whose feet have no body.
 */
#pragma once

#include "evaluate/pose.h"

typedef struct BoneSubset {
    const uint32_t *parents_first; /* [count] */
    uint32_t count;
    const uint32_t *order; /* [before_physics] in transform order, those before physics */
    uint32_t before_physics;
} BoneSubset;

/* All bones; refers to the model. */
BoneSubset bone_subset_all(const Model *model);

/* The wanted bones ([bone_count]) and all that their transforms depend on: parents, sources of
 * appends and node constraints, and the goals and effectors of IK that moves them. */
BoneSubset bone_subset_of(const Pose *pose, const bool *wanted, Arena *arena);

/* The bones that physics reads at a tick. */
BoneSubset bone_subset_of_bodies(const Pose *pose, Arena *arena);
