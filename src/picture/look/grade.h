// SPDX-License-Identifier: MIT
/*
 * grade.h - color grading of a finished image: exposure, contrast, saturation, LUT, vignette,
 * grain
 *
 * Formulas and sources: picture/look/README.md 2.  Alpha and fully transparent pixels are kept. The
 * number of the frame seeds the grain.
 */
#pragma once

#include "format/cube.h"
#include "picture/look/effect.h"

/* Noise of a pixel, mean 0 and standard deviation 1, within -3.5..3.5 (picture/look/README.md 2.4).
 */
float grade_noise(int64_t frame, int x, int y);

extern const LookEffect GRADE_EFFECT;

/* ---- lookup tables ---- */

/*
 * Interpolated at a color: linearly in a 1-D table; in a 3-D table between the four corners of the
 * tetrahedron of its cell that contains the color (picture/look/README.md 2.2).  Colors outside the
 * domain are clamped to it.  out may be in.
 */
void lut_eval(float out[3], const Cube *lut, const float in[3]);
