// SPDX-License-Identifier: MIT
/*
 * ssao.h - ambient occlusion in screen space: corners and contacts get darker
 *
 * Formula and source: render/look/README.md 6.  Works on pixels of half the size; alpha is kept.
 */
#pragma once

#include "render/look/effect.h"

typedef struct SsaoOptions {
    float strength;      /* 0..1 */
    float radius;        /* radius of the surroundings that occlude, MMD units */
    const bool *darkens; /* [number of ids of GeometryImage.ids] surfaces that are darkened; all of
                          * them occlude */
} SsaoOptions;

extern const LookEffect SSAO_EFFECT;
