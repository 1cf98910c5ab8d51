// SPDX-License-Identifier: MIT
/*
 * gltf_motion.h - an animation of a glTF 2.0 file: of any scene, of a VRM avatar, or a VRM
 * animation
 *
 * Lengths are metres; axes are right-handed, +y up.  With a humanoid (VRMC_vrm_animation, VRMC_vrm,
 * VRM) the names are those of its bones, and only nodes that one depends on are kept, and the
 * children of the ends of fingers; otherwise all nodes are kept.  Animations without a name are
 * "animation 1", ...
 */
#pragma once

#include "format/motion/mocap.h"
#include "format/side_files.h"

/* take: the name of the animation, or NULL for the first one that moves a node. */
bool gltf_motion_load(Mocap *mocap, Bytes bytes, const char *take, const SideFiles *side,
                      Arena *arena, Diag *diag);
