// SPDX-License-Identifier: MIT
/*
 * picture.h - decodes an image file to an Image
 *
 * PNG, BMP, TGA, JPEG, DDS, GIF (first frame) and WebP.  The format is detected from the bytes, not
 * from the file name (.sph and .spa files are BMP, PNG or JPEG); media/README.md 1 describes how
 * each is read.  Row 0 is the top.  16 bits per channel are rounded to 8; color profiles and gamma
 * are ignored, as in MMD.  Decoded by libavcodec or libwebp in one thread.  Limitation of
 * libavcodec: the transparent value of a gray PNG with fewer than 8 bits is ignored.  No function
 * keeps state.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/image.h"

enum { PICTURE_MAX_PIXELS = 1 << 26 }; /* 8192 x 8192, or 16384 x 4096: 256 MiB */

/* Width and height by the header, without decoding anything; false if the format is unknown or the
 * header is truncated. */
bool picture_size(int64_t *width, int64_t *height, Bytes bytes);

/* Pixels are in the arena.  Errors: DIAG_DATA, with the reason (format, size, limit). */
bool picture_load(Image *image, Bytes bytes, Arena *arena, Diag *diag);

/* Also the unrounded samples, R G B A, of an image of 16 bits a channel; NULL for others. has_alpha
 * is that of these samples. */
bool picture_load_16(Image *image, const uint16_t **words, Bytes bytes, Arena *arena, Diag *diag);

/* The value of an IEEE 754 binary16. */
float picture_half(uint16_t half);
