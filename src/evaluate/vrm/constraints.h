// SPDX-License-Identifier: MIT
/*
 * constraints.h - the node constraints of one VRM model (evaluate/vrm/README.md 2)
 */
#pragma once

#include "evaluate/pose.h"

typedef struct Constraints Constraints;

/* NULL if the model has none. */
Constraints *constraints_create(const Model *model, Arena *arena);

/* The bones that the constraint of a bone reads, -1 for none; all -1 without a constraint. */
typedef struct ConstraintSources {
    int32_t bones[3];
} ConstraintSources;

ConstraintSources constraints_sources(const Constraints *constraints, uint32_t bone);

/* Rotates the constrained bones of a solved pose, and moves their descendants. */
void constraints_solve(const Constraints *constraints, Pose *pose);
