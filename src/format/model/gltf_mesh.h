// SPDX-License-Identifier: MIT
/*
 * gltf_mesh.h - the meshes of a glTF file, placed as its nodes place them
 *
 * Vertices are in the space and the units of MMD (format/model/README.md 7), with skins at rest.
 * Their `bones` are nodes of the file: the joints of a skin, or the node of the mesh.
 */
#pragma once

#include "format/model/gltf_material.h"

/* A primitive of a mesh as a node shows it. */
typedef struct GltfPart {
    uint32_t node;
    const JsonValue *primitive;
    uint32_t first_vertex, vertex_count;
    const uint32_t *source; /* [vertex_count] index in the accessors, for morph targets */
    GltfMatrix world;       /* of vectors that are not skinned; skinned ones use it too */
} GltfPart;

typedef struct GltfMeshes {
    MeshBuilder builder; /* material 2 m + 1 is material m of the file with colors of vertices */
    GltfMaterial *materials;
    ARENA_LIST(GltfPart) parts;
    GltfMatrix *world; /* [node_count] each node to the world of the file */
    uint32_t left_out; /* primitives of points and lines */
} GltfMeshes;

/* From the space of the file to that of MMD.  turned: the file is VRM 0.x, whose figures face -z */
Vec3 gltf_to_mmd(Vec3 metres, bool turned);

/* Reads the meshes of the nodes of the default scene.  Everything is in `scratch`.  hidden:
 * [node_count] nodes whose meshes are left out; NULL: of a scene, whose morph targets are as at
 * rest
 */
bool gltf_meshes_read(GltfMeshes *out, GltfFile *file, bool turned, const bool *hidden,
                      Arena *scratch, Diag *diag);

/* Copies the names and pictures of materials and textures to the arena. */
void gltf_meshes_keep(GltfMeshes *meshes, Arena *arena);

/* What the file has and is not used, as "2 normal maps, 1 light"; NULL if there is nothing. */
const char *gltf_ignored(const GltfFile *file, const GltfMeshes *meshes, Arena *arena);
