/*
 * openpose.h - keypoints in OpenPose's JSON, as ControlNet's editors and nodes read them
 */
#pragma once

#include <stdio.h>

#include "render/passes/keypoints.h"

enum { OPENPOSE_PERSON_SIZE = 6144, OPENPOSE_FRAME_SIZE = 256 }; /* bytes of text at most */

/* One object on one line: people[] with pose_keypoints_2d (18), hand_left_keypoints_2d and
 * hand_right_keypoints_2d (21 each), face_keypoints_2d (70) of x, y, confidence; canvas_width,
 * canvas_height. */
void openpose_write(FILE *out, const Person *people, size_t count, int width, int height);
