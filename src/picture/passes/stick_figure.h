// SPDX-License-Identifier: MIT
/*
 * stick_figure.h - keypoints as the colored figure on black that pose models are trained on
 *
 * Limbs are ellipses at 0.6 of their color, points discs, fingers lines, as ControlNet draws them;
 * sizes are those of an image of 512 rows, scaled.  A limb is drawn if both of its ends are known.
 */
#pragma once

#include "picture/passes/keypoints.h"

/* Makes the whole image black. */
void stick_figure_clear(uint8_t (*out)[4], int width, int height);

/* Draws a person over it. */
void stick_figure_draw(uint8_t (*out)[4], int width, int height, const Person *person);
