// SPDX-License-Identifier: MIT
/*
 * sequence.h - several motions of a model one after another, as one motion
 *
 * Each part is a range of frames of a motion, repeated, mirrored, and faded into from the part
 * before.  Outside of fades the keys of the motions are kept, with their curves.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "scene/motion.h"

/* NULL after an error: an empty range, a fade that is longer than its part, too many keys. */
const VmdMotion *sequence_join(const MotionLayer *parts, size_t count, Arena *arena, Diag *diag);
