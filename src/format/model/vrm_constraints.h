// SPDX-License-Identifier: MIT
/*
 * vrm_constraints.h - the node constraints of a VRM figure: roll, aim and rotation
 * (format/model/README.md 9)
 */
#pragma once

#include "format/model/vrm_bones.h"
#include "format/model/vrm_rig.h"

/* Sets the constraints of the rig, from VRMC_node_constraint of its nodes. */
bool vrm_constraints_read(VrmRig *rig, const VrmFigure *figure);
