// SPDX-License-Identifier: MIT
#include "render/look/defocus.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

enum { MAX_SAMPLES = 32, TILE = 8, TURN_SIDE = 4, TURNS = TURN_SIDE * TURN_SIDE };
static const float GOLDEN_ANGLE = 2.3999632f;
static const float IN_FRONT = 0.95f;   /* part of the center's distance */
static const float FAR = 1e9f;         /* depth of the background */
static const float INNER = 1.6925688f; /* radius of the area of 3 x 3 pixels */
static const float SHARP = 0.5f;       /* radius of a disk that is not blurred, half-size pixels */
static const float SPARSE = 4;        /* radius from which on samples are apart, half-size pixels */
static const float SAME_DEPTH = 1.1f; /* ratio of depths of one surface */
enum { SAME_COLOR = 12, GROUND_REACH = 3, GROUND_COUNT = 3 }; /* of 255; pixels */

typedef struct Spot {    /* a half-size pixel */
    float color[4];      /* light and alpha, premultiplied, 0..1 */
    float depth, radius; /* the depth, and the disk's radius in half-size pixels */
    float density;       /* 1 / the area of its disk */
    float part;          /* of its four pixels that have this depth */
} Spot;

typedef struct Defocus {
    FocusOptions options;
    const LightTables *light;
    int width, height, half_width, half_height;
    float *near, *wide, *row; /* depths, the nearest of 3 x 3 and of 5 x 5 pixels; a row of them */
    Spot *spots;
    float (*blurred)[5]; /* light, alpha; part in the result, by which they are multiplied */
    float (*smoothed)[5];
    int tile_columns, tile_rows;
    float spiral[TURNS][MAX_SAMPLES][2]; /* directions of the samples, of 4 x 4 pixels */
    float *reach;  /* [tile_columns * tile_rows] the largest radius in a tile */
    float *within; /* the same: that of the largest disk that can reach the tile */
} Defocus;

static void *create(const void *options, LookSetup *setup, Arena *arena)
{
    Defocus *d = arena_array(arena, Defocus, 1);
    const int width = setup->width, height = setup->height;

    *d = (Defocus){.options = *(const FocusOptions *)options,
                   .light = setup->light,
                   .width = width,
                   .height = height,
                   .half_width = (width + 1) / 2,
                   .half_height = (height + 1) / 2};
    d->tile_columns = (d->half_width + TILE - 1) / TILE;
    d->tile_rows = (d->half_height + TILE - 1) / TILE;
    const size_t count = (size_t)d->half_width * (size_t)d->half_height;
    d->near = arena_array(arena, float, (size_t)width *(size_t)height);
    d->wide = arena_array(arena, float, (size_t)width *(size_t)height);
    d->row = arena_array(arena, float, (size_t)width);
    d->spots = arena_array(arena, Spot, count);
    d->blurred = arena_calloc(arena, count, sizeof *d->blurred);
    d->smoothed = arena_calloc(arena, count, sizeof *d->smoothed);
    d->reach = arena_array(arena, float, (size_t)d->tile_columns *(size_t)d->tile_rows);
    d->within = arena_array(arena, float, (size_t)d->tile_columns *(size_t)d->tile_rows);
    for (int turn = 0; turn < TURNS; turn++)
        for (int i = 0; i < MAX_SAMPLES; i++) {
            const float angle = (float)i * GOLDEN_ANGLE + (float)turn / TURNS * 2 * (float)PI;
            d->spiral[turn][i][0] = cosf(angle);
            d->spiral[turn][i][1] = sinf(angle);
        }
    return d;
}

float defocus_radius(const DefocusLens *lens, float depth)
{
    const float z = depth > 0.0f ? depth : FAR;
    return fminf(lens->scale * fabsf(1.0f / lens->focus - 1.0f / z), (float)DEFOCUS_MAX_RADIUS);
}

/* ---- half the size ---- */

static float depth_at(const float *depth, size_t at)
{
    return depth[at] > 0.0f ? depth[at] : FAR;
}

