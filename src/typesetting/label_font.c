// SPDX-License-Identifier: MIT
#include "typesetting/label_font.h"

#include <inttypes.h>
#include <utf8proc.h>

#include "base/text_escape.h"
#include "typesetting/font_catalog.h"

const char *label_font_advice(void)
{
    return font_catalog_version()
               ? "; install a font that has them, such as fonts-noto-cjk or fonts-ipafont"
               : "; this program was built without fontconfig, which finds installed fonts";
}

/* The built-in font if there is none, or it cannot be read. */
static FontSource find(const char *text, Arena *arena)
{
    FontSource source = {0};
    FontFile found;
    Diag silent = diag_quiet();
    if (font_catalog_find(&found, NULL, text, arena) &&
        file_load(&source.bytes, found.path, FILE_MAX_SIZE, arena, &silent))
        source.face = found.face;
    else
        source.bytes = (Bytes){0};
    return source;
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
        label_font_advice());
}

bool label_font_load(FontSource *out, const char *text, Arena *arena, Diag *diag)
{
    const FontSpec spec = {.source = find(text, arena), .pixels_per_em = FONT_BUILT_IN_EM};
    Font *font = font_open(&spec, diag);
    const bool good = font && warn_missing(font, text_escape(text, arena), diag);
    font_close(font);
    *out = spec.source;
    return good;
}
