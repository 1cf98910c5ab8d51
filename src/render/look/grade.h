/*
 * grade.h - color grading of a finished image: exposure, contrast, saturation, LUT, vignette,
 * grain
 *
 * Formulas and sources: render/look/README.md 2.  The result depends on the image, the options and
 * the number of the frame alone.  Not thread-safe.
 */
#ifndef RENDER_LOOK_GRADE_H
#define RENDER_LOOK_GRADE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/image.h"
#include "format/cube.h"
#include "render/look/light.h"

typedef struct GradeOptions {
    float exposure_ev;          /* stops; 0 neutral */
    float temperature;          /* -1 cold .. 1 warm */
    float contrast, saturation; /* 1 neutral */
    const Cube *lut;            /* or NULL; it must outlive the Grade */
    float lut_strength;         /* 0..1 */
    float vignette;             /* part of the light that the corners lose, 0..0.99 */
    float grain;                /* standard deviation in mid-tones, 1 is the whole range */
} GradeOptions;

typedef struct Grade Grade;

Grade *grade_create(const GradeOptions *options, const LightTables *light, Arena *arena);

/* Grades an image of straight alpha in place; alpha and fully transparent pixels are kept.
 * frame: number of the output frame, which seeds the grain. */
void grade_apply(Image *image, const Grade *grade, int64_t frame);

/* Noise of a pixel, mean 0 and standard deviation 1, within -3.5..3.5 (render/look/README.md 2.4).
 */
float grade_noise(int64_t frame, int x, int y);

#endif
