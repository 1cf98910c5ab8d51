// SPDX-License-Identifier: MIT
#include "picture/look/defocus.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "picture/look/focus.h"

enum {
    MAX_SAMPLES = 32,
    AVERAGED_SAMPLES = 20,
    TILE = 8,
    TURN_SIDE = 4,
    TURNS = TURN_SIDE * TURN_SIDE
};
enum { REACH_STEPS = 2, REACHES = DEFOCUS_MAX_RADIUS / 2 * REACH_STEPS + 1 };
enum { LEVELS = 4, KERNEL = 9, PATCH = TILE }; /* PATCH: texels of a tile, with those around it */
static const float GOLDEN_ANGLE = 2.3999632f;
static const float IN_FRONT = 0.95f;   /* part of the center's distance */
static const float FAR = 1e9f;         /* depth of the background */
static const float INNER = 1.6925688f; /* radius of the area of 3 x 3 pixels */
static const float SHARP = 0.5f;       /* radius of a disk that is not blurred, half-size pixels */
static const float SPARSE = 4;        /* radius from which on samples are apart, half-size pixels */
static const float SAME_DEPTH = 1.1f; /* ratio of depths of one surface */
static const float SAME_RADIUS = 0.5f, SAME_RATIO = 0.15f; /* of disks of an even neighborhood */
/* Radius up to which a disk is a sum of texels, texels: of one image, and of averaged ones, whose
 * disks may have soft edges. */
static const float FINE = 8, AVERAGED_FINE = 3.5f;

typedef float Light __attribute__((vector_size(16))); /* light and alpha, premultiplied, 0..1 */

typedef struct Spot {    /* a half-size pixel, beside its color */
    float depth, radius; /* the depth, and the disk's radius in half-size pixels */
    float density;       /* 1 / the area of its disk */
    float part;          /* of its four pixels that have this depth */
} Spot;

typedef struct Blurred {
    Light color; /* times part */
    float part;  /* of the result */
} Blurred;

typedef struct Sample {
    int16_t x, y;     /* from the center */
    float away, area; /* the distance, and the area of the image that it stands for */
} Sample;

/* The samples around a pixel that disks of a radius can reach. */
typedef struct Samples {
    int count; /* -1: not computed yet */
    Sample samples[TURNS][MAX_SAMPLES];
} Samples;

typedef struct Tile {
    float least, largest; /* radii of its pixels, negative in front of what is in focus */
    float within;         /* radius of the largest disk that can reach the tile */
    bool even;            /* disks of all that can reach it have about the same radius */
} Tile;

typedef struct Defocus {
    FocusOptions options;
    const LightTables *light;
    int width, height, half_width, half_height;
    Spot *spots;
    Light *levels[LEVELS]; /* colors of the spots; means of 2 x 2 of the level before */
    Blurred *blurred, *smoothed;
    int tile_columns, tile_rows;
    Tile *tiles;
    Samples *samples;                    /* [REACHES] */
    float spiral[TURNS][MAX_SAMPLES][2]; /* directions of the samples, of 4 x 4 pixels */
    float distances[KERNEL][KERNEL];     /* of a texel from the one at 0, 0 */
} Defocus;

/* Texels in a row or column of a level. */
static int level_side(int side, int level)
{
    return (side + (1 << level) - 1) >> level;
}

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
    d->spots = arena_array(arena, Spot, count);
    for (int i = 0; i < LEVELS; i++)
        d->levels[i] = arena_array(arena, Light,
                                   (size_t)level_side(d->half_width, i) *
                                       (size_t)level_side(d->half_height, i));
    d->blurred = arena_array(arena, Blurred, count);
    d->smoothed = d->options.lens_part < 1.0f ? d->blurred : arena_array(arena, Blurred, count);
    d->tiles = arena_array(arena, Tile, (size_t)d->tile_columns * (size_t)d->tile_rows);
    d->samples = arena_array(arena, Samples, REACHES);
    for (int i = 0; i < REACHES; i++)
        d->samples[i].count = -1;
    for (int turn = 0; turn < TURNS; turn++)
        for (int i = 0; i < MAX_SAMPLES; i++) {
            const float angle = (float)i * GOLDEN_ANGLE + (float)turn / TURNS * 2 * (float)PI;
            d->spiral[turn][i][0] = cosf(angle);
            d->spiral[turn][i][1] = sinf(angle);
        }
    for (int y = 0; y < KERNEL; y++)
        for (int x = 0; x < KERNEL; x++)
            d->distances[y][x] = sqrtf((float)(x * x + y * y));
    return d;
}

