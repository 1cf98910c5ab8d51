// SPDX-License-Identifier: MIT
/*
 * vrma.h - humanoid animation of VRM 1.0 (.vrma): a binary glTF 2.0 file with the extension
 * VRMC_vrm_animation
 *
 * A tree of nodes with a rest pose, which is a T-pose, and for some of them keys of translation and
 * rotation over time.  Lengths are metres, times seconds; axes are right-handed, +y up, +z forward.
 * Only nodes that a humanoid bone depends on are kept, and the children of the ends of fingers.
 * After a load: parents come before their children, all values are finite and within
 * VMD_MAX_VALUE, rotations are normalized, times do not descend, and there is a node for the hips.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "math/rotation.h"

enum { VRMA_MAX_NODES = 4096, VRMA_MAX_SECONDS = 36000 };

typedef enum VrmaInterpolation { VRMA_STEP, VRMA_LINEAR, VRMA_CUBIC } VrmaInterpolation;

typedef struct VrmaTrack {
    const float *times;  /* [count], s */
    const float *values; /* [count] of 3 or 4 floats; VRMA_CUBIC: [count][3]: tangents and value */
    uint32_t count;      /* 0: not animated */
    VrmaInterpolation interpolation;
} VrmaTrack;

typedef struct VrmaNode {
    const char *bone; /* name of the humanoid bone, such as "leftUpperArm", or "" */
    int32_t parent;   /* -1: a root */
    Vec3 translation; /* at rest, relative to the parent */
    Quat rotation;
    Vec3 scale; /* factor of translations of this node: product of the scales of its ancestors */
    VrmaTrack translations, rotations;
} VrmaNode;

typedef struct VrmaMotion {
    VrmaNode *nodes;
    uint32_t node_count;
    double duration_s; /* the last key of any node */
} VrmaMotion;

bool vrma_load(VrmaMotion *motion, Bytes bytes, Arena *arena, Diag *diag);

/* The position of a node relative to its parent, without the rotation of the parent, and its
 * rotation, at rest. */
void vrma_rest(Vec3 *position, Quat *rotation, const VrmaMotion *motion, uint32_t node);

/* As vrma_rest, at a time; before the first key and after the last one their values apply. */
void vrma_local(Vec3 *position, Quat *rotation, const VrmaMotion *motion, double time_s,
                uint32_t node);
