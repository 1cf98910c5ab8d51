// SPDX-License-Identifier: MIT
/*
 * defocus.h - depth of field computed from one image and its depths
 *
 * The fast approximation of what an average over the lens (light.h) gives exactly: nothing that the
 * image does not show can appear behind a blurred edge (picture/look/README.md 7).  A depth of 0
 * (no surface) is infinitely far away.  Where several images are averaged, each is blurred by the
 * part of the lens that it stands for.
 */
#pragma once

#include "picture/look/effect.h"

/* A lens, and how it blurs. */
typedef struct DefocusLens {
    float focus; /* distance along the view that is sharp, MMD units, > 0 */
    float scale; /* radius in pixels of the disk of a point at distance z: scale |1/focus - 1/z| */
} DefocusLens;

/* Radius in pixels of the disk of a point, at most DEFOCUS_MAX_RADIUS. */
float defocus_radius(const DefocusLens *lens, float depth);

enum { DEFOCUS_MAX_RADIUS = 64 };

extern const LookEffect DEFOCUS_EFFECT;
