/*
 * occlusion.h - which triangles are hidden behind what has been drawn, by a coarse copy of the
 * depths
 *
 * Of each block of samples the copy holds the farthest depth.  A triangle whose nearest point is
 * farther than that in all blocks that it touches would fail the depth test at each sample, so
 * omitting it changes no pixel (hierarchical depth test: Greene, Kass and Miller, "Hierarchical
 * Z-buffer visibility", SIGGRAPH 1993).  For reversed depths, where nearer points have greater
 * depths, and one sample per pixel of the surface.
 */
#ifndef RENDER_OUTLINE_OCCLUSION_H
#define RENDER_OUTLINE_OCCLUSION_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "gl/gl_api.h"
#include "render/target.h"

/* Zero-initialise.  Memory is taken from an arena and kept for later frames. */
typedef struct Occlusion {
    int width, height; /* of the surface, samples */
    int columns, rows; /* of blocks */
    float *farthest;   /* [rows][columns]; 0 where nothing was read */
    float *strip;      /* depths of a row of blocks */
    size_t block_capacity, strip_capacity;
} Occlusion;

/* A vertex on the surface: samples from the left and the top, and the depth.  x is NaN where the
 * vertex is not in front of the near plane: triangles with such a vertex are never omitted. */
typedef struct ScreenVertex {
    float x, y, depth;
} ScreenVertex;

/* Reads the depths of a part of the image from the target, whose framebuffer is bound. */
void occlusion_read(Occlusion *occlusion, const Target *target, const GlApi *gl, TargetRect part,
                    Arena *arena);

/*
 * Copies the triangles that may be seen when front faces (clockwise) are culled, in their order.
 *
 * out       at least `count` indices
 * vertices  by index
 * indices   three for each triangle
 * Returns the number of indices copied.
 */
size_t occlusion_keep_back_faces(uint32_t *out, const Occlusion *occlusion,
                                 const ScreenVertex *vertices, const uint32_t *indices,
                                 size_t count);

#endif
