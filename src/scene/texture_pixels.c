// SPDX-License-Identifier: MIT
#include "scene/texture_pixels.h"

#include <string.h>

#include "base/memory.h"

static size_t pixel_bytes(const Image *image)
{
    return (size_t)image->width * (size_t)image->height * 4;
}

static bool is_first_use(const Scene *scene, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (scene->models[i].model == scene->models[number].model)
            return false;
    return true;
}

uint64_t texture_pixels_size(const Scene *scene)
{
    uint64_t size = 0;
    for (size_t i = 0; i < scene->model_count; i++) {
        const Model *model = scene->models[i].model;
        for (uint32_t k = 0; model->textures && k < model->pmx.texture_count; k++)
            if (model->textures[k] && is_first_use(scene, i))
                size += pixel_bytes(model->textures[k]);
    }
    return size;
}

void texture_pixels_discard(const Scene *scene)
{
    *scene->without_pixels = true;
    for (size_t i = 0; i < scene->model_count; i++) {
        const Model *model = scene->models[i].model;
        for (uint32_t k = 0; model->textures && k < model->pmx.texture_count; k++)
            if (model->textures[k])
                memory_discard(model->textures[k]->pixels, pixel_bytes(model->textures[k]));
    }
}

static bool restore(const Model *model, uint32_t index, Diag *diag)
{
    const Image *image = model->textures[index];
    const char *path = model->texture_files[index];
    Arena *arena = arena_create();
    Image again;
    diag_file(diag, path ? path : model->mesh_file);
    bool good = model_decode_texture(&again, &model->pmx, (int32_t)index, path, NULL, arena, diag);
    if (good && (again.width != image->width || again.height != image->height))
        good = diag_fail(diag, DIAG_IO, "has changed since it was loaded");
    if (good)
        memcpy(image->pixels, again.pixels, pixel_bytes(image));
    diag_file(diag, NULL);
    arena_destroy(arena);
    return good;
}

bool texture_pixels_restore(const Scene *scene, Diag *diag)
{
    if (!*scene->without_pixels)
        return true;
    for (size_t i = 0; i < scene->model_count; i++) {
        const Model *model = scene->models[i].model;
        for (uint32_t k = 0; model->textures && k < model->pmx.texture_count; k++)
            if (model->textures[k] && !restore(model, k, diag))
                return false;
    }
    *scene->without_pixels = false;
    return true;
}
