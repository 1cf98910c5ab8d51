// SPDX-License-Identifier: MIT
/*
 * traits.h - which features affect each bone of a model
 *
 * The position of a bone depends on its own rules, its parent's and its append source's.  Programs
 * disagree about some rules, so differences are reported by these features.
 */
#ifndef ORACLE_TRAITS_H
#define ORACLE_TRAITS_H

#include <stdint.h>

#include "base/arena.h"
#include "scene/model.h"

typedef enum Trait {
    TRAIT_APPEND = 1,
    TRAIT_APPEND_MOVE = 2, /* append of translation */
    TRAIT_APPEND_LOCAL = 4,
    TRAIT_FIXED_AXIS = 8,
    TRAIT_MORPHED = 16, /* several bone morphs move it */
    TRAIT_EARLY = 32,   /* it precedes its parent in the order */
    TRAIT_IK = 64,
    TRAIT_IK_LIMITED = 128, /* by a link with limits on several axes */
    TRAIT_LOCAL_KNEE = 256, /* by a hinge with a local axis */
    TRAIT_IK_FOOT = 512     /* by a chain of one link, as a toe's is */
} Trait;

typedef struct Traits {
    unsigned *of;     /* [bone_count] Trait bits */
    uint64_t *chains; /* [bone_count] bit i: ik_bones[i] moves it (the first 64) */
} Traits;

Traits traits_of(const Model *model, Arena *arena);

#endif