float defocus_radius(const DefocusLens *lens, float depth)
{
    const float z = depth > 0.0f ? depth : FAR;
    const float radius = lens->scale * fabsf(1.0f / lens->focus - 1.0f / z);
    return radius < (float)DEFOCUS_MAX_RADIUS ? radius : (float)DEFOCUS_MAX_RADIUS;
}

/* These are not calls, unlike fminf and fmaxf, which know NaN. */
static float clamp_to_one(float value)
{
    return value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
}

/* ---- half the size ---- */

static float depth_at(const float *depth, size_t at)
{
    return depth[at] > 0.0f ? depth[at] : FAR;
}

static Tile *tile_of(const Defocus *d, int x, int y)
{
    return &d->tiles[(size_t)(y / TILE) * (size_t)d->tile_columns + (size_t)(x / TILE)];
}

/* A radius in half-size pixels, negative in front of what is in focus. */
static float signed_radius(const DefocusLens *lens, float depth)
{
    const float radius = defocus_radius(lens, depth) / 2.0f;
    return depth < lens->focus ? -radius : radius;
}

static void add_radius(Tile *tile, float radius)
{
    tile->least = radius < tile->least ? radius : tile->least;
    tile->largest = radius > tile->largest ? radius : tile->largest;
}

/* The color of the pixels with about the depth of the nearest one: others would bleed. */
static void shrink_pixel(Defocus *d, const Image *image, const float *depth,
                         const DefocusLens *lens, int x, int y)
{
    const uint16_t *light = d->light->light;
    const size_t at = (size_t)y * (size_t)d->half_width + (size_t)x;
    Tile *tile = tile_of(d, x, y);
    float depths[4], nearest = FAR, farthest = 0.0f, count = 0.0f;
    size_t places[4];
    int pixels = 0;
    Light color = {0, 0, 0, 0};

    for (int i = 0; i < 4; i++) {
        const int u = 2 * x + (i & 1), v = 2 * y + (i >> 1);
        if (u >= d->width || v >= d->height)
            continue;
        places[pixels] = (size_t)v * (size_t)d->width + (size_t)u;
        const float z = depths[pixels] = depth_at(depth, places[pixels]);
        nearest = z < nearest ? z : nearest;
        farthest = z > farthest ? z : farthest;
        pixels++;
    }
    for (int i = 0; i < pixels; i++) {
        const uint8_t *p = image->pixels + 4 * places[i];
        if (depths[i] > nearest * SAME_DEPTH)
            continue;
        const float alpha = (float)p[3] / 255.0f, scale = alpha / (float)LIGHT_ONE;
        color += (Light){(float)light[p[0]] * scale, (float)light[p[1]] * scale,
                         (float)light[p[2]] * scale, alpha};
        count += 1.0f;
    }
    const float radius = signed_radius(lens, nearest), size = fabsf(radius);
    const float area = (float)PI * size * size;
    d->levels[0][at] = color / count;
    d->spots[at] = (Spot){nearest, size, 1.0f / (area > 1.0f ? area : 1.0f), count / 4};
    add_radius(tile, radius);
    if (farthest > nearest * SAME_DEPTH)
        add_radius(tile, signed_radius(lens, farthest));
}

