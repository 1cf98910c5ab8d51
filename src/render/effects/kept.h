// SPDX-License-Identifier: MIT
/*
 * kept.h - which targets of an effect MME would keep from frame to frame
 */
#pragma once

#include "base/arena.h"
#include "effect/effect.h"

/* The name of the first target that an effect reads before it draws on it, in the order of its
 * techniques and their scripts; NULL: none.  Such a target is empty at the start of each frame
 * without effects.history. */
const char *fx_kept_target(const Effect *effect, Arena *arena);
