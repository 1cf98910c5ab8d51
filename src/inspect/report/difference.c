// SPDX-License-Identifier: MIT
#include "inspect/report/difference.h"

#include <stdlib.h>

/* ---- the difference as colors ---- */

/* The color map "inferno" at equal distances. */
static const uint8_t colors[][3] = {{0, 0, 4},     {66, 10, 104},  {147, 38, 103},
                                    {221, 81, 58}, {252, 165, 10}, {252, 255, 164}};
enum { STEPS = sizeof colors / sizeof *colors - 1 };

static int pixel_difference(const uint8_t *a, const uint8_t *b)
{
    int largest = 0;
    for (size_t k = 0; k < 4; k++) {
        const int d = abs(a[k] - b[k]);
        largest = d > largest ? d : largest;
    }
    return largest < DIFFERENCE_MAP_END ? largest : DIFFERENCE_MAP_END;
}

static void write_color(uint8_t out[4], int value)
{
    const int at = value * STEPS, step = at / DIFFERENCE_MAP_END, rest = at % DIFFERENCE_MAP_END;
    const uint8_t *low = colors[step], *high = colors[step < STEPS ? step + 1 : STEPS];
    for (size_t k = 0; k < 3; k++)
        out[k] =
            (uint8_t)((low[k] * (DIFFERENCE_MAP_END - rest) + high[k] * rest) / DIFFERENCE_MAP_END);
    out[3] = 255;
}

Image difference_map(const Image *a, const Image *b, int width, Arena *arena)
{
    const int scaled = (int)((int64_t)a->height * width / a->width), height = scaled ? scaled : 1;
    const Image out = {width, height, false,
                       arena_calloc(arena, (size_t)width * (size_t)height, 4)};
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++) {
            const size_t from = 4 * ((size_t)y * (size_t)a->width + (size_t)x);
            const size_t row = (size_t)((int64_t)y * height / a->height),
                         column = (size_t)((int64_t)x * width / a->width);
            uint8_t *value = out.pixels + 4 * (row * (size_t)width + column);
            const int d = pixel_difference(a->pixels + from, b->pixels + from);
            *value = d > *value ? (uint8_t)d : *value;
        }
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++)
        write_color(out.pixels + 4 * i, out.pixels[4 * i]);
    return out;
}

/* ---- the worst frames ---- */

enum { WIDTH = 640 }; /* the images of the worst frames are at most as wide */

/* The rank of a pair among the worst ones; DIFFERENCE_WORST if it has none.  A pair that is near a
 * worse one shows the same thing. */
static size_t rank_of(const Difference *d, const FramePair *pair)
{
    size_t rank = 0;
    for (; rank < d->worst_count && d->worst[rank].psnr <= pair->psnr; rank++)
        if (llabs(d->worst[rank].number - pair->number) < d->spacing)
            return DIFFERENCE_WORST;
    return rank;
}

static void remove_at(Difference *d, size_t index)
{
    d->worst_count--;
    for (; index < d->worst_count; index++)
        d->worst[index] = d->worst[index + 1];
}

static void insert_at(Difference *d, size_t rank, const WorstPair *pair)
{
    for (size_t i = rank; i < d->worst_count;)
        if (llabs(d->worst[i].number - pair->number) < d->spacing)
            remove_at(d, i);
        else
            i++;
    if (d->worst_count == DIFFERENCE_WORST)
        d->worst_count--;
    for (size_t i = d->worst_count++; i > rank; i--)
        d->worst[i] = d->worst[i - 1];
    d->worst[rank] = *pair;
}

static bool visit_pair(void *user, const FramePair *pair, Diag *diag)
{
    Difference *d = user;
    *arena_push(d->arena, &d->points) =
        (DifferencePoint){(double)pair->number, pair->psnr, pair->ssim};
    const size_t rank = pair->equal ? DIFFERENCE_WORST : rank_of(d, pair);
    if (rank >= DIFFERENCE_WORST)
        return true;
    WorstPair worst = {.number = pair->number, .psnr = pair->psnr, .ssim = pair->ssim};
    Arena *scratch = arena_create();
    const int width = pair->a->width < WIDTH ? pair->a->width : WIDTH;
    const Image heat = difference_map(pair->a, pair->b, width, scratch);
    const bool good = html_image_create(&worst.before, pair->a, WIDTH, d->arena, diag) &&
                      html_image_create(&worst.after, pair->b, WIDTH, d->arena, diag) &&
                      html_image_create(&worst.heat, &heat, WIDTH, d->arena, diag);
    arena_destroy(scratch);
    insert_at(d, rank, &worst);
    return good;
}

void difference_init(Difference *out, int64_t spacing, Arena *arena)
{
    *out = (Difference){
        .film = film_comparison_init(visit_pair, out), .spacing = spacing, .arena = arena};
}

bool difference_add(Difference *difference, const Image *before, const Image *after, int64_t number,
                    Arena *scratch, Diag *diag)
{
    return film_comparison_add(&difference->film, before, after, number, scratch, diag);
}

bool difference_add_films(Difference *difference, const char *before, const char *after,
                          const volatile sig_atomic_t *stop, Diag *diag)
{
    FrameSource *a = frame_source_open(before, diag);
    FrameSource *b = a ? frame_source_open(after, diag) : NULL;
    const bool good = b && film_comparison_run(&difference->film, a, b, stop, diag);
    frame_source_close(a);
    frame_source_close(b);
    return good;
}
