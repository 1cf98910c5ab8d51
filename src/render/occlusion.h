// SPDX-License-Identifier: MIT
/*
 * occlusion.h - which triangles are hidden behind what has been drawn, by a coarse copy of the
 * depths
 *
 * The copy holds the farthest depth of each block of samples.  A triangle whose nearest point is
 * farther than that in all blocks that it touches would fail the depth test at each sample, so
 * omitting it changes no pixel (hierarchical depth test: Greene, Kass and Miller, "Hierarchical
 * Z-buffer visibility", SIGGRAPH 1993).  For reversed depths, where nearer points have greater
 * depths, and one sample per pixel of the surface.
 */
#pragma once

#include <math.h>

#include "base/arena.h"
#include "render/draw_context.h"
#include "render/screen_space.h"
#include "render/target.h"

/* Zero-initialise.  Memory is taken from an arena and kept for later frames. */
typedef struct Occlusion {
    int width, height; /* size of the surface, samples */
    int columns, rows; /* number of blocks in each direction */
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
void occlusion_read(Occlusion *occlusion, const Target *target, ImageRect part, Arena *arena);

/* Which faces of triangles are drawn; front faces are clockwise. */
typedef enum OcclusionFaces {
    OCCLUSION_BACK_FACES,
    OCCLUSION_FRONT_FACES,
    OCCLUSION_BOTH_FACES
} OcclusionFaces;

/* A point of a model on the surface. */
static inline ScreenVertex occlusion_vertex(const ScreenSpace *space, const float point[3])
{
    float clip[4], at[2];

    screen_clip(clip, space, point);
    screen_place(at, space, clip);
    const bool clipped = !(clip[3] > 0.0f) || clip[2] >= clip[3];
    return (ScreenVertex){clipped ? NAN : at[0], at[1], clip[2] * (1.0f / clip[3])};
}

/*
 * Copies the triangles that may be seen, in their order.
 *
 * out       at least `count` indices; may be `indices`
 * vertices  by index
 * indices   three for each triangle
 * Returns the number of indices copied.
 */
size_t occlusion_keep(uint32_t *out, const Occlusion *occlusion, OcclusionFaces faces,
                      const ScreenVertex *vertices, const uint32_t *indices, size_t count);

/* ---- index lists of a frame with the triangles that may be seen.  Made between two passes: what
 * was drawn is read back as an Occlusion, the vertices of what comes next are placed on the
 * surface, and draws use the lists instead of the model's indices. ---- */

typedef struct VisibleRange {
    size_t first, count; /* indices */
} VisibleRange;

/* Zero-initialise.  Memory is kept for later frames; one serves all models and passes in turn. */
typedef struct VisibleLists {
    Occlusion occlusion;
    ScreenVertex *vertices; /* by index; to be set before visible_lists_add */
    uint32_t *indices;
    size_t vertex_capacity, index_capacity, index_count;
    GLuint buffer;
    size_t buffer_capacity; /* indices */
} VisibleLists;

/* Reads the depths in an area of the image that the context's target shows, removes all lists, and
 * reserves memory for `index_count` indices.  Returns false where hidden triangles cannot be found:
 * with multisampling, and in orthographic views. */
bool visible_lists_begin(VisibleLists *lists, const DrawContext *context, const Mesh *mesh,
                         ImageRect area, size_t index_count);

/* Appends the triangles that may be seen; `indices` may be where they will be. */
VisibleRange visible_lists_add(VisibleLists *lists, OcclusionFaces faces, const uint32_t *indices,
                               size_t count);

/* Copies the indices to `buffer`. */
void visible_lists_upload(VisibleLists *lists, const GlApi *gl);

/* Draws a list as triangles; its buffer is the element buffer of the current vertex array. */
void visible_lists_draw(const GlApi *gl, VisibleRange range);
