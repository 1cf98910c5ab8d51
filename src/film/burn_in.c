// SPDX-License-Identifier: MIT
#include "film/burn_in.h"

#include "film/film.h"
#include "job/burn_in_text.h"
#include "typesetting/text_draw.h"

enum {
    ROWS_PER_SCALE = 240, /* glyphs grow by one pixel per this many image rows */
    MARGIN_PER_SCALE = 3,
    MAX_SCALE = FONT_MAX_SIZE / FONT_BUILT_IN_EM
};

struct BurnIn {
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
static Font *open_font(const BurnInSpec *spec, int scale, Diag *diag)
{
    const FontSpec font = {
        .sources = spec->fonts, .size = FONT_BUILT_IN_EM * scale, .outline_width = (scale + 1) / 2};
    return font_open(&font, diag);
}

BurnIn *burn_in_create(const BurnInSpec *spec, Arena *arena, Diag *diag)
{
    BurnIn *b = arena_array(arena, BurnIn, 1);

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

void burn_in_destroy(BurnIn *b)
{
    if (b)
        font_close(b->font);
}

/* ---- drawing ---- */

void burn_in_draw_text(Image *image, const BurnIn *b, const char *text)
{
    static const TextColors colors = {{255, 255, 255}, {0, 0, 0}};
    const bool right = b->corner & 1, bottom = b->corner & 2;
    const int free_x = image->width - b->margin - text_width(b->font, text);
    const int x = right && free_x > b->margin ? free_x : b->margin;
    const int baseline = bottom ? image->height - b->margin - font_descent(b->font)
                                : b->margin + font_ascent(b->font);
    text_draw(image, b->font, &colors, x, baseline, text);
}

/* ---- the text of a film ---- */

/* The font size fits the text of this frame.  It is the same for every range of frames, so that a
 * shard draws text of the same size as a render of the whole film. */
enum { LONGEST_TEXT_FRAME = 99999 };

BurnIn *burn_in_open(const Film *film, Arena *arena, Diag *diag)
{
    char longest[BURN_IN_TEXT_SIZE];

    burn_in_text(longest, film->job, LONGEST_TEXT_FRAME);
    const BurnInSpec spec = {.fonts = film->burn_in_fonts,
                             .corner = film->job->burn_in->corner,
                             .longest = longest,
                             .width = film->render.width,
                             .height = film->render.height};
    return burn_in_create(&spec, arena, diag);
}

void burn_in_draw(Image *image, const BurnIn *burn_in, const Film *film, int64_t frame)
{
    char text[BURN_IN_TEXT_SIZE];
    burn_in_text(text, film->job, frame);
    burn_in_draw_text(image, burn_in, text);
}

bool burn_in_load(Film *film, Arena *arena, Diag *diag)
{
    const JobBurnIn *burn_in = film->job->burn_in;
    if (!burn_in)
        return true;
    char longest[BURN_IN_TEXT_SIZE];
    burn_in_text(longest, film->job, LONGEST_TEXT_FRAME);
    return film_fonts_load(&film->burn_in_fonts, film, "burn_in", burn_in->font,
                           arena_printf(arena, "0123456789%s", longest), arena, diag);
}
