// SPDX-License-Identifier: MIT
/*
 * clean_keys.h - keys, with MMD's curves between them, for samples of every frame
 *                (scene/mocap/README.md 7)
 */
#pragma once

#include "scene/mocap/clean_track.h"

typedef ARENA_LIST(VmdBoneKey) CleanKeys;

/*
 * Adds keys for all tracks that are changed.
 *
 * shares     [bone_count] parts of the tolerance; NULL: 1
 * tolerance  MMD units: the mean distance of bones from where the samples put them is about that
 */
void clean_keys(CleanKeys *out, CleanBody *body, const double *shares, double tolerance,
                Arena *arena);
