// SPDX-License-Identifier: MIT
/*
 * cloth_self_collision.h - keeps masses of cloth apart: of one cloth that folds, and of different
 * ones
 *
 * Masses nearer than a distance are moved away from each other by three quarters of what is
 * missing, and lose the speed at which they approach.  Neighbours at rest do not count.  Pairs are
 * found by a grid of cells and handled in the order of the masses, so that two runs give the same
 * bits.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "math/rotation.h"

typedef struct ClothMasses {
    uint32_t count;
    Vec3 *position, *velocity; /* [count], changed */
    const Vec3 *rest;          /* [count] */
    const bool *fixed;         /* [count] */
    double distance; /* smallest distance of its masses from others; 0: it takes no part */
} ClothMasses;

typedef struct ClothSelfCollision ClothSelfCollision;

/* For lists of at most `mass_count` masses together; in the arena. */
ClothSelfCollision *cloth_self_collision_create(size_t mass_count, Arena *arena);

void cloth_self_collision(ClothSelfCollision *collision, const ClothMasses *cloths,
                          size_t cloth_count);
