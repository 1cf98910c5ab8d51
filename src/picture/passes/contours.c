// SPDX-License-Identifier: MIT
#include "picture/passes/contours.h"

#include <math.h>
#include <string.h>

/* Steps of depth, MMD units, from which on a line begins and is black: a strand of hair is 0.1 to
 * 0.3 from what is behind it, a finger 0.3. */
static const float STEP_FAINT = 0.12f, STEP_BLACK = 0.3f;
static const float STEP_PIXELS = 3; /* at least so many pixels: rough surfaces far away */
/* Cosines of the angles between normals: 45 and 75 degrees. */
static const float CREASE_FAINT = 0.71f, CREASE_BLACK = 0.26f;

typedef struct Contours {
    const GeometryImage *g;
    const bool *bare;
    const View *view;
    uint8_t *mask;
    int width, height;
} Contours;

static float ramp(float value, float from, float to)
{
    return fminf(fmaxf((value - from) / (to - from), 0), 1);
}

/* Is linear on the image of a plane: the distance, inverted where the view has perspective. */
static float linear_depth(const Contours *c, size_t at)
{
    const float z = c->g->depth[at];

    return c->view->reversed_depth ? 1 / z : z;
}

/* The part of the step from one pixel to the next that the slope of the surface before it does not
 * explain; `before` is as far from `from` as `to` is. */
static float unexplained(const Contours *c, size_t before, size_t from, size_t to)
{
    const float step = linear_depth(c, to) - linear_depth(c, from);

    if (!(c->g->depth[before] > 0))
        return fabsf(step);
    return fabsf(step - (linear_depth(c, from) - linear_depth(c, before)));
}

static bool is_inside(const Contours *c, int x, int y)
{
    return x >= 0 && y >= 0 && x < c->width && y < c->height;
}

/* How visible the step of depth is from a pixel to its neighbour by (dx, dy), 0..1. */
static float step_between(const Contours *c, int x, int y, int dx, int dy)
{
    const ptrdiff_t stride = (ptrdiff_t)dy * c->width + dx;
    const size_t a = (size_t)y * (size_t)c->width + (size_t)x, b = a + (size_t)stride;
    const bool first = !is_inside(c, x - dx, y - dy), last = !is_inside(c, x + 2 * dx, y + 2 * dy);
    const float near = fminf(c->g->depth[a], c->g->depth[b]);
    const float scale = c->view->reversed_depth ? near * near : 1; /* of a change of 1 / z */
    const float pixel =
        2 * c->view->half_extent[1] / (float)c->height * (c->view->reversed_depth ? near : 1);
    const float smallest = fmaxf(STEP_FAINT, STEP_PIXELS * pixel);
    float step = HUGE_VALF;

    if (!first)
        step = fminf(step, unexplained(c, a - (size_t)stride, a, b));
    if (!last)
        step = fminf(step, unexplained(c, b + (size_t)stride, b, a));
    if (first && last)
        step = fabsf(linear_depth(c, a) - linear_depth(c, b));
    return ramp(step * scale, smallest, smallest * (STEP_BLACK / STEP_FAINT));
}

static float crease_between(const Contours *c, size_t a, size_t b)
{
    float dot = 0;

    for (int i = 0; i < 3; i++)
        dot += ((float)c->g->normals[a][i] - 128) * ((float)c->g->normals[b][i] - 128);
    return ramp(dot / (127 * 127), CREASE_FAINT, CREASE_BLACK);
}

static void darken(const Contours *c, size_t at, float strength)
{
    const uint8_t value = (uint8_t)(255 * strength + 0.5f);

    if (value > c->mask[at])
        c->mask[at] = value;
}

/* Whether the normals of a pixel and of its neighbour differ. */
static bool is_crease(const Contours *c, int x, int y, int dx, int dy)
{
    const size_t a = (size_t)y * (size_t)c->width + (size_t)x;

    return crease_between(c, a, a + (size_t)((ptrdiff_t)dy * c->width + dx)) > 0;
}

/* Whether the normal of a pixel differs from those of all around it.  Seams thinner than a pixel
 * are met here and there only, and would be rows of dots. */
static bool is_lone(const Contours *c, int x, int y)
{
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if ((dx || dy) && is_inside(c, x + dx, y + dy) && !is_crease(c, x, y, dx, dy))
                return false;
    return true;
}

/* A line is on the farther surface, as an outline is. */
static void compare(const Contours *c, int x, int y, int dx, int dy)
{
    const size_t a = (size_t)y * (size_t)c->width + (size_t)x;
    const size_t b = (size_t)(y + dy) * (size_t)c->width + (size_t)(x + dx);
    const uint32_t *ids = c->g->ids;

    if (!ids[a] && !ids[b])
        return;
    if (!ids[a] || !ids[b]) {
        if (c->bare[ids[a] ? ids[a] : ids[b]])
            darken(c, ids[a] ? b : a, 1);
        return;
    }
    const bool a_is_near = c->g->depth[a] <= c->g->depth[b];
    if (!c->bare[ids[a_is_near ? a : b]])
        return;
    float line = step_between(c, x, y, dx, dy);
    if (line < 1 && c->bare[ids[a]] && c->bare[ids[b]] && is_crease(c, x, y, dx, dy) &&
        !is_lone(c, x, y) && !is_lone(c, x + dx, y + dy))
        line = fmaxf(line, crease_between(c, a, b));
    darken(c, a_is_near ? b : a, line);
}

/* 3 x 3 pixels by (1 3 1) in both directions: a line is black in its middle, and smooth. */
static int smoothed(const Contours *c, int x, int y)
{
    int sum = 0;

    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const int u = x + dx, v = y + dy;
            if (is_inside(c, u, v))
                sum += (3 - 2 * (dx != 0)) * (3 - 2 * (dy != 0)) *
                       c->mask[(size_t)v * (size_t)c->width + (size_t)u];
        }
    sum /= 15; /* (1 + 3 + 1) * 3: a straight line keeps its strength */
    return sum < 255 ? sum : 255;
}

void contours_draw(uint8_t (*image)[4], uint8_t *mask, int width, int height,
                   const GeometryImage *g, const bool *bare, const View *view)
{
    const Contours c = {
        .g = g, .bare = bare, .view = view, .mask = mask, .width = width, .height = height};
    const size_t stride = (size_t)width;

    memset(mask, 0, stride * (size_t)height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            if (x + 1 < width)
                compare(&c, x, y, 1, 0);
            if (y + 1 < height)
                compare(&c, x, y, 0, 1);
        }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *p = image[(size_t)y * stride + (size_t)x];
            const uint8_t light = (uint8_t)(255 - smoothed(&c, x, y));
            for (int i = 0; i < 3; i++)
                p[i] = p[i] < light ? p[i] : light;
        }
}
