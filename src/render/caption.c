#include "render/caption.h"

#include <assert.h>
#include <string.h>
#include <utf8proc.h>

#include "base/bitmap_font.h"
#include "format/font.h"

enum {
    ROWS_PER_SCALE = 240, /* letters grow by one pixel for so many of the picture's height */
    EM_PER_SCALE = 10,    /* of a font whose capitals are as high as the built-in letters */
    MARGIN_PER_SCALE = 3,
    MOST_SCALE = FONT_MAX_SIZE / EM_PER_SCALE
};

typedef struct Mark { /* a character, and its rim: [height + 2 rim][width + 2 rim] */
    FontGlyph glyph;
    uint8_t *dark;
} Mark;

struct Caption {
    CaptionCorner corner;
    int margin, rim, ascent, descent;
    Mark *marks;
    size_t count;
    Mark box;
};

/* ---- characters ---- */

/* The next character of a text; 0 at its end. */
static uint32_t next_character(const char **text)
{
    utf8proc_int32_t character;
    if (!**text)
        return 0;
    const utf8proc_ssize_t bytes =
        utf8proc_iterate((const utf8proc_uint8_t *)*text, -1, &character);
    *text += bytes > 0 ? bytes : 1;
    return bytes > 0 && character > 0 ? (uint32_t)character : 0xFFFD;
}

static bool is_known(const uint32_t *characters, size_t count, uint32_t character)
{
    for (size_t i = 0; i < count; i++)
        if (characters[i] == character)
            return true;
    return false;
}

/* Those of a text, and digits, each once. */
static uint32_t *collect(size_t *count, const char *text, Arena *arena)
{
    uint32_t *out = arena_array(arena, uint32_t, strlen(text) + 10);
    *count = 0;
    for (uint32_t digit = '0'; digit <= '9'; digit++)
        out[(*count)++] = digit;
    for (uint32_t c; (c = next_character(&text)) != 0;)
        if (!is_known(out, *count, c))
            out[(*count)++] = c;
    return out;
}

static const Mark *find_mark(const Caption *caption, uint32_t character)
{
    for (size_t i = 0; i < caption->count; i++)
        if (caption->marks[i].glyph.codepoint == character)
            return caption->marks[i].glyph.missing ? &caption->box : &caption->marks[i];
    return &caption->box;
}

/* ---- shapes ---- */

static FontGlyph glyph_of_rows(const char *const *rows, int scale, Arena *arena)
{
    FontGlyph glyph = {.top = LETTER_HEIGHT * scale,
                       .advance = LETTER_STEP * scale,
                       .width = LETTER_WIDTH * scale,
                       .height = LETTER_ROWS * scale};
    glyph.coverage = arena_calloc(arena, (size_t)glyph.height, (size_t)glyph.width);
    for (int y = 0; y < glyph.height; y++)
        for (int x = 0; x < glyph.width; x++)
            if (rows[y / scale][x / scale] == '#')
                glyph.coverage[y * glyph.width + x] = 255;
    return glyph;
}

static Font built_in(const uint32_t *characters, size_t count, int scale, Arena *arena)
{
    Font font = {LETTER_HEIGHT * scale, LETTER_DROP * scale, arena_array(arena, FontGlyph, count),
                 count};
    for (size_t i = 0; i < count; i++) {
        const char *const *rows = bitmap_font_find(characters[i]);
        if (rows)
            font.glyphs[i] = glyph_of_rows(rows, scale, arena);
        font.glyphs[i].codepoint = characters[i];
        font.glyphs[i].missing = !rows;
    }
    return font;
}

/* Every pixel becomes the largest within `rim`, round. */
static uint8_t *spread(const FontGlyph *glyph, int rim, Arena *arena)
{
    const int width = glyph->width + 2 * rim, height = glyph->height + 2 * rim;
    uint8_t *out = arena_calloc(arena, (size_t)height, (size_t)width);
    for (int y = 0; y < glyph->height; y++)
        for (int x = 0; x < glyph->width; x++) {
            const uint8_t cover = glyph->coverage[y * glyph->width + x];
            for (int dy = -rim; cover && dy <= rim; dy++)
                for (int dx = -rim; dx <= rim; dx++) {
                    uint8_t *to = &out[(y + rim + dy) * width + x + rim + dx];
                    if (dx * dx + dy * dy <= rim * rim + rim && *to < cover)
                        *to = cover;
                }
        }
    return out;
}

static Mark mark_of(const FontGlyph *glyph, int rim, Arena *arena)
{
    return (Mark){*glyph, glyph->missing ? NULL : spread(glyph, rim, arena)};
}

