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

/*
 * A shot lasts from its key to the next.  If `cut` is set, the previous shot ends one frame before
 * this key: two keys on adjacent frames are a cut.
 *
 * tilt   degrees; below 0 the camera is above and looks down
 * orbit  degrees about the vertical
 */
typedef struct DanceShot {
    double beat;
    bool cut;
    float target[3], distance, tilt, orbit, roll, fov_deg;
} DanceShot;

/* The camera motion of shots in ascending order. */
VmdMotion dance_shots(const DanceShot *shots, uint32_t count, Arena *arena);
