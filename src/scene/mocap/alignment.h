// SPDX-License-Identifier: MIT
/*
 * alignment.h - how the rest poses of a skeleton and of a model correspond (scene/mocap/README.md
 * 3)
 *
 * The world rotation of a bone is G A: G is that of the joint since the rest pose, in the axes of
 * MMD, and A the rotation that brings the bone from its rest pose to that of the joint.
 */
#pragma once

#include "base/arena.h"
#include "scene/mocap/body.h"

/* A signed permutation of axes: row i of the result is sign[i] * in[axis[i]]. */
typedef struct AxisMap {
    int axis[3];
    double sign[3];
} AxisMap;

typedef struct Alignment {
    AxisMap world;          /* from the axes of the file to those of MMD */
    Quat from_body;         /* the rest pose of the file need not stand upright in its own axes */
    Quat align[BODY_PARTS]; /* A */
} Alignment;

/* Both arrays have an index for each part or -1; hips, legs, knees and feet have to be there. */
void alignment_find(Alignment *out, const Mocap *source, const int32_t joints[BODY_PARTS],
                    const PmxModel *model, const int32_t bones[BODY_PARTS], Arena *arena);

/* A vector and a rotation in the axes of the file, in those of MMD. */
Vec3 alignment_vector(const AxisMap *map, Vec3 v);
Quat alignment_rotation(const AxisMap *map, Quat q);
