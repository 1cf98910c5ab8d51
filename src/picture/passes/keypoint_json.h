// SPDX-License-Identifier: MIT
/*
 * keypoint_json.h - keypoints as the JSON that pose models, their editors and their trainers read
 *
 *   coco18     OpenPose's JSON with its 18 points of COCO, as ControlNet's editors and nodes read
 * it body25     OpenPose's JSON with its 25 points, as OpenPose itself writes it by default
 *   wholebody  the annotations of COCO-WholeBody, 133 points: a dataset of one image
 *
 * README.md 2.3 has the orders of the points.
 */
#pragma once

#include <stdio.h>

#include "picture/passes/keypoints.h"

/* The order is that of the choices of passes.keypoints. */
typedef enum KeypointFormat {
    KEYPOINTS_COCO18,
    KEYPOINTS_BODY25,
    KEYPOINTS_WHOLEBODY
} KeypointFormat;

enum { KEYPOINT_PERSON_SIZE = 6144, KEYPOINT_FRAME_SIZE = 256 }; /* bytes of text at most */

/* One object on one line. */
void keypoint_json_write(FILE *out, KeypointFormat format, const Person *people, size_t count,
                         int width, int height);
