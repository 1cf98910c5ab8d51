#include "scene/texture_pixels.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "media/picture.h"

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

static bool restore(const Image *image, const char *path, Diag *diag)
{
    Arena *arena = arena_create();
    Image again;
    Bytes bytes;
    diag_file(diag, path);
    bool good = file_load(&bytes, path, FILE_MAX_SIZE, arena, diag) &&
                picture_load(&again, bytes, arena, diag);
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
            if (model->textures[k] && !restore(model->textures[k], model->texture_files[k], diag))
                return false;
    }
    *scene->without_pixels = false;
    return true;
}
