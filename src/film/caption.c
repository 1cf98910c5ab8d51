#include "film/caption.h"

#include <assert.h>
#include <string.h>
#include <utf8proc.h>

#include "base/bitmap_font.h"
#include "format/font.h"

enum {
    ROWS_PER_SCALE = 240, /* glyphs grow by one pixel per this many image rows */
    EM_PER_SCALE =
        10, /* em size of a font whose capitals are as high as those of the built-in font */
    MARGIN_PER_SCALE = 3,
    MAX_SCALE = FONT_MAX_SIZE / EM_PER_SCALE
};

typedef struct CaptionGlyph { /* a character with its outline: [height + 2 outline_width][width + 2
                                 outline_width] */
    FontGlyph glyph;
    uint8_t *outline;
} CaptionGlyph;

struct Caption {
    CaptionCorner corner;
    int margin, outline_width, ascent, descent;
    CaptionGlyph *glyphs;
    size_t count;
    CaptionGlyph missing;
};

/* ---- characters ---- */

/* Returns the next character of a text and advances; 0 at the end. */
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

static bool contains(const uint32_t *characters, size_t count, uint32_t character)
{
    for (size_t i = 0; i < count; i++)
        if (characters[i] == character)
            return true;
    return false;
}

/* The distinct characters of a text, and all digits. */
static uint32_t *collect_characters(size_t *count, const char *text, Arena *arena)
{
    uint32_t *out = arena_array(arena, uint32_t, strlen(text) + 10);
    *count = 0;
    for (uint32_t digit = '0'; digit <= '9'; digit++)
        out[(*count)++] = digit;
    for (uint32_t c; (c = next_character(&text)) != 0;)
        if (!contains(out, *count, c))
            out[(*count)++] = c;
    return out;
}

static const CaptionGlyph *find_glyph(const Caption *caption, uint32_t character)
{
    for (size_t i = 0; i < caption->count; i++)
        if (caption->glyphs[i].glyph.codepoint == character)
            return caption->glyphs[i].glyph.missing ? &caption->missing : &caption->glyphs[i];
    return &caption->missing;
}

/* ---- shapes ---- */

static FontGlyph glyph_from_rows(const char *const *rows, int scale, Arena *arena)
{
    FontGlyph glyph = {.top = GLYPH_HEIGHT * scale,
                       .advance = GLYPH_ADVANCE * scale,
                       .width = GLYPH_WIDTH * scale,
                       .height = GLYPH_ROWS * scale};
    glyph.coverage = arena_calloc(arena, (size_t)glyph.height, (size_t)glyph.width);
    for (int y = 0; y < glyph.height; y++)
        for (int x = 0; x < glyph.width; x++)
            if (rows[y / scale][x / scale] == '#')
                glyph.coverage[y * glyph.width + x] = 255;
    return glyph;
}

static Font load_built_in(const uint32_t *characters, size_t count, int scale, Arena *arena)
{
    Font font = {GLYPH_HEIGHT * scale, GLYPH_DESCENT * scale, arena_array(arena, FontGlyph, count),
                 count};
    for (size_t i = 0; i < count; i++) {
        const char *const *rows = bitmap_font_glyph(characters[i]);
        if (rows)
            font.glyphs[i] = glyph_from_rows(rows, scale, arena);
        font.glyphs[i].codepoint = characters[i];
        font.glyphs[i].missing = !rows;
    }
    return font;
}

/* Maximum filter with a round kernel of radius `outline_width`. */
static uint8_t *dilate(const FontGlyph *glyph, int outline_width, Arena *arena)
{
    const int width = glyph->width + 2 * outline_width, height = glyph->height + 2 * outline_width;
    uint8_t *out = arena_calloc(arena, (size_t)height, (size_t)width);
    for (int y = 0; y < glyph->height; y++)
        for (int x = 0; x < glyph->width; x++) {
            const uint8_t cover = glyph->coverage[y * glyph->width + x];
            for (int dy = -outline_width; cover && dy <= outline_width; dy++)
                for (int dx = -outline_width; dx <= outline_width; dx++) {
                    uint8_t *to = &out[(y + outline_width + dy) * width + x + outline_width + dx];
                    if (dx * dx + dy * dy <= outline_width * outline_width + outline_width &&
                        *to < cover)
                        *to = cover;
                }
        }
    return out;
}

static CaptionGlyph make_glyph(const FontGlyph *glyph, int outline_width, Arena *arena)
{
    return (CaptionGlyph){*glyph, glyph->missing ? NULL : dilate(glyph, outline_width, arena)};
}

