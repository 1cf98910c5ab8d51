// SPDX-License-Identifier: MIT
#include "typesetting/font.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include <ft2build.h>
#include FT_FREETYPE_H

#ifdef HAVE_HARFBUZZ
#include <hb-ot.h>
#include <hb.h>
#endif

#include "base/bitmap_font.h"
#include "base/memory.h"
#include "base/parser_entry.h"
#include "base/text.h"

/* Glyphs of a damaged font may have any size; larger ones count as missing. */
enum { MAX_EMS = 8 };

/* The glyph that stands for a missing character; fonts have less than 65536 glyphs. */
#define BOX UINT32_MAX

typedef struct CachedGlyph {
    uint32_t index;
    FontGlyph glyph;
} CachedGlyph;

struct Font {
    Arena *arena;
    FontSpec spec;
    int scale; /* pixels per pixel of the built-in font */
    int ascent, descent;
    ARENA_LIST(CachedGlyph *) cache; /* allocated one by one: callers keep pointers */
    FT_Library library;              /* NULL in the built-in font */
    FT_Face face;
#ifdef HAVE_HARFBUZZ
    hb_font_t *shaper;
    hb_buffer_t *buffer;
#endif
};

static bool is_built_in(const Font *font)
{
    return !font->face;
}

int font_ascent(const Font *font)
{
    return font->ascent;
}

int font_descent(const Font *font)
{
    return font->descent;
}

int font_outline_width(const Font *font)
{
    return font->spec.outline_width;
}

const char *font_family(const Font *font, Arena *arena)
{
    const char *name = font->face ? font->face->family_name : NULL;
    return name ? text_from_utf8(name, strlen(name), arena) : NULL;
}

const char *font_shaping_version(void)
{
#ifdef HAVE_HARFBUZZ
    return hb_version_string();
#else
    return NULL;
#endif
}

void font_freetype_version(char *out, size_t size)
{
    snprintf(out, size, "%d.%d.%d", FREETYPE_MAJOR, FREETYPE_MINOR, FREETYPE_PATCH);
}

/* ---- bitmaps ---- */

static void draw_rows(FontGlyph *out, const char *const *rows, int scale, Arena *arena)
{
    *out = (FontGlyph){
        .top = GLYPH_HEIGHT * scale, .width = GLYPH_WIDTH * scale, .height = GLYPH_ROWS * scale};
    out->coverage = arena_calloc(arena, (size_t)out->height, (size_t)out->width);
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++)
            if (rows[y / scale][x / scale] == '#')
                out->coverage[y * out->width + x] = 255;
}

static bool is_too_large(const FT_GlyphSlot slot, int pixels_per_em)
{
    const FT_Pos max = (FT_Pos)MAX_EMS * pixels_per_em * 64;
    const FT_Glyph_Metrics *m = &slot->metrics;
    return m->width > max || m->height > max || labs(m->horiBearingX) > max ||
           labs(m->horiBearingY) > max || slot->advance.x > max || slot->advance.x < 0;
}

static bool check_memory(FT_Error error)
{
    if (error == FT_Err_Out_Of_Memory)
        memory_exhausted(0);
    return error == 0;
}

static bool load_glyph(const Font *font, uint32_t index)
{
    return check_memory(FT_Load_Glyph(font->face, index, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP)) &&
           !is_too_large(font->face->glyph, font->spec.pixels_per_em);
}

/* A glyph that cannot be rendered has no ink. */
static void render_glyph(FontGlyph *out, const Font *font, uint32_t index)
{
    const FT_GlyphSlot slot = font->face->glyph;
    *out = (FontGlyph){0};
    if (!load_glyph(font, index) || !check_memory(FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL)) ||
        slot->bitmap.pixel_mode != FT_PIXEL_MODE_GRAY)
        return;
    const FT_Bitmap *bitmap = &slot->bitmap;
    *out = (FontGlyph){slot->bitmap_left,
                       slot->bitmap_top,
                       (int)bitmap->width,
                       (int)bitmap->rows,
                       arena_calloc(font->arena, bitmap->rows, bitmap->width),
                       NULL};
    /* A bitmap that is 0 pixels wide has rows, but no buffer. */
    for (unsigned y = 0; bitmap->width > 0 && y < bitmap->rows; y++)
        memcpy(out->coverage + (size_t)y * bitmap->width,
               bitmap->buffer + (ptrdiff_t)y * bitmap->pitch, bitmap->width);
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

