/*
 * vpd.h - a pose file, as a motion with one key per bone at frame 0
 *
 * Names are not cut in the file; they are cut to 15 bytes here, as everywhere in matching.
 * Lenient about white space, line ends and a wrong bone count (warns); `Morph` blocks of
 * MikuMikuMoving are read too.  Curves are linear.
 */
#ifndef FORMAT_MOTION_VPD_H
#define FORMAT_MOTION_VPD_H

#include "format/motion/vmd.h"

#define VPD_MAGIC "Vocaloid Pose Data" /* first bytes, after an optional UTF-8 byte order mark */

bool vpd_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag);

#endif