/* The nearest of 3 x 3 depths. */
static void widen(float *out, const Defocus *d, const float *depth)
{
    const size_t width = (size_t)d->width;

    for (int y = 0; y < d->height; y++) {
        const size_t first = (size_t)y * width;
        for (size_t x = 0; x < width; x++) {
            float z = depth_at(depth, first + x);
            if (y > 0)
                z = fminf(z, depth_at(depth, first + x - width));
            if (y + 1 < d->height)
                z = fminf(z, depth_at(depth, first + x + width));
            d->row[x] = z;
        }
        for (size_t x = 0; x < width; x++) {
            const float left = d->row[x > 0 ? x - 1 : x];
            const float right = d->row[x + 1 < width ? x + 1 : x];
            out[first + x] = fminf(d->row[x], fminf(left, right));
        }
    }
}

static bool is_same_color(const uint8_t *a, const uint8_t *b)
{
    for (int c = 0; c < 4; c++)
        if (a[c] - b[c] > SAME_COLOR || b[c] - a[c] > SAME_COLOR)
            return false;
    return true;
}

/* Whether a pixel beside a nearer surface has the color of what is around it and not beside that:
 * then it is no outline or antialiased edge of the nearer one. */
static bool is_ground(const Defocus *d, const Image *image, const float *depth, int x, int y)
{
    const uint8_t *p = image->pixels + 4 * ((size_t)y * (size_t)d->width + (size_t)x);
    int count = 0;

    for (int v = y - GROUND_REACH; v <= y + GROUND_REACH; v++)
        for (int u = x - GROUND_REACH; u <= x + GROUND_REACH; u++) {
            if (u < 0 || v < 0 || u >= d->width || v >= d->height)
                continue;
            const size_t at = (size_t)v * (size_t)d->width + (size_t)u;
            count += d->wide[at] >= IN_FRONT * depth_at(depth, at) &&
                     is_same_color(p, image->pixels + 4 * at);
        }
    return count >= GROUND_COUNT;
}

/* Outlines and antialiased edges are beside the surface that they belong to, and get its depth. */
static void find_depths(Defocus *d, const Image *image, const float *depth)
{
    widen(d->near, d, depth);
    widen(d->wide, d, d->near);
    for (int y = 0; y < d->height; y++)
        for (int x = 0; x < d->width; x++) {
            const size_t at = (size_t)y * (size_t)d->width + (size_t)x;
            const float own = depth_at(depth, at);
            if (d->near[at] < IN_FRONT * own && is_ground(d, image, depth, x, y))
                d->near[at] = own;
        }
}

/* The color of the pixels with about the depth of the nearest one: others would bleed. */
static Spot shrink_pixel(const Defocus *d, const Image *image, const DefocusLens *lens, int x,
                         int y)
{
    const uint16_t *light = d->light->light;
    Spot spot = {.depth = FAR};
    float count = 0.0f;

    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 4; i++) {
            const int u = 2 * x + (i & 1), v = 2 * y + (i >> 1);
            if (u >= d->width || v >= d->height)
                continue;
            const size_t at = (size_t)v * (size_t)d->width + (size_t)u;
            const float z = d->near[at];
            const uint8_t *p = image->pixels + 4 * at;
            if (pass == 0) {
                spot.depth = fminf(spot.depth, z);
            } else if (z <= spot.depth * SAME_DEPTH) {
                const float alpha = (float)p[3] / 255.0f;
                for (int c = 0; c < 3; c++)
                    spot.color[c] += (float)light[p[c]] / (float)LIGHT_ONE * alpha;
                spot.color[3] += alpha;
                count += 1.0f;
            }
        }
    for (int c = 0; c < 4; c++)
        spot.color[c] /= count;
    spot.radius = defocus_radius(lens, spot.depth) / 2.0f;
    spot.part = count / 4;
    spot.density = 1.0f / fmaxf((float)PI * spot.radius * spot.radius, 1.0f);
    return spot;
}

static void find_reach(Defocus *d)
{
    for (int ty = 0; ty < d->tile_rows; ty++)
        for (int tx = 0; tx < d->tile_columns; tx++) {
            float largest = 0.0f;
            for (int y = ty * TILE; y < (ty + 1) * TILE && y < d->half_height; y++)
                for (int x = tx * TILE; x < (tx + 1) * TILE && x < d->half_width; x++)
                    largest = fmaxf(largest,
                                    d->spots[(size_t)y * (size_t)d->half_width + (size_t)x].radius);
            d->reach[(size_t)ty * (size_t)d->tile_columns + (size_t)tx] = largest;
        }
}

