// SPDX-License-Identifier: MIT
/*
 * cloth_tree.h - which masses of a cloth are in a box
 *
 * A binary tree over the masses, divided by their positions at rest so that each node is compact;
 * its boxes are updated when the masses have moved.  Masses are listed in the order of the tree,
 * which depends on the positions at rest alone.  World space, MMD units.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "math/rotation.h"

typedef struct ClothBox {
    Vec3 low, high;
} ClothBox;

typedef struct ClothTree ClothTree;

/* Builds the tree of the masses in a list from their positions at rest, which are by number; in the
 * arena. */
ClothTree *cloth_tree_create(const uint32_t *masses, uint32_t count, const Vec3 *rest,
                             Arena *arena);

/* Updates the boxes.  margins: how far around its position each mass counts, by number. */
void cloth_tree_update(ClothTree *tree, const Vec3 *positions, const double *margins);

/* Lists at least all masses whose surroundings meet the box.  out: room for all of the tree. */
uint32_t cloth_tree_find(uint32_t *out, const ClothTree *tree, const ClothBox *box);
