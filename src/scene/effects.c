// SPDX-License-Identifier: MIT
#include "scene/effects.h"

#include "base/path.h"
#include "base/text.h"
#include "scene/scene.h"

const char *const scene_effect_words[] = {[EFFECT_RUN] = "run",
                                          [EFFECT_MAPPED] = "mapped",
                                          [EFFECT_OFF] = "off",
                                          [EFFECT_FAILED] = "failed",
                                          NULL};

int32_t scene_effects_find_model(const Scene *scene, const char *name, size_t of)
{
    int32_t found = -1;
    for (size_t i = 0; i < scene->model_count; i++) {
        const bool nearer = i < of || found < 0 || (size_t)found >= of;
        if (nearer && text_equal_ignoring_case(path_name(scene->models[i].model->file), name))
            found = (int32_t)i;
    }
    return found;
}
