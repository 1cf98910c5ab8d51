// SPDX-License-Identifier: MIT
#include "output/pixels/palette.h"

#include <string.h>

enum {
    BITS = 5, /* bits per channel in the histogram */
    SIDE = 1 << BITS,
    CELLS = SIDE * SIDE * SIDE,
    LOOK_BITS = 6, /* bits per channel in the look-up table */
    LOOK_CELLS = 1 << 3 * LOOK_BITS,
    /* Largest error of a channel that is not dithered; more than half a cell of the look-up table.
     */
    INVISIBLE = 3,
    PATTERN = 8,      /* side of the dither matrix */
    MAX_STRENGTH = 48 /* sixteenths of an error, see strength_of */
};

/* Statistics of a cell or a box: number of pixels, their sum, and the sum of their squares. */
typedef struct Moments {
    uint64_t count, sum[3];
    double squares;
} Moments;

typedef struct Box { /* a box of cells, first <= i < end, by channel */
    int first[3], end[3];
    Moments moments;
    double error; /* sum of the squared errors if all its pixels become its mean */
} Box;

struct Palette {
    Moments *cells; /* [CELLS] */
    uint8_t colors[PALETTE_COLORS][3];
    int count;
    uint16_t *nearest; /* [LOOK_CELLS]: index + 1; 0: not computed */
    uint8_t strength[PATTERN][PATTERN];
};

/* ---- counting ---- */

static int cell_of(int r, int g, int b)
{
    return (r << BITS | g) << BITS | b;
}

void palette_add(Palette *palette, const Image *image)
{
    const size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = image->pixels + 4 * i;
        Moments *cell =
            &palette->cells[cell_of(p[0] >> (8 - BITS), p[1] >> (8 - BITS), p[2] >> (8 - BITS))];
        cell->count++;
        for (int c = 0; c < 3; c++)
            cell->sum[c] += p[c];
        cell->squares += p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    }
}

static void add_moments(Moments *to, const Moments *more)
{
    to->count += more->count;
    to->squares += more->squares;
    for (int c = 0; c < 3; c++)
        to->sum[c] += more->sum[c];
}

static Moments subtract_moments(const Moments *total, const Moments *part)
{
    Moments rest = *total;
    rest.count -= part->count;
    rest.squares -= part->squares;
    for (int c = 0; c < 3; c++)
        rest.sum[c] -= part->sum[c];
    return rest;
}

static double error_of(const Moments *m)
{
    double means = 0;
    for (int c = 0; c < 3; c++)
        means += (double)m->sum[c] * (double)m->sum[c];
    return m->count ? m->squares - means / (double)m->count : 0;
}

/* ---- boxes ---- */

/* Computes the moments of a box's slices along one channel. */
static void compute_slices(Moments out[SIDE], const Palette *palette, const Box *box, int channel)
{
    int cell[3];
    memset(out, 0, SIDE * sizeof *out);
    for (cell[0] = box->first[0]; cell[0] < box->end[0]; cell[0]++)
        for (cell[1] = box->first[1]; cell[1] < box->end[1]; cell[1]++)
            for (cell[2] = box->first[2]; cell[2] < box->end[2]; cell[2]++)
                add_moments(&out[cell[channel]],
                            &palette->cells[cell_of(cell[0], cell[1], cell[2])]);
}

typedef struct Cut {
    int channel, position;
    Moments below;
    double error; /* sum of the errors of both parts */
} Cut;

static Cut best_cut(const Palette *palette, const Box *box)
{
    Cut best = {.error = box->error, .channel = -1};
    for (int channel = 0; channel < 3; channel++) {
        Moments slices[SIDE], below = {0};
        compute_slices(slices, palette, box, channel);
        for (int at = box->first[channel] + 1; at < box->end[channel]; at++) {
            add_moments(&below, &slices[at - 1]);
            const Moments above = subtract_moments(&box->moments, &below);
            const double error = error_of(&below) + error_of(&above);
            if (below.count && above.count && (best.channel < 0 || error < best.error))
                best = (Cut){channel, at, below, error};
        }
    }
    return best;
}

static void cut_box(Box *box, Box *above, const Cut *cut)
{
    *above = *box;
    above->first[cut->channel] = box->end[cut->channel] = cut->position;
    above->moments = subtract_moments(&box->moments, &cut->below);
    box->moments = cut->below;
    box->error = error_of(&box->moments);
    above->error = error_of(&above->moments);
}

static int worst_box(const Box *boxes, int count)
{
    int worst = -1;
    for (int i = 0; i < count; i++)
        if (boxes[i].error > 0 && (worst < 0 || boxes[i].error > boxes[worst].error))
            worst = i;
    return worst;
}

