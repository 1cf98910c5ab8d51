// SPDX-License-Identifier: MIT
#include "typesetting/text_fonts.h"

#include <inttypes.h>
#include <string.h>
#include <utf8proc.h>

#include "base/path.h"
#include "base/text_escape.h"
#include "typesetting/font_catalog.h"

const char *text_fonts_advice(void)
{
    return font_catalog_version()
               ? "; install a font that has them, such as fonts-noto-cjk or fonts-ipafont"
               : "; this program was built without fontconfig, which finds installed fonts";
}

const char *text_fonts_names(const FontSources *fonts, Arena *arena)
{
    const char *names = fonts->count ? "" : "built-in";
    for (size_t i = 0; i < fonts->count; i++) {
        const FontSource *font = &fonts->items[i];
        names = arena_printf(arena, "%s%s%s", names, i ? ", " : "",
                             font->family ? font->family
                             : font->path ? path_name(font->path)
                                          : "built-in");
    }
    return names;
}

static bool read_file(FontSource *font, const FontSources *read, Arena *arena, Diag *diag)
{
    for (size_t i = 0; read && i < read->count; i++)
        if (read->items[i].path && !strcmp(read->items[i].path, font->path)) {
            font->bytes = read->items[i].bytes;
            return true;
        }
    return file_load(&font->bytes, font->path, FILE_MAX_SIZE, arena, diag);
}

bool text_fonts_load(FontSources *out, const FontSources *read, const char *file, Arena *arena,
                     Diag *diag)
{
    FontSource font = {.path = file};
    *out = (FontSources){0};
    diag_file(diag, file);
    if (!read_file(&font, read, arena, diag))
        return false;
    diag_file(diag, NULL);
    *arena_push(arena, out) = font;
    return true;
}

/* Fonts of formats that are not supported, such as other color fonts, are skipped. */
static bool is_usable(const FontSource *font)
{
    Diag silent = diag_quiet();
    FontSource copy = *font;
    const FontSpec spec = {.sources = {&copy, 1, 1}, .size = FONT_BUILT_IN_EM};
    Font *opened = font_open(&spec, &silent);
    font_close(opened);
    return opened != NULL;
}

static size_t count_missing(const FontSources *fonts, const char *text)
{
    Diag silent = diag_quiet();
    const FontSpec spec = {.sources = *fonts, .size = FONT_BUILT_IN_EM};
    uint32_t first;
    Font *font = font_open(&spec, &silent);
    const size_t count = font ? font_missing(font, text, &first) : 0;
    font_close(font);
    return count;
}

FontSources text_fonts_find(const FontSources *read, const char *text, Arena *arena)
{
    FontSources found = {0}, fonts = {0};
    Diag silent = diag_quiet();
    font_catalog_choose(&found, text, arena);
    for (size_t i = 0; i < found.count; i++)
        if (read_file(&found.items[i], read, arena, &silent) && is_usable(&found.items[i]))
            *arena_push(arena, &fonts) = found.items[i];
    const size_t missing = fonts.count ? count_missing(&fonts, text) : 0;
    if (missing) {
        FontSources with_built_in = fonts;
        *arena_push(arena, &with_built_in) = (FontSource){0};
        if (count_missing(&with_built_in, text) < missing)
            return with_built_in;
    }
    return fonts;
}

static bool warn_missing(Font *font, const char *text, Diag *diag)
{
    uint32_t first;
    utf8proc_uint8_t character[5] = {0};
    const size_t count = font_missing(font, text, &first);
    if (!count)
        return true;
    utf8proc_encode_char((utf8proc_int32_t)first, character);
    return diag_warn(
        diag, WARN_MISSING_GLYPH,
        "%zu character%s of the labels %s in no font of this machine, e.g. U+%04" PRIX32
        " '%s': drawn as boxes%s",
        count, count == 1 ? "" : "s", count == 1 ? "is" : "are", first, (const char *)character,
        text_fonts_advice());
}

bool text_fonts_find_for_labels(FontSources *out, const char *text, Arena *arena, Diag *diag)
{
    const char *shown = text_escape(text, arena);
    *out = text_fonts_find(NULL, shown, arena);
    const FontSpec spec = {.sources = *out, .size = FONT_BUILT_IN_EM};
    Font *font = font_open(&spec, diag);
    const bool good = font && warn_missing(font, shown, diag);
    font_close(font);
    return good;
}