static void shrink(Defocus *d, const Image *image, const float *depth, const DefocusLens *lens)
{
    const size_t tiles = (size_t)d->tile_columns * (size_t)d->tile_rows;

    for (size_t i = 0; i < tiles; i++)
        d->tiles[i] = (Tile){.least = DEFOCUS_MAX_RADIUS, .largest = -DEFOCUS_MAX_RADIUS};
    for (int y = 0; y < d->half_height; y++)
        for (int x = 0; x < d->half_width; x++)
            shrink_pixel(d, image, depth, lens, x, y);
    for (int level = 1; level < LEVELS; level++) {
        const int columns = level_side(d->half_width, level - 1);
        const int rows = level_side(d->half_height, level - 1);
        Light *out = d->levels[level];
        for (int y = 0; y < rows; y += 2)
            for (int x = 0; x < columns; x += 2) {
                const Light *from = d->levels[level - 1] + (size_t)y * (size_t)columns + (size_t)x;
                const size_t right = x + 1 < columns, down = y + 1 < rows ? (size_t)columns : 0;
                *out++ = (from[0] + from[right] + from[down] + from[down + right]) * 0.25f;
            }
    }
}

/* ---- tiles ---- */

static int tiles_apart(int a, int b)
{
    return a > b ? a - b : b - a;
}

/* The largest disk that can reach a tile from another one, and whether all that do are equal. */
static void examine_tile(Tile *tile, const Defocus *d, int tx, int ty)
{
    enum { SPAN = DEFOCUS_MAX_RADIUS / 2 / TILE + 1 };
    const int left = tx > SPAN ? tx - SPAN : 0, top = ty > SPAN ? ty - SPAN : 0;
    Tile around = *tile;

    tile->within = 0.0f;
    for (int v = top; v <= ty + SPAN && v < d->tile_rows; v++)
        for (int u = left; u <= tx + SPAN && u < d->tile_columns; u++) {
            const Tile *other = &d->tiles[(size_t)v * (size_t)d->tile_columns + (size_t)u];
            const int apart_x = tiles_apart(u, tx), apart_y = tiles_apart(v, ty);
            const int apart = apart_x > apart_y ? apart_x : apart_y;
            const float reach = fmaxf(-other->least, other->largest),
                        gap = (float)((apart - 1) * TILE);
            if (reach < gap)
                continue;
            tile->within = fmaxf(tile->within, reach);
            add_radius(&around, other->least);
            add_radius(&around, other->largest);
        }
    tile->even = around.largest - around.least <= SAME_RADIUS + SAME_RATIO * tile->within;
}

/* ---- gathering ---- */

/* Rings of equal width around the 3 x 3 pixels at the center. */
static const Samples *samples_within(Defocus *d, float reach)
{
    const int step = (int)ceilf(reach * (float)REACH_STEPS);
    Samples *s = &d->samples[step < REACHES ? step : REACHES - 1];
    const float radius = (float)step / (float)REACH_STEPS;
    const float outer = fmaxf(radius + 0.5f - INNER, 0.0f);
    const int most = d->options.lens_part < 1.0f ? AVERAGED_SAMPLES : MAX_SAMPLES;
    const int wanted = (int)(2.0f * radius * radius);

    if (s->count >= 0)
        return s;
    s->count = wanted < most ? wanted : most;
    for (int turn = 0; turn < TURNS; turn++) {
        const float ring = radius > SPARSE ? ((float)(turn * 5 % TURNS) + 0.5f) / TURNS : 0.5f;
        for (int i = 0; i < s->count; i++) {
            const float away = INNER + outer * ((float)i + ring) / (float)s->count;
            s->samples[turn][i] = (Sample){(int16_t)lrintf(away * d->spiral[turn][i][0]),
                                           (int16_t)lrintf(away * d->spiral[turn][i][1]), away,
                                           2.0f * (float)PI * away * outer / (float)s->count};
        }
    }
    return s;
}

/* Part of the light of a spot that falls on a pixel `away` from it, where the image shows `center`.
 * A spot behind it has the disk of the center: a larger one would bleed over a sharp edge, and a
 * smaller one stands for what is behind a blurred edge, which the image does not show. */
static inline float share(const Spot *spot, const Spot *center, float away)
{
    const bool smaller = center->radius < spot->radius;
    const bool behind = center->depth < IN_FRONT * spot->depth;
    const Spot *disk = behind || (smaller && spot->depth >= center->depth) ? center : spot;
    return clamp_to_one(disk->radius - away + 0.5f) * disk->density;
}

