// SPDX-License-Identifier: MIT
/*
 * effect_map.h - effects.mode map: keys of `look` instead of well-known effects of MikuMikuEffect
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "record/yaml.h"

/*
 * If the job maps effects, gives the tree of a job a section of `look` for each model, accessory
 * and effect in it that is known by the name of its file, unless it has that section
 * (scene/effects/README.md 4).  Their strength is that of the scale or the opacity of the
 * accessory.
 */
bool effect_map_apply(YamlNode *root, Arena *arena, Diag *diag);
