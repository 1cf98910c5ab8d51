// SPDX-License-Identifier: MIT
/*
 * glow.h - light that materials emit, spread and added to the image
 *
 * Formulas: render/look/README.md 4.  Where the image is transparent, light makes it opaque.
 */
#pragma once

#include "render/look/effect.h"

typedef struct GlowOptions {
    float strength;
    float size; /* size of the halo, part of the image's height */
} GlowOptions;

extern const LookEffect GLOW_EFFECT;
