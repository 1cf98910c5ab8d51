// SPDX-License-Identifier: MIT
#include "typesetting/text_draw.h"

static int to_pixels(int units)
{
    return (int)((units + FONT_UNITS_PER_PIXEL / 2) >> 6);
}

_Static_assert(FONT_UNITS_PER_PIXEL == 1 << 6, "to_pixels shifts by 6");

int text_width(Font *font, const char *text)
{
    Arena *arena = arena_create();
    ShapedText line;
    int right = 0;
    font_shape(&line, font, text, arena);
    for (size_t i = 0; i < line.count; i++) {
        const FontGlyph *glyph = font_glyph(font, &line.items[i]);
        const int end = to_pixels(line.items[i].x) + glyph->left + glyph->width;
        if (glyph->width && end > right)
            right = end;
    }
    arena_destroy(arena);
    return right;
}

void text_blend(uint8_t pixel[4], const uint8_t color[3], unsigned cover)
{
    const unsigned below = pixel[3] * (255 - cover), above = 255 * cover, all = above + below;
    if (!cover)
        return;
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)((color[c] * above + pixel[c] * below + all / 2) / all);
    pixel[3] = (uint8_t)((all + 127) / 255);
}

typedef struct CoverageRect {
    const uint8_t *coverage;
    const uint8_t *colors; /* or NULL, as in FontGlyph */
    int left, top, width, height;
} CoverageRect;

static void draw_coverage(Image *image, const CoverageRect *s, const uint8_t color[3])
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const int to_x = s->left + x, to_y = s->top + y;
            if (to_x < 0 || to_y < 0 || to_x >= image->width || to_y >= image->height)
                continue;
            uint8_t *pixel =
                image->pixels + 4 * ((size_t)to_y * (size_t)image->width + (size_t)to_x);
            const int at = y * s->width + x;
            text_blend(pixel, s->colors ? s->colors + 4 * (size_t)at : color, s->coverage[at]);
        }
}

/* margin: width of the outline if that is drawn, else 0 */
static void draw_line(Image *image, Font *font, const ShapedText *line, int x, int baseline,
                      int margin, const uint8_t color[3])
{
    for (size_t i = 0; i < line->count; i++) {
        const PlacedGlyph *placed = &line->items[i];
        const FontGlyph *glyph = font_glyph(font, placed);
        const CoverageRect rect = {margin ? glyph->outline : glyph->coverage,
                                   margin ? NULL : glyph->colors,
                                   x + to_pixels(placed->x) + glyph->left - margin,
                                   baseline - to_pixels(placed->y) - glyph->top - margin,
                                   glyph->width + 2 * margin,
                                   glyph->height + 2 * margin};
        if (glyph->width && glyph->height)
            draw_coverage(image, &rect, color);
    }
}

void text_draw(Image *image, Font *font, const TextColors *colors, int x, int baseline,
               const char *text)
{
    Arena *arena = arena_create();
    ShapedText line;
    font_shape(&line, font, text, arena);
    if (font_outline_width(font))
        draw_line(image, font, &line, x, baseline, font_outline_width(font), colors->outline);
    draw_line(image, font, &line, x, baseline, 0, colors->fill);
    arena_destroy(arena);
}
