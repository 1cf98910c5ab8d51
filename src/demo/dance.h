// SPDX-License-Identifier: MIT
/*
 * dance.h - the motions of the dancer and of the camera
 *
 * 24 seconds, 48 beats of half a second: DANCE_BEAT frames each, 30 a second.  The last frame
 * equals the first one, so the dance can be repeated.
 */
#pragma once

#include "format/motion/vmd.h"

enum { DANCE_BEAT = 15, DANCE_BEATS = 48, DANCE_FRAMES = DANCE_BEAT * DANCE_BEATS };

VmdMotion dance_make(Arena *arena);
VmdMotion dance_camera_make(Arena *arena);

/* For the hall (stage.h): the first half of the dance is one still shot. */
VmdMotion dance_hall_camera_make(Arena *arena);
