/*
 * caption.h - a line of text in a corner of finished images
 *
 * White glyphs with a black outline.  The size follows the image height and is reduced, where
 * possible, until the longest text fits the width; a text that is still too wide is clipped at the
 * right.  Uses the built-in bitmap font or a given font file (typesetting/font.h).  A character
 * without a glyph is drawn as a box.
 */
#ifndef FILM_CAPTION_H
#define FILM_CAPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "job/job.h"
#include "typesetting/font.h"

typedef struct CaptionSpec {
    FontSource font;
    CaptionCorner corner;
    const char *longest; /* the longest expected text; it must contain every character used, except
                            digits */
    int width, height;   /* of the images, pixels */
} CaptionSpec;

typedef struct Caption Caption;

/* Returns NULL after an error: the font cannot be loaded (typesetting/font.h). */
Caption *caption_create(const CaptionSpec *spec, Arena *arena, Diag *diag);

void caption_destroy(Caption *caption); /* NULL is fine */

/* Number of characters that are drawn as boxes; *first is set to the first of them. */
size_t caption_missing(const Caption *caption, uint32_t *first);

void caption_draw(Image *image, const Caption *caption, const char *text);

#endif
