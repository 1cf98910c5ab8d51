// SPDX-License-Identifier: MIT
#include "render/occlusion.h"

#include <string.h>

#include "math/scalar.h"

enum { BLOCK = 8 }; /* samples on a side */

/* The driver rounds positions to 1/256 sample; the CPU's own rounding is smaller. */
static const float POSITION_MARGIN = 1.0f / 64.0f;
/* Below this height, in samples, the rounded shape of a triangle may reach depths far outside of
 * those of its vertices. */
static const float MIN_HEIGHT = 0.25f;
/* Shares of the depth range of higher triangles, and of the depth itself: (1/256 * sqrt(2)) /
 * MIN_HEIGHT and rounding, with reserve. */
static const float RANGE_MARGIN = 0.05f, DEPTH_MARGIN = 1e-5f;

/* ---- depths ---- */

/* The smallest depth of each block of a strip of `BLOCK` rows. */
static void reduce_strip(float *out, const float *strip, size_t columns)
{
    for (size_t column = 0; column < columns; column++) {
        const float *at = strip + column * BLOCK;
        float depths[BLOCK];

        memcpy(depths, at, sizeof depths);
        for (size_t row = 1; row < BLOCK; row++) {
            at += columns * BLOCK;
            for (size_t x = 0; x < BLOCK; x++)
                depths[x] = scalar_min(depths[x], at[x]);
        }
        for (size_t x = 1; x < BLOCK; x++)
            depths[0] = scalar_min(depths[0], depths[x]);
        out[column] = depths[0];
    }
}

/* Reads only blocks that are completely inside of `part`. */
void occlusion_read(Occlusion *o, const Target *target, ImageRect part, Arena *arena)
{
    const ImageRect r = target_surface_rect(target, part);
    const int left = ((r.left > 0 ? r.left : 0) + BLOCK - 1) / BLOCK;
    const int right = (r.right < target->width ? r.right : target->width) / BLOCK;
    const int top = ((r.top > 0 ? r.top : 0) + BLOCK - 1) / BLOCK;
    const int bottom = (r.bottom < target->height ? r.bottom : target->height) / BLOCK;

    o->width = target->width;
    o->height = target->height;
    o->columns = (target->width + BLOCK - 1) / BLOCK;
    o->rows = (target->height + BLOCK - 1) / BLOCK;
    const size_t blocks = (size_t)o->columns * (size_t)o->rows;
    const size_t strip = (size_t)o->columns * BLOCK * BLOCK;
    if (blocks > o->block_capacity) {
        o->farthest = arena_array(arena, float, blocks);
        o->block_capacity = blocks;
    }
    if (strip > o->strip_capacity) {
        o->strip = arena_array(arena, float, strip);
        o->strip_capacity = strip;
    }
    memset(o->farthest, 0, blocks * sizeof *o->farthest);
    if (left >= right)
        return;
    target->gl->PixelStorei(GL_PACK_ROW_LENGTH, 0);
    for (int row = top; row < bottom; row++) {
        target->gl->ReadPixels(left * BLOCK, row * BLOCK, (right - left) * BLOCK, BLOCK,
                               GL_DEPTH_COMPONENT, GL_FLOAT, o->strip);
        reduce_strip(o->farthest + (size_t)row * (size_t)o->columns + left, o->strip,
                     (size_t)(right - left));
    }
}

/* ---- triangles ---- */

/* The samples [left, right] x [top, bottom] that a triangle may cover, and its depths. */
typedef struct Extent {
    float left, right, top, bottom;
    float nearest, depth_range;
} Extent;

static inline Extent extent_of(const ScreenVertex *a, const ScreenVertex *b, const ScreenVertex *c)
{
    const float nearest = scalar_max3(a->depth, b->depth, c->depth);

    return (Extent){.left = scalar_min3(a->x, b->x, c->x),
                    .right = scalar_max3(a->x, b->x, c->x),
                    .top = scalar_min3(a->y, b->y, c->y),
                    .bottom = scalar_max3(a->y, b->y, c->y),
                    .nearest = nearest,
                    .depth_range = nearest - scalar_min3(a->depth, b->depth, c->depth)};
}

/* Sample i is at i + 0.5; 0 to size for the first one from `low` on, -1 to size - 1 for the last.
 */
static inline int first_sample(float low, int size)
{
    const float at = low - POSITION_MARGIN - 0.5f;
    const int below = at > 0.0f ? (int)(at < (float)size ? at : (float)size) : 0;

    return below + ((float)below < at && below < size);
}

