#include "scene/effects.h"

#include "base/path.h"
#include "base/text.h"
#include "scene/scene.h"

int32_t scene_effects_find_model(const Scene *scene, const char *name)
{
    for (size_t i = 0; i < scene->model_count; i++)
        if (text_equal_ignoring_case(path_name(scene->models[i].model->file), name))
            return (int32_t)i;
    return -1;
}
