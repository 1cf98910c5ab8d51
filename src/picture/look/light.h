// SPDX-License-Identifier: MIT
/*
 * light.h - stored values (sRGB, 8 bits) as linear light, and back
 *
 * IEC 61966-2-1.  Light is 0..LIGHT_ONE; so finely that every 8-bit value returns from the round
 * trip unchanged.  Constant after light_tables_create, so threads may share the tables.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"

enum { LIGHT_ONE = 65535 };

typedef struct LightTables {
    uint16_t light[256];            /* light of each stored value */
    float stored[LIGHT_ONE + 1];    /* stored value of each light, 0..255 */
    uint8_t nearest[LIGHT_ONE + 1]; /* the same, rounded */
} LightTables;

LightTables *light_tables_create(Arena *arena);

/* The sRGB curve, and its inverse, of values 0..1. */
double light_of_stored(double stored);
double light_to_stored(double light);