static inline int last_sample(float high, int size)
{
    const float next = high + POSITION_MARGIN + 0.5f;

    return next > 0.0f ? (int)(next < (float)size ? next : (float)size) - 1 : -1;
}

/* Whether all samples from (left, top) to (right, bottom), inside of the surface, are nearer. */
static inline bool is_behind(const Occlusion *o, int left, int right, int top, int bottom,
                             float depth)
{
    for (int row = top / BLOCK; row <= bottom / BLOCK; row++)
        for (int column = left / BLOCK; column <= right / BLOCK; column++)
            if (!(depth < o->farthest[row * o->columns + column]))
                return false;
    return true;
}

/* Whether no sample can show the triangle.  area: twice that on the surface, positive for faces
 * that are culled. */
static inline bool is_hidden(const Occlusion *o, const Extent *e, float area)
{
    const float size = e->right - e->left + e->bottom - e->top;

    if (area > 4.0f * POSITION_MARGIN * size + POSITION_MARGIN)
        return true;
    const int left = first_sample(e->left, o->width), right = last_sample(e->right, o->width);
    const int top = first_sample(e->top, o->height), bottom = last_sample(e->bottom, o->height);
    if (left > right || top > bottom)
        return true;
    if (-area < MIN_HEIGHT * size)
        return false;
    return is_behind(o, left, right, top, bottom,
                     e->nearest * (1.0f + DEPTH_MARGIN) + RANGE_MARGIN * e->depth_range);
}

static inline float culled_area(float area, OcclusionFaces faces)
{
    if (faces == OCCLUSION_BOTH_FACES)
        return -fabsf(area);
    return faces == OCCLUSION_FRONT_FACES ? -area : area;
}

size_t occlusion_keep(uint32_t *out, const Occlusion *o, OcclusionFaces faces,
                      const ScreenVertex *vertices, const uint32_t *indices, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i + 2 < count; i += 3) {
        const ScreenVertex *a = &vertices[indices[i]], *b = &vertices[indices[i + 1]];
        const ScreenVertex *c = &vertices[indices[i + 2]];
        const float area = (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);

        for (size_t k = 0; k < 3; k++)
            out[kept + k] = indices[i + k];
        if (isnan(area)) {
            kept += 3;
        } else {
            const Extent extent = extent_of(a, b, c);

            kept += is_hidden(o, &extent, culled_area(area, faces)) ? 0 : 3;
        }
    }
    return kept;
}

/* ---- index lists of what may be seen ---- */

bool visible_lists_begin(VisibleLists *lists, const DrawContext *context, const Mesh *mesh,
                         ImageRect area, size_t index_count)
{
    const uint32_t vertex_count = mesh->pmx->vertex_count;

    if (context->target.spec.samples > 1 || !context->view.reversed_depth)
        return false;
    if (vertex_count > lists->vertex_capacity) {
        lists->vertices = arena_array(context->arena, ScreenVertex, vertex_count);
        lists->vertex_capacity = vertex_count;
    }
    if (index_count > lists->index_capacity) {
        lists->indices = arena_array(context->arena, uint32_t, index_count);
        lists->index_capacity = index_count;
    }
    lists->index_count = 0;
    occlusion_read(&lists->occlusion, &context->target, area, context->arena);
    return true;
}

VisibleRange visible_lists_add(VisibleLists *lists, OcclusionFaces faces, const uint32_t *indices,
                               size_t count)
{
    const size_t first = lists->index_count;
    const size_t kept = occlusion_keep(lists->indices + first, &lists->occlusion, faces,
                                       lists->vertices, indices, count);

    lists->index_count += kept;
    return (VisibleRange){first, kept};
}

void visible_lists_upload(VisibleLists *lists, const GlApi *gl)
{
    if (lists->index_count > lists->buffer_capacity) {
        gl->DeleteBuffers(1, &lists->buffer);
        lists->buffer = gl_buffer(gl, lists->index_capacity * sizeof *lists->indices, NULL,
                                  GL_DYNAMIC_STORAGE_BIT);
        lists->buffer_capacity = lists->index_capacity;
    }
    if (lists->index_count > 0)
        gl->NamedBufferSubData(lists->buffer, 0,
                               (GLsizeiptr)(lists->index_count * sizeof *lists->indices),
                               lists->indices);
}

void visible_lists_draw(const GlApi *gl, VisibleRange range)
{
    if (range.count > 0)
        gl_draw_indices(gl, GL_TRIANGLES, range.first, range.count);
}
