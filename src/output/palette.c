#include "output/palette.h"

#include <stdbool.h>
#include <string.h>

enum {
    BITS = 5, /* of a channel, where colours are counted */
    SIDE = 1 << BITS,
    CELLS = SIDE * SIDE * SIDE,
    LOOK_BITS = 6, /* and where they are looked up */
    LOOK_CELLS = 1 << 3 * LOOK_BITS,
    UNSEEN =
        3, /* an error of a channel that needs no mixing; above half of what a look-up leaves out */
    PATTERN = 8,  /* side of the pattern that mixes two colours */
    MOST_MIX = 48 /* sixteenths of an error that are laid on at most, see reach_of */
};

/* What lies in a cell or a box: how many pixels, their sum, and the sum of their squares. */
typedef struct Amount {
    uint64_t count, sum[3];
    double squares;
} Amount;

typedef struct Box { /* cells, first included, end not, by channel */
    int first[3], end[3];
    Amount amount;
    double error; /* squared, of all its pixels, when they become its mean */
} Box;

struct Palette {
    Amount *cells; /* [CELLS] */
    uint8_t colours[PALETTE_COLOURS][3];
    int count;
    uint16_t *looked_up; /* [LOOK_CELLS]: index + 1; 0: not yet */
    uint8_t reach[PATTERN][PATTERN];
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
        Amount *cell =
            &palette->cells[cell_of(p[0] >> (8 - BITS), p[1] >> (8 - BITS), p[2] >> (8 - BITS))];
        cell->count++;
        for (int c = 0; c < 3; c++)
            cell->sum[c] += p[c];
        cell->squares += p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    }
}

static void add_amount(Amount *to, const Amount *more)
{
    to->count += more->count;
    to->squares += more->squares;
    for (int c = 0; c < 3; c++)
        to->sum[c] += more->sum[c];
}

static Amount rest_of(const Amount *whole, const Amount *part)
{
    Amount rest = *whole;
    rest.count -= part->count;
    rest.squares -= part->squares;
    for (int c = 0; c < 3; c++)
        rest.sum[c] -= part->sum[c];
    return rest;
}

static double error_of(const Amount *amount)
{
    double means = 0;
    for (int c = 0; c < 3; c++)
        means += (double)amount->sum[c] * (double)amount->sum[c];
    return amount->count ? amount->squares - means / (double)amount->count : 0;
}

/* ---- boxes ---- */

/* The amounts of a box's slices across one channel. */
static void slice(Amount out[SIDE], const Palette *palette, const Box *box, int channel)
{
    int at[3];
    memset(out, 0, SIDE * sizeof *out);
    for (at[0] = box->first[0]; at[0] < box->end[0]; at[0]++)
        for (at[1] = box->first[1]; at[1] < box->end[1]; at[1]++)
            for (at[2] = box->first[2]; at[2] < box->end[2]; at[2]++)
                add_amount(&out[at[channel]], &palette->cells[cell_of(at[0], at[1], at[2])]);
}

typedef struct Cut {
    int channel, at;
    Amount below;
    double error; /* of both parts */
} Cut;

