#include "inspect/report/difference.h"

#include <stdlib.h>

#include "inspect/report/heat_map.h"

enum { WIDTH = 640 }; /* of the images of the worst frames */

/* Where a pair belongs among the worst ones; DIFFERENCE_WORST: nowhere.  A pair that is near a
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
    const Image heat = heat_map_create(pair->a, pair->b, width, scratch);
    const bool good = page_image_create(&worst.before, pair->a, WIDTH, d->arena, diag) &&
                      page_image_create(&worst.after, pair->b, WIDTH, d->arena, diag) &&
                      page_image_create(&worst.heat, &heat, WIDTH, d->arena, diag);
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