static void mean_color(uint8_t out[3], const Moments *m)
{
    for (int c = 0; c < 3 && m->count; c++)
        out[c] = (uint8_t)((m->sum[c] + m->count / 2) / m->count);
}

void palette_choose(Palette *palette)
{
    Box boxes[PALETTE_COLORS] = {{.end = {SIDE, SIDE, SIDE}}};
    int count = 1, index;
    for (int i = 0; i < CELLS; i++)
        add_moments(&boxes[0].moments, &palette->cells[i]);
    boxes[0].error = error_of(&boxes[0].moments);
    while (count < PALETTE_COLORS && (index = worst_box(boxes, count)) >= 0) {
        const Cut cut = best_cut(palette, &boxes[index]);
        if (cut.channel < 0)
            boxes[index].error = 0; /* a single cell is not split */
        else
            cut_box(&boxes[index], &boxes[count++], &cut);
    }
    palette->count = count;
    for (int i = 0; i < count; i++)
        mean_color(palette->colors[i], &boxes[i].moments);
}

const uint8_t (*palette_colors(const Palette *palette))[3]
{
    return palette->colors;
}

/* ---- mapping ---- */

static int nearest(const Palette *palette, const int color[3])
{
    int best = 0, min_distance = INT32_MAX;
    for (int i = 0; i < palette->count; i++) {
        int distance = 0;
        for (int c = 0; c < 3; c++) {
            const int difference = color[c] - palette->colors[i][c];
            distance += difference * difference;
        }
        if (distance < min_distance) {
            min_distance = distance;
            best = i;
        }
    }
    return best;
}

/* The nearest color to the center of a cell of 4 x 4 x 4 colors. */
static int look_up(Palette *palette, const int color[3])
{
    enum { DROPPED = 8 - LOOK_BITS };
    int cell = 0, center[3];
    for (int c = 0; c < 3; c++) {
        cell = cell << LOOK_BITS | color[c] >> DROPPED;
        center[c] = (color[c] >> DROPPED << DROPPED) + (1 << DROPPED) / 2;
    }
    if (!palette->nearest[cell])
        palette->nearest[cell] = (uint16_t)(nearest(palette, center) + 1);
    return palette->nearest[cell] - 1;
}

/* Adds a multiple of the error of the nearest color, by the dither matrix, which selects the
 * color on the other side of the pixel's. */
static uint8_t index_of(Palette *palette, const uint8_t pixel[4], int strength)
{
    const int color[3] = {pixel[0], pixel[1], pixel[2]};
    const int first = look_up(palette, color);
    int mixed[3];
    bool visible = false;
    for (int c = 0; c < 3; c++) {
        const int error = color[c] - palette->colors[first][c];
        const int value = color[c] + error * strength / 16;
        mixed[c] = value < 0 ? 0 : value > 255 ? 255 : value;
        visible |= error > INVISIBLE || error < -INVISIBLE;
    }
    return (uint8_t)(visible && strength ? look_up(palette, mixed) : first);
}

void palette_map(uint8_t *out, size_t stride, Palette *palette, const Image *image)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            out[(size_t)y * stride + (size_t)x] = index_of(
                palette, image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x),
                palette->strength[y % PATTERN][x % PATTERN]);
}

/* ---- the dither matrix ---- */

/* Bayer's matrix: 0..63, each once, with large differences between neighbours. */
static int bayer(int x, int y)
{
    int order = 0;
    for (int bit = 0; bit < 3; bit++)
        order = order << 2 | ((x >> bit & 1) ^ (y >> bit & 1)) << 1 | (y >> bit & 1);
    return order;
}

/*
 * A color at distances d1 < d2 from two palette colors should become the second in a fraction
 * d1 / (d1 + d2) of the pixels.  With the error e = d1 added s times it passes their midpoint if
 * s > (d2 / d1 - 1) / 2; so s at the fraction t of the matrix is (2 t - 1) / (2 (1 - t)), and 0 in
 * the first half.
 */
static uint8_t strength_of(int order)
{
    const int twice = 2 * order + 1,
              whole = 2 * PATTERN * PATTERN; /* t, in the center of its step */
    const int strength = 16 * (2 * twice - whole) / (2 * (whole - twice));
    return (uint8_t)(strength < 0 ? 0 : strength > MAX_STRENGTH ? MAX_STRENGTH : strength);
}

Palette *palette_create(Arena *arena)
{
    Palette *palette = arena_array(arena, Palette, 1);
    palette->cells = arena_array(arena, Moments, CELLS);
    palette->nearest = arena_array(arena, uint16_t, LOOK_CELLS);
    for (int y = 0; y < PATTERN; y++)
        for (int x = 0; x < PATTERN; x++)
            palette->strength[y][x] = strength_of(bayer(x, y));
    return palette;
}
