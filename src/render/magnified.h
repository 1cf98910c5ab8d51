// SPDX-License-Identifier: MIT
/*
 * magnified.h - materials of a stage whose texture is magnified wherever they are seen
 *
 * Their texture needs no mip level but the first.  llvmpipe then neither computes derivatives nor
 * looks up the sizes of levels, and the pixels are the same (render/README.md 6.3).
 */
#pragma once

#include "render/draw_context.h"

/* Sets `magnified` of the materials of a stage in view. */
void magnified_find(Actor *actor, const DrawContext *context);
