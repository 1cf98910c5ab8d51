// SPDX-License-Identifier: MIT
/*
 * motion_fixture.h - a motion with at least one key in every section
 *
 * All values differ, so that swapped fields are detected.  It belongs to the arena.
 */
#ifndef SUPPORT_MOTION_FIXTURE_H
#define SUPPORT_MOTION_FIXTURE_H

#include "format/motion/vmd.h"

/* Two keys of the bone "head", one of the morph "smile", one of camera, light and self-shadow, two
 * of properties; the last frame is 61. */
VmdMotion fixture_full_motion(Arena *arena);

#endif
