// SPDX-License-Identifier: MIT
/*
 * grade.h - color grading of a finished image: exposure, contrast, saturation, LUT, vignette,
 * grain
 *
 * Formulas and sources: render/look/README.md 2.  Alpha and fully transparent pixels are kept.  The
 * number of the frame seeds the grain.
 */
#pragma once

#include "format/cube.h"
#include "render/look/effect.h"

typedef struct GradeOptions {
    float exposure_ev;          /* stops; 0 neutral */
    float temperature;          /* -1 cold .. 1 warm */
    float contrast, saturation; /* 1 neutral */
    const Cube *lut;            /* or NULL; it must outlive the Grade */
    float lut_strength;         /* 0..1 */
    float vignette;             /* part of the light that the corners lose, 0..0.99 */
    float grain;                /* standard deviation in mid-tones, 1 is the whole range */
} GradeOptions;

/* Noise of a pixel, mean 0 and standard deviation 1, within -3.5..3.5 (render/look/README.md 2.4).
 */
float grade_noise(int64_t frame, int x, int y);

extern const LookEffect GRADE_EFFECT;
