// SPDX-License-Identifier: MIT
/*
 * expressions.h - the weights of the expressions of a VRM model (evaluate/vrm/README.md 3)
 */
#pragma once

#include "scene/scene.h"

/* Adds to the weights of looking left, right, down and up where the eye bones look.  Models that
 * look otherwise keep their weights. */
void expressions_look(float *weights, const SceneModel *model, double frame, int halvings);

/* Limits weights to 0..1, rounds those of binary expressions, and reduces those that others
 * override. */
void expressions_limit(float *weights, const VrmRig *rig);
