// SPDX-License-Identifier: MIT
/*
 * caption.h - a line of text in a corner of every frame
 *
 * White glyphs with a black outline.  The size follows the image height and is reduced, where
 * possible, until the longest text fits the width; a text that is still too wide is clipped at the
 * right.  A character without a glyph is drawn as a box.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "picture/picture_options.h"
#include "typesetting/font.h"

typedef struct Caption Caption;

typedef struct CaptionSpec {
    FontSources fonts;
    CaptionCorner corner;
    const char *longest; /* the longest expected text; it must contain every character used, except
                            digits */
    int width, height;   /* size of the images, pixels */
} CaptionSpec;

/* Returns NULL after an error: a font cannot be loaded (typesetting/font.h). */
Caption *caption_create(const CaptionSpec *spec, Arena *arena, Diag *diag);
void caption_destroy(Caption *caption); /* NULL is fine */
void caption_draw(Image *image, const Caption *caption, const char *text);
