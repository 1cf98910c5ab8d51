#include "render/surface_lists.h"

#include <string.h>

void surface_lists_begin(SurfaceLists *lists, VisibleLists *visible, const Actor *actor,
                         Arena *arena)
{
    const uint32_t count = actor->mesh->pmx->material_count;

    lists->visible = visible;
    if (count > lists->material_capacity) {
        lists->listed = arena_array(arena, bool, count);
        lists->ranges = arena_array(arena, VisibleRange, count);
        lists->material_capacity = count;
    }
    memset(lists->listed, 0, count * sizeof *lists->listed);
}

static void place_vertices(ScreenVertex *out, const ScreenSpace *space,
                           const DeformVertex *vertices, const MeshMaterial *mesh)
{
    for (int d = 0; d < MESH_DEFORMS; d++)
        for (uint32_t i = mesh->ranges[d].begin; i < mesh->ranges[d].end; i++)
            out[i] = occlusion_vertex(space, vertices[i].position);
}

static void add_materials(SurfaceLists *lists, const ScreenSpace *space, const Actor *actor,
                          const DeformVertex *vertices, const uint32_t *indices)
{
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
        const MeshMaterial *mesh = &actor->mesh->materials[i];
        const bool double_sided = actor->mesh->pmx->materials[i].flags & PMX_DOUBLE_SIDED;

        if (!lists->listed[i])
            continue;
        place_vertices(lists->visible->vertices, space, vertices, mesh);
        lists->ranges[i] = visible_lists_add(
            lists->visible, double_sided ? OCCLUSION_BOTH_FACES : OCCLUSION_FRONT_FACES,
            indices + mesh->first, mesh->count);
    }
}

static size_t count_indices(const SurfaceLists *lists, const Mesh *mesh)
{
    size_t count = 0;

    for (uint32_t i = 0; i < mesh->pmx->material_count; i++)
        count += lists->listed[i] ? mesh->materials[i].count : 0;
    return count;
}

bool surface_lists_make(SurfaceLists *lists, const GlApi *gl, const Target *target,
                        const Actor *actor, const View *view, Arena *arena)
{
    const Mesh *mesh = actor->mesh;
    const ModelBlock block = view_for_model(view, &actor->state->placement);
    const ScreenSpace space = screen_space(target, (const float(*)[4])block.clip);

    if (!visible_lists_possible(target, view))
        return false;
    visible_lists_begin(lists->visible, mesh, count_indices(lists, mesh), arena);
    occlusion_read(&lists->visible->occlusion, target, gl, actor->surfaces, arena);

    const uint32_t *indices = mesh_map(gl, mesh->indices, mesh->index_count * sizeof *indices);
    const DeformVertex *vertices =
        mesh_map(gl, deform_buffer(&actor->deform), mesh->pmx->vertex_count * sizeof *vertices);
    const bool mapped = indices != NULL && vertices != NULL;
    if (mapped)
        add_materials(lists, &space, actor, vertices, indices);
    gl->UnmapNamedBuffer(deform_buffer(&actor->deform));
    gl->UnmapNamedBuffer(mesh->indices);
    if (mapped)
        visible_lists_upload(lists->visible, gl);
    return mapped;
}
