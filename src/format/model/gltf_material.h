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
    float shade[3];  /* color in the shade, stored values; of MToon, else that of the material */
    bool is_unlit;
} GltfMaterial;

/* [count + 1] all materials, the last one is the default; NULL after an error.  units: those of
 * outlines in a metre */
GltfMaterial *gltf_materials(const GltfFile *file, MeshBuilder *b, Diag *diag);
