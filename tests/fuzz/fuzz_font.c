/* Arbitrary bytes as a font: an error message, or glyphs with all their pixels. */
#include "format/font.h"
#include "fuzz.h"

enum { PIXELS = 24 };

static unsigned sum;

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    static const uint32_t codepoints[] = {' ', 'A', 0x8E0A, 0x10FFFF};
    enum { COUNT = sizeof codepoints / sizeof *codepoints };
    Font font;
    if (!font_load(&font, bytes, PIXELS, codepoints, COUNT, arena, diag))
        return false;
    fuzz_require(font.count == COUNT && font.ascent >= 0 && font.descent >= 0);
    for (size_t i = 0; i < font.count; i++) {
        const FontGlyph *glyph = &font.glyphs[i];
        fuzz_require(glyph->width >= 0 && glyph->height >= 0);
        for (int k = 0; k < glyph->width * glyph->height; k++)
            sum += glyph->coverage[k];
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 16 * 1024 * 1024 + 32 * size);
}
