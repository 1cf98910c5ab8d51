// SPDX-License-Identifier: MIT
/*
 * avatar_toon.h - the materials of MMD as MToon (convert/export/README.md 4.2)
 */
#pragma once

#include "format/model/mtoon.h"
#include "scene/model.h"

/* The MToon material that looks like one of the model. */
Mtoon avatar_toon(const Model *model, uint32_t material);

/* Multiplies the colors of materials by the lit end of their toons.  materials: [material_count] a
 * copy of those of the model */
void avatar_toon_light(PmxMaterial *materials, const Model *model);
