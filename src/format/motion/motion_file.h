// SPDX-License-Identifier: MIT
/*
 * motion_file.h - loads a motion (VMD) or a pose (VPD), whichever the first bytes indicate
 */
#pragma once

#include "format/motion/vmd.h"

/* Calls vmd_load or vpd_load; reports an error if the bytes start like neither format. */
bool motion_file_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag);
