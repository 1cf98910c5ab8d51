// SPDX-License-Identifier: MIT
#include "typesetting/subtitle_fonts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_TRUETYPE_TABLES_H

#include "base/memory.h"
#include "base/parser_entry.h"

enum { MAX_FACES = 64, LINES_PER_EM = 4 }; /* at most so many lines of text in an em */

/* ---- attached fonts: four characters for three bytes, 6 bits each from '!' on ---- */

static const char FONTS[] = "[Fonts]";

typedef struct Decoder {
    FontSources *fonts;
    const char *name; /* NULL: no font has begun */
    ARENA_LIST(char) text;
    Arena *arena;
} Decoder;

/* libass ignores a font with a single character at the end. */
static void end_font(Decoder *d)
{
    const size_t count = d->text.count;
    uint8_t *bytes = arena_array(d->arena, uint8_t, count + 1);
    size_t size = 0;
    uint32_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        bits = bits << 6 | (((uint32_t)(unsigned char)d->text.items[i] - 33) & 63);
        if (i % 4)
            bytes[size++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
    }
    if (d->name && size && count % 4 != 1)
        *arena_push(d->arena, d->fonts) = (FontSource){.path = d->name, .bytes = {bytes, size}};
    d->name = NULL;
    d->text.count = 0;
}

static void read_font_line(Decoder *d, const char *line, size_t size)
{
    static const char key[] = "fontname:";
    if (size >= sizeof key - 1 && !memcmp(line, key, sizeof key - 1)) {
        end_font(d);
        line += sizeof key - 1;
        size -= sizeof key - 1;
        const size_t spaces = strspn(line, " \t");
        d->name = arena_strndup(d->arena, line + (spaces < size ? spaces : size),
                                spaces < size ? size - spaces : 0);
        return;
    }
    for (size_t i = 0; d->name && i < size; i++)
        *arena_push(d->arena, &d->text) = line[i];
}

/* The section that a line begins; NULL if it begins none: encoded bytes may start with '[', too. */
static const char *find_section(const char *line)
{
    static const char *const names[] = {FONTS, "[Script Info]", "[V4 Styles]", "[V4+ Styles]",
                                        "[Events]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncasecmp(line, names[i], strlen(names[i])))
            return names[i];
    return NULL;
}

void subtitle_fonts_add_attached(FontSources *out, const char *script, Arena *arena)
{
    Decoder d = {.fonts = out, .arena = arena};
    bool inside = false;
    for (const char *line = script; *line;) {
        const size_t size = strcspn(line, "\r\n");
        const char *section = find_section(line + strspn(line, " \t"));
        if (section) {
            end_font(&d);
            inside = section == FONTS;
        } else if (inside) {
            read_font_line(&d, line, size);
        }
        line += size;
        line += strspn(line, "\r\n");
    }
    end_font(&d);
}

/* ---- sizes ---- */

/* The line heights that versions of libass may use, in units of the font; the smallest. */
static long line_height(const FT_Face face)
{
    const TT_OS2 *os2 = FT_Get_Sfnt_Table(face, FT_SFNT_OS2);
    const long windows = os2 ? labs((long)(short)os2->usWinAscent + (short)os2->usWinDescent) : 0;
    const long typographic = os2 ? labs((long)os2->sTypoAscender - os2->sTypoDescender) : 0;
    const long own = labs((long)face->ascender - face->descender);
    long least = 0;
    if (windows || own)
        least = windows && (!own || windows < own) ? windows : own;
    else
        least = typographic ? typographic : labs(face->bbox.yMax - face->bbox.yMin);
    return least;
}

static void enlarge(long *largest, long value)
{
    if (labs(value) > *largest)
        *largest = labs(value);
}

static void measure_glyphs(double *growth, const FT_Face face, double line)
{
    long width = 0, height = 0;
    for (long i = 0; i < face->num_glyphs; i++) {
        const FT_Error error = FT_Load_Glyph(face, (FT_UInt)i, FT_LOAD_NO_SCALE);
        const FT_Glyph_Metrics *m = &face->glyph->metrics;
        if (error == FT_Err_Out_Of_Memory)
            memory_exhausted(0);
        if (error)
            continue;
        enlarge(&width, m->horiBearingX);
        enlarge(&width, m->horiBearingX + m->width);
        enlarge(&width, m->horiAdvance);
        enlarge(&height, m->height);
        enlarge(&height, m->horiBearingY);
        enlarge(&height, m->horiBearingY - m->height);
    }
    const double lines = SUBTITLE_GLYPH_LINES * line;
    *growth = fmax(*growth, fmax((double)width / lines, 1) * fmax((double)height / lines, 1));
}

static bool measure_face(double *growth, const FT_Face face, Diag *diag)
{
    const long line = line_height(face),
               least = (face->units_per_EM + LINES_PER_EM - 1) / LINES_PER_EM;
    if (!FT_IS_SCALABLE(face) || !face->units_per_EM)
        return diag_error(diag, "not a TrueType or OpenType font with outlines");
    if (line < least)
        return diag_error(
            diag, "the line height of the font, %ld units, is too small (at least 1/%d em: %ld)",
            line, LINES_PER_EM, least);
    measure_glyphs(growth, face, (double)line);
    return true;
}

static bool measure_faces(double *growth, FT_Library library, Bytes file, Diag *diag)
{
    for (long i = 0, count = 1; i < count; i++) {
        FT_Face face;
        const FT_Error error = FT_New_Memory_Face(library, file.data, (FT_Long)file.size, i, &face);
        if (error == FT_Err_Out_Of_Memory)
            memory_exhausted(0);
        if (error)
            return diag_error(diag, "not a TrueType or OpenType font with outlines");
        count = face->num_faces;
        const bool good = count > MAX_FACES ? diag_error(diag, "%ld fonts in a file (at most %d)",
                                                         count, MAX_FACES)
                                            : measure_face(growth, face, diag);
        FT_Done_Face(face);
        if (!good)
            return false;
    }
    return true;
}

bool subtitle_fonts_measure(double *growth, Bytes file, Diag *diag)
{
    FT_Library library;
    parser_enter("subtitle_font");
    if (FT_Init_FreeType(&library) != 0)
        memory_exhausted(0);
    const bool good = measure_faces(growth, library, file, diag);
    FT_Done_FreeType(library);
    return good;
}
