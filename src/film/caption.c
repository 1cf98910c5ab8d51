#include "film/caption.h"

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
    const char *longest;
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
    const FontSpec font = {spec->font, FONT_BUILT_IN_EM * scale, (scale + 1) / 2};
    return font_open(&font, diag);
}

Caption *caption_create(const CaptionSpec *spec, Arena *arena, Diag *diag)
{
    Caption *caption = arena_array(arena, Caption, 1);

    caption->corner = spec->corner;
    caption->longest = arena_strdup(arena, spec->longest);
    for (int scale = scale_for_height(spec->height);; scale--) {
        caption->margin = MARGIN_PER_SCALE * scale;
        caption->font = open_font(spec, scale, diag);
        if (!caption->font)
            return NULL;
        if (scale == 1 ||
            text_width(caption->font, spec->longest) + 2 * caption->margin <= spec->width)
            return caption;
        font_close(caption->font);
    }
}

void caption_destroy(Caption *caption)
{
    if (caption)
        font_close(caption->font);
}

/* ---- drawing ---- */

void caption_draw(Image *image, const Caption *caption, const char *text)
{
    static const TextColors colors = {{255, 255, 255}, {0, 0, 0}};
    const bool right = caption->corner & 1, bottom = caption->corner & 2;
    const int free_x = image->width - caption->margin - text_width(caption->font, text);
    const int x = right && free_x > caption->margin ? free_x : caption->margin;
    const int baseline = bottom ? image->height - caption->margin - font_descent(caption->font)
                                : caption->margin + font_ascent(caption->font);
    text_draw(image, caption->font, &colors, x, baseline, text);
}

/* ---- missing characters ---- */

size_t caption_missing(const Caption *caption, uint32_t *first)
{
    Arena *arena = arena_create();
    const size_t count =
        font_missing(caption->font, arena_printf(arena, "0123456789%s", caption->longest), first);
    arena_destroy(arena);
    return count;
}
