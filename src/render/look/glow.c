#include "render/look/glow.h"

#include <math.h>
#include <string.h>

#include "render/look/pyramid.h"

static const float PART = 0.5f; /* of each blur */

struct Glow {
    GlowOptions options;
    Pyramid *pyramid; /* level 0 has half the size of the image */
};

Glow *glow_create(const GlowOptions *options, int width, int height, Arena *arena)
{
    Glow *g = arena_array(arena, Glow, 1);

    g->options = *options;
    g->pyramid = pyramid_create((width + 1) / 2, (height + 1) / 2,
                                options->size * (float)height / 2.0f, arena);
    return g;
}

float (*glow_emission(Glow *glow))[3]
{
    return glow->pyramid->levels[0].pixels;
}

void glow_clear(Glow *glow)
{
    const PyramidLevel *level = &glow->pyramid->levels[0];
    memset(level->pixels, 0, (size_t)level->width * (size_t)level->height * sizeof *level->pixels);
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

void glow_add(Image *image, Glow *g)
{
    const PyramidLevel *halo = &g->pyramid->levels[0];
    const float least = 1.0f / 64.0f; /* of 255 */
    uint8_t *p = image->pixels;

    pyramid_glow(g->pyramid);
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++, p += 4) {
            float added[3];
            pyramid_sample(added, halo, ((float)x + 0.5f) / 2.0f, ((float)y + 0.5f) / 2.0f);
            for (int c = 0; c < 3; c++)
                added[c] *= 255.0f * PART * g->options.strength;
            if (added[0] > least || added[1] > least || added[2] > least)
                add_to_pixel(p, added);
        }
}
