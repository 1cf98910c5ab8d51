// SPDX-License-Identifier: MIT
/*
 * avatar_material.h - MToon materials as JSON, in VRM 1.0 and 0.x (convert/export/README.md 4.2)
 */
#pragma once

#include "convert/export/gltf_mesh.h"
#include "format/model/mtoon.h"

typedef struct AvatarMaterial {
    Mtoon toon;
    int images[MTOON_TEXTURES]; /* of its textures; -1: none */
    int queue;                  /* among blended materials, 0..9 */
} AvatarMaterial;

/* The member VRMC_materials_mtoon. */
void avatar_material_write(Json *json, const AvatarMaterial *material, const GltfMesh *mesh);

/* An item of materialProperties of VRM 0.x. */
void avatar_material_write_older(Json *json, const AvatarMaterial *material, const GltfMesh *mesh);