static void init_glyphs(Caption *caption, const Font *font, int scale, Arena *arena)
{
    const FontGlyph missing = glyph_from_rows(bitmap_font_unknown(), scale, arena);
    caption->margin = MARGIN_PER_SCALE * scale;
    caption->outline_width = (scale + 1) / 2;
    caption->ascent = font->ascent;
    caption->descent = font->descent;
    caption->count = font->count;
    caption->glyphs = arena_array(arena, CaptionGlyph, font->count);
    for (size_t i = 0; i < font->count; i++)
        caption->glyphs[i] = make_glyph(&font->glyphs[i], caption->outline_width, arena);
    caption->missing = make_glyph(&missing, caption->outline_width, arena);
}

/* ---- drawing ---- */

/* Distance from the pen's start to the right edge of the last inked pixel. */
static int text_width(const Caption *caption, const char *text)
{
    int pen = 0, right = 0;
    for (uint32_t c; (c = next_character(&text)) != 0;) {
        const FontGlyph *glyph = &find_glyph(caption, c)->glyph;
        if (glyph->width && pen + glyph->left + glyph->width > right)
            right = pen + glyph->left + glyph->width;
        pen += glyph->advance;
    }
    return right;
}

/* Blends a grey with the given coverage over a pixel with straight alpha. */
static void blend(uint8_t pixel[4], unsigned grey, unsigned cover)
{
    const unsigned below = pixel[3] * (255 - cover), above = 255 * cover, all = above + below;
    if (!cover)
        return;
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)((grey * above + pixel[c] * below + all / 2) / all);
    pixel[3] = (uint8_t)((all + 127) / 255);
}

typedef struct CoverageRect {
    const uint8_t *coverage;
    int left, top, width, height;
} CoverageRect;

static void draw_coverage(Image *image, const CoverageRect *s, unsigned grey)
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

/* All outlines are drawn before all glyphs, so that no outline covers a neighbouring glyph. */
static void draw_line(Image *image, const Caption *caption, const char *text, int pen, int baseline,
                      bool outline)
{
    const int outline_width = outline ? caption->outline_width : 0;
    for (uint32_t c; (c = next_character(&text)) != 0;) {
        const CaptionGlyph *entry = find_glyph(caption, c);
        const FontGlyph *glyph = &entry->glyph;
        const CoverageRect rect = {
            outline ? entry->outline : glyph->coverage, pen + glyph->left - outline_width,
            baseline - glyph->top - outline_width, glyph->width + 2 * outline_width,
            glyph->height + 2 * outline_width};
        draw_coverage(image, &rect, outline ? 0 : 255);
        pen += glyph->advance;
    }
}

void caption_draw(Image *image, const Caption *caption, const char *text)
{
    const bool right = caption->corner & 1, bottom = caption->corner & 2;
    const int free_x = image->width - caption->margin - text_width(caption, text);
    const int pen = right && free_x > caption->margin ? free_x : caption->margin;
    const int baseline = bottom ? image->height - caption->margin - caption->descent
                                : caption->margin + caption->ascent;
    draw_line(image, caption, text, pen, baseline, true);
    draw_line(image, caption, text, pen, baseline, false);
}

/* ---- creation ---- */

static int scale_for_height(int height)
{
    const int scale = (height + ROWS_PER_SCALE / 2) / ROWS_PER_SCALE;
    return scale < 1 ? 1 : scale > MAX_SCALE ? MAX_SCALE : scale;
}

Caption *caption_create(const CaptionSpec *spec, Arena *arena, Diag *diag)
{
    Caption *caption = arena_array(arena, Caption, 1);
    size_t count;
    const uint32_t *characters = collect_characters(&count, spec->longest, arena);

    caption->corner = spec->corner;
    for (int scale = scale_for_height(spec->height);; scale--) {
        Font font;
        if (!spec->font.data)
            font = load_built_in(characters, count, scale, arena);
        else if (!font_load(&font, spec->font, EM_PER_SCALE * scale, characters, count, arena,
                            diag))
            return NULL;
        init_glyphs(caption, &font, scale, arena);
        if (scale == 1 || text_width(caption, spec->longest) + 2 * caption->margin <= spec->width)
            return caption;
    }
}

size_t caption_missing(const Caption *caption, uint32_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < caption->count; i++)
        if (caption->glyphs[i].glyph.missing && !count++)
            *first = caption->glyphs[i].glyph.codepoint;
    return count;
}
