// SPDX-License-Identifier: MIT
/*
 * vrm_names.h - bones and expressions of VRM figures, and their names in MMD
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* MMD's name of a bone of the humanoid ("leftHand": "左手首"); older: as VRM 0.x names it.  NULL:
 * it has none. */
const char *vrm_name_bone(const char *human, bool older, Arena *arena);

/* The bone of the humanoid that has such a name in MMD; NULL: none. */
const char *vrm_find_human(const char *mmd, bool older, Arena *arena);

typedef struct VrmPreset {
    const char *name, *older; /* in VRM 1.0; in 0.x, "" if it has none */
    const char *mmd;
    uint8_t panel; /* of PmxMorph */
} VrmPreset;

/* The preset with that name, NULL for a custom expression.  older: as VRM 0.x names it. */
const VrmPreset *vrm_preset_find(const char *name, bool older);

/* The preset for a morph with that name in MMD; NULL: none. */
const VrmPreset *vrm_preset_of_morph(const char *mmd);
