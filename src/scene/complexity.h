// SPDX-License-Identifier: MIT
/*
 * complexity.h - refuses scenes whose evaluation would take minutes per frame, or gigabytes
 *
 * A file of a few kilobytes can describe quadratic work: bodies in one place, long IK chains, soft
 * bodies and cloth with many steps.  The work is estimated before anything is evaluated
 * (scene/README.md 5).
 */
#pragma once

#include "scene/scene.h"

/* Limits where scene->limits has none.  Each takes about a second on a core of 3 GHz: per frame for
 * IK, per tick for others. */
enum {
    COMPLEXITY_MAX_IK = 20000000,   /* bones updated by all IK chains of a frame */
    COMPLEXITY_MAX_SOFT = 20000000, /* links, faces and anchors solved in a tick */
    COMPLEXITY_MAX_CLOTH = 20000000 /* springs evaluated in a tick */
};

/* Limit of pairs of bodies that overlap at once. */
static inline double complexity_max_pairs(const Scene *scene)
{
    return scene->limits.pairs.max > 0 ? scene->limits.pairs.max : (double)DYNAMICS_MAX_PAIRS;
}

/* The file of the model with the most rigid bodies. */
const char *complexity_largest_model(const Scene *scene);

/* False after an error of kind DIAG_RESOURCE was reported: more bodies or more pairs of overlapping
 * bodies at rest than scene->limits (default: DYNAMICS_MAX_PAIRS pairs), or more work than one of
 * the limits above. */
bool complexity_check(const Scene *scene, Diag *diag);

/* Pairs of rigid bodies that overlap at rest. */
double complexity_pairs(const Scene *scene);

/* Bones that are updated to pose a model once, by IK chains and without. */
double complexity_pose(const PmxModel *pmx);
