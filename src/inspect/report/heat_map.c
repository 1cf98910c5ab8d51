#include "inspect/report/heat_map.h"

#include <stddef.h>
#include <stdlib.h>

/* The color map "inferno" at equal distances. */
static const uint8_t colors[][3] = {{0, 0, 4},     {66, 10, 104},  {147, 38, 103},
                                    {221, 81, 58}, {252, 165, 10}, {252, 255, 164}};
enum { STEPS = sizeof colors / sizeof *colors - 1 };

static int difference(const uint8_t *a, const uint8_t *b)
{
    int largest = 0;
    for (size_t k = 0; k < 4; k++) {
        const int d = abs(a[k] - b[k]);
        largest = d > largest ? d : largest;
    }
    return largest < HEAT_MAP_END ? largest : HEAT_MAP_END;
}

static void write_color(uint8_t out[4], int value)
{
    const int at = value * STEPS, step = at / HEAT_MAP_END, rest = at % HEAT_MAP_END;
    const uint8_t *low = colors[step], *high = colors[step < STEPS ? step + 1 : STEPS];
    for (size_t k = 0; k < 3; k++)
        out[k] = (uint8_t)((low[k] * (HEAT_MAP_END - rest) + high[k] * rest) / HEAT_MAP_END);
    out[3] = 255;
}

Image heat_map_create(const Image *a, const Image *b, int width, Arena *arena)
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
            const int d = difference(a->pixels + from, b->pixels + from);
            *value = d > *value ? (uint8_t)d : *value;
        }
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++)
        write_color(out.pixels + 4 * i, out.pixels[4 * i]);
    return out;
}
