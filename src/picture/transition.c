// SPDX-License-Identifier: MIT
#include "picture/transition.h"

#include <math.h>
#include <string.h>

enum { ONE = 1 << 16 }; /* the weight of an image that alone is seen */

/* The middle of the frame's time; symmetric: a film that runs backwards has the same values. */
static uint32_t weight_at(TransitionTime time)
{
    return (uint32_t)(((2 * time.index + 1) * ONE + time.length) / (2 * time.length));
}

bool transition_is_past_middle(TransitionTime time)
{
    return 2 * time.index + 1 > time.length;
}

bool transition_shows(const TransitionOptions *transition, TransitionTime time, int scene)
{
    return transition->type != TRANSITION_DIP || transition_is_past_middle(time) == (scene == 1);
}

/* ---- pixels ---- */

static uint8_t mean(uint8_t a, uint8_t b, uint32_t weight)
{
    return (uint8_t)((a * (ONE - weight) + b * weight + ONE / 2) / ONE);
}

static void mix_opaque(uint8_t *a, const uint8_t *b, uint32_t weight)
{
    for (int c = 0; c < 3; c++)
        a[c] = mean(a[c], b[c], weight);
}

static void mix_straight(uint8_t *a, const uint8_t *b, uint32_t weight)
{
    const uint64_t below = (uint64_t)a[3] * (ONE - weight), above = (uint64_t)b[3] * weight;
    const uint64_t all = below + above;
    for (int c = 0; c < 3 && all; c++)
        a[c] = (uint8_t)((a[c] * below + b[c] * above + all / 2) / all);
    a[3] = (uint8_t)((all + ONE / 2) / ONE);
}

static void mix_pixel(const Image *image, const Image *next, size_t pixel, uint32_t weight)
{
    uint8_t *a = image->pixels + 4 * pixel;
    const uint8_t *b = next->pixels + 4 * pixel;
    if (weight == ONE)
        memcpy(a, b, 4);
    else if (weight && image->has_alpha)
        mix_straight(a, b, weight);
    else if (weight)
        mix_opaque(a, b, weight);
}

/* The weight of a color is ONE - weight. */
static void fade(Image *image, const double color[3], uint32_t weight)
{
    const size_t count = (size_t)image->width * (size_t)image->height;
    const uint8_t to[4] = {(uint8_t)lround(color[0] * 255), (uint8_t)lround(color[1] * 255),
                           (uint8_t)lround(color[2] * 255), 0};
    for (size_t i = 0; i < count; i++) {
        uint8_t *pixel = image->pixels + 4 * i;
        if (image->has_alpha)
            pixel[3] = mean(0, pixel[3], weight);
        else
            mix_opaque(pixel, to, ONE - weight);
    }
}

/* ---- wipes ---- */

/* The weight of the image that comes at a place `at` of `size` on the way of the edge. */
static uint32_t wipe_weight(int at, int size, uint32_t time, double soft)
{
    const double place = (at + 0.5) / size, edge = (double)time / ONE * (1 + soft);
    if (soft <= 0)
        return edge > place ? ONE : 0;
    return (uint32_t)lround(fmin(fmax((edge - place) / soft, 0), 1) * ONE);
}

static void wipe(Image *image, const Image *next, const TransitionOptions *t, uint32_t time)
{
    const bool across = t->type == TRANSITION_WIPE_LEFT || t->type == TRANSITION_WIPE_RIGHT;
    const bool back = t->type == TRANSITION_WIPE_LEFT || t->type == TRANSITION_WIPE_UP;
    const int width = image->width, height = image->height, size = across ? width : height;
    for (int at = 0; at < size; at++) {
        const uint32_t weight = wipe_weight(back ? size - 1 - at : at, size, time, t->soft);
        for (int i = 0; i < (across ? height : width); i++)
            mix_pixel(image, next,
                      (size_t)(across ? i : at) * (size_t)width + (size_t)(across ? at : i),
                      weight);
    }
}

/* ---- images ---- */

void transition_mix(Image *image, const Image *next, const TransitionOptions *transition,
                    TransitionTime time)
{
    const size_t count = (size_t)image->width * (size_t)image->height;
    const uint32_t weight = weight_at(time);
    switch (transition->type) {
    case TRANSITION_DIP:
        if (transition_is_past_middle(time))
            memcpy(image->pixels, next->pixels, 4 * count);
        fade(image, transition->color,
             transition_is_past_middle(time) ? 2 * weight - ONE : ONE - 2 * weight);
        break;
    case TRANSITION_WIPE_LEFT:
    case TRANSITION_WIPE_RIGHT:
    case TRANSITION_WIPE_UP:
    case TRANSITION_WIPE_DOWN:
        wipe(image, next, transition, weight);
        break;
    default: /* cross-fade; a cut has no length */
        for (size_t i = 0; i < count; i++)
            mix_pixel(image, next, i, weight);
        break;
    }
}

void transition_fade(Image *image, const double color[3], TransitionTime time)
{
    fade(image, color, weight_at(time));
}
