#include "film/burn_in.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <utf8proc.h>

#include "film/film.h"
#include "job/burn_in_text.h"
#include "typesetting/font_catalog.h"
#include "typesetting/label_font.h"

/* The font size fits the text of this frame.  It is the same for every range of frames, so that a
 * shard draws text of the same size as a render of the whole film. */
enum { LONGEST_TEXT_FRAME = 99999 };

Caption *burn_in_caption(const Film *film, Arena *arena, Diag *diag)
{
    const JobBurnIn *burn_in = film->job->burn_in;
    char longest[BURN_IN_TEXT_SIZE];

    assert(burn_in);
    burn_in_text(longest, film->job, LONGEST_TEXT_FRAME);
    const CaptionSpec spec = {.font = film->burn_in_font,
                              .corner = (CaptionCorner)burn_in->corner,
                              .longest = longest,
                              .width = film->render.width,
                              .height = film->render.height};
    diag_file(diag, film->burn_in_font_file);
    Caption *caption = caption_create(&spec, arena, diag);
    diag_file(diag, NULL);
    return caption;
}

/* What to do about characters that a font lacks. */
static const char *advice(const Film *film)
{
    const JobBurnIn *burn_in = film->job->burn_in;
    if (burn_in->font && !strcmp(burn_in->font, FONT_AUTO))
        return label_font_advice();
    return burn_in->font ? "" : "; set burn_in.font to auto or to a font file that has them";
}

static bool warn_missing_glyphs(const Film *film, const Caption *caption, Diag *diag)
{
    uint32_t first;
    utf8proc_uint8_t text[5] = {0};
    const size_t count = caption_missing(caption, &first);
    if (!count)
        return true;
    utf8proc_encode_char((utf8proc_int32_t)first, text);
    return diag_warn(diag, WARN_MISSING_GLYPH,
                     "burn_in: %zu character%s not in %s, e.g. U+%04" PRIX32 " '%s': drawn as %s%s",
                     count, count == 1 ? " is" : "s are",
                     film->burn_in_font_file ? "the font" : "the built-in font", first,
                     (const char *)text, count == 1 ? "a box" : "boxes", advice(film));
}

/* The installed font for the text of this film; the built-in font if there is none. */
static void find_font(Film *film, Arena *arena)
{
    FontFile found;
    char longest[BURN_IN_TEXT_SIZE];
    burn_in_text(longest, film->job, LONGEST_TEXT_FRAME);
    if (!font_catalog_find(&found, NULL, longest, arena))
        return;
    film->burn_in_font_file = found.path;
    film->burn_in_font.face = found.face;
}

bool burn_in_load(Film *film, Arena *arena, Diag *diag)
{
    const JobBurnIn *burn_in = film->job->burn_in;
    if (!burn_in)
        return true;
    film->burn_in_font_file = burn_in->font;
    if (burn_in->font && !strcmp(burn_in->font, FONT_AUTO)) {
        film->burn_in_font_file = NULL;
        find_font(film, arena);
    }
    diag_file(diag, film->burn_in_font_file);
    if (film->burn_in_font_file &&
        !file_load(&film->burn_in_font.bytes, film->burn_in_font_file, FILE_MAX_SIZE, arena, diag))
        return false;
    Arena *scratch = arena_create();
    Caption *caption = burn_in_caption(film, scratch, diag);
    diag_file(diag, film->job->file);
    const bool ok = caption && warn_missing_glyphs(film, caption, diag);
    diag_file(diag, NULL);
    caption_destroy(caption);
    arena_destroy(scratch);
    return ok;
}
