// SPDX-License-Identifier: MIT
/* Arbitrary bytes as a font: an error message, or lines of glyphs with all their pixels. */
#include "fuzz.h"
#include "typesetting/font_rename.h"

enum { PIXELS = 24 };

static unsigned sum;

static void read_line(Font *font, const char *text, Arena *arena)
{
    ShapedText line;
    font_shape(&line, font, text, arena);
    for (size_t i = 0; i < line.count; i++) {
        const FontGlyph *glyph = font_glyph(font, &line.items[i]);
        fuzz_require(glyph->width >= 0 && glyph->height >= 0);
        for (int k = 0; k < glyph->width * glyph->height; k++)
            sum += glyph->coverage[k];
        for (int k = 0; k < (glyph->width + 2) * (glyph->height + 2); k++)
            sum += glyph->outline[k];
    }
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    FontSource sources[] = {{.bytes = bytes}, {0}}; /* and the built-in font */
    const FontSpec spec = {.sources = {sources, 2, 2}, .size = PIXELS, .outline_width = 1};
    Font *font = font_open(&spec, diag);
    if (!font)
        return false;
    fuzz_require(font_ascent(font) >= 0 && font_descent(font) >= 0);
    read_line(font, " A\u8e0a\U0010FFFF", arena);
    fuzz_require(font_has(font, 'A'));
    read_line(font, "AA \u306f\u309a e\u0301 fi", arena);
    font_close(font);
    const Bytes renamed = font_rename(&sources[0], "other", arena);
    for (size_t i = 0; i < renamed.size; i++)
        sum += renamed.data[i];
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 1024 * 1024);
}
