// SPDX-License-Identifier: MIT
/*
 * screen_space.h - points of a model on the surface, as the driver will place them
 *
 * For what the CPU decides about triangles before they are drawn.
 */
#pragma once

#include <string.h>

#include "render/target.h"

typedef struct ScreenSpace {
    float clip[4][4];                  /* columns of the matrix from model to clip space */
    float scale_x, scale_y, left, top; /* from normalized coordinates to samples */
} ScreenSpace;

/* clip: columns of a matrix for the whole image, of which the target shows a window. */
static inline ScreenSpace screen_space(const Target *target, const float (*clip)[4])
{
    const int scale = target->spec.scale;
    const float half_width = 0.5f * (float)(target->spec.width * scale);
    const float half_height = 0.5f * (float)(target->spec.height * scale);
    ScreenSpace space = {.scale_x = half_width,
                         .scale_y = -half_height,
                         .left = half_width - (float)(target->window.left * scale),
                         .top = half_height - (float)(target->window.top * scale)};

    memcpy(space.clip, clip, sizeof space.clip);
    return space;
}

/* The clip coordinates of a point. */
static inline void screen_clip(float out[4], const ScreenSpace *space, const float point[3])
{
    const float(*m)[4] = space->clip;

    for (int i = 0; i < 4; i++)
        out[i] = m[0][i] * point[0] + m[1][i] * point[1] + m[2][i] * point[2] + m[3][i];
}

/* Samples from the left and the top of the surface; w must not be 0. */
static inline void screen_place(float out[2], const ScreenSpace *space, const float clip[4])
{
    const float scale = 1.0f / clip[3];

    out[0] = clip[0] * scale * space->scale_x + space->left;
    out[1] = clip[1] * scale * space->scale_y + space->top;
}