/* The largest disk that can reach a tile from another one. */
static float reach_at(const Defocus *d, int tx, int ty)
{
    enum { SPAN = DEFOCUS_MAX_RADIUS / 2 / TILE + 1 };
    float largest = 0.0f;

    for (int v = ty - SPAN; v <= ty + SPAN; v++)
        for (int u = tx - SPAN; u <= tx + SPAN; u++) {
            if (u < 0 || v < 0 || u >= d->tile_columns || v >= d->tile_rows)
                continue;
            const int apart_x = u > tx ? u - tx : tx - u, apart_y = v > ty ? v - ty : ty - v;
            const int apart = apart_x > apart_y ? apart_x : apart_y;
            const float radius = d->reach[(size_t)v * (size_t)d->tile_columns + (size_t)u];
            if (radius >= (float)((apart - 1) * TILE))
                largest = fmaxf(largest, radius);
        }
    return largest;
}

/* ---- gathering ---- */

/* Part of the light of a spot that falls on a pixel `away` from it, where the image shows `center`.
 * A spot behind it has the disk of the center: a larger one would bleed over a sharp edge, and a
 * smaller one stands for what is behind a blurred edge, which the image does not show. */
static float share(const Spot *spot, const Spot *center, float away)
{
    const bool smaller = center->radius < spot->radius;
    const bool behind = center->depth < IN_FRONT * spot->depth;
    const Spot *disk = behind || (smaller && spot->depth >= center->depth) ? center : spot;
    return fminf(fmaxf(disk->radius - away + 0.5f, 0.0f), 1.0f) * disk->density;
}

typedef struct Sum {
    float color[4], weight;
} Sum;

static void add(Sum *sum, const Spot *spot, float weight)
{
    for (int c = 0; c < 4; c++)
        sum->color[c] += spot->color[c] * weight;
    sum->weight += weight;
}

/* The pixel at (u, v), `away` from the center, for an area of the image. */
static void add_spot(Sum *back, Sum *front, const Defocus *d, const Spot *center, int u, int v,
                     float away, float area)
{
    if (u < 0 || v < 0 || u >= d->half_width || v >= d->half_height)
        return;
    const Spot *spot = &d->spots[(size_t)v * (size_t)d->half_width + (size_t)u];
    add(spot->depth < IN_FRONT * center->depth ? front : back, spot,
        area * spot->part * share(spot, center, away));
}

/* The center with what is at its distance or behind it, and what is in front of it: the pixels
 * around it, so that small disks are found from all sides, and samples of the rest. */
static void collect(Sum *back, Sum *front, const Defocus *d, int x, int y, float reach)
{
    const Spot *center = &d->spots[(size_t)y * (size_t)d->half_width + (size_t)x];
    const float outer = fmaxf(reach + 0.5f - INNER, 0.0f);
    /* 7 is coprime to 16: neighbors have different turns and radii */
    const int turn = (y % TURN_SIDE * TURN_SIDE + x % TURN_SIDE) * 7 % TURNS;
    const float(*spiral)[2] = (const float(*)[2])d->spiral[turn];
    const float ring = reach > SPARSE ? ((float)(turn * 5 % TURNS) + 0.5f) / TURNS : 0.5f;
    const int wanted = (int)(2.0f * reach * reach);
    const int samples = wanted < MAX_SAMPLES ? wanted : MAX_SAMPLES;

    for (int v = -1; v <= 1; v++)
        for (int u = -1; u <= 1; u++)
            if (u != 0 || v != 0)
                add_spot(back, front, d, center, x + u, y + v, u != 0 && v != 0 ? 1.4142136f : 1.0f,
                         1.0f);
    add(back, center, center->part * share(center, center, 0.0f));
    for (int i = 0; i < samples; i++) { /* rings of equal width around those pixels */
        const float away = INNER + outer * ((float)i + ring) / (float)samples;
        const int u = x + (int)lrintf(away * spiral[i][0]);
        const int v = y + (int)lrintf(away * spiral[i][1]);

        add_spot(back, front, d, center, u, v, away,
                 2.0f * (float)PI * away * outer / (float)samples);
    }
}

