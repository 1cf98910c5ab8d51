// SPDX-License-Identifier: MIT
/*
 * grade.h - color grading of a finished image: exposure, contrast, saturation, LUT, vignette,
 * grain
 *
 * Formulas and sources: picture/look/README.md 2.  Alpha and fully transparent pixels are kept. The
 * number of the frame seeds the grain.
 */
#pragma once

#include "picture/look/effect.h"

/* Noise of a pixel, mean 0 and standard deviation 1, within -3.5..3.5 (picture/look/README.md 2.4).
 */
float grade_noise(int64_t frame, int x, int y);

extern const LookEffect GRADE_EFFECT;
