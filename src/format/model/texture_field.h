// SPDX-License-Identifier: MIT
/*
 * texture_field.h - the field with which PMD and .x files name the textures of a material
 *
 * Names are separated by *, in any order: .sph is a sphere map to multiply, .spa one to add,
 * anything else the texture (format/model/README.md 1.4).
 */
#pragma once

#include "format/model/pmx.h"

typedef struct TextureField {
    const char *texture, *sphere; /* NULL if absent; the first of each is used */
    PmxSphereMode sphere_mode;
} TextureField;

TextureField texture_field_split(const char *field, Arena *arena);

/* Removes duplicate names from model->textures and updates the indices of the materials. */
void texture_field_merge(PmxModel *model, Arena *scratch);