/* The front covers as much of the pixel as its light adds up to; the rest is the back, blurred as
 * far as the center is, and the sharp image. */
static void gather(float out[5], const Defocus *d, int x, int y, float reach)
{
    const Spot *center = &d->spots[(size_t)y * (size_t)d->half_width + (size_t)x];
    Sum back = {{0}, 0}, front = {{0}, 0};

    collect(&back, &front, d, x, y, reach);
    const float covered = fminf(front.weight, 1.0f);
    const float blurred = (1.0f - covered) * fminf(fmaxf(center->radius - SHARP, 0.0f), 1.0f);
    const float part = covered + blurred;

    out[4] = part;
    for (int c = 0; c < 4; c++) {
        const float near = front.weight > 0.0f ? front.color[c] / front.weight : 0.0f;
        out[c] = near * covered + back.color[c] / back.weight * blurred;
    }
}

static void gather_all(Defocus *d)
{
    for (int ty = 0; ty < d->tile_rows; ty++)
        for (int tx = 0; tx < d->tile_columns; tx++) {
            const float reach = reach_at(d, tx, ty);
            d->within[(size_t)ty * (size_t)d->tile_columns + (size_t)tx] = reach;
            for (int y = ty * TILE; y < (ty + 1) * TILE && y < d->half_height; y++)
                for (int x = tx * TILE; x < (tx + 1) * TILE && x < d->half_width; x++) {
                    float *out = d->blurred[(size_t)y * (size_t)d->half_width + (size_t)x];
                    if (reach > SHARP)
                        gather(out, d, x, y, reach);
                    else
                        memset(out, 0, sizeof *d->blurred);
                }
        }
}

/* Whether blurred light of a spot may be used at a depth: at the edge of something whose disk is
 * not larger than `smallest`, in front of something else, only that of its own side. */
static bool counts(const Spot *spot, float depth, float radius, float smallest)
{
    return (spot->depth < depth ? spot->radius : radius) > smallest ||
           (spot->depth <= depth * SAME_DEPTH && depth <= spot->depth * SAME_DEPTH);
}

/* Adds blurred light of a spot.  whole: with its sharp image, if it is behind a blurred pixel,
 * whose own image does not stand for it. */
static void add_blurred(float sum[5], const Spot *spot, const float blurred[5], bool whole,
                        float weight)
{
    const float rest = whole ? 1.0f - blurred[4] : 0.0f;

    for (int c = 0; c < 4; c++)
        sum[c] += weight * (blurred[c] + rest * spot->color[c]);
    sum[4] += weight * (blurred[4] + rest);
}

/* The mean of 4 x 4 pixels, but none beyond the edge of something sharp, whose samples are all at
 * different places, so that a thin line becomes a disk and not as many lines as there are samples.
 */
static void smooth(float out[5], const Defocus *d, int x, int y)
{
    const Spot *center = &d->spots[(size_t)y * (size_t)d->half_width + (size_t)x];
    float count = 0.0f;

    memset(out, 0, 5 * sizeof *out);
    for (int v = y - TURN_SIDE / 2; v < y + TURN_SIDE / 2; v++)
        for (int u = x - TURN_SIDE / 2; u < x + TURN_SIDE / 2; u++) {
            if (u < 0 || v < 0 || u >= d->half_width || v >= d->half_height)
                continue;
            const size_t at = (size_t)v * (size_t)d->half_width + (size_t)u;
            const Spot *spot = &d->spots[at];
            if (!counts(spot, center->depth, center->radius, TURN_SIDE / 2.0f))
                continue;
            add_blurred(out, spot, d->blurred[at],
                        center->radius > SHARP && spot->depth > center->depth * SAME_DEPTH, 1.0f);
            count += 1.0f;
        }
    for (int c = 0; c < 5; c++)
        out[c] /= count;
}

static float reach_of(const Defocus *d, int x, int y)
{
    return d->within[(size_t)(y / TILE) * (size_t)d->tile_columns + (size_t)(x / TILE)];
}

