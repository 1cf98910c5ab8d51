// SPDX-License-Identifier: MIT
/*
 * vpd.h - a pose file, loaded as a motion with one key per bone at frame 0
 *
 * Names may be longer in the file; they are truncated to 15 bytes, as for every track
 * (format/motion/README.md 1.5).  White space and line ends are free; a wrong bone count is a
 * warning; `Morph` blocks of MikuMikuMoving are read too.  Curves are linear.  Ownership and errors
 * are those of vmd_load.
 */
#pragma once

#include "format/motion/vmd.h"

#define VPD_MAGIC "Vocaloid Pose Data" /* first bytes, after an optional UTF-8 byte order mark */

bool vpd_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag);
