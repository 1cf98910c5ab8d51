// SPDX-License-Identifier: MIT
/*
 * dds.h - DirectDraw surfaces as textures of effects: planes and cubes with their mip levels
 *
 * BC1 to BC5, integers by masks, halves and floats, also in files with a DXGI format.  Row 0 is the
 * top.  Arrays are refused.  picture.h reads the first surface of the same files as an Image.
 */
#pragma once

#include "media/texture_file.h"

bool dds_is(Bytes bytes);

/* Bytes of the decoded texture by its header; 0 if it is not one that dds_load accepts. */
uint64_t dds_decoded_size(Bytes bytes);

/* Pixels are in the arena.  Errors: DIAG_DATA. */
bool dds_load(TextureFile *texture, Bytes bytes, Arena *arena, Diag *diag);

/* Whether pixels are integers by masks or four floating-point channels: picture.h reads them by
 * dds_load_image, all others by libavcodec. */
bool dds_has_numbers(Bytes bytes);

/* The first surface, in an image of its size.  Numbers are clamped to 0..1.  Errors: DIAG_DATA. */
bool dds_load_image(Image *image, Bytes bytes, Diag *diag);
