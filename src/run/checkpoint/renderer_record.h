// SPDX-License-Identifier: MIT
/*
 * renderer_record.h - renderers.txt of a checkpoint directory: the renderers that drew its frames
 *
 * Another version of Mesa, LLVM or another processor draws slightly different pixels, and a film
 * must not change its look from one shard to the next.  The file has a line for each renderer, such
 * as "Mesa 22.3.6, llvmpipe (LLVM 15.0.6, 256 bits)"; the first run that draws creates it.
 */
#pragma once

#include "base/diag.h"

#define RENDERER_RECORD_NAME "renderers.txt"

/*
 * Records that a renderer is about to draw.  Safe when many machines do so at the same time.
 *
 * accept    add a renderer that is not recorded; otherwise that is an error (DIAG_CREATE)
 * returns   false after an error
 */
bool renderer_record_check(const char *directory, const char *renderer, bool accept, Diag *diag);

/* A renderer of the record that is not this one, "an unknown driver" without a record; NULL if
 * there is no other. */
const char *renderer_record_other(const char *directory, const char *renderer, Arena *arena);