static Cut best_cut(const Palette *palette, const Box *box)
{
    Cut best = {.error = box->error, .channel = -1};
    for (int channel = 0; channel < 3; channel++) {
        Amount slices[SIDE], below = {0};
        slice(slices, palette, box, channel);
        for (int at = box->first[channel] + 1; at < box->end[channel]; at++) {
            add_amount(&below, &slices[at - 1]);
            const Amount above = rest_of(&box->amount, &below);
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
    above->first[cut->channel] = box->end[cut->channel] = cut->at;
    above->amount = rest_of(&box->amount, &cut->below);
    box->amount = cut->below;
    box->error = error_of(&box->amount);
    above->error = error_of(&above->amount);
}

static int worst_box(const Box *boxes, int count)
{
    int worst = -1;
    for (int i = 0; i < count; i++)
        if (boxes[i].error > 0 && (worst < 0 || boxes[i].error > boxes[worst].error))
            worst = i;
    return worst;
}

static void take_mean(uint8_t out[3], const Amount *amount)
{
    for (int c = 0; c < 3 && amount->count; c++)
        out[c] = (uint8_t)((amount->sum[c] + amount->count / 2) / amount->count);
}

void palette_choose(Palette *palette)
{
    Box boxes[PALETTE_COLOURS] = {{.end = {SIDE, SIDE, SIDE}}};
    int count = 1, index;
    for (int i = 0; i < CELLS; i++)
        add_amount(&boxes[0].amount, &palette->cells[i]);
    boxes[0].error = error_of(&boxes[0].amount);
    while (count < PALETTE_COLOURS && (index = worst_box(boxes, count)) >= 0) {
        const Cut cut = best_cut(palette, &boxes[index]);
        if (cut.channel < 0)
            boxes[index].error = 0; /* one cell: fine enough */
        else
            cut_box(&boxes[index], &boxes[count++], &cut);
    }
    palette->count = count;
    for (int i = 0; i < count; i++)
        take_mean(palette->colours[i], &boxes[i].amount);
}

const uint8_t (*palette_colours(const Palette *palette))[3]
{
    return palette->colours;
}

/* ---- drawing ---- */

static int nearest(const Palette *palette, const int colour[3])
{
    int best = 0, least = INT32_MAX;
    for (int i = 0; i < palette->count; i++) {
        int distance = 0;
        for (int c = 0; c < 3; c++) {
            const int apart = colour[c] - palette->colours[i][c];
            distance += apart * apart;
        }
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/* By the middle of a cell of 4 x 4 x 4 colours. */
static int look_up(Palette *palette, const int colour[3])
{
    enum { DROPPED = 8 - LOOK_BITS };
    int cell = 0, middle[3];
    for (int c = 0; c < 3; c++) {
        cell = cell << LOOK_BITS | colour[c] >> DROPPED;
        middle[c] = (colour[c] >> DROPPED << DROPPED) + (1 << DROPPED) / 2;
    }
    if (!palette->looked_up[cell])
        palette->looked_up[cell] = (uint16_t)(nearest(palette, middle) + 1);
    return palette->looked_up[cell] - 1;
}

/* The nearest colour leaves an error; where the pattern says so, a multiple of it is laid on, which
 * leads to the colour on the other side. */
static uint8_t index_of(Palette *palette, const uint8_t pixel[4], int reach)
{
    const int colour[3] = {pixel[0], pixel[1], pixel[2]};
    const int first = look_up(palette, colour);
    int mixed[3];
    bool seen = false;
    for (int c = 0; c < 3; c++) {
        const int error = colour[c] - palette->colours[first][c];
        const int value = colour[c] + error * reach / 16;
        mixed[c] = value < 0 ? 0 : value > 255 ? 255 : value;
        seen |= error > UNSEEN || error < -UNSEEN;
    }
    return (uint8_t)(seen && reach ? look_up(palette, mixed) : first);
}

void palette_map(uint8_t *out, size_t stride, Palette *palette, const Image *image)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            out[(size_t)y * stride + (size_t)x] = index_of(
                palette, image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x),
                palette->reach[y % PATTERN][x % PATTERN]);
}

/* ---- the pattern ---- */

/* 0..63, each once, neighbours far apart: Bayer's matrix. */
static int place_in_order(int x, int y)
{
    int order = 0;
    for (int bit = 0; bit < 3; bit++)
        order = order << 2 | ((x >> bit & 1) ^ (y >> bit & 1)) << 1 | (y >> bit & 1);
    return order;
}

/*
 * A colour at distances d1 < d2 from two others should be the second in d1 / (d1 + d2) of the
 * pixels.  With the error e = d1 laid on s times it lies beyond their middle where s > (d2 / d1 -
 * 1) / 2; so s at the share t of the pattern is (2 t - 1) / (2 (1 - t)), and 0 in its first half.
 */
static uint8_t reach_of(int order)
{
    const int twice = 2 * order + 1,
              whole = 2 * PATTERN * PATTERN; /* t, in the middle of its step */
    const int reach = 16 * (2 * twice - whole) / (2 * (whole - twice));
    return (uint8_t)(reach < 0 ? 0 : reach > MOST_MIX ? MOST_MIX : reach);
}

Palette *palette_create(Arena *arena)
{
    Palette *palette = arena_array(arena, Palette, 1);
    palette->cells = arena_array(arena, Amount, CELLS);
    palette->looked_up = arena_array(arena, uint16_t, LOOK_CELLS);
    for (int y = 0; y < PATTERN; y++)
        for (int x = 0; x < PATTERN; x++)
            palette->reach[y][x] = reach_of(place_in_order(x, y));
    return palette;
}