static void make_glyph(FontGlyph *out, const Font *font, uint32_t index)
{
    if (index == BOX)
        draw_rows(out, bitmap_font_unknown(), font->scale, font->arena);
    else if (is_built_in(font))
        draw_rows(out, bitmap_font_glyph(index), font->scale, font->arena);
    else
        render_glyph(out, font, index);
    out->outline = dilate(out, font->spec.outline_width, font->arena);
}

const FontGlyph *font_glyph(Font *font, uint32_t glyph)
{
    for (size_t i = 0; i < font->cache.count; i++)
        if (font->cache.items[i]->index == glyph)
            return &font->cache.items[i]->glyph;
    CachedGlyph *cached = arena_array(font->arena, CachedGlyph, 1);
    cached->index = glyph;
    make_glyph(&cached->glyph, font, glyph);
    *arena_push(font->arena, &font->cache) = cached;
    return &cached->glyph;
}

/* ---- shaping ---- */

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

static void add_glyph(ShapedText *out, PlacedGlyph glyph, int advance, const Font *font,
                      Arena *arena)
{
    glyph.x += out->advance;
    if (glyph.missing) {
        glyph.glyph = BOX;
        advance = GLYPH_ADVANCE * font->scale * FONT_UNITS_PER_PIXEL;
    }
    *arena_push(arena, out) = glyph;
    out->advance += advance;
}

/* Characters one by one: the built-in font, and outlines without HarfBuzz. */
static void place_characters(ShapedText *out, Font *font, const char *text, Arena *arena)
{
    for (uint32_t c; (c = next_character(&text)) != 0;) {
        PlacedGlyph glyph = {.character = c};
        int advance = GLYPH_ADVANCE * font->scale * FONT_UNITS_PER_PIXEL;
        if (is_built_in(font)) {
            glyph.glyph = c;
            glyph.missing = !bitmap_font_glyph(c);
        } else {
            glyph.glyph = FT_Get_Char_Index(font->face, c);
            glyph.missing = !glyph.glyph || !load_glyph(font, glyph.glyph);
            advance = glyph.missing ? 0 : (int)font->face->glyph->advance.x;
        }
        add_glyph(out, glyph, advance, font, arena);
    }
}

#ifdef HAVE_HARFBUZZ

/* HarfBuzz shapes one script at a time.  Punctuation and marks belong to the run before them. */
static hb_script_t script_of(uint32_t character, hb_script_t before)
{
    const hb_script_t script = hb_unicode_script(hb_unicode_funcs_get_default(), character);
    const bool weak =
        script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN;
    return weak ? before : script;
}

/* The end of the run that starts at `text`. */
static const char *find_run_end(hb_script_t *script, const char *text)
{
    *script = HB_SCRIPT_COMMON;
    for (const char *at = text;;) {
        const char *here = at;
        const uint32_t c = next_character(&at);
        const hb_script_t next = c ? script_of(c, *script) : *script;
        if (!c || (next != *script && *script != HB_SCRIPT_COMMON))
            return here;
        *script = next;
    }
}

static int clamp_position(hb_position_t value, const Font *font)
{
    const int max = MAX_EMS * font->spec.pixels_per_em * FONT_UNITS_PER_PIXEL;
    return value < -max ? -max : value > max ? max : value;
}

static void shape_run(ShapedText *out, const Font *font, const char *text, size_t size,
                      hb_script_t script, Arena *arena)
{
    hb_buffer_t *buffer = font->buffer;
    unsigned count = 0;

    hb_buffer_clear_contents(buffer);
    hb_buffer_set_direction(buffer, HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer, script);
    hb_buffer_set_language(buffer, hb_language_from_string("ja", 2));
    hb_buffer_add_utf8(buffer, text, (int)size, 0, (int)size);
    hb_shape(font->shaper, buffer, NULL, 0);
    if (!hb_buffer_allocation_successful(buffer))
        memory_exhausted(0);
    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &count);
    const hb_glyph_position_t *position = hb_buffer_get_glyph_positions(buffer, NULL);
    for (unsigned i = 0; i < count; i++) {
        const char *at = text + info[i].cluster;
        const PlacedGlyph glyph = {.glyph = info[i].codepoint,
                                   .character = next_character(&at),
                                   .missing = info[i].codepoint == 0,
                                   .x = clamp_position(position[i].x_offset, font),
                                   .y = clamp_position(position[i].y_offset, font)};
        add_glyph(out, glyph, clamp_position(position[i].x_advance, font), font, arena);
    }
}

static void shape_runs(ShapedText *out, Font *font, const char *text, Arena *arena)
{
    while (*text) {
        hb_script_t script;
        const char *end = find_run_end(&script, text);
        shape_run(out, font, text, (size_t)(end - text), script, arena);
        text = end;
    }
}

