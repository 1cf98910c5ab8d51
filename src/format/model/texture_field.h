/*
 * texture_field.h - the one field in which PMD and .x name a material's pictures
 *
 * Names stand with * between them, in either order: .sph is a sphere map to multiply, .spa one to
 * add, anything else the texture (reference, 1.1).
 */
#ifndef FORMAT_MODEL_TEXTURE_FIELD_H
#define FORMAT_MODEL_TEXTURE_FIELD_H

#include "format/model/pmx.h"

typedef struct TextureField {
    const char *texture, *sphere; /* NULL: none; the first of each counts */
    PmxSphereMode sphere_mode;
} TextureField;

TextureField texture_field_split(const char *field, Arena *arena);

/* Materials often share a file; afterwards each name stands once in model->textures. */
void texture_field_merge(PmxModel *model, Arena *scratch);

#endif
