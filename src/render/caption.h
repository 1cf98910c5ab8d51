/*
 * caption.h - a line of text in a corner of finished pictures
 *
 * White letters with a dark rim, whole pixels from the picture's edge, as large as suits its height
 * and, if it can be, small enough for its width; a line that is too long is cut at the right.  The
 * built-in letters (base/bitmap_font.h) or a font's; no font of the machine.  A character that is
 * not there is a box.
 */
#ifndef RENDER_CAPTION_H
#define RENDER_CAPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/image.h"

typedef enum CaptionCorner {
    CAPTION_TOP_LEFT,
    CAPTION_TOP_RIGHT,
    CAPTION_BOTTOM_LEFT,
    CAPTION_BOTTOM_RIGHT
} CaptionCorner;

typedef struct CaptionSpec {
    Bytes font; /* a file's; data NULL: the built-in letters */
    CaptionCorner corner;
    const char
        *longest; /* the longest text that will come, of all the characters that will, but digits */
    int width, height; /* of the pictures */
} CaptionSpec;

typedef struct Caption Caption;

/* NULL after an error: the font is none (see format/font.h). */
Caption *caption_create(const CaptionSpec *spec, Arena *arena, Diag *diag);

/* How many characters are drawn as boxes, and the first of them. */
size_t caption_missing(const Caption *caption, uint32_t *first);

void caption_draw(Image *image, const Caption *caption, const char *text);

#endif
