// SPDX-License-Identifier: MIT
/*
 * paint.h - textures as functions, saved as PNG
 *
 * A painter returns the color of a point of the unit square, u to the right, v down.  Colors
 * are R G B A in 0..1, as stored (sRGB), alpha not premultiplied.
 */
#pragma once

#include <cglm/struct.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

typedef vec4s Painter(float u, float v);

typedef struct Painting {
    const char *file; /* name of the PNG */
    int width, height;
    Painter *painter;
} Painting;

/* In the order of the textures of a model. */
typedef struct Paintings {
    const Painting *items;
    size_t count;
} Paintings;

/* Renders and saves it as `directory`/file. */
bool painting_save(const Painting *painting, const char *directory, const FileApproval *approval,
                   Arena *arena, Diag *diag);

/* A color as in style sheets: 0xrrggbb.  Here, so that the compiler computes it: painting took a
 * second of the first frame's time. */
static inline vec4s paint_color(unsigned rgb)
{
    return (vec4s){.raw = {(float)(rgb >> 16 & 255) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f,
                           (float)(rgb & 255) / 255.0f, 1.0f}};
}

/* A color, `under`, below another one with the opacity `cover`, 0..1. */
static inline vec4s paint_over(vec4s under, unsigned rgb, float cover)
{
    return cover <= 0.0f ? under
                         : glms_vec4_lerp(under, paint_color(rgb), glm_clamp(cover, 0.0f, 1.0f));
}

static inline vec4s paint_mix(unsigned under, unsigned rgb, float cover)
{
    return paint_over(paint_color(under), rgb, cover);
}

/* Coverage of (x, y) by an ellipse: 1 inside, 0 outside, with an edge of width `soft` (relative to
 * the radius). */
float paint_ellipse(float x, float y, float rx, float ry, float soft);

/* 1 in lo..hi, 0 outside, `soft` wide edges. */
float paint_band(float x, float lo, float hi, float soft);

/* A pseudo-random number in 0..1 for a cell. */
float paint_noise(int x, int y);