/* Where samples are apart. */
static void smooth_all(Defocus *d)
{
    for (int y = 0; y < d->half_height; y++)
        for (int x = 0; x < d->half_width; x++) {
            const size_t at = (size_t)y * (size_t)d->half_width + (size_t)x;
            if (reach_of(d, x, y) > SPARSE)
                smooth(d->smoothed[at], d, x, y);
            else
                memcpy(d->smoothed[at], d->blurred[at], sizeof *d->smoothed);
        }
}

/* ---- the image ---- */

/* Between half-size pixels, premultiplied by the part, so that sharp neighbors add nothing. */
static void sample_blurred(float out[5], const Defocus *d, const DefocusLens *lens, int x, int y)
{
    const float px = fmaxf((float)x * 0.5f - 0.25f, 0.0f),
                py = fmaxf((float)y * 0.5f - 0.25f, 0.0f);
    const int x0 = (int)px, y0 = (int)py;
    const float fx = px - (float)x0, fy = py - (float)y0;
    const float depth = d->near[(size_t)y * (size_t)d->width + (size_t)x];
    const float radius = defocus_radius(lens, depth) / 2.0f;
    float count = 0.0f;

    memset(out, 0, 5 * sizeof *out);
    for (int all = 0; all < 2 && count <= 0.0f; all++) /* all of them, if none counts */
        for (int i = 0; i < 4; i++) {
            const int u = x0 + (i & 1) < d->half_width ? x0 + (i & 1) : x0;
            const int v = y0 + (i >> 1) < d->half_height ? y0 + (i >> 1) : y0;
            const size_t at = (size_t)v * (size_t)d->half_width + (size_t)u;
            const Spot *spot = &d->spots[at];
            const float weight = (i & 1 ? fx : 1.0f - fx) * (i >> 1 ? fy : 1.0f - fy);
            const bool whole = radius > SHARP && spot->depth > depth * SAME_DEPTH;
            if (!all && !counts(spot, depth, radius, SHARP))
                continue;
            add_blurred(out, spot, d->smoothed[at], whole && !all, weight);
            count += weight;
        }
    for (int c = 0; c < 5; c++)
        out[c] /= count;
}

static void mix_pixel(uint8_t p[4], const float blurred[5], const LightTables *light)
{
    const float part = blurred[4], before = (float)p[3] / 255.0f * (1.0f - part);
    const float alpha = before + blurred[3];

    for (int c = 0; c < 3 && alpha > 0.0f; c++) {
        const float mixed = (float)light->light[p[c]] / (float)LIGHT_ONE * before + blurred[c];
        p[c] = light->nearest[(int)(fminf(mixed / alpha, 1.0f) * (float)LIGHT_ONE + 0.5f)];
    }
    p[3] = (uint8_t)(fminf(alpha, 1.0f) * 255.0f + 0.5f);
}

/* A parallel view has no depth of field. */
static void apply(Image *image, void *effect, const LookFrame *frame)
{
    Defocus *d = effect;
    const DefocusLens lens = {.focus = lens_focus(&d->options, frame->state),
                              .scale = d->options.aperture / 2 / frame->view.pixel_size};
    uint8_t *p = image->pixels;

    if (!frame->view.reversed_depth)
        return;
    find_depths(d, image, frame->geometry->depth);
    for (int y = 0; y < d->half_height; y++)
        for (int x = 0; x < d->half_width; x++)
            d->spots[(size_t)y * (size_t)d->half_width + (size_t)x] =
                shrink_pixel(d, image, &lens, x, y);
    find_reach(d);
    gather_all(d);
    smooth_all(d);
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++, p += 4) {
            float blurred[5];
            sample_blurred(blurred, d, &lens, x, y);
            if (blurred[4] > 0.0f)
                mix_pixel(p, blurred, d->light);
        }
}

/* Each pixel needs three depths, and 20 bytes of the pixels of half the size. */
const LookEffect DEFOCUS_EFFECT = {.each_image = true,
                                   .geometry = GEOMETRY_DEPTH,
                                   .light = true,
                                   .pixel_bytes = 32,
                                   .create = create,
                                   .apply = apply};
