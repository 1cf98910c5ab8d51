// SPDX-License-Identifier: MIT
#include "scene/mesh_patch.h"

#include "math/rotation.h"
#include "math/weld.h"

static const double SAME_SIDE_COS = 0.5; /* cosine of 60 degrees */

MeshPatch mesh_patch_create(const PmxModel *pmx, const bool *materials, Arena *arena,
                            Arena *scratch)
{
    MeshPatch patch = {.pmx = pmx, .slots = arena_array(scratch, uint32_t, pmx->vertex_count)};
    uint32_t slot = 0;

    for (uint32_t m = 0; m < pmx->material_count; m++)
        for (uint32_t i = 0; materials[m] && i < pmx->materials[m].index_count; i++)
            patch.slots[pmx->indices[pmx->materials[m].first_index + i]] = 1;
    for (uint32_t v = 0; v < pmx->vertex_count; v++)
        patch.count += patch.slots[v];
    patch.vertices = arena_array(arena, uint32_t, patch.count);
    for (uint32_t v = 0; v < pmx->vertex_count; v++) {
        if (patch.slots[v])
            patch.vertices[slot++] = v;
        patch.slots[v] = patch.slots[v] ? slot - 1 : UINT32_MAX;
    }

    uint64_t(*keys)[WELD_POSITION_WORDS] = arena_calloc(scratch, patch.count, sizeof *keys);
    for (uint32_t i = 0; i < patch.count; i++)
        weld_position_key(keys[i], pmx->vertices[patch.vertices[i]].position);
    const uint32_t *first = weld_keys(keys[0], WELD_POSITION_WORDS, patch.count, scratch);
    patch.points = arena_array(arena, uint32_t, patch.count);
    for (uint32_t i = 0; i < patch.count; i++)
        patch.points[i] = first[i] == i ? patch.point_count++ : patch.points[first[i]];
    return patch;
}

static Vec3 normal_of(const MeshPatch *patch, uint32_t slot)
{
    return vec3_load(patch->pmx->vertices[patch->vertices[slot]].normal);
}

static bool is_same_side(Vec3 a, Vec3 b, bool any_length)
{
    return vec3_dot(a, b) >=
           (any_length ? SAME_SIDE_COS * vec3_length(a) * vec3_length(b) : SAME_SIDE_COS);
}

void mesh_patch_find_sides(MeshPatch *patch, bool any_length, Arena *arena, Arena *scratch)
{
    /* The last side of each point, and the side before each one: slot + 1 */
    uint32_t *last = arena_array(scratch, uint32_t, patch->point_count);
    uint32_t *before = arena_array(scratch, uint32_t, patch->count);

    patch->sides = arena_array(arena, uint32_t, patch->count);
    for (uint32_t i = 0; i < patch->count; i++) {
        const Vec3 normal = normal_of(patch, i);
        uint32_t other = last[patch->points[i]];
        while (other && !is_same_side(normal, normal_of(patch, other - 1), any_length))
            other = before[other - 1];
        if (other) {
            patch->sides[i] = patch->sides[other - 1];
            continue;
        }
        patch->sides[i] = patch->side_count++;
        before[i] = last[patch->points[i]];
        last[patch->points[i]] = i + 1;
    }
}

void mesh_patch_orient(uint32_t slots[3], const MeshPatch *patch, const uint32_t vertices[3])
{
    Vec3 p[3], normal = {0, 0, 0};

    for (int k = 0; k < 3; k++) {
        const PmxVertex *vertex = &patch->pmx->vertices[vertices[k]];
        p[k] = vec3_load(vertex->position);
        normal = vec3_add(normal, vec3_load(vertex->normal));
    }
    const Vec3 own = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
    const bool turned = vec3_dot(own, normal) < 0;
    for (int k = 0; k < 3; k++)
        slots[k] = patch->slots[vertices[turned && k ? 3 - k : k]];
}
