/*
 * kept.h - which targets of an effect MME would keep from frame to frame
 */
#pragma once

#include "base/arena.h"
#include "effect/effect.h"

/* The name of the first target that a pre- or post-effect reads before it draws on it, in the order
 * of its script; NULL: none.  Here such a target is empty at the start of each frame. */
const char *fx_kept_target(const Effect *effect, Arena *arena);