/* Positions come from the tables of the font, without hinting. */
static void open_shaper(Font *font)
{
    const FontSource *source = &font->spec.source;
    const int scale = font->spec.pixels_per_em * FONT_UNITS_PER_PIXEL;
    hb_blob_t *blob = hb_blob_create((const char *)source->bytes.data, (unsigned)source->bytes.size,
                                     HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *face = hb_face_create(blob, (unsigned)(source->face & 0xFFFF));
    font->shaper = hb_font_create(face);
    font->buffer = hb_buffer_create();
    hb_font_set_scale(font->shaper, scale, scale);
    if (source->face >> 16) /* an instance of a variable font, from 1 */
        hb_font_set_var_named_instance(font->shaper, (unsigned)(source->face >> 16) - 1);
    hb_face_destroy(face);
    hb_blob_destroy(blob);
}

static void close_shaper(Font *font)
{
    hb_buffer_destroy(font->buffer);
    hb_font_destroy(font->shaper);
}

#else

static void shape_runs(ShapedText *out, Font *font, const char *text, Arena *arena)
{
    place_characters(out, font, text, arena);
}

static void open_shaper(Font *font)
{
    (void)font;
}

static void close_shaper(Font *font)
{
    (void)font;
}

#endif

void font_shape(ShapedText *out, Font *font, const char *text, Arena *arena)
{
    *out = (ShapedText){0};
    if (is_built_in(font))
        place_characters(out, font, text, arena);
    else
        shape_runs(out, font, text, arena);
}

/* ---- missing characters ---- */

static bool is_before(const ShapedText *line, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (line->items[i].character == line->items[index].character)
            return true;
    return false;
}

size_t font_missing(Font *font, const char *text, uint32_t *first)
{
    Arena *arena = arena_create();
    ShapedText line;
    size_t count = 0;
    font_shape(&line, font, text, arena);
    for (size_t i = 0; i < line.count; i++)
        if (line.items[i].missing && !is_before(&line, i) && !count++)
            *first = line.items[i].character;
    arena_destroy(arena);
    return count;
}

/* ---- opening ---- */

static bool fail_font(FT_Error error, const char *what, Diag *diag)
{
    return check_memory(error) || diag_error(diag, "%s", what);
}

static int clamp_metric(FT_Pos value, int pixels_per_em)
{
    const FT_Pos pixels = (value + 63) / 64, max = 2 * (FT_Pos)pixels_per_em;
    return (int)(pixels < 0 ? 0 : pixels > max ? max : pixels);
}

static bool open_face(Font *font, Diag *diag)
{
    const Bytes file = font->spec.source.bytes;
    const int size = font->spec.pixels_per_em;

    unsetenv("FREETYPE_PROPERTIES"); /* read by FT_Init_FreeType; it would change the glyphs */
    FT_Error error = FT_Init_FreeType(&font->library);
    if (error)
        return fail_font(error, "FreeType cannot be initialized", diag);
    if (file.size > INT_MAX)
        return diag_error(diag, "font file is too large");
    error = FT_New_Memory_Face(font->library, file.data, (FT_Long)file.size, font->spec.source.face,
                               &font->face);
    if (error)
        return fail_font(error, "not a TrueType or OpenType font", diag);
    if (!FT_IS_SCALABLE(font->face))
        return diag_error(diag, "bitmap fonts are not supported; expected outlines");
    error = FT_Set_Pixel_Sizes(font->face, 0, (FT_UInt)size);
    if (error)
        return fail_font(error, "font cannot be scaled", diag);
    font->ascent = clamp_metric(font->face->size->metrics.ascender, size);
    font->descent = clamp_metric(-font->face->size->metrics.descender, size);
    open_shaper(font);
    return true;
}

Font *font_open(const FontSpec *spec, Diag *diag)
{
    parser_enter("font");
    assert(spec->pixels_per_em > 0 && spec->pixels_per_em <= FONT_MAX_SIZE);
    const int scale = spec->pixels_per_em / FONT_BUILT_IN_EM;
    Arena *arena = arena_create();
    Font *font = arena_array(arena, Font, 1);
    font->arena = arena;
    font->spec = *spec;
    font->scale = scale ? scale : 1;
    if (!spec->source.bytes.data) {
        font->ascent = GLYPH_HEIGHT * font->scale;
        font->descent = GLYPH_DESCENT * font->scale;
        return font;
    }
    if (open_face(font, diag))
        return font;
    font_close(font);
    return NULL;
}

void font_close(Font *font)
{
    if (!font)
        return;
    close_shaper(font);
    FT_Done_Face(font->face);
    FT_Done_FreeType(font->library);
    arena_destroy(font->arena);
}
