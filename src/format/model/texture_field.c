// SPDX-License-Identifier: MIT
#include "format/model/texture_field.h"

#include <string.h>

#include "base/text.h"
#include "format/model/pmx_repair.h"

static void assign_name(TextureField *out, const char *name, size_t size)
{
    const char *end = size > 4 ? name + size - 4 : "";
    const bool multiply = text_equal_ignoring_case(end, ".sph");
    const bool sphere = multiply || text_equal_ignoring_case(end, ".spa");
    const char **slot = sphere ? &out->sphere : &out->texture;

    if (!size || *slot)
        return;
    *slot = name;
    if (sphere)
        out->sphere_mode = multiply ? PMX_SPHERE_MULTIPLY : PMX_SPHERE_ADD;
}

TextureField texture_field_split(const char *field, Arena *arena)
{
    TextureField out = {.sphere_mode = PMX_SPHERE_OFF};

    for (const char *at = field; *at;) {
        const size_t size = strcspn(at, "*");
        assign_name(&out, arena_strndup(arena, at, size), size);
        at += size + (at[size] == '*');
    }
    return out;
}

void texture_field_merge(PmxModel *model, Arena *scratch)
{
    uint32_t *first = arena_array(scratch, uint32_t, model->texture_count), kept = 0;
    int32_t *moved = arena_array(scratch, int32_t, model->texture_count);

    pmx_find_first_names(first, model->textures, model->texture_count, scratch);
    for (uint32_t i = 0; i < model->texture_count; i++) {
        moved[i] = first[i] == i ? (int32_t)kept : moved[first[i]];
        if (first[i] == i)
            model->textures[kept++] = model->textures[i];
    }
    model->texture_count = kept;
    for (uint32_t i = 0; i < model->material_count; i++) {
        PmxMaterial *m = &model->materials[i];
        m->texture = m->texture == PMX_NONE ? PMX_NONE : moved[m->texture];
        m->sphere_texture = m->sphere_texture == PMX_NONE ? PMX_NONE : moved[m->sphere_texture];
        if (!m->shared_toon && m->toon != PMX_NONE)
            m->toon = moved[m->toon];
    }
}
