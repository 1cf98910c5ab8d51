// SPDX-License-Identifier: MIT
#include "inspect/comparison/film_comparison.h"

#include <inttypes.h>
#include <math.h>

#include "inspect/comparison/image_metrics.h"

FilmComparison film_comparison_init(FramePairVisitor *visit, void *user)
{
    return (FilmComparison){.visit = visit, .user = user, .first = -1};
}

static bool add_pair(FilmComparison *c, const Frame *a, const Frame *b, Arena *scratch, Diag *diag)
{
    const Image *left = &a->image, *right = &b->image;
    if (left->width != right->width || left->height != right->height)
        return diag_fail(diag, DIAG_FAILED, "frame %" PRId64 ": the sizes differ: %dx%d and %dx%d",
                         a->number, left->width, left->height, right->width, right->height);
    arena_reset(scratch);
    const ImageMetrics m = image_metrics_compare(left, a->words, right, b->words, scratch);
    const FramePair pair = {.number = a->number,
                            .equal = m.equal,
                            .psnr = image_metrics_psnr(m.mse),
                            .ssim = m.ssim,
                            .a = left,
                            .b = right,
                            .bits_a = a->words ? 16 : 8,
                            .bits_b = b->words ? 16 : 8,
                            .max_difference = m.max_difference};
    c->compared++;
    c->equal += m.equal;
    c->mse_sum += m.mse;
    c->ssim_sum += m.ssim;
    if (!m.equal && c->first < 0)
        c->first = a->number;
    return c->visit(c->user, &pair, diag);
}

bool film_comparison_add(FilmComparison *c, const Image *a, const Image *b, int64_t number,
                         Arena *scratch, Diag *diag)
{
    const Frame left = {.number = number, .image = *a}, right = {.number = number, .image = *b};
    return add_pair(c, &left, &right, scratch, diag);
}

bool film_comparison_run(FilmComparison *comparison, FrameSource *a, FrameSource *b,
                         const volatile sig_atomic_t *stop, Diag *diag)
{
    if (frame_source_is_exr(a) || frame_source_is_exr(b))
        return diag_fail(diag, DIAG_USAGE, ".exr files can only be compared with .exr files");
    Arena *scratch = arena_create();
    FramePairs pairs = frame_source_pair(a, b, stop);
    bool good = frame_source_next_pair(&pairs, diag);
    while (good && pairs.a)
        good = add_pair(comparison, pairs.a, pairs.b, scratch, diag) &&
               frame_source_next_pair(&pairs, diag);
    comparison->only_a = pairs.only_a;
    comparison->only_b = pairs.only_b;
    arena_destroy(scratch);
    return good;
}

double film_comparison_psnr(const FilmComparison *c)
{
    return image_metrics_psnr(c->mse_sum / (double)(c->compared ? c->compared : 1));
}

double film_comparison_ssim(const FilmComparison *c)
{
    return c->compared ? c->ssim_sum / (double)c->compared : (double)NAN;
}