typedef struct Sum {
    Light color;
    float weight;
} Sum;

enum { BACK, FRONT };

/* The pixel at (x, y), `away` from the center, for an area of the image. */
static inline void add_spot(Sum sums[2], const Defocus *d, const Spot *center, int x, int y,
                            float away, float area)
{
    if (x < 0 || y < 0 || x >= d->half_width || y >= d->half_height)
        return;
    const size_t at = (size_t)y * (size_t)d->half_width + (size_t)x;
    const Spot *spot = &d->spots[at];
    Sum *sum = &sums[spot->depth < IN_FRONT * center->depth ? FRONT : BACK];
    const float weight = area * spot->part * share(spot, center, away);
    sum->color += d->levels[0][at] * weight;
    sum->weight += weight;
}

/* The pixels around the center, so that small disks are found from all sides, and samples of the
 * rest.  The front, what is before the center, covers as much of the pixel as its light adds up to;
 * the rest is the back, blurred as far as the center is, and the sharp image. */
static void gather(Blurred *out, const Defocus *d, int x, int y, const Samples *samples, int index)
{
    const size_t at = (size_t)y * (size_t)d->half_width + (size_t)x;
    const Spot *center = &d->spots[at];
    /* 7 and 5 are coprime to 16: neighbors and images have different turns and radii */
    const int turn = (y % TURN_SIDE * TURN_SIDE + x % TURN_SIDE) * 7 + index * 5;
    const Sample *sample = samples->samples[turn % TURNS];
    const float own = center->part * share(center, center, 0.0f);
    Sum sums[2] = {{d->levels[0][at] * own, own}, {{0, 0, 0, 0}, 0}};

    for (int v = -1; v <= 1; v++)
        for (int u = -1; u <= 1; u++)
            if (u != 0 || v != 0)
                add_spot(sums, d, center, x + u, y + v, u != 0 && v != 0 ? 1.4142136f : 1.0f, 1.0f);
    for (int i = 0; i < samples->count; i++, sample++)
        add_spot(sums, d, center, x + sample->x, y + sample->y, sample->away, sample->area);

    const float covered = clamp_to_one(sums[FRONT].weight);
    const float blurred = (1.0f - covered) * clamp_to_one(center->radius - SHARP);
    out->part = covered + blurred;
    out->color = sums[BACK].color * (blurred / sums[BACK].weight);
    if (covered > 0.0f)
        out->color += sums[FRONT].color * (covered / sums[FRONT].weight);
}

/* ---- even tiles ---- */

/* The mean of a disk of texels. */
static Light disk_mean(const Defocus *d, int level, int x, int y, float radius)
{
    const int columns = level_side(d->half_width, level), rows = level_side(d->half_height, level);
    const int span = (int)(radius + 0.5f);
    const int left = x > span ? x - span : 0, top = y > span ? y - span : 0;
    const int right = x + span < columns ? x + span : columns - 1;
    const int bottom = y + span < rows ? y + span : rows - 1;
    Light sum = {0, 0, 0, 0};
    float weights = 0.0f;

    for (int v = top; v <= bottom; v++) {
        const Light *row = d->levels[level] + (size_t)v * (size_t)columns;
        const float *distances = d->distances[tiles_apart(v, y)];
        for (int u = left; u <= right; u++) {
            const float weight = clamp_to_one(radius - distances[tiles_apart(u, x)] + 0.5f);
            sum += row[u] * weight;
            weights += weight;
        }
    }
    return sum / weights;
}

/* Where all disks have about the same radius, no depths need to be compared: means of disks of
 * texels so large that a disk has few, and interpolation between them. */
