// SPDX-License-Identifier: MIT
/*
 * units.h - constants of angles and of time (src/README.md, units and axes)
 */
#pragma once

#define PI 3.14159265358979323846
#define RADIANS (PI / 180) /* in a degree */
#define DEGREES (180 / PI) /* in a radian */

enum { MOTION_FPS = 30 }; /* frames of a motion in a second */
