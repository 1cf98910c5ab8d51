/*
 * geometry.h - depth, material and normal of the nearest surface at each pixel's centre
 *
 * The surfaces of the picture once more, without shading, outlines and ground shadows, on a surface
 * of the finished size with one sample per pixel: these values must not be averaged.  A surface
 * counts where it is at least half opaque (render/README.md 14).
 */
#ifndef RENDER_GEOMETRY_H
#define RENDER_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "render/actor.h"
#include "render/geometry_image.h"
#include "texture/texture.h"

typedef struct Geometry {
    int width, height;
    unsigned wanted;
    GLuint framebuffer; /* 0 before the first frame */
    GLuint programs[2]; /* without and with texture */
} Geometry;

/* Draws the visible actors, which were updated for `view`, and reads what is wanted; `drawn` is the
 * part of the image that they can cover.  The wanted values must be the same in every call. */
bool geometry_draw(GeometryImage *out, Geometry *geometry, const GlApi *gl, const Actor *actors,
                   size_t actor_count, const View *view, const Samplers *samplers, TargetRect drawn,
                   const char *shader_dir, Diag *diag);

#endif
