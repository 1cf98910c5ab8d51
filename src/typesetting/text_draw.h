// SPDX-License-Identifier: MIT
/*
 * text_draw.h - draws a line of text into an image, with an outline
 */
#pragma once

#include "base/image.h"
#include "typesetting/font.h"

typedef struct TextColors {
    uint8_t fill[3], outline[3];
} TextColors;

/* Blends a color with a coverage 0..255 over a pixel with straight alpha. */
void text_blend(uint8_t pixel[4], const uint8_t color[3], unsigned cover);

/* Pixels from the start of the line to the right edge of its ink. */
int text_width(Font *font, const char *text);

/* x: start of the line; baseline: row below its lowest row of letters without descenders.  Outlines
 * are drawn below all letters, by the outline width of the font.  Blends over straight alpha;
 * anything outside the image is clipped. */
void text_draw(Image *image, Font *font, const TextColors *colors, int x, int baseline,
               const char *text);
