// SPDX-License-Identifier: MIT
/*
 * overlay.h - a title or a picture, made ready to be drawn over frames
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "picture/picture_options.h"
#include "typesetting/font.h"

/* The frames that an overlay is made for. */
typedef struct FrameSize {
    int width, height; /* pixels */
    double scale;      /* pixels for each one of the film: below 1 in a preview */
} FrameSize;

/* An image with alpha and its place in the frame. */
typedef struct Overlay {
    Arena *arena; /* NULL: it is not made */
    Image image;
    int left, top;
} Overlay;

/* Decodes the file of a picture.  False after an error. */
bool overlay_read_picture(Image *image, const PictureOptions *picture, Arena *arena, Diag *diag);

/* In the arena of the overlay, which its caller has created.  A title that does not fit the frame
 * in the smallest font is clipped.  False after an error: a file cannot be read. */
bool overlay_make_picture(Overlay *overlay, const PictureOptions *picture, FrameSize frame,
                          Diag *diag);
bool overlay_make_title(Overlay *overlay, const TitleOptions *title, const FontSources *fonts,
                        FrameSize frame, Diag *diag);
void overlay_forget(Overlay *overlay);

/* opacity: 0..1, a factor. */
void overlay_draw(Image *image, const Overlay *overlay, double opacity);
