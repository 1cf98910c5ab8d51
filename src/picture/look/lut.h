// SPDX-License-Identifier: MIT
/*
 * lut.h - the color that a lookup table gives for another
 */
#pragma once

#include "format/cube.h"

/*
 * Interpolated at a color: linearly in a 1-D table; in a 3-D table between the four corners of the
 * tetrahedron of its cell that contains the color (picture/look/README.md 2.2).  Colors outside the
 * domain are clamped to it.  out may be in.
 */
void lut_eval(float out[3], const Cube *lut, const float in[3]);
