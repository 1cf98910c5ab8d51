/*
 * picture.h - any picture file to an Image
 *
 * PNG, BMP (32-bit alpha as Direct3D reads it), TGA, JPEG, DDS, GIF (first frame); what an
 * extension says does not matter (.sph and .spa are BMP, PNG or JPEG), the bytes do.  TGA has no
 * mark and is tried last. Decoded by libavcodec, one thread, no other protocol than the bytes
 * given. The reference, section 5, says how each kind is read.  Row 0 is the top.  16 bits a
 * channel are rounded to 8; colour profiles and gamma are ignored, as MMD does.  One gap of
 * libavcodec's: the one transparent value of a grey PNG of less than 8 bits is not seen.
 */
#ifndef MEDIA_PICTURE_H
#define MEDIA_PICTURE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/image.h"

enum { PICTURE_MAX_PIXELS = 1 << 26 }; /* 8192 x 8192, or 16384 x 4096: 256 MiB */

/* Pixels go into the arena.  Errors: DIAG_DATA, with the reason (kind, size, limit). */
bool picture_load(Image *image, Bytes bytes, Arena *arena, Diag *diag);

#endif
