// SPDX-License-Identifier: MIT
#include "format/model/mesh_builder.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/model/pmx_repair.h"

PmxMaterial mesh_material_default(const char *name)
{
    return (PmxMaterial){.name = name,
                         .name_en = "",
                         .memo = "",
                         .diffuse = {1, 1, 1, 1},
                         .flags = PMX_RECEIVE_SHADOW,
                         .edge_color = {0, 0, 0, 1},
                         .edge_size = 1,
                         .texture = PMX_NONE,
                         .sphere_texture = PMX_NONE,
                         .toon = PMX_NONE,
                         .maps = {.textures = {PMX_NONE, PMX_NONE}}};
}

void mesh_set_light(PmxMaterial *material, MeshShading shading, const float color[3])
{
    /* Diffuse and ambient, in colors.  The shading of accessories adds the diffuse light once
     * everywhere and once more by the angle to the light (render/README.md 5.7). */
    static const float parts[][2] = {[MESH_TOON] = {1, 101.0f / 255},
                                     [MESH_LAMBERT] = {0.4f * 255 / 154, 0.2f},
                                     [MESH_UNLIT] = {0, 1}};
    for (int k = 0; k < 3; k++) {
        const float own = color[k];
        material->diffuse[k] = parts[shading][0] * own;
        material->ambient[k] = parts[shading][1] * own;
    }
}

void mesh_set_emission(PmxMaterial *material, const float emission[3])
{
    for (int k = 0; k < 3; k++) {
        material->maps.emission[k] = fminf(fmaxf(emission[k], 0), PMX_MAX_EMISSION);
        material->maps.used |= material->maps.emission[k] > 0;
    }
}

static bool same_texture(const PmxTexture *a, const PmxTexture *b)
{
    const size_t size = a->embedded.size;
    return a->alpha == b->alpha && a->cutoff == b->cutoff &&
           !memcmp(a->wrap, b->wrap, sizeof a->wrap) && !strcmp(a->name, b->name) &&
           size == b->embedded.size && (!size || !memcmp(a->embedded.data, b->embedded.data, size));
}

int32_t mesh_add_texture(MeshBuilder *b, PmxTexture texture)
{
    for (size_t i = 0; i < b->textures.count; i++)
        if (same_texture(&b->textures.items[i], &texture))
            return (int32_t)i;
    *arena_push(b->scratch, &b->textures) = texture;
    return (int32_t)b->textures.count - 1;
}

void mesh_add_vertex(MeshBuilder *b, const PmxVertex *vertex, const float color[4],
                     const float map_uv[2 * PMX_MAPS])
{
    static const MeshColor white = {{1, 1, 1, 1}};
    while (map_uv && b->map_uvs.count < b->vertices.count)
        *arena_push(b->scratch, &b->map_uvs) = (MeshMapUv){{0}};
    if (map_uv || b->map_uvs.count) {
        MeshMapUv *to = arena_push(b->scratch, &b->map_uvs);
        *to = (MeshMapUv){{0}};
        if (map_uv)
            memcpy(to->uv, map_uv, sizeof to->uv);
    }
    while (color && b->colors.count < b->vertices.count)
        *arena_push(b->scratch, &b->colors) = white;
    if (color || b->colors.count) {
        MeshColor *to = arena_push(b->scratch, &b->colors);
        *to = white;
        if (color)
            memcpy(to->rgba, color, sizeof to->rgba);
    }
    *arena_push(b->scratch, &b->vertices) = *vertex;
}

bool mesh_check_size(const MeshBuilder *b, uint64_t vertices, uint64_t indices, Diag *diag)
{
    const uint64_t fair = MESH_FREE_VERTICES + b->bytes * MESH_VERTICES_PER_BYTE;
    const uint64_t most = b->bytes && fair < MESH_MAX_VERTICES ? fair : MESH_MAX_VERTICES;
    const uint64_t most_indices = most * (MESH_MAX_INDICES / MESH_MAX_VERTICES);
    return (b->vertices.count + vertices <= most && b->index_count + indices <= most_indices) ||
           diag_error(diag, "more than %" PRIu64 " vertices or %" PRIu64 " triangles%s", most,
                      most_indices / 3,
                      most < MESH_MAX_VERTICES ? ", which the size of the file limits" : "");
}

