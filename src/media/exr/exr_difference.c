// SPDX-License-Identifier: MIT
#include "media/exr/exr_difference.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

/* ---- names ---- */

/* Whether the channel is "Layer00.R" or "Layer00.B" of a Cryptomatte of that name. */
static bool is_id_of(const char *channel, const char *layer)
{
    const size_t length = strlen(layer);
    const char *rest = channel + length;
    return !strncmp(channel, layer, length) && isdigit((unsigned char)rest[0]) &&
           isdigit((unsigned char)rest[1]) && (!strcmp(rest + 2, ".R") || !strcmp(rest + 2, ".B"));
}

static bool is_id(const ExrImage *image, const char *channel)
{
    for (size_t i = 0; i < image->attribute_count; i++) {
        const char *name = image->attributes[i].name, *slash = strrchr(name, '/');
        if (!strncmp(name, "cryptomatte/", 12) && slash && !strcmp(slash, "/name") &&
            is_id_of(channel, image->attributes[i].value))
            return true;
    }
    return false;
}

static ExrChannelDifference *find_or_add(ExrDifference *d, const char *name)
{
    const size_t at = text_lower_bound(
        TEXT_NAMES(ExrChannelDifference, name, d->channels.items, d->channels.count), name);
    if (at < d->channels.count && !strcmp(d->channels.items[at].name, name))
        return &d->channels.items[at];
    arena_push(d->arena, &d->channels);
    ExrChannelDifference *items = d->channels.items;
    memmove(items + at + 1, items + at, (d->channels.count - at - 1) * sizeof *items);
    items[at] = (ExrChannelDifference){.name = arena_strdup(d->arena, name), .max_frame = -1};
    return &items[at];
}

/* ---- samples ---- */

static void compare_sample(ExrChannelDifference *d, float a, float b)
{
    if (a == b || (isnan(a) && isnan(b)))
        return;
    d->differing++;
    if (isfinite(a) && isfinite(b))
        d->max = fmax(d->max, fabs((double)a - (double)b));
    else
        d->not_finite++;
}

static bool contains(const ImageRect *window, int x, int y)
{
    return x >= window->left && x < window->right && y >= window->top && y < window->bottom;
}

/* Outside of its window an image has zeros. */
static float sample_at(const ExrImage *image, size_t channel, int x, int y)
{
    const ImageRect *w = &image->window;
    const size_t width = (size_t)w->right - (size_t)w->left;

    return contains(w, x, y)
               ? image->values[channel][(size_t)(y - w->top) * width + (size_t)(x - w->left)]
               : 0.0f;
}

/* The samples in the window of `a`, and those of `b` outside of it. */
static ExrChannelDifference compare_samples(const ExrImage *a, size_t i, const ExrImage *b,
                                            size_t k)
{
    ExrChannelDifference d = {0};
    for (int y = a->window.top; y < a->window.bottom; y++)
        for (int x = a->window.left; x < a->window.right; x++)
            compare_sample(&d, sample_at(a, i, x, y), sample_at(b, k, x, y));
    for (int y = b->window.top; y < b->window.bottom; y++)
        for (int x = b->window.left; x < b->window.right; x++)
            if (!contains(&a->window, x, y))
                compare_sample(&d, 0.0f, sample_at(b, k, x, y));
    return d;
}

static void add_channel(ExrPair *pair, ExrChannelDifference *total, const ExrChannelDifference *d,
                        int64_t frame, double tolerance)
{
    total->differing += d->differing;
    total->not_finite += d->not_finite;
    pair->equal &= d->differing == 0;
    pair->within &=
        d->differing == 0 || (!total->is_id && d->not_finite == 0 && d->max <= tolerance);
    if (total->is_id)
        return;
    pair->max = fmax(pair->max, d->max);
    if (d->max > total->max) {
        total->max = d->max;
        total->max_frame = frame;
    }
}

/* Visits the channels of both files in the order of their names. */
ExrPair exr_difference_add(ExrDifference *out, const ExrImage *a, const ExrImage *b, int64_t frame,
                           double tolerance)
{
    ExrPair pair = {.equal = true, .within = true};
    for (size_t i = 0, k = 0; i < a->channel_count || k < b->channel_count;) {
        const int order = i == a->channel_count ? 1
                          : k == b->channel_count
                              ? -1
                              : strcmp(a->channels[i].name, b->channels[k].name);
        const char *name = order <= 0 ? a->channels[i].name : b->channels[k].name;
        ExrChannelDifference *total = find_or_add(out, name);
        total->only_a += order < 0;
        total->only_b += order > 0;
        total->is_id |= order == 0 && (is_id(a, name) || is_id(b, name));
        pair.equal &= order == 0;
        pair.within &= order == 0;
        if (order == 0) {
            const ExrChannelDifference d = compare_samples(a, i, b, k);
            add_channel(&pair, total, &d, frame, tolerance);
        }
        i += order <= 0;
        k += order >= 0;
    }
    return pair;
}