static void blur_even(Defocus *d, const Tile *tile, int tx, int ty)
{
    Light patch[PATCH][PATCH];
    const float fine = d->options.lens_part < 1.0f ? AVERAGED_FINE : FINE;
    int level = 0;
    while (level < LEVELS - 1 && tile->within >= fine * (float)(1 << level))
        level++;
    const int step = 1 << level, border = level > 0;
    const int left = tx * TILE / step - border, top = ty * TILE / step - border;
    const int side = TILE / step + 2 * border;
    const int columns = level_side(d->half_width, level), rows = level_side(d->half_height, level);

    for (int v = 0; v < side; v++)
        for (int u = 0; u < side; u++) {
            const int x = left + u < 0 ? 0 : left + u < columns ? left + u : columns - 1;
            const int y = top + v < 0 ? 0 : top + v < rows ? top + v : rows - 1;
            const int sx = x * step + step / 2, sy = y * step + step / 2;
            const Spot *spot = &d->spots[(size_t)(sy < d->half_height ? sy : d->half_height - 1) *
                                             (size_t)d->half_width +
                                         (size_t)(sx < d->half_width ? sx : d->half_width - 1)];
            /* the means of texels and the interpolation blur by as much as a disk of a texel */
            const float radius = spot->radius / (float)step;
            patch[v][u] = disk_mean(
                d, level, x, y, level > 0 ? sqrtf(fmaxf(radius * radius - 1.0f, 0.25f)) : radius);
        }
    for (int y = ty * TILE; y < (ty + 1) * TILE && y < d->half_height; y++)
        for (int x = tx * TILE; x < (tx + 1) * TILE && x < d->half_width; x++) {
            const size_t at = (size_t)y * (size_t)d->half_width + (size_t)x;
            const float part = clamp_to_one(d->spots[at].radius - SHARP);
            const float px = ((float)x + 0.5f) / (float)step - 0.5f - (float)left;
            const float py = ((float)y + 0.5f) / (float)step - 0.5f - (float)top;
            const int u = (int)px, v = (int)py, next = border;
            const float fx = px - (float)u, fy = py - (float)v;
            const Light upper = patch[v][u] * (1.0f - fx) + patch[v][u + next] * fx;
            const Light lower = patch[v + next][u] * (1.0f - fx) + patch[v + next][u + next] * fx;
            d->blurred[at] = (Blurred){(upper * (1.0f - fy) + lower * fy) * part, part};
        }
}

static void blur_tile(Defocus *d, const Tile *tile, int tx, int ty, int index)
{
    const Samples *samples;

    if (tile->within > SHARP && tile->even) {
        blur_even(d, tile, tx, ty);
        return;
    }
    samples = samples_within(d, tile->within);
    for (int y = ty * TILE; y < (ty + 1) * TILE && y < d->half_height; y++)
        for (int x = tx * TILE; x < (tx + 1) * TILE && x < d->half_width; x++) {
            Blurred *out = &d->blurred[(size_t)y * (size_t)d->half_width + (size_t)x];
            if (tile->within > SHARP)
                gather(out, d, x, y, samples, index);
            else
                *out = (Blurred){{0, 0, 0, 0}, 0};
        }
}

/* index: of the image among those that are averaged */
static void blur(Defocus *d, int index)
{
    for (int ty = 0; ty < d->tile_rows; ty++)
        for (int tx = 0; tx < d->tile_columns; tx++)
            blur_tile(d, &d->tiles[(size_t)ty * (size_t)d->tile_columns + (size_t)tx], tx, ty,
                      index);
}

/* ---- smoothing ---- */

/* Whether blurred light of a spot may be used at a depth: at the edge of something whose disk is
 * not larger than `smallest`, in front of something else, only that of its own side. */
static inline bool counts(const Spot *spot, float depth, float radius, float smallest)
{
    return (spot->depth < depth ? spot->radius : radius) > smallest ||
           (spot->depth <= depth * SAME_DEPTH && depth <= spot->depth * SAME_DEPTH);
}

/* Adds blurred light of a spot.  whole: with its sharp image, if it is behind a blurred pixel,
 * whose own image does not stand for it. */
static inline void add_blurred(Blurred *sum, const Defocus *d, size_t at, const Blurred *blurred,
                               bool whole, float weight)
{
    const float rest = whole ? 1.0f - blurred->part : 0.0f;

    sum->color += (blurred->color + d->levels[0][at] * rest) * weight;
    sum->part += weight * (blurred->part + rest);
}

