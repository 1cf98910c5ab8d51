// SPDX-License-Identifier: MIT
#include "format/model/gltf_scene.h"

#include "format/model/gltf_mesh.h"

bool gltf_scene_load(PmxModel *model, Bytes bytes, const SideFiles *side, Arena *arena, Diag *diag)
{
    Arena *scratch = arena_create();
    GltfFile file;
    GltfMeshes meshes;
    const bool good = gltf_read(&file, bytes, side, scratch, diag) &&
                      gltf_meshes_read(&meshes, &file, false, NULL, scratch, diag);
    if (good) {
        gltf_meshes_keep(&meshes, arena);
        mesh_finish_scene(model, &meshes.builder, arena, diag);
        model->ignored = gltf_ignored(&file, &meshes, arena);
    }
    arena_destroy(scratch);
    return good;
}
