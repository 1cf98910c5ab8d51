#include "format/model/gltf_scene.h"

#include "format/model/gltf_mesh.h"

static void keep_pictures(GltfMeshes *meshes, Arena *arena)
{
    for (size_t i = 0; i < meshes->builder.textures.count; i++) {
        PmxTexture *texture = &meshes->builder.textures.items[i];
        texture->name = arena_strdup(arena, texture->name);
        if (texture->embedded.data)
            texture->embedded.data =
                arena_copy(arena, texture->embedded.data, texture->embedded.size);
    }
    for (uint32_t i = 0; i < meshes->builder.material_count; i++)
        meshes->builder.materials[i].pmx.name =
            arena_strdup(arena, meshes->builder.materials[i].pmx.name);
}

bool gltf_scene_load(PmxModel *model, Bytes bytes, const SideFiles *side, Arena *arena, Diag *diag)
{
    Arena *scratch = arena_create();
    GltfFile file;
    GltfMeshes meshes;
    const bool good = gltf_read(&file, bytes, side, scratch, diag) &&
                      gltf_meshes_read(&meshes, &file, false, NULL, scratch, diag);
    if (good) {
        keep_pictures(&meshes, arena);
        mesh_finish_scene(model, &meshes.builder, arena, diag);
        model->ignored = gltf_ignored(&file, &meshes, true, arena);
    }
    arena_destroy(scratch);
    return good;
}
