// SPDX-License-Identifier: MIT
#include "picture/look/glow.h"

#include <math.h>

#include "picture/look/pyramid.h"

static const float PART = 0.5f; /* weight of each blur */

typedef struct Glow {
    GlowOptions options;
    Pyramid *pyramid; /* level 0 has half the size of the image: the emitted light */
} Glow;

static void *create(const void *options, LookSetup *setup, Arena *arena)
{
    Glow *g = arena_array(arena, Glow, 1);

    g->options = *(const GlowOptions *)options;
    g->pyramid = pyramid_create((setup->width + 1) / 2, (setup->height + 1) / 2,
                                g->options.size * (float)setup->height / 2.0f, arena);
    setup->emission = g->pyramid->levels[0].pixels;
    return g;
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(fminf(value, 255.0f) + 0.5f);
}

/* `added`: stored values 0..255, at least 0. */
static void add_to_pixel(uint8_t p[4], const float added[3])
{
    const uint8_t shown = to_byte(fmaxf(added[0], fmaxf(added[1], added[2])));
    const uint8_t alpha = p[3] > shown ? p[3] : shown; /* light alone is opaque where it is white */

    for (int c = 0; c < 3 && alpha; c++)
        p[c] = to_byte(((float)p[c] * (float)p[3] + added[c] * 255.0f) / (float)alpha);
    p[3] = alpha;
}

static void apply(Image *image, void *effect, const LookFrame *frame)
{
    const Glow *g = effect;
    const PyramidLevel *halo = &g->pyramid->levels[0];
    const float threshold = 1.0f / 64.0f; /* smallest light that is added; white is 255 */
    uint8_t *p = image->pixels;

    (void)frame;
    pyramid_glow(g->pyramid);
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++, p += 4) {
            float added[3];
            pyramid_sample(added, halo, ((float)x + 0.5f) / 2.0f, ((float)y + 0.5f) / 2.0f);
            for (int c = 0; c < 3; c++)
                added[c] *= 255.0f * PART * g->options.strength;
            if (added[0] > threshold || added[1] > threshold || added[2] > threshold)
                add_to_pixel(p, added);
        }
}

const LookEffect GLOW_EFFECT = {
    .emission = true, .pixel_bytes = 4, .create = create, .apply = apply};
