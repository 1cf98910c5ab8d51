// SPDX-License-Identifier: MIT
/*
 * gltf_material.h - materials of a glTF file as those of MMD (format/model/README.md 7)
 */
#pragma once

#include "format/gltf/gltf_read.h"
#include "format/model/mesh_builder.h"

/* Where a texture is looked up: a set of coordinates of the vertices, transformed. */
typedef struct GltfUv {
    uint32_t set;
    double m[6]; /* u' = m[0] u + m[1] v + m[2]; v' = m[3] u + m[4] v + m[5] */
} GltfUv;

typedef struct GltfMaterial {
    PmxMaterial pmx; /* its textures are those of the builder */
    bool blended;
    float shown_from; /* alpha of a vertex color, unless blended */
    GltfUv uv;        /* of the base color */
    GltfUv map_uv[PMX_MAPS];
    bool is_unlit;
} GltfMaterial;

/* Sets the builder's texture for a texture of the file, -1 without one.  like: its alpha is that of
 * this one; NULL: as stored.  False after an error. */
bool gltf_texture(int32_t *out, const GltfFile *file, MeshBuilder *b, const JsonValue *index,
                  const PmxTexture *like, Diag *diag);

/* [count + 1] all materials, the last one is the default; NULL after an error.  lit: the shading of
 * those that are not unlit */
GltfMaterial *gltf_materials(const GltfFile *file, MeshBuilder *b, MeshShading lit, Diag *diag);
