// SPDX-License-Identifier: MIT
/*
 * geometry.h - depth, material, normal and motion of the nearest surface at each pixel's center
 *
 * The surfaces of the picture once more, without shading, outlines and ground shadows, on a surface
 * of the finished size with one sample per pixel: these values must not be averaged.  A surface
 * counts where it is at least half opaque (render/README.md 14).
 */
#pragma once

#include "render/draw_context.h"
#include "render/geometry_image.h"
#include "render/model/motion.h"

typedef struct Geometry {
    int width, height; /* size of the surface */
    unsigned wanted;
    GLuint framebuffer;                  /* 0 before the first frame */
    GLuint depth, values[GEOMETRY_BITS]; /* textures; values: by bit of `wanted` */
    GLuint programs[2];                  /* without and with texture */
    bool small_labels;                   /* each label has one byte, otherwise two */
    int side;                            /* of a pixel, labels */
    uint8_t *rows; /* surface samples of some rows of pixels; NULL without labels */
} Geometry;

/* Draws the visible actors, which were updated for the view, and reads what is wanted.  The wanted
 * values must be the same in every call.  motion: of the actors, if GEOMETRY_MOTION is wanted */
bool geometry_draw(GeometryImage *out, Geometry *geometry, const DrawContext *context,
                   const ActorMotion *motion, Diag *diag);

/*
 * The material numbers, of `size` bytes, of scale x scale samples in each pixel,
 * evenly spaced, row by row in the pixel; 0: no surface.
 *
 * out        [width * height][scale * scale] of the finished image, of which the surface is `scale`
 *            times as wide and high
 * part       out: what contains all surfaces; the rest of `out` is not set
 * geometry   wanted: GEOMETRY_LABELS
 */
bool geometry_draw_labels(void *out, ImageRect *part, Geometry *geometry,
                          const DrawContext *context, int scale, size_t size, Diag *diag);
