// SPDX-License-Identifier: MIT
#include "picture/look/diffusion.h"

#include <math.h>

#include "picture/look/pyramid.h"

typedef struct Diffusion {
    DiffusionOptions options;
    Pyramid *pyramid; /* level 0 has half the size of the image */
} Diffusion;

static void *create(const void *options, LookSetup *setup, Arena *arena)
{
    Diffusion *d = arena_array(arena, Diffusion, 1);

    d->options = *(const DiffusionOptions *)options;
    d->pyramid = pyramid_create((setup->width + 1) / 2, (setup->height + 1) / 2,
                                d->options.size * (float)setup->height / 2.0f, arena);
    return d;
}

float diffusion_blend(DiffusionBlend blend, float v, float b)
{
    if (blend == DIFFUSION_OVERLAY)
        return v < 0.5f ? 2.0f * v * b : 1.0f - 2.0f * (1.0f - v) * (1.0f - b);
    const float dark = b * b; /* the copy multiplied by itself, so that only lights spread */
    return blend == DIFFUSION_SCREEN ? 1.0f - (1.0f - v) * (1.0f - dark) : fmaxf(v, dark);
}

/* Means of 2 x 2 pixels, premultiplied by alpha; at odd edges of fewer. */
static void shrink_image(const PyramidLevel *to, const Image *image)
{
    for (int y = 0; y < image->height; y++) {
        const uint8_t *p = image->pixels + 4 * (size_t)y * (size_t)image->width;
        float(*row)[3] = to->pixels + (size_t)(y / 2) * (size_t)to->width;
        const bool alone_y = (y & 1) == 0 && y + 1 == image->height;

        for (int x = 0; x < image->width; x++, p += 4) {
            const bool alone_x = (x & 1) == 0 && x + 1 == image->width;
            const float part = (alone_x ? 0.5f : 0.25f) * (alone_y ? 2.0f : 1.0f);
            const float scale = part * (float)p[3] / (255.0f * 255.0f);
            float *out = row[x / 2];
            const bool first = ((x | y) & 1) == 0;
            for (int c = 0; c < 3; c++)
                out[c] = (first ? 0.0f : out[c]) + scale * (float)p[c];
        }
    }
}

static void apply(Image *image, void *effect, const LookFrame *frame)
{
    const Diffusion *d = effect;
    const PyramidLevel *blurred = &d->pyramid->levels[0];
    const float strength = d->options.strength;
    uint8_t *p = image->pixels;

    (void)frame;
    shrink_image(blurred, image);
    pyramid_blur(d->pyramid);
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++, p += 4) {
            float b[3];
            pyramid_sample(b, blurred, ((float)x + 0.5f) / 2.0f, ((float)y + 0.5f) / 2.0f);
            for (int c = 0; c < 3; c++) {
                const float v = (float)p[c] / 255.0f;
                const float mixed = v + (diffusion_blend(d->options.blend, v, b[c]) - v) * strength;
                p[c] = (uint8_t)(fminf(fmaxf(mixed, 0.0f), 1.0f) * 255.0f + 0.5f);
            }
        }
}

const LookEffect DIFFUSION_EFFECT = {.pixel_bytes = 4, .create = create, .apply = apply};
