// SPDX-License-Identifier: MIT
/*
 * avatar_material.h - MToon materials as JSON, in VRM 1.0 and 0.x (convert/export/README.md 4.2)
 */
#pragma once

#include "convert/export/gltf_mesh.h"
#include "format/model/mtoon.h"
#include "scene/model.h"

typedef struct AvatarMaterial {
    Mtoon toon;
    int images[MTOON_TEXTURES]; /* of its textures; -1: none */
    int queue;                  /* among blended materials, 0..9 */
} AvatarMaterial;

/* The member VRMC_materials_mtoon. */
void avatar_material_write(Json *json, const AvatarMaterial *material, const GltfMesh *mesh);

/* An item of materialProperties of VRM 0.x. */
void avatar_material_write_older(Json *json, const AvatarMaterial *material, const GltfMesh *mesh);

/* ---- materials of MMD as MToon ---- */

/* The MToon material that looks like one of the model. */
Mtoon avatar_toon(const Model *model, uint32_t material);

/* Multiplies the colors of materials by the lit end of their toons.  materials: [material_count] a
 * copy of those of the model */
void avatar_toon_light(PmxMaterial *materials, const Model *model);
