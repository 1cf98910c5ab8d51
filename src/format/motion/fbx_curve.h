// SPDX-License-Identifier: MIT
/*
 * fbx_curve.h - a curve of an FBX file: keys of one number over time
 *
 * After a load times ascend, in seconds, and all numbers are finite.  Beyond its keys a curve holds
 * the first and the last one.
 */
#pragma once

#include "format/motion/fbx_tree.h"

typedef struct FbxKey {
    double time_s;
    double value;
    double slopes[2], weights[2]; /* of the tangents to the left and right; lengths in spans */
    uint32_t flags;               /* README.md 4.4, up to the next key */
} FbxKey;

typedef struct FbxCurve {
    const FbxKey *keys;
    uint32_t count;
} FbxCurve;

/* node: an AnimationCurve; second: units of KeyTime */
bool fbx_curve_load(FbxCurve *curve, const FbxTree *tree, const FbxNode *node, double second,
                    Arena *arena, Diag *diag);

double fbx_curve_eval(const FbxCurve *curve, double time_s);
