#include "format/font.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <ft2build.h>
#include FT_FREETYPE_H

/* Glyphs of a damaged font may have any size; larger ones count as missing. */
enum { MAX_EMS = 8 };

static bool fail_font(FT_Error error, const char *what, Diag *diag)
{
    if (error == FT_Err_Out_Of_Memory)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for the font");
    return diag_error(diag, "%s", what);
}

static bool is_too_large(const FT_GlyphSlot slot, int pixels_per_em)
{
    const FT_Pos max = (FT_Pos)MAX_EMS * pixels_per_em * 64;
    const FT_Glyph_Metrics *m = &slot->metrics;
    return m->width > max || m->height > max || labs(m->horiBearingX) > max ||
           labs(m->horiBearingY) > max || slot->advance.x > max || slot->advance.x < 0;
}

static void copy_bitmap(FontGlyph *glyph, const FT_GlyphSlot slot, Arena *arena)
{
    const FT_Bitmap *bitmap = &slot->bitmap;
    glyph->missing = false;
    glyph->left = slot->bitmap_left;
    glyph->top = slot->bitmap_top;
    glyph->advance = (int)((slot->advance.x + 32) / 64);
    glyph->width = (int)bitmap->width;
    glyph->height = (int)bitmap->rows;
    glyph->coverage = arena_calloc(arena, bitmap->rows, bitmap->width);
    /* A bitmap that is 0 pixels wide has rows, but no buffer. */
    for (unsigned y = 0; bitmap->width > 0 && y < bitmap->rows; y++)
        memcpy(glyph->coverage + (size_t)y * bitmap->width,
               bitmap->buffer + (ptrdiff_t)y * bitmap->pitch, bitmap->width);
}

/* A glyph that cannot be rendered counts as missing. */
static void read_glyph(FontGlyph *glyph, FT_Face face, int pixels_per_em, Arena *arena)
{
    const FT_UInt index = FT_Get_Char_Index(face, glyph->codepoint);
    glyph->missing = true;
    if (!index || FT_Load_Glyph(face, index, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0 ||
        is_too_large(face->glyph, pixels_per_em) ||
        FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) != 0 ||
        face->glyph->bitmap.pixel_mode != FT_PIXEL_MODE_GRAY)
        return;
    copy_bitmap(glyph, face->glyph, arena);
}

static int clamp_metric(FT_Pos value, int pixels_per_em)
{
    const FT_Pos pixels = (value + 63) / 64, max = 2 * (FT_Pos)pixels_per_em;
    return (int)(pixels < 0 ? 0 : pixels > max ? max : pixels);
}

static bool open_face(FT_Face *face, FT_Library library, Bytes file, int pixels_per_em, Diag *diag)
{
    if (file.size > LONG_MAX)
        return diag_error(diag, "font file is too large");
    FT_Error error = FT_New_Memory_Face(library, file.data, (FT_Long)file.size, 0, face);
    if (error)
        return fail_font(error, "not a TrueType or OpenType font", diag);
    if (!FT_IS_SCALABLE(*face))
        return diag_error(diag, "bitmap fonts are not supported; expected outlines");
    error = FT_Set_Pixel_Sizes(*face, 0, (FT_UInt)pixels_per_em);
    return !error || fail_font(error, "font cannot be scaled", diag);
}

bool font_load(Font *out, Bytes file, int pixels_per_em, const uint32_t *codepoints, size_t count,
               Arena *arena, Diag *diag)
{
    assert(pixels_per_em > 0 && pixels_per_em <= FONT_MAX_SIZE);
    FT_Library library;
    FT_Face face = NULL;

    unsetenv("FREETYPE_PROPERTIES"); /* read by FT_Init_FreeType; it would change the glyphs */
    const FT_Error error = FT_Init_FreeType(&library);
    if (error)
        return fail_font(error, "FreeType cannot be initialized", diag);
    const bool ok = open_face(&face, library, file, pixels_per_em, diag);
    if (ok) {
        assert(face);
        *out = (Font){.ascent = clamp_metric(face->size->metrics.ascender, pixels_per_em),
                      .descent = clamp_metric(-face->size->metrics.descender, pixels_per_em),
                      .glyphs = arena_array(arena, FontGlyph, count),
                      .count = count};
        for (size_t i = 0; i < count; i++) {
            out->glyphs[i].codepoint = codepoints[i];
            read_glyph(&out->glyphs[i], face, pixels_per_em, arena);
        }
    }
    FT_Done_Face(face);
    FT_Done_FreeType(library);
    return ok;
}
