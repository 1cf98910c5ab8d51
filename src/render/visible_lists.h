// SPDX-License-Identifier: MIT
/*
 * visible_lists.h - index lists of a frame with the triangles that may be seen
 *
 * Made between two passes: what was drawn is read back as an Occlusion, the vertices of what comes
 * next are placed on the surface, and draws use the lists instead of the model's indices.
 */
#pragma once

#include "render/draw_context.h"
#include "render/occlusion.h"

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
