// SPDX-License-Identifier: MIT
/*
 * smpl.h - a motion of the body models SMPL, SMPL-H and SMPL-X in an .npz: of AMASS, or as programs
 * write it that trace a video (format/motion/README.md 5)
 *
 * The joints have the places of the neutral body: 22 of the body, and 30 of the fingers where the
 * file has their rotations.  Lengths are metres; +y is made up, right-handed; at rest, a T-pose
 * that faces +z, no joint is rotated.
 */
#pragma once

#include "format/motion/mocap.h"

enum { SMPL_BODY_JOINTS = 22, SMPL_MAX_JOINTS = 52, SMPL_MAX_FRAMES = 1 << 22 };

/* Which axis of the file is up. */
typedef enum SmplUp { SMPL_UP_AUTO, SMPL_UP_Y, SMPL_UP_Z, SMPL_UP_MINUS_Y } SmplUp;

/* take: of a file with several persons one of "person 1", ...; NULL: the first.
 * up: SMPL_UP_AUTO finds the axis that the pelvis has upwards on average, and notes it. */
bool smpl_load(Mocap *mocap, Bytes bytes, const char *take, SmplUp up, Arena *arena, Diag *diag);