static void take_font(Caption *caption, const Font *font, int scale, Arena *arena)
{
    const FontGlyph box = glyph_of_rows(bitmap_font_box(), scale, arena);
    caption->margin = MARGIN_PER_SCALE * scale;
    caption->rim = (scale + 1) / 2;
    caption->ascent = font->ascent;
    caption->descent = font->descent;
    caption->count = font->count;
    caption->marks = arena_array(arena, Mark, font->count);
    for (size_t i = 0; i < font->count; i++)
        caption->marks[i] = mark_of(&font->glyphs[i], caption->rim, arena);
    caption->box = mark_of(&box, caption->rim, arena);
}

/* ---- lines ---- */

/* To the right of the last pixel of ink. */
static int text_width(const Caption *caption, const char *text)
{
    int pen = 0, right = 0;
    for (uint32_t c; (c = next_character(&text)) != 0;) {
        const FontGlyph *glyph = &find_mark(caption, c)->glyph;
        if (glyph->width && pen + glyph->left + glyph->width > right)
            right = pen + glyph->left + glyph->width;
        pen += glyph->advance;
    }
    return right;
}

/* Lays straight colours of one grey over a pixel, whose alpha may be anything. */
static void blend(uint8_t pixel[4], unsigned grey, unsigned cover)
{
    const unsigned below = pixel[3] * (255 - cover), above = 255 * cover, all = above + below;
    if (!cover)
        return;
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)((grey * above + pixel[c] * below + all / 2) / all);
    pixel[3] = (uint8_t)((all + 127) / 255);
}

typedef struct Stencil {
    const uint8_t *coverage;
    int left, top, width, height;
} Stencil;

static void put_stencil(Image *image, const Stencil *s, unsigned grey)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const int to_x = s->left + x, to_y = s->top + y;
            if (to_x < 0 || to_y < 0 || to_x >= image->width || to_y >= image->height)
                continue;
            uint8_t *pixel =
                image->pixels + 4 * ((size_t)to_y * (size_t)image->width + (size_t)to_x);
            blend(pixel, grey, s->coverage[y * s->width + x]);
        }
}

/* All rims come before all letters, so that none lies on its neighbour. */
static void put_line(Image *image, const Caption *caption, const char *text, int pen, int baseline,
                     bool dark)
{
    const int rim = dark ? caption->rim : 0;
    for (uint32_t c; (c = next_character(&text)) != 0;) {
        const Mark *mark = find_mark(caption, c);
        const FontGlyph *glyph = &mark->glyph;
        const Stencil stencil = {dark ? mark->dark : glyph->coverage, pen + glyph->left - rim,
                                 baseline - glyph->top - rim, glyph->width + 2 * rim,
                                 glyph->height + 2 * rim};
        put_stencil(image, &stencil, dark ? 0 : 255);
        pen += glyph->advance;
    }
}

void caption_draw(Image *image, const Caption *caption, const char *text)
{
    const bool right = caption->corner & 1, bottom = caption->corner & 2;
    const int room = image->width - caption->margin - text_width(caption, text);
    const int pen = right && room > caption->margin ? room : caption->margin;
    const int baseline = bottom ? image->height - caption->margin - caption->descent
                                : caption->margin + caption->ascent;
    put_line(image, caption, text, pen, baseline, true);
    put_line(image, caption, text, pen, baseline, false);
}

/* ---- making ---- */

static int scale_of_height(int height)
{
    const int scale = (height + ROWS_PER_SCALE / 2) / ROWS_PER_SCALE;
    return scale < 1 ? 1 : scale > MOST_SCALE ? MOST_SCALE : scale;
}

Caption *caption_create(const CaptionSpec *spec, Arena *arena, Diag *diag)
{
    Caption *caption = arena_array(arena, Caption, 1);
    size_t count;
    const uint32_t *characters = collect(&count, spec->longest, arena);

    caption->corner = spec->corner;
    for (int scale = scale_of_height(spec->height);; scale--) {
        Font font;
        if (!spec->font.data)
            font = built_in(characters, count, scale, arena);
        else if (!font_load(&font, spec->font, EM_PER_SCALE * scale, characters, count, arena,
                            diag))
            return NULL;
        take_font(caption, &font, scale, arena);
        if (scale == 1 || text_width(caption, spec->longest) + 2 * caption->margin <= spec->width)
            return caption;
    }
}

size_t caption_missing(const Caption *caption, uint32_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < caption->count; i++)
        if (caption->marks[i].glyph.missing && !count++)
            *first = caption->marks[i].glyph.codepoint;
    return count;
}
