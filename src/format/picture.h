/*
 * picture.h - any picture file to an Image
 *
 * PNG, BMP (32-bit alpha as Direct3D reads it), TGA, JPEG, DDS, GIF (first frame); what an extension
 * says does not matter (.sph and .spa are BMP, PNG or JPEG), the bytes do.  TGA has no mark and is
 * tried last.
 * Decoded by libavcodec, one thread, no other protocol than the bytes given.
 * The reference, section 5, says how each kind is read.  Row 0 is the top.
 */
#ifndef FORMAT_PICTURE_H
#define FORMAT_PICTURE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/image.h"

/* Pixels go into the arena.  Errors: DIAG_DATA, with the reason (kind, size, limit). */
bool picture_load(Image *image, Bytes bytes, Arena *arena, Diag *diag);

#endif
