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
#include "format/motion/vmd.h"

typedef struct SequencePart {
    const VmdMotion *vmd;
    int from, to; /* frames of the motion; to -1: its last key */
    int at;       /* frame of the film; -1: when the part before has ended, or fades out */
    int fade;     /* frames that it takes to replace the part before */
    int loop;     /* how often it is played */
    bool mirror;  /* left and right are exchanged */
    const DiagLocation *location; /* or NULL */
} SequencePart;

/* NULL after an error: an empty range, a fade that is longer than its part, too many keys. */
const VmdMotion *sequence_join(const SequencePart *parts, size_t count, Arena *arena, Diag *diag);
