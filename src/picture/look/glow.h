// SPDX-License-Identifier: MIT
/*
 * glow.h - light that materials emit, spread and added to the image
 *
 * Formulas: picture/look/README.md 4.  Where the image is transparent, light makes it opaque.
 */
#pragma once

#include "picture/look/effect.h"

extern const LookEffect GLOW_EFFECT;
