// SPDX-License-Identifier: MIT
#include "render/model/part.h"

#include <string.h>

enum { MOST_INDICES = 3 * 16, LEAST_INDICES = 3 * 4 }; /* of a part, unless a run is shorter */

typedef struct Builder {
    const Mesh *mesh;
    Arena *arena;
    ARENA_LIST(Part) parts;
    uint32_t *seen;  /* [bone_count]: the last part that follows the bone, from 1 */
    uint32_t *bones; /* [bone_count] of the part */
} Builder;

static const PmxVertex *vertex_at(const Mesh *mesh, uint32_t material, uint32_t index)
{
    const PmxModel *pmx = mesh->pmx;

    return &pmx->vertices[pmx->indices[pmx->materials[material].first_index + index]];
}

static uint32_t bone_of(const PmxVertex *vertex, int weight)
{
    return vertex->bones[weight] > 0 ? (uint32_t)vertex->bones[weight] : 0;
}

/* A part of `count` indices of the file from `at` on. */
static void add_part(Builder *b, Part part, uint32_t at, uint32_t count)
{
    const Mesh *mesh = b->mesh;

    for (uint32_t i = at; i < at + count; i++) {
        const PmxVertex *vertex = vertex_at(mesh, part.material, i);

        mesh_extend_range(&part.ranges[vertex->deform],
                          mesh->buffer_index[vertex - mesh->pmx->vertices]);
        for (int k = 0; k < PMX_MAX_WEIGHTS && mesh->pmx->bone_count > 0; k++) {
            uint32_t *seen = &b->seen[bone_of(vertex, k)];

            if ((k > 0 && vertex->weights[k] == 0.0f) || *seen == b->parts.count + 1)
                continue;
            *seen = (uint32_t)b->parts.count + 1;
            b->bones[part.bone_count++] = bone_of(vertex, k);
        }
    }
    part.bones = arena_copy(b->arena, b->bones, part.bone_count * sizeof *part.bones);
    *arena_push(b->arena, &b->parts) = part;
}

/* Triangles that follow another bone begin another part. */
static void add_run(Builder *b, uint32_t material, const MeshRun *run)
{
    const uint32_t start = run->first - b->mesh->materials[material].first;

    for (uint32_t i = 0, count; i < run->count; i += count) {
        const uint32_t bone = bone_of(vertex_at(b->mesh, material, start + i), 0);

        for (count = 3; i + count < run->count && count < MOST_INDICES; count += 3)
            if (count >= LEAST_INDICES &&
                bone_of(vertex_at(b->mesh, material, start + i + count), 0) != bone)
                break;
        add_part(b, (Part){.material = material, .first = run->first + i, .count = count},
                 start + i, count);
    }
}

Parts *parts_create(const Mesh *mesh, Arena *arena)
{
    const PmxModel *pmx = mesh->pmx;
    Arena *scratch = arena_create();
    Builder b = {.mesh = mesh,
                 .arena = arena,
                 .seen = arena_array(scratch, uint32_t, pmx->bone_count),
                 .bones = arena_array(scratch, uint32_t, pmx->bone_count)};
    Parts *parts = arena_array(arena, Parts, 1);

    parts->first = arena_array(arena, uint32_t, pmx->material_count + 1);
    for (uint32_t m = 0; m < pmx->material_count; m++) {
        const MeshMaterial *material = &mesh->materials[m];

        parts->first[m] = (uint32_t)b.parts.count;
        if (material->mode != GL_TRIANGLES)
            add_part(&b, (Part){.material = m, .first = material->first, .count = material->count},
                     0, pmx->materials[m].index_count);
        for (uint32_t i = 0; material->mode == GL_TRIANGLES && i < material->run_count; i++)
            add_run(&b, m, &material->runs[i]);
    }
    parts->first[pmx->material_count] = (uint32_t)b.parts.count;
    parts->items = b.parts.items;
    parts->count = (uint32_t)b.parts.count;
    arena_destroy(scratch);
    return parts;
}
