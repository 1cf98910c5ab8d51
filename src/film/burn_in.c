// SPDX-License-Identifier: MIT
#include "film/burn_in.h"

#include <inttypes.h>
#include <string.h>
#include <utf8proc.h>

#include "film/film.h"
#include "job/burn_in_text.h"
#include "typesetting/font_catalog.h"
#include "typesetting/label_font.h"
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
    const char *longest;
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
    const FontSpec font = {spec->font, FONT_BUILT_IN_EM * scale, (scale + 1) / 2};
    return font_open(&font, diag);
}

BurnIn *burn_in_create(const BurnInSpec *spec, Arena *arena, Diag *diag)
{
    BurnIn *b = arena_array(arena, BurnIn, 1);

    b->corner = spec->corner;
    b->longest = arena_strdup(arena, spec->longest);
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

/* ---- missing characters ---- */

size_t burn_in_missing(const BurnIn *b, uint32_t *first)
{
    Arena *arena = arena_create();
    const size_t count =
        font_missing(b->font, arena_printf(arena, "0123456789%s", b->longest), first);
    arena_destroy(arena);
    return count;
}

/* ---- the text of a film ---- */

/* The font size fits the text of this frame.  It is the same for every range of frames, so that a
 * shard draws text of the same size as a render of the whole film. */
enum { LONGEST_TEXT_FRAME = 99999 };

BurnIn *burn_in_open(const Film *film, Arena *arena, Diag *diag)
{
    char longest[BURN_IN_TEXT_SIZE];

    burn_in_text(longest, film->job, LONGEST_TEXT_FRAME);
    const BurnInSpec spec = {.font = film->burn_in_font,
                             .corner = film->job->burn_in->corner,
                             .longest = longest,
                             .width = film->render.width,
                             .height = film->render.height};
    diag_file(diag, film->burn_in_font_file);
    BurnIn *burn_in = burn_in_create(&spec, arena, diag);
    diag_file(diag, NULL);
    return burn_in;
}

void burn_in_draw(Image *image, const BurnIn *burn_in, const Film *film, int64_t frame)
{
    char text[BURN_IN_TEXT_SIZE];
    burn_in_text(text, film->job, frame);
    burn_in_draw_text(image, burn_in, text);
}

/* Advice about characters that a font lacks. */
static const char *advice(const Film *film)
{
    const JobBurnIn *burn_in = film->job->burn_in;
    if (burn_in->font && !strcmp(burn_in->font, FONT_AUTO))
        return label_font_advice();
    return burn_in->font ? "" : "; set burn_in.font to auto or to a font file that has them";
}

static bool warn_missing_glyphs(const Film *film, const BurnIn *b, Diag *diag)
{
    uint32_t first;
    utf8proc_uint8_t text[5] = {0};
    const size_t count = burn_in_missing(b, &first);
    if (!count)
        return true;
    utf8proc_encode_char((utf8proc_int32_t)first, text);
    return diag_warn(diag, WARN_MISSING_GLYPH,
                     "burn_in: %zu character%s not in %s, e.g. U+%04" PRIX32 " '%s': drawn as %s%s",
                     count, count == 1 ? " is" : "s are",
                     film->burn_in_font_file ? "the font" : "the built-in font", first,
                     (const char *)text, count == 1 ? "a box" : "boxes", advice(film));
}

/* The installed font for the text of this film; the built-in font if there is none. */
static void find_font(Film *film, Arena *arena)
{
    FontFile found;
    char longest[BURN_IN_TEXT_SIZE];
    burn_in_text(longest, film->job, LONGEST_TEXT_FRAME);
    if (!font_catalog_find(&found, NULL, longest, arena))
        return;
    film->burn_in_font_file = found.path;
    film->burn_in_font.face = found.face;
}

bool burn_in_load(Film *film, Arena *arena, Diag *diag)
{
    const JobBurnIn *burn_in = film->job->burn_in;
    if (!burn_in)
        return true;
    film->burn_in_font_file = burn_in->font;
    if (burn_in->font && !strcmp(burn_in->font, FONT_AUTO)) {
        film->burn_in_font_file = NULL;
        find_font(film, arena);
    }
    diag_file(diag, film->burn_in_font_file);
    if (film->burn_in_font_file &&
        !file_load(&film->burn_in_font.bytes, film->burn_in_font_file, FILE_MAX_SIZE, arena, diag))
        return false;
    Arena *scratch = arena_create();
    BurnIn *b = burn_in_open(film, scratch, diag);
    diag_file(diag, film->job->file);
    const bool ok = b && warn_missing_glyphs(film, b, diag);
    diag_file(diag, NULL);
    burn_in_destroy(b);
    arena_destroy(scratch);
    return ok;
}
