// SPDX-License-Identifier: MIT
/*
 * diffusion.h - a soft copy of the image blended over it
 *
 * Formulas: picture/look/README.md 5.  Alpha is kept.
 */
#pragma once

#include "picture/look/effect.h"

/* One channel, stored values 0..1: v of the image, b of the blurred copy. */
float diffusion_blend(DiffusionBlend blend, float v, float b);

extern const LookEffect DIFFUSION_EFFECT;
