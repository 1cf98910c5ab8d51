// SPDX-License-Identifier: MIT
/*
 * figure.h - the dancer of the demo: a model in memory, and its textures
 *
 * About 16 units high, in MMD's units and axes, facing -z; feet on y = 0.  Texture names in the
 * model are those of the paintings, which are saved beside it.
 */
#pragma once

#include "demo/figure_parts.h"

/* Index in the list of FIGURE_PAINTINGS and in the model's textures. */
enum {
    PICTURE_SKIN,
    PICTURE_FACE,
    PICTURE_WHITE_OF_EYE,
    PICTURE_IRIS,
    PICTURE_MOUTH,
    PICTURE_BLUSH,
    PICTURE_BLOUSE,
    PICTURE_SKIRT,
    PICTURE_SHOE,
    PICTURE_HAIR,
    PICTURE_SHEEN, /* sphere map: the ring-shaped highlight of the hair */
    PICTURE_TOON_SKIN,
    PICTURE_TOON_HAIR,
    PICTURE_TOON_CLOTH,
    PICTURE_COUNT
};

extern const Paintings FIGURE_PAINTINGS; /* figure_paint.c */

PmxModel figure_make(Arena *arena);

const char *figure_morph_name(FaceMorph morph);
