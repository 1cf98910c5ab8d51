#include "inspect/film_comparison.h"

#include <inttypes.h>
#include <math.h>

#include "base/image_metrics.h"

FilmComparison film_comparison_init(FramePairVisitor *visit, void *user)
{
    return (FilmComparison){.visit = visit, .user = user, .first = -1};
}

bool film_comparison_add(FilmComparison *c, const Image *a, const Image *b, int64_t number,
                         Arena *scratch, Diag *diag)
{
    if (a->width != b->width || a->height != b->height)
        return diag_fail(diag, DIAG_FAILED, "frame %" PRId64 ": the sizes differ: %dx%d and %dx%d",
                         number, a->width, a->height, b->width, b->height);
    arena_reset(scratch);
    const ImageMetrics m = image_metrics_compare(a, b, scratch);
    const FramePair pair = {number, m.equal, image_metrics_psnr(m.mse), m.ssim, a, b};
    c->compared++;
    c->equal += m.equal;
    c->mse_sum += m.mse;
    c->ssim_sum += m.ssim;
    if (!m.equal && c->first < 0)
        c->first = number;
    return c->visit(c->user, &pair, diag);
}

/* Reads both inputs in parallel.  With numbers, a frame that only one of them has is counted and
 * skipped. */
static bool compare_frames(FilmComparison *c, FrameSource *source_a, FrameSource *source_b,
                           const volatile sig_atomic_t *stop, Arena *scratch, Diag *diag)
{
    const bool numbered = frame_source_is_numbered(source_a) && frame_source_is_numbered(source_b);
    const Image *a = NULL, *b = NULL;
    int64_t number_a = 0, number_b = 0;
    bool next_a = true, next_b = true;
    for (;;) {
        if ((next_a && !frame_source_read(&a, &number_a, source_a, diag)) ||
            (next_b && !frame_source_read(&b, &number_b, source_b, diag)))
            return false;
        if (stop && *stop)
            return false;
        if (!a && !b)
            return true;
        next_a = a && (!b || !numbered || number_a <= number_b);
        next_b = b && (!a || !numbered || number_b <= number_a);
        c->only_a += next_a && !next_b;
        c->only_b += next_b && !next_a;
        if (next_a && next_b && !film_comparison_add(c, a, b, number_a, scratch, diag))
            return false;
    }
}

bool film_comparison_run(FilmComparison *comparison, FrameSource *a, FrameSource *b,
                         const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *scratch = arena_create();
    const bool good = compare_frames(comparison, a, b, stop, scratch, diag);
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
