// SPDX-License-Identifier: MIT
/*
 * cloth_links.h - the greatest length of the springs between neighbors (evaluate/cloth/README.md)
 *
 * Springs give way to limbs that push the cloth away from its pins, and to the speed of a dance.
 * Links, which are the springs except those over bends, have a greatest length: masses whose link
 * is longer are moved towards each other and keep no speed apart.
 *
 * World space, MMD units, seconds.  Allocates only in cloth_links_create.
 */
#pragma once

#include "base/arena.h"
#include "scene/cloth/cloth_topology.h"

typedef struct ClothLinks ClothLinks;

/* In the arena.  Without links if the tuning has no greatest stretch. */
ClothLinks *cloth_links_create(const ClothTopology *topology, Arena *arena);

/*
 * Shortens every link once, from the pins to the free edges.
 *
 * stretch   the greatest length of a link, of that at rest
 * outwards  only the mass that is farther from the pins moves, so that what was shortened before
 *           stays as it is; otherwise both move, by 1.7 of the excess
 * loose     fixed masses move as others do
 * returns   whether a link was longer
 */
bool cloth_links_shorten(const ClothLinks *links, Vec3 *x, Vec3 *v, double stretch, bool outwards,
                         bool loose);
