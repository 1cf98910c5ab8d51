// SPDX-License-Identifier: MIT
#include "film/burn_in.h"

#include "film/film.h"
#include "job/burn_in_text.h"

/* The font size fits the text of this frame.  It is the same for every range of frames, so that a
 * shard draws text of the same size as a render of the whole film. */
enum { LONGEST_TEXT_FRAME = 99999 };

Caption *burn_in_open(const Film *film, Arena *arena, Diag *diag)
{
    char longest[BURN_IN_TEXT_SIZE];

    burn_in_text(longest, film->job, LONGEST_TEXT_FRAME);
    const CaptionSpec spec = {.fonts = film->burn_in_fonts,
                              .corner = film->job->burn_in->corner,
                              .longest = longest,
                              .width = film->render.width,
                              .height = film->render.height};
    return caption_create(&spec, arena, diag);
}

void burn_in_draw(Image *image, const Caption *caption, const Film *film, int64_t frame)
{
    char text[BURN_IN_TEXT_SIZE];
    burn_in_text(text, film->job, frame);
    caption_draw(image, caption, text);
}

bool burn_in_load(Film *film, Arena *arena, Diag *diag)
{
    const JobBurnIn *burn_in = film->job->burn_in;
    if (!burn_in)
        return true;
    char longest[BURN_IN_TEXT_SIZE];
    burn_in_text(longest, film->job, LONGEST_TEXT_FRAME);
    return film_fonts_load(&film->burn_in_fonts, film, "burn_in", burn_in->font,
                           arena_printf(arena, "0123456789%s", longest), arena, diag);
}
