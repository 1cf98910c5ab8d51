// SPDX-License-Identifier: MIT
#include "film/film_fonts.h"

#include <inttypes.h>
#include <string.h>
#include <utf8proc.h>

#include "film/film.h"
#include "typesetting/text_fonts.h"

void film_fonts_add(Film *film, const char *key, FontSources fonts, Arena *arena)
{
    *arena_push(arena, &film->fonts) = (FilmFontUse){key, fonts};
    for (size_t i = 0; i < fonts.count; i++)
        *arena_push(arena, &film->font_files) = fonts.items[i];
}

static bool is_installed(const char *font)
{
    return font && !strcmp(font, FONT_AUTO);
}

static const char *advice(const char *key, const char *font, Arena *arena)
{
    if (is_installed(font))
        return text_fonts_advice();
    return font ? ""
                : arena_printf(arena, "; set %s.font to auto or to a font file that has them", key);
}

bool film_fonts_check(const Film *film, const char *key, const FontSources *fonts, const char *font,
                      const char *text, Arena *arena, Diag *diag)
{
    const FontSpec spec = {.sources = *fonts, .size = FONT_BUILT_IN_EM};
    const DiagLocation *location = job_location(film->job, key, NULL, arena);
    uint32_t first = 0;
    utf8proc_uint8_t character[5] = {0};
    Font *opened = font_open(&spec, diag);
    const size_t count = opened ? font_missing(opened, text, &first) : 0;
    font_close(opened);
    utf8proc_encode_char((utf8proc_int32_t)first, character);
    return opened &&
           (!count ||
            diag_warn_at(diag, location, WARN_MISSING_GLYPH,
                         "%zu character%s not in %s, e.g. U+%04" PRIX32 " '%s': drawn as %s%s",
                         count, count == 1 ? " is" : "s are",
                         !fonts->count        ? "the built-in font"
                         : is_installed(font) ? "any installed font"
                                              : "the font",
                         first, (const char *)character, count == 1 ? "a box" : "boxes",
                         advice(key, font, arena)));
}

bool film_fonts_load(FontSources *out, Film *film, const char *key, const char *font,
                     const char *text, Arena *arena, Diag *diag)
{
    *out = (FontSources){0};
    if (is_installed(font))
        *out = text_fonts_find(&film->font_files, text, arena);
    else if (font && !text_fonts_load(out, &film->font_files, font, arena, diag))
        return false;
    film_fonts_add(film, key, *out, arena);
    return film_fonts_check(film, key, out, font, text, arena, diag);
}
