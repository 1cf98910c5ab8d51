// SPDX-License-Identifier: MIT
/*
 * gltf_material.h - materials of a glTF file as those of MMD (format/model/README.md 7)
 */
#pragma once

#include "format/gltf/gltf_read.h"
#include "format/model/mesh_builder.h"

typedef struct GltfMaterial {
    PmxMaterial pmx; /* its texture is one of the builder */
    bool blended;
    uint32_t uv_set; /* texture coordinates of the base color */
    double uv[6];    /* u' = uv[0] u + uv[1] v + uv[2]; v' = uv[3] u + uv[4] v + uv[5] */
    bool is_unlit;
} GltfMaterial;

/* Sets the builder's texture for a texture of the file, -1 without one.  like: alpha and wrapping
 * are those of this one; NULL: as stored.  False after an error. */
bool gltf_texture(int32_t *out, const GltfFile *file, MeshBuilder *b, const JsonValue *index,
                  const PmxTexture *like, Diag *diag);

/* [count + 1] all materials, the last one is the default; NULL after an error.  lit: the shading of
 * those that are not unlit */
GltfMaterial *gltf_materials(const GltfFile *file, MeshBuilder *b, MeshShading lit, Diag *diag);
