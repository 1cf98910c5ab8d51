// SPDX-License-Identifier: MIT
/*
 * effect_load.h - effects, each parsed once, with the pictures that they name
 */
#pragma once

#include "scene/effects.h"
#include "scene/effects/effect_files.h"
#include "scene/model.h"
#include "scene/scene_options.h"

enum { EFFECT_LOAD_MAX = 256 }; /* effects of a scene */

typedef struct LoadedPicture {
    const char *path;
    bool animated;
    const TextureFile *texture; /* NULL: it cannot be read */
} LoadedPicture;

typedef struct EffectLoader {
    EffectFiles *files;
    EffectsMode mode;
    ARENA_LIST(SceneEffect) items;
    ARENA_LIST(LoadedPicture) pictures;
    TextureBudget *budget; /* pictures count as textures */
    const char *rule;      /* of a target, and for what, while its effects are loaded; else NULL */
    Arena *arena;
    Diag *diag;
} EffectLoader;

/*
 * The index in `items` of the effect in the file `path`, in any state: one that is missing or
 * cannot be used gives a warning.  EFFECT_STANDARD, with a warning, if there are too many.
 *
 * user   id of the model that it draws, or another word for SceneEffect.used_by
 * named  where the effect is named; or NULL
 */
int effect_load_file(EffectLoader *loader, const char *path, const char *user,
                     const DiagLocation *named);
