// SPDX-License-Identifier: MIT
#include "render/shadow/shadow_raster.h"

#include <math.h>

#include "format/model/pmx.h"
#include "math/scalar.h"

enum { CHUNK = 8 };                      /* texels, which compilers turn to vectors */
static const float MIN_AREA = 1e-6f;     /* texels; below it gradients mean nothing */
static const float LEVEL_FACTOR = 1.41f; /* factor of squared sizes: the surfaces' level bias */
static const float MAX_TEXELS = 1e15f;   /* in a triangle: coordinates of textures are unlimited */

/* A value that is linear on a triangle: at its uppermost corner, and by texel. */
typedef struct Gradient {
    float at, dx, dy, low, high;
} Gradient;

typedef struct Triangle {
    ShadowPoint corners[3]; /* from the top down */
    Gradient depth, u, v;   /* u and v in texels of the level */
    const AlphaLevel *level;
    const uint8_t *wrap; /* of the level's mask */
} Triangle;

static inline float clamp(float value, float low, float high)
{
    return scalar_min(scalar_max(value, low), high);
}

/* ---- set-up ---- */

static inline Gradient gradient(const Triangle *t, float inverse, float a, float b, float c)
{
    const ShadowPoint *p = t->corners;
    const float bx = p[1].x - p[0].x, by = p[1].y - p[0].y;
    const float cx = p[2].x - p[0].x, cy = p[2].y - p[0].y;

    return (Gradient){a, ((b - a) * cy - (c - a) * by) * inverse,
                      ((c - a) * bx - (b - a) * cx) * inverse, scalar_min3(a, b, c),
                      scalar_max3(a, b, c)};
}

/* Moves the depth away from the light, inside of the range. */
static inline void offset_depth(const ShadowRaster *raster, Gradient *depth)
{
    const float steepest = scalar_max(fabsf(depth->dx), fabsf(depth->dy));
    const float offset = raster->slope * steepest + raster->offset;

    depth->at += offset;
    depth->low = clamp(depth->low + offset, 0.0f, SHADOW_FARTHEST);
    depth->high = clamp(depth->high + offset, 0.0f, SHADOW_FARTHEST);
}

static inline void scale(Gradient *g, float start, float factor)
{
    g->at = (g->at - start) * factor;
    g->low = scalar_max((g->low - start) * factor, -MAX_TEXELS);
    g->high = scalar_min((g->high - start) * factor, MAX_TEXELS);
    g->dx *= factor;
    g->dy *= factor;
}

/* The mip level whose texels are about as large as those of the map. */
static int level_of(const AlphaMask *mask, const Gradient *u, const Gradient *v)
{
    const float width = (float)mask->levels[0].width, height = (float)mask->levels[0].height;
    const float ux = u->dx * width, uy = u->dy * width, vx = v->dx * height, vy = v->dy * height;
    const float size2 = LEVEL_FACTOR * scalar_max(ux * ux + vx * vx, uy * uy + vy * vy);
    const int level = size2 >= 1.0f ? ilogbf(size2) / 2 : 0;

    return level < mask->level_count ? level : mask->level_count - 1;
}

/* The AlphaKinds of the texels that the triangle shows. */
static unsigned kinds_of(const Triangle *t)
{
    const Gradient *u = &t->u, *v = &t->v;

    if (u->low < 0.0f || v->low < 0.0f || u->high >= (float)t->level->width ||
        v->high >= (float)t->level->height)
        return ALPHA_CLEAR | ALPHA_OPAQUE;
    return alpha_level_kinds(t->level, (int)u->low, (int)v->low, (int)u->high, (int)v->high);
}

/* The start of the picture, or of an equal copy of it, below the smallest coordinate. */
static float first_period(const Gradient *g, unsigned wrap)
{
    return wrap == PMX_REPEAT   ? floorf(g->low)
           : wrap == PMX_MIRROR ? 2.0f * floorf(0.5f * g->low)
                                : 0.0f;
}

/* Returns false if nothing of the triangle is opaque. */
static bool set_texture(Triangle *t, const ShadowRaster *raster, float inverse,
                        const uint32_t order[3])
{
    const float *a = raster->uvs + 2 * (size_t)order[0], *b = raster->uvs + 2 * (size_t)order[1];
    const float *c = raster->uvs + 2 * (size_t)order[2];

    t->u = gradient(t, inverse, a[0], b[0], c[0]);
    t->v = gradient(t, inverse, a[1], b[1], c[1]);
    t->wrap = raster->mask->wrap;
    t->level = &raster->mask->levels[level_of(raster->mask, &t->u, &t->v)];
    scale(&t->u, first_period(&t->u, raster->mask->wrap[0]), (float)t->level->width);
    scale(&t->v, first_period(&t->v, raster->mask->wrap[1]), (float)t->level->height);
    const unsigned kinds = kinds_of(t);
    if (kinds == ALPHA_OPAQUE)
        t->level = NULL;
    return kinds != ALPHA_CLEAR;
}

/* ---- texels ---- */

/* The value of a gradient at the center of the texel (x, y). */
static inline float value_at(const Gradient *g, const ShadowPoint *origin, int x, int y)
{
    return g->at + ((float)x + 0.5f - origin->x) * g->dx + ((float)y + 0.5f - origin->y) * g->dy;
}

static inline uint16_t depth_at(const Gradient *depth, float value)
{
    return (uint16_t)(int)(clamp(value, depth->low, depth->high) + 0.5f);
}

