// SPDX-License-Identifier: MIT
/*
 * gif_file.h - a GIF whose images share one palette
 *
 * All images pass twice: first their colors are counted, then they are encoded with the palette
 * that fits all of them (pixels/palette.h).  Pixels that do not change are omitted.  Not
 * thread-safe.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "output/sink.h"

typedef struct GifFile GifFile;

/* The options must outlive the file.  When *stop becomes something other than 0 writing fails soon,
 * without an error; NULL: never.  NULL after an error. */
GifFile *gif_file_create(const SinkOptions *options, const volatile sig_atomic_t *stop,
                         Arena *arena, Diag *diag);

/* Removes what is not committed; NULL is fine. */
void gif_file_destroy(GifFile *gif);

/* The first pass: RGBA images of the size in the options, in any order. */
void gif_file_count(GifFile *gif, const Image *image);

/* The second pass: the same images in their order. */
bool gif_file_write(GifFile *gif, const Image *image, Diag *diag);

bool gif_file_commit(GifFile *gif, Diag *diag);
