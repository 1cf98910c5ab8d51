// SPDX-License-Identifier: MIT
/*
 * animation.h - the frames of an animated GIF or PNG as a texture of effects
 */
#pragma once

#include "media/texture_file.h"

enum { ANIMATION_MAX_FRAMES = 4096 };

/*
 * Decodes all frames, complete pictures as a player shows them, and sets the file of `diag`.  A
 * frame without a duration lasts 0.1 s.
 *
 * animated   set to false, without an error, if the file has another format
 * max_bytes  of the pixels of all frames; more is an error of kind DIAG_RESOURCE
 */
bool animation_load(TextureFile *texture, bool *animated, const char *path, uint64_t max_bytes,
                    Arena *arena, Diag *diag);
