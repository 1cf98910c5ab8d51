// SPDX-License-Identifier: MIT
/*
 * effect_assign.h - loads the effects of a scene and what each of them draws
 *
 * Rules: scene/effects/README.md 1 to 3.
 */
#pragma once

#include "scene/scene.h"

/* Sets scene->effects; all models are loaded.  False after an error: a picture exceeds the limit of
 * textures, or a file of the job cannot be read. */
bool effect_assign(Scene *scene, const SceneSpec *spec, TextureBudget *budget, Arena *arena,
                   Diag *diag);