static void draw_span(uint16_t *row, int count, const Gradient *depth, float value)
{
    int x = 0;

    for (; x + CHUNK <= count; x += CHUNK)
        for (int i = 0; i < CHUNK; i++) {
            const uint16_t d = depth_at(depth, value + (float)(x + i) * depth->dx);
            row[x + i] = d < row[x + i] ? d : row[x + i];
        }
    for (; x < count; x++) {
        const uint16_t d = depth_at(depth, value + (float)x * depth->dx);
        row[x] = d < row[x] ? d : row[x];
    }
}

/* A column or row of a level; value >= 0 unless the picture is clamped. */
static inline int wrapped(const Gradient *g, float value, int size, unsigned wrap)
{
    const int64_t at = (int64_t)clamp(value, g->low, g->high);

    if (at >= 0 && at < size)
        return (int)at;
    if (wrap == PMX_CLAMP)
        return at < 0 ? 0 : size - 1;
    const int rest = (int)(at % (wrap == PMX_MIRROR ? 2 * (int64_t)size : size));
    return rest < size ? rest : 2 * size - 1 - rest;
}

static void draw_cut_out_span(uint16_t *row, int count, const Triangle *t, float value, float u,
                              float v)
{
    for (int x = 0; x < count; x++) {
        const uint16_t d = depth_at(&t->depth, value + (float)x * t->depth.dx);

        if (d < row[x] &&
            alpha_level_at(t->level,
                           wrapped(&t->u, u + (float)x * t->u.dx, t->level->width, t->wrap[0]),
                           wrapped(&t->v, v + (float)x * t->v.dx, t->level->height, t->wrap[1])))
            row[x] = d;
    }
}

/* The number of texel centers below `position`, at most `count`. */
static inline int texels_below(float position, int count)
{
    return (int)(clamp(position, 0.0f, (float)count) + 0.5f);
}

static inline void draw_row(const ShadowRaster *raster, const Triangle *t, int y, int from, int to)
{
    const ShadowPoint *origin = &t->corners[0];
    uint16_t *row = raster->depths + (size_t)y * raster->stride + from;
    const float depth = value_at(&t->depth, origin, from, y);

    if (t->level == NULL)
        draw_span(row, to - from, &t->depth, depth);
    else
        draw_cut_out_span(row, to - from, t, depth, value_at(&t->u, origin, from, y),
                          value_at(&t->v, origin, from, y));
}

/* The rows between two edges, each given by its upper end and its lower end. */
static inline void draw_rows(const ShadowRaster *raster, const Triangle *t, int top, int bottom,
                             const ShadowPoint *upper, const ShadowPoint *lower_end)
{
    const ShadowPoint *a = &t->corners[0], *c = &t->corners[2];

    if (top >= bottom)
        return;
    const float long_slope = (c->x - a->x) / (c->y - a->y);
    const float slope = (lower_end->x - upper->x) / (lower_end->y - upper->y);
    for (int y = top; y < bottom; y++) {
        const float middle = (float)y + 0.5f;
        const int p = texels_below(a->x + (middle - a->y) * long_slope, raster->width);
        const int q = texels_below(upper->x + (middle - upper->y) * slope, raster->width);

        if (p != q)
            draw_row(raster, t, y, p < q ? p : q, p < q ? q : p);
    }
}

/* ---- triangles ---- */

static inline void order_two(const ShadowPoint *points, uint32_t *upper, uint32_t *lower_one)
{
    const uint32_t a = *upper, b = *lower_one;

    if (points[a].y < points[b].y || (points[a].y == points[b].y && points[a].x <= points[b].x))
        return;
    *upper = b;
    *lower_one = a;
}

static inline float double_area(const ShadowPoint *a, const ShadowPoint *b, const ShadowPoint *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Whether the rectangle around a triangle contains the center of a texel. */
static inline bool has_texel(const ShadowRaster *r, const ShadowPoint *a, const ShadowPoint *b,
                             const ShadowPoint *c)
{
    return texels_below(scalar_min3(a->y, b->y, c->y), r->height) <
               texels_below(scalar_max3(a->y, b->y, c->y), r->height) &&
           texels_below(scalar_min3(a->x, b->x, c->x), r->width) <
               texels_below(scalar_max3(a->x, b->x, c->x), r->width);
}

static void draw_triangle(const ShadowRaster *raster, const uint32_t indices[3])
{
    const ShadowPoint *points = raster->points;
    uint32_t order[3] = {indices[0], indices[1], indices[2]};

    order_two(points, &order[0], &order[1]);
    order_two(points, &order[1], &order[2]);
    order_two(points, &order[0], &order[1]);
    const ShadowPoint *a = &points[order[0]], *b = &points[order[1]], *c = &points[order[2]];
    const float inverse = 1.0f / double_area(a, b, c);
    const int top = texels_below(a->y, raster->height), middle = texels_below(b->y, raster->height);
    const int bottom = texels_below(c->y, raster->height);
    Triangle t = {.corners = {*a, *b, *c}};

    t.depth = gradient(&t, inverse, a->depth, b->depth, c->depth);
    offset_depth(raster, &t.depth);
    if (raster->mask != NULL && !set_texture(&t, raster, inverse, order))
        return;
    draw_rows(raster, &t, top, middle, a, b);
    draw_rows(raster, &t, middle, bottom, b, c);
}

void shadow_raster_draw(const ShadowRaster *raster, const uint32_t *indices, size_t count,
                        bool culled)
{
    const ShadowPoint *points = raster->points;

    for (size_t i = 0; i + 2 < count; i += 3) {
        const ShadowPoint *a = &points[indices[i]], *b = &points[indices[i + 1]];
        const ShadowPoint *c = &points[indices[i + 2]];
        const float area = double_area(a, b, c); /* positive if the corners are clockwise */

        if ((culled ? area : fabsf(area)) > MIN_AREA && has_texel(raster, a, b, c))
            draw_triangle(raster, indices + i);
    }
}
