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
#include FT_TRUETYPE_TABLES_H

#ifdef HAVE_HARFBUZZ
#include <hb-ot.h>
#include <hb.h>
#endif

#include "base/bitmap_font.h"
#include "base/image_scale.h"
#include "base/memory.h"
#include "base/parser_entry.h"
#include "base/text.h"

/* Glyphs of a damaged font may have any size; larger ones count as missing. */
enum { MAX_EMS = 8 };

/* A strike of color bitmaps has less pixels per em: its metrics are bytes. */
enum { MAX_STRIKE = 255 };

typedef struct CachedGlyph {
    PlacedGlyph key; /* face, glyph and missing count */
    FontGlyph glyph;
} CachedGlyph;

typedef struct Face {
    FT_Face face;      /* NULL: the built-in font */
    int pixels_per_em; /* wanted */
    int strike;        /* pixels per em of its color bitmaps; 0: outlines */
#ifdef HAVE_HARFBUZZ
    hb_font_t *shaper;
#endif
} Face;

struct Font {
    Arena *arena;
    FontSpec spec;
    int scale; /* pixels per pixel of the built-in font */
    int ascent, descent;
    ARENA_LIST(CachedGlyph *) cache; /* allocated one by one: callers keep pointers */
    FT_Library library;
    Face *faces;
    size_t face_count; /* >= 1 */
#ifdef HAVE_HARFBUZZ
    hb_buffer_t *buffer;
#endif
};

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
    const FT_Face face = font->faces[0].face;
    const char *name = face ? face->family_name : NULL;
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

static bool load_glyph(const Face *face, uint32_t index)
{
    const FT_Int32 flags = face->strike ? FT_LOAD_COLOR : FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP;
    return check_memory(FT_Load_Glyph(face->face, index, flags)) &&
           !is_too_large(face->face->glyph, face->strike ? face->strike : face->pixels_per_em);
}

/* A glyph that cannot be rendered has no ink. */
static void render_outline(FontGlyph *out, const Face *face, uint32_t index, Arena *arena)
{
    const FT_GlyphSlot slot = face->face->glyph;
    *out = (FontGlyph){0};
    if (!load_glyph(face, index) || !check_memory(FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL)) ||
        slot->bitmap.pixel_mode != FT_PIXEL_MODE_GRAY)
        return;
    const FT_Bitmap *bitmap = &slot->bitmap;
    *out = (FontGlyph){.left = slot->bitmap_left,
                       .top = slot->bitmap_top,
                       .width = (int)bitmap->width,
                       .height = (int)bitmap->rows,
                       .coverage = arena_calloc(arena, bitmap->rows, bitmap->width)};
    /* A bitmap that is 0 pixels wide has rows, but no buffer. */
    for (unsigned y = 0; bitmap->width > 0 && y < bitmap->rows; y++)
        memcpy(out->coverage + (size_t)y * bitmap->width,
               bitmap->buffer + (ptrdiff_t)y * bitmap->pitch, bitmap->width);
}

/* Pixels of FreeType are B G R A, multiplied by alpha. */
static Image read_bitmap(const FT_Bitmap *bitmap, Arena *arena)
{
    Image image = {(int)bitmap->width, (int)bitmap->rows, true,
                   arena_calloc(arena, bitmap->rows, (size_t)bitmap->width * 4)};
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++) {
            const uint8_t *from = bitmap->buffer + (ptrdiff_t)y * bitmap->pitch + 4 * x;
            uint8_t *to = image.pixels + 4 * ((size_t)y * bitmap->width + (size_t)x);
            for (int c = 0; c < 3 && from[3]; c++) {
                const int value = (from[2 - c] * 255 + from[3] / 2) / from[3];
                to[c] = (uint8_t)(value < 255 ? value : 255);
            }
            to[3] = from[3];
        }
    return image;
}

static int scaled(int value, const Face *face)
{
    return (value * 2 * face->pixels_per_em + face->strike) / (2 * face->strike);
}