void mesh_add_triangle(MeshBuilder *b, uint32_t material, const uint32_t corners[3])
{
    for (int k = 0; k < 3; k++)
        *arena_push(b->scratch, &b->materials[material].indices) = corners[k];
    b->index_count += 3;
}

static int compare_orders(const void *a, const void *b)
{
    const MeshMaterial *left = *(MeshMaterial *const *)a, *right = *(MeshMaterial *const *)b;
    const int order = (left->order > right->order) - (left->order < right->order);
    return order ? order : (left > right) - (left < right);
}

static void finish_materials(PmxModel *model, const MeshBuilder *b, Arena *arena)
{
    MeshMaterial **sorted = arena_array(b->scratch, MeshMaterial *, b->material_count);
    model->materials = arena_array(arena, PmxMaterial, b->material_count);
    model->indices = arena_array(arena, uint32_t, b->index_count);
    for (uint32_t i = 0; i < b->material_count; i++)
        sorted[i] = &b->materials[i];
    if (b->material_count)
        qsort(sorted, b->material_count, sizeof *sorted, compare_orders);
    for (uint32_t i = 0; i < b->material_count; i++) {
        const MeshMaterial *from = sorted[i];
        if (!from->indices.count)
            continue;
        PmxMaterial *to = &model->materials[model->material_count++];
        *to = from->pmx;
        if (!*to->name)
            to->name = arena_printf(arena, "材質%" PRIu32, model->material_count);
        to->first_index = model->index_count;
        to->index_count = (uint32_t)from->indices.count;
        memcpy(model->indices + model->index_count, from->indices.items,
               from->indices.count * sizeof *model->indices);
        model->index_count += to->index_count;
    }
}

void mesh_finish(PmxModel *model, const MeshBuilder *b, Arena *arena)
{
    const uint32_t count = (uint32_t)b->vertices.count;
    finish_materials(model, b, arena);
    model->vertex_count = count;
    model->vertices = arena_copy(arena, b->vertices.items, count * sizeof *model->vertices);
    if (b->colors.count) {
        model->version = 2.1f;
        model->extra_uv_count = 1;
        model->extra_uv[0] = arena_copy(arena, b->colors.items, count * sizeof(MeshColor));
    }
    if (b->map_uvs.count)
        model->map_uv = arena_copy(arena, b->map_uvs.items, count * sizeof *model->map_uv);
    model->texture_count = (uint32_t)b->textures.count;
    model->textures = arena_array(arena, const char *, b->textures.count);
    model->texture_sources =
        arena_copy(arena, b->textures.items, b->textures.count * sizeof *model->texture_sources);
    for (uint32_t i = 0; i < model->texture_count; i++)
        model->textures[i] = model->texture_sources[i].name;
}

void mesh_finish_scene(PmxModel *model, const MeshBuilder *b, Arena *arena, Diag *diag)
{
    *model = (PmxModel){.version = 2.0f, .accessory = true};
    model->name = model->name_en = model->comment = model->comment_en = "";
    pmx_add_center_bone(model, arena);
    mesh_finish(model, b, arena);
    for (uint32_t i = 0; i < model->vertex_count; i++) {
        model->vertices[i].deform = PMX_BDEF1;
        memset(model->vertices[i].bones, 0, sizeof model->vertices[i].bones);
        memcpy(model->vertices[i].weights, (float[PMX_MAX_WEIGHTS]){1, 0, 0, 0},
               sizeof model->vertices[i].weights);
    }
    if (!model->index_count)
        diag_warn(diag, WARN_EMPTY_MODEL, "the file has no mesh; nothing is drawn");
    pmx_repair(model, arena, diag);
}
