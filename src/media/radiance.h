// SPDX-License-Identifier: MIT
/*
 * radiance.h - Radiance pictures (.hdr) as textures of effects
 *
 * Shared exponents, run-length coded or not, become four floats with alpha 1.  Values are those of
 * the file: EXPOSURE and COLORCORR are not applied.
 */
#pragma once

#include "media/texture_file.h"

bool radiance_is(Bytes bytes);

/* Bytes of the decoded picture by its header; 0 if it is not one that radiance_load accepts. */
uint64_t radiance_decoded_size(Bytes bytes);

/* Pixels are in the arena.  Errors: DIAG_DATA. */
bool radiance_load(TextureFile *texture, Bytes bytes, Arena *arena, Diag *diag);