static void render_colors(FontGlyph *out, const Face *face, uint32_t index, Arena *arena)
{
    const FT_GlyphSlot slot = face->face->glyph;
    const FT_Bitmap *bitmap = &slot->bitmap;
    *out = (FontGlyph){0};
    if (!load_glyph(face, index) || bitmap->pixel_mode != FT_PIXEL_MODE_BGRA || !bitmap->width ||
        !bitmap->rows || bitmap->width > MAX_STRIKE || bitmap->rows > MAX_STRIKE)
        return;
    const Image image = read_bitmap(bitmap, arena);

    const int width = scaled(image.width, face), height = scaled(image.height, face);
    const Image own = image_scale(&image, width > 0 ? width : 1, height > 0 ? height : 1, arena);
    const size_t count = (size_t)own.width * (size_t)own.height;
    *out = (FontGlyph){.left = scaled(slot->bitmap_left, face),
                       .top = scaled(slot->bitmap_top, face),
                       .width = own.width,
                       .height = own.height,
                       .coverage = arena_alloc(arena, count),
                       .colors = own.pixels};
    for (size_t i = 0; i < count; i++)
        out->coverage[i] = own.pixels[4 * i + 3];
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

static void make_glyph(FontGlyph *out, const Font *font, const PlacedGlyph *placed)
{
    const Face *face = &font->faces[placed->face];
    if (placed->missing)
        draw_rows(out, bitmap_font_unknown(), font->scale, font->arena);
    else if (!face->face)
        draw_rows(out, bitmap_font_glyph(placed->glyph), font->scale, font->arena);
    else
        (face->strike ? render_colors : render_outline)(out, face, placed->glyph, font->arena);
    out->outline = dilate(out, font->spec.outline_width, font->arena);
}

const FontGlyph *font_glyph(Font *font, const PlacedGlyph *placed)
{
    for (size_t i = 0; i < font->cache.count; i++) {
        const PlacedGlyph *key = &font->cache.items[i]->key;
        if (key->missing == placed->missing &&
            (key->missing || (key->face == placed->face && key->glyph == placed->glyph)))
            return &font->cache.items[i]->glyph;
    }
    CachedGlyph *cached = arena_array(font->arena, CachedGlyph, 1);
    cached->key = *placed;
    make_glyph(&cached->glyph, font, placed);
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
    if (glyph.missing)
        advance = GLYPH_ADVANCE * font->scale * FONT_UNITS_PER_PIXEL;
    *arena_push(arena, out) = glyph;
    out->advance += advance;
}

/* A part of a text whose characters are in one face. */
typedef struct Run {
    const char *text, *end;
    size_t face;
} Run;

static bool has_character(const Face *face, uint32_t character)
{
    return face->face ? FT_Get_Char_Index(face->face, character) != 0
                      : bitmap_font_glyph(character) != NULL;
}

/* Characters one by one: the built-in font, and other fonts without HarfBuzz. */
static void place_characters(ShapedText *out, Font *font, const Run *run, Arena *arena)
{
    const Face *face = &font->faces[run->face];
    for (const char *at = run->text; at < run->end;) {
        const uint32_t c = next_character(&at);
        PlacedGlyph glyph = {.face = run->face, .character = c};
        int advance = GLYPH_ADVANCE * font->scale * FONT_UNITS_PER_PIXEL;
        if (!face->face) {
            glyph.glyph = c;
            glyph.missing = !bitmap_font_glyph(c);
        } else {
            glyph.glyph = FT_Get_Char_Index(face->face, c);
            glyph.missing = !glyph.glyph || !load_glyph(face, glyph.glyph);
            advance = glyph.missing ? 0 : (int)face->face->glyph->advance.x;
            advance = face->strike ? scaled(advance, face) : advance;
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

/* The end of the part in one script that starts at `text`. */
static const char *find_script_end(hb_script_t *script, const char *text, const char *end)
{
    *script = HB_SCRIPT_COMMON;
    for (const char *at = text; at < end;) {
        const char *here = at;
        const hb_script_t next = script_of(next_character(&at), *script);
        if (next != *script && *script != HB_SCRIPT_COMMON)
            return here;
        *script = next;
    }
    return end;
}

static int clamp_position(hb_position_t value, const Face *face)
{
    const int max = MAX_EMS * face->pixels_per_em * FONT_UNITS_PER_PIXEL;
    return value < -max ? -max : value > max ? max : value;
}

static void shape_script(ShapedText *out, const Font *font, const Run *run, hb_script_t script,
                         Arena *arena)
{
    const Face *face = &font->faces[run->face];
    const int size = (int)(run->end - run->text);
    hb_buffer_t *buffer = font->buffer;
    unsigned count = 0;

    hb_buffer_clear_contents(buffer);
    hb_buffer_set_direction(buffer, HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer, script);
    hb_buffer_set_language(buffer, hb_language_from_string("ja", 2));
    hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_CHARACTERS);
    hb_buffer_add_utf8(buffer, run->text, size, 0, size);
    hb_shape(face->shaper, buffer, NULL, 0);
    if (!hb_buffer_allocation_successful(buffer))
        memory_exhausted(0);
    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &count);
    const hb_glyph_position_t *position = hb_buffer_get_glyph_positions(buffer, NULL);
    for (unsigned i = 0; i < count; i++) {
        const char *at = run->text + info[i].cluster;
        const PlacedGlyph glyph = {.face = run->face,
                                   .glyph = info[i].codepoint,
                                   .character = next_character(&at),
                                   .missing = info[i].codepoint == 0,
                                   .x = clamp_position(position[i].x_offset, face),
                                   .y = clamp_position(position[i].y_offset, face)};
        add_glyph(out, glyph, clamp_position(position[i].x_advance, face), font, arena);
    }
}

static void shape_run(ShapedText *out, Font *font, const Run *run, Arena *arena)
{
    if (!font->faces[run->face].face) {
        place_characters(out, font, run, arena);
        return;
    }
    for (Run part = *run; part.text < run->end; part.text = part.end) {
        hb_script_t script;
        part.end = find_script_end(&script, part.text, run->end);
        shape_script(out, font, &part, script, arena);
    }
}

/* Positions come from the tables of the font, without hinting. */
static void open_shaper(Face *face, const FontSource *source)
{
    const int scale = face->pixels_per_em * FONT_UNITS_PER_PIXEL;
    hb_blob_t *blob = hb_blob_create((const char *)source->bytes.data, (unsigned)source->bytes.size,
                                     HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *own = hb_face_create(blob, (unsigned)(source->face & 0xFFFF));
    face->shaper = hb_font_create(own);
    hb_font_set_scale(face->shaper, scale, scale);
    if (source->face >> 16) /* an instance of a variable font, from 1 */
        hb_font_set_var_named_instance(face->shaper, (unsigned)(source->face >> 16) - 1);
    hb_face_destroy(own);
    hb_blob_destroy(blob);
}

static void open_buffer(Font *font)
{
    font->buffer = hb_buffer_create();
}

static void close_shapers(Font *font)
{
    for (size_t i = 0; i < font->face_count; i++)
        hb_font_destroy(font->faces[i].shaper);
    hb_buffer_destroy(font->buffer);
}

#else

static void shape_run(ShapedText *out, Font *font, const Run *run, Arena *arena)
{
    place_characters(out, font, run, arena);
}

static void open_shaper(Face *face, const FontSource *source)
{
    (void)face;
    (void)source;
}

static void open_buffer(Font *font)
{
    (void)font;
}

static void close_shapers(Font *font)
{
    (void)font;
}

#endif

/* ---- faces ---- */

/* The end of what a reader takes for one character, such as a letter with its marks. */
static const char *find_cluster_end(const char *text)
{
    utf8proc_int32_t state = 0;
    uint32_t last = next_character(&text);
    for (const char *at = text;;) {
        const uint32_t c = next_character(&at);
        if (!c ||
            utf8proc_grapheme_break_stateful((utf8proc_int32_t)last, (utf8proc_int32_t)c, &state))
            return text;
        text = at;
        last = c;
    }
}

/* Selectors and joiners are visible in no font. */
static bool is_ignorable(uint32_t character)
{
    return utf8proc_get_property((utf8proc_int32_t)character)->ignorable;
}

static bool has_cluster(const Face *face, const char *text, const char *end)
{
    while (text < end) {
        const uint32_t c = next_character(&text);
        if (!is_ignorable(c) && !has_character(face, c))
            return false;
    }
    return true;
}

/* Spaces, digits and punctuation stay in the face of what is before them.  Fonts of pictures have
 * digits, too, which are only for pictures of keys. */
static bool stays(const Face *before, const char *text, const char *end)
{
    const char *at = text;
    const utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)next_character(&at));
    const bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
    return !letter && !before->strike && has_cluster(before, text, end);
}

/* The first face with the cluster, else the first with its first character. */
static size_t choose_face(const Font *font, const char *text, const char *end)
{
    const char *at = text;
    const uint32_t first = next_character(&at);
    for (size_t i = 0; i < font->face_count; i++)
        if (has_cluster(&font->faces[i], text, end))
            return i;
    for (size_t i = 0; i < font->face_count; i++)
        if (has_character(&font->faces[i], first))
            return i;
    return 0;
}

void font_shape(ShapedText *out, Font *font, const char *text, Arena *arena)
{
    Run run = {text, text, 0};
    *out = (ShapedText){0};
    while (*run.end) {
        const char *end = font->face_count > 1 ? find_cluster_end(run.end) : strchr(run.end, 0);
        const bool same = run.end > run.text && stays(&font->faces[run.face], run.end, end);
        const size_t face = same ? run.face : choose_face(font, run.end, end);
        if (face != run.face) {
            shape_run(out, font, &run, arena);
            run = (Run){run.end, end, face};
        }
        run.end = end;
    }
    shape_run(out, font, &run, arena);
}

/* ---- missing characters ---- */

bool font_has(const Font *font, uint32_t character)
{
    bool has = false;
    for (size_t i = 0; !has && i < font->face_count; i++)
        has = has_character(&font->faces[i], character);
    return has;
}

size_t font_missing(Font *font, const char *text, uint32_t *first)
{
    enum { END = 0x110000 }; /* of Unicode */
    Arena *arena = arena_create();
    bool *seen = arena_array(arena, bool, END);
    ShapedText line;
    size_t count = 0;
    font_shape(&line, font, text, arena);
    for (size_t i = 0; i < line.count; i++) {
        const uint32_t c = line.items[i].character;
        if (!line.items[i].missing || c <= ' ' || seen[c])
            continue;
        seen[c] = true;
        *first = count++ ? *first : c;
    }
    arena_destroy(arena);
    return count;
}

/* ---- opening ---- */

static bool refuse(const FontSource *source, const char *what, Diag *diag)
{
    if (source->path)
        diag_file(diag, source->path);
    return diag_error(diag, "%s", what);
}

static int metric(FT_Pos value, const Face *face)
{
    const FT_Pos pixels = (value + 63) / 64,
                 max = 2 * (FT_Pos)(face->strike ? face->strike : face->pixels_per_em);
    const int own = (int)(pixels < 0 ? 0 : pixels > max ? max : pixels);
    return face->strike ? scaled(own, face) : own;
}

/* Pixels per em at which the line is as high as wanted: by the ascent and descent of Windows, else
 * those of the font, as libass takes them. */
static int em_of_line(const FT_Face face, int size)
{
    const TT_OS2 *os2 = FT_Get_Sfnt_Table(face, FT_SFNT_OS2);
    const long windows = os2 ? (short)os2->usWinAscent + (short)os2->usWinDescent : 0;
    const long line = windows ? windows : (long)face->ascender - face->descender;
    const long em = line > 0 ? ((long)size * face->units_per_EM + line / 2) / line : size;
    return (int)(em < 1 ? 1 : em > FONT_MAX_SIZE ? FONT_MAX_SIZE : em);
}

/* The smallest strike of color bitmaps that is large enough, else the largest. */
static bool select_strike(Face *own)
{
    const FT_Face face = own->face;
    FT_ULong size = 0;
    int best = -1;
    for (int i = 0; i < face->num_fixed_sizes; i++) {
        const int strike = (int)(face->available_sizes[i].y_ppem / 64);
        if (strike <= 0 || strike > MAX_STRIKE)
            continue;
        if (best < 0 || (strike > own->strike ? own->strike < own->pixels_per_em
                                              : strike >= own->pixels_per_em)) {
            best = i;
            own->strike = strike;
        }
    }
    return best >= 0 &&
           !FT_Load_Sfnt_Table(face, FT_MAKE_TAG('C', 'B', 'D', 'T'), 0, NULL, &size) &&
           check_memory(FT_Select_Size(face, best));
}

static bool scale_face(Face *own, const FontSource *source, const FontSpec *spec, Diag *diag)
{
    const bool outlines = FT_IS_SCALABLE(own->face);
    own->pixels_per_em =
        spec->unit == FONT_PER_LINE && outlines ? em_of_line(own->face, spec->size) : spec->size;
    if (!outlines)
        return select_strike(own) ||
               refuse(source, "bitmap fonts are not supported; expected outlines or color", diag);
    return check_memory(FT_Set_Pixel_Sizes(own->face, 0, (FT_UInt)own->pixels_per_em)) ||
           refuse(source, "font cannot be scaled", diag);
}

static void enlarge(int *largest, int value)
{
    *largest = value > *largest ? value : *largest;
}

static bool open_face(Font *font, const FontSource *source, Diag *diag)
{
    Face *own = &font->faces[font->face_count++];
    if (!source->bytes.data) {
        enlarge(&font->ascent, GLYPH_HEIGHT * font->scale);
        enlarge(&font->descent, GLYPH_DESCENT * font->scale);
        return true;
    }
    if (source->bytes.size > INT_MAX)
        return refuse(source, "font file is too large", diag);
    if (!check_memory(FT_New_Memory_Face(font->library, source->bytes.data,
                                         (FT_Long)source->bytes.size, source->face, &own->face)))
        return refuse(source, "not a TrueType or OpenType font", diag);
    if (!scale_face(own, source, &font->spec, diag))
        return false;
    const FT_Size_Metrics *metrics = &own->face->size->metrics;
    enlarge(&font->ascent, metric(metrics->ascender, own));
    enlarge(&font->descent, metric(-metrics->descender, own));
    open_shaper(own, source);
    return true;
}

static bool open_faces(Font *font, Diag *diag)
{
    static const FontSource built_in = {0};
    const FontSources *sources = &font->spec.sources;
    unsetenv("FREETYPE_PROPERTIES"); /* read by FT_Init_FreeType; it would change the glyphs */
    if (!check_memory(FT_Init_FreeType(&font->library)))
        return diag_error(diag, "FreeType cannot be initialized");
    open_buffer(font);
    font->faces = arena_array(font->arena, Face, sources->count + 1);
    for (size_t i = 0; i < sources->count; i++)
        if (!open_face(font, &sources->items[i], diag))
            return false;
    return sources->count || open_face(font, &built_in, diag);
}

Font *font_open(const FontSpec *spec, Diag *diag)
{
    parser_enter("font");
    assert(spec->size > 0 && spec->size <= FONT_MAX_SIZE);
    const int scale = spec->size / FONT_BUILT_IN_EM;
    Arena *arena = arena_create();
    Font *font = arena_array(arena, Font, 1);
    font->arena = arena;
    font->spec = *spec;
    font->scale = scale ? scale : 1;
    if (open_faces(font, diag))
        return font;
    font_close(font);
    return NULL;
}

void font_close(Font *font)
{
    if (!font)
        return;
    close_shapers(font);
    for (size_t i = 0; i < font->face_count; i++)
        FT_Done_Face(font->faces[i].face);
    FT_Done_FreeType(font->library);
    arena_destroy(font->arena);
}