/* The mean of 4 x 4 pixels, but none beyond the edge of something sharp, whose samples are all at
 * different places, so that a thin line becomes a disk and not as many lines as there are samples.
 */
static Blurred smooth(const Defocus *d, int x, int y)
{
    const Spot *center = &d->spots[(size_t)y * (size_t)d->half_width + (size_t)x];
    Blurred sum = {{0, 0, 0, 0}, 0};
    float count = 0.0f;

    for (int v = y - TURN_SIDE / 2; v < y + TURN_SIDE / 2; v++)
        for (int u = x - TURN_SIDE / 2; u < x + TURN_SIDE / 2; u++) {
            if (u < 0 || v < 0 || u >= d->half_width || v >= d->half_height)
                continue;
            const size_t at = (size_t)v * (size_t)d->half_width + (size_t)u;
            const Spot *spot = &d->spots[at];
            if (!counts(spot, center->depth, center->radius, TURN_SIDE / 2.0f))
                continue;
            add_blurred(&sum, d, at, &d->blurred[at],
                        center->radius > SHARP && spot->depth > center->depth * SAME_DEPTH, 1.0f);
            count += 1.0f;
        }
    return (Blurred){sum.color / count, sum.part / count};
}

/* Where samples are apart, unless the average of images makes them dense. */
static void smooth_all(Defocus *d)
{
    if (d->smoothed == d->blurred)
        return;
    for (int y = 0; y < d->half_height; y++)
        for (int x = 0; x < d->half_width; x++) {
            const size_t at = (size_t)y * (size_t)d->half_width + (size_t)x;
            const Tile *tile = tile_of(d, x, y);
            d->smoothed[at] =
                tile->within > SPARSE && !tile->even ? smooth(d, x, y) : d->blurred[at];
        }
}

/* ---- the image ---- */

/* Between half-size pixels, premultiplied by the part, so that sharp neighbors add nothing. */
static Blurred enlarge(const Defocus *d, const float *depths, const DefocusLens *lens, int x, int y)
{
    const int x0 = x > 0 ? (x - 1) / 2 : 0, y0 = y > 0 ? (y - 1) / 2 : 0;
    const float fx = x > 0 && x % 2 > 0 ? 0.25f : x > 0 ? 0.75f : 0.0f;
    const float fy = y > 0 && y % 2 > 0 ? 0.25f : y > 0 ? 0.75f : 0.0f;
    const float weights[4] = {(1.0f - fx) * (1.0f - fy), fx * (1.0f - fy), (1.0f - fx) * fy,
                              fx * fy};
    const size_t right = x0 + 1 < d->half_width, stride = (size_t)d->half_width;
    const size_t first = (size_t)y0 * stride + (size_t)x0;
    const size_t down = y0 + 1 < d->half_height ? stride : 0;
    const size_t places[4] = {first, first + right, first + down, first + down + right};
    const float depth = depth_at(depths, (size_t)y * (size_t)d->width + (size_t)x);
    const float radius = defocus_radius(lens, depth) / 2.0f;
    Blurred sum = {{0, 0, 0, 0}, 0};
    float count = 0.0f;

    for (int i = 0; i < 4; i++) {
        const Spot *spot = &d->spots[places[i]];
        if (!counts(spot, depth, radius, SHARP))
            continue;
        add_blurred(&sum, d, places[i], &d->smoothed[places[i]],
                    radius > SHARP && spot->depth > depth * SAME_DEPTH, weights[i]);
        count += weights[i];
    }
    if (count > 0.0f)
        return (Blurred){sum.color / count, sum.part / count};
    for (int i = 0; i < 4; i++) { /* all of them, if none counts */
        sum.color += d->smoothed[places[i]].color * weights[i];
        sum.part += d->smoothed[places[i]].part * weights[i];
    }
    return sum;
}

