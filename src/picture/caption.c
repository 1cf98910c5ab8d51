// SPDX-License-Identifier: MIT
#include "picture/caption.h"

#include "typesetting/text_draw.h"

enum {
    ROWS_PER_SCALE = 240, /* glyphs grow by one pixel per this many image rows */
    MARGIN_PER_SCALE = 3,
    MAX_SCALE = FONT_MAX_SIZE / FONT_BUILT_IN_EM
};

struct Caption {
    CaptionCorner corner;
    int margin;
    Font *font;
};

/* ---- creation ---- */

static int scale_for_height(int height)
{
    const int scale = (height + ROWS_PER_SCALE / 2) / ROWS_PER_SCALE;
    return scale < 1 ? 1 : scale > MAX_SCALE ? MAX_SCALE : scale;
}

/* Capitals of a font file are about as high as those of the built-in font. */
static Font *open_font(const CaptionSpec *spec, int scale, Diag *diag)
{
    const FontSpec font = {
        .sources = spec->fonts, .size = FONT_BUILT_IN_EM * scale, .outline_width = (scale + 1) / 2};
    return font_open(&font, diag);
}

Caption *caption_create(const CaptionSpec *spec, Arena *arena, Diag *diag)
{
    Caption *b = arena_array(arena, Caption, 1);

    b->corner = spec->corner;
    for (int scale = scale_for_height(spec->height);; scale--) {
        b->margin = MARGIN_PER_SCALE * scale;
        b->font = open_font(spec, scale, diag);
        if (!b->font)
            return NULL;
        if (scale == 1 || text_width(b->font, spec->longest) + 2 * b->margin <= spec->width)
            return b;
        font_close(b->font);
    }
}

void caption_destroy(Caption *b)
{
    if (b)
        font_close(b->font);
}

/* ---- drawing ---- */

void caption_draw(Image *image, const Caption *b, const char *text)
{
    static const TextColors colors = {{255, 255, 255}, {0, 0, 0}};
    const bool right = b->corner & 1, bottom = b->corner & 2;
    const int free_x = image->width - b->margin - text_width(b->font, text);
    const int x = right && free_x > b->margin ? free_x : b->margin;
    const int baseline = bottom ? image->height - b->margin - font_descent(b->font)
                                : b->margin + font_ascent(b->font);
    text_draw(image, b->font, &colors, x, baseline, text);
}
