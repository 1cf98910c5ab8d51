// SPDX-License-Identifier: MIT
/*
 * canvas.h - an image that is composed of other images and lines of text
 *
 * Text is drawn in installed fonts that have its characters (typesetting/text_fonts.h), which is
 * why these pictures differ from machine to machine.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "typesetting/font.h"

typedef struct Canvas {
    Image image;
    FontSources fonts;
    Arena *arena;
} Canvas;

typedef enum CanvasInk { INK_TEXT, INK_SOFT } CanvasInk;

extern const uint8_t canvas_ground[3], canvas_panel[3];

/* An image of one color.  text: all characters that will be drawn, for the choice of the font; a
 * warning reports those that it lacks, and an error if --strict makes it one. */
bool canvas_init(Canvas *canvas, int width, int height, const char *text, Arena *arena, Diag *diag);

/* Fills a rectangle; anything outside is clipped. */
void canvas_fill(Canvas *canvas, int x, int y, int width, int height, const uint8_t color[3]);

/* Copies an image as it is; anything outside is clipped. */
void canvas_blit(Canvas *canvas, int x, int y, const Image *image);

/* A line of text of at most `width` pixels: a longer one is drawn smaller, down to half of the
 * size, and then cut.  baseline: of the letters.  Control characters are shown as escapes. */
bool canvas_text(Canvas *canvas, int x, int baseline, int width, int pixels_per_em, CanvasInk ink,
                 const char *text, Diag *diag);

/* Saves it as PNG; an existing file is replaced. */
bool canvas_save(const Canvas *canvas, const char *file, Diag *diag);
