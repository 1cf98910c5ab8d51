// SPDX-License-Identifier: MIT
/*
 * vrm_springs.h - the spring bones and colliders of a VRM figure (format/model/README.md 9)
 */
#pragma once

#include "format/model/vrm_bones.h"
#include "format/model/vrm_rig.h"

/* Sets colliders and joints of the rig: those of `secondaryAnimation` in VRM 0.x, of
 * VRMC_springBone in 1.0. */
bool vrm_springs_read(VrmRig *rig, const VrmFigure *figure);
