// SPDX-License-Identifier: MIT
/*
 * face.h - finds the 70 points of a face among the vertices of a model
 *
 * By the morphs of the panels of brows, eyes and mouth, which move the vertices of these parts, and
 * by the surface that the mouth is in (README.md 2.1).
 */
#pragma once

#include "picture/passes/keypoints.h"
#include "scene/model.h"

/* The bone that has the largest weight. */
int32_t face_main_bone(const PmxVertex *vertex);

/* Sets the points from KEYPOINT_FACE on, those that are found, of a skeleton whose eyes are known.
 * tolerance: of the points.  Morphs are in the arena. */
void face_find(Skeleton *skeleton, const Model *model, float tolerance, Arena *arena);
