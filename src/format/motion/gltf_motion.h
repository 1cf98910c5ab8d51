// SPDX-License-Identifier: MIT
/*
 * gltf_motion.h - an animation of a glTF 2.0 file: of any scene, of a VRM avatar, or a VRM
 * animation
 *
 * A tree of nodes with a rest pose, and for some of them keys of translation and rotation over
 * time.  Lengths are metres, times seconds; axes are right-handed, +y up.  With a humanoid
 * (VRMC_vrm_animation, VRMC_vrm, VRM) the names are those of its bones, and only nodes that one
 * depends on are kept, and the children of the ends of fingers; otherwise all nodes are kept.
 * After a load: parents come before their children, all values are finite and within
 * VMD_MAX_VALUE, rotations are normalized, times do not descend, and the take moves a node.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "format/motion/takes.h"
#include "math/rotation.h"

enum { GLTF_MOTION_MAX_NODES = 4096, GLTF_MOTION_MAX_SECONDS = 36000 };

typedef enum GltfInterpolation { GLTF_STEP, GLTF_LINEAR, GLTF_CUBIC } GltfInterpolation;

typedef struct GltfTrack {
    const float *times;  /* [count], s */
    const float *values; /* [count] of 3 or 4 floats; GLTF_CUBIC: [count][3]: tangents and value */
    uint32_t count;      /* 0: not animated */
    GltfInterpolation interpolation;
} GltfTrack;

typedef struct GltfMotionNode {
    const char *name; /* of a humanoid bone as in VRM 1.0, or of the node; "" for none */
    int32_t parent;   /* -1: a root */
    Vec3 translation; /* without animation, relative to the parent */
    Quat rotation;
    Vec3 scale; /* factor of translations of this node: product of the scales of its ancestors */
    Vec3 rest;  /* in the world: in the bind pose of its skin, or as the nodes of the file are */
    Quat rest_rotation;
    GltfTrack translations, rotations;
} GltfMotionNode;

typedef struct GltfMotion {
    GltfMotionNode *nodes;
    uint32_t node_count;
    Takes takes; /* the animations; those without a name are "animation 1", ... */
    uint32_t take;
    double duration_s; /* the last key of any node */
} GltfMotion;

/* take: the name of the animation, or NULL for the first one that moves a node. */
bool gltf_motion_load(GltfMotion *motion, Bytes bytes, const char *take, Arena *arena, Diag *diag);

/* The position of a node relative to its parent, without the rotation of the parent, and its
 * rotation, at a time; before the first key and after the last one their values apply. */
void gltf_motion_local(Vec3 *position, Quat *rotation, const GltfMotion *motion, double time_s,
                       uint32_t node);
