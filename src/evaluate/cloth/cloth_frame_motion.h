// SPDX-License-Identifier: MIT
/*
 * cloth_frame_motion.h - the motion of the pins that does not act on a cloth
 * (evaluate/cloth/README.md)
 *
 * Dances move the hips faster than gravity could: a cloth that felt all of it would fly up.  Of the
 * motion of the pins in a tick, which is a shift and a turn about their center, only the part
 * `inertia` of the tuning acts on the cloth; with the rest of it the cloth and the colliders are
 * moved as a whole.  World space; values only.
 */
#pragma once

#include "evaluate/cloth/cloth_body.h"
#include "scene/cloth/cloth_topology.h"

typedef struct ClothFrameMotion {
    Vec3 center, shift;
    Quat turn; /* about the center */
} ClothFrameMotion;

/*
 * Of anchors that move in a tick, [mass_count] each: their mean shift, weighted by the pins, and
 * the turn that fits them best, which is taken as small; both times 1 - inertia.  Nothing moves
 * without pins, and there is no turn about the line on which all pins are.
 */
ClothFrameMotion cloth_frame_motion_find(const ClothTopology *topology, const Vec3 *from,
                                         const Vec3 *to);

Vec3 cloth_frame_motion_point(const ClothFrameMotion *motion, Vec3 point);

/* A floor stays level. */
ClothBody cloth_frame_motion_body(const ClothFrameMotion *motion, const ClothBody *body);