static void mix_pixel(uint8_t p[4], const Blurred *blurred, const LightTables *light)
{
    const float before = (float)p[3] / 255.0f * (1.0f - blurred->part);
    const float alpha = before + blurred->color[3], scale = before / (float)LIGHT_ONE;
    const Light sharp = {(float)light->light[p[0]] * scale, (float)light->light[p[1]] * scale,
                         (float)light->light[p[2]] * scale, before};
    const Light mixed = alpha > 0.0f ? (sharp + blurred->color) / alpha : sharp;

    for (int c = 0; c < 3; c++)
        p[c] = light->nearest[(int)(clamp_to_one(mixed[c]) * (float)LIGHT_ONE + 0.5f)];
    p[3] = (uint8_t)(clamp_to_one(alpha) * 255.0f + 0.5f);
}

static int within_side(int at, int side)
{
    return at < 0 ? 0 : at < side ? at : side - 1;
}

/* A row of an even tile: between two rows of half-size pixels, then between these pixels. */
static void mix_even_row(Image *image, const Defocus *d, int left, int end, int y)
{
    enum { COLUMNS = TILE + 2 };
    const size_t width = (size_t)d->half_width;
    const Blurred *near = d->smoothed + (size_t)(y / 2) * width;
    const Blurred *far =
        d->smoothed +
        (size_t)within_side(y % 2 > 0 ? y / 2 + 1 : y / 2 - 1, d->half_height) * width;
    uint8_t *p = image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)left);
    Blurred row[COLUMNS];

    for (int i = 0; i < COLUMNS; i++) {
        const int at = within_side(left / 2 + i - 1, d->half_width);
        row[i] = (Blurred){near[at].color * 0.75f + far[at].color * 0.25f,
                           near[at].part * 0.75f + far[at].part * 0.25f};
    }
    for (int x = left; x < end; x++, p += 4) {
        const Blurred *a = &row[(x - left) / 2 + 1], *b = x % 2 > 0 ? a + 1 : a - 1;
        const Blurred blurred = {a->color * 0.75f + b->color * 0.25f,
                                 a->part * 0.75f + b->part * 0.25f};
        if (blurred.part > 0.0f)
            mix_pixel(p, &blurred, d->light);
    }
}

static void mix(Image *image, const Defocus *d, const float *depth, const DefocusLens *lens)
{
    for (int y = 0; y < image->height; y++)
        for (int left = 0; left < image->width; left += 2 * TILE) {
            const int end = left + 2 * TILE < image->width ? left + 2 * TILE : image->width;
            const Tile *tile = tile_of(d, left / 2, y / 2);
            uint8_t *p = image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)left);
            if (tile->within > SHARP && tile->even)
                mix_even_row(image, d, left, end, y);
            for (int x = left; x < end && tile->within > SHARP && !tile->even; x++, p += 4) {
                const Blurred blurred = enlarge(d, depth, lens, x, y);
                if (blurred.part > 0.0f)
                    mix_pixel(p, &blurred, d->light);
            }
        }
}

/* A parallel view has no depth of field. */
static void apply(Image *image, void *effect, const LookFrame *frame)
{
    Defocus *d = effect;
    const FocusOptions *focus = &d->options;
    const float radius = focus->aperture * d->options.lens_part / 2;
    const DefocusLens lens = {.focus = focus_distance(focus, frame->state),
                              .scale = radius / frame->view.pixel_size};
    const float *depth = frame->distances;

    if (!frame->view.reversed_depth)
        return;
    shrink(d, image, depth, &lens);
    for (int ty = 0; ty < d->tile_rows; ty++)
        for (int tx = 0; tx < d->tile_columns; tx++)
            examine_tile(&d->tiles[(size_t)ty * (size_t)d->tile_columns + (size_t)tx], d, tx, ty);
    blur(d, frame->index);
    smooth_all(d);
    mix(image, d, depth, &lens);
}

/* Each pixel needs a depth; a pixel of half the size 100 bytes, and a third of a color more. */
const LookEffect DEFOCUS_EFFECT = {.each_image = true,
                                   .distances = true,
                                   .light = true,
                                   .pixel_bytes = 32,
                                   .create = create,
                                   .apply = apply};
