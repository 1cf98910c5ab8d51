/*
 * material_textures.h - the texture objects of a model's materials
 */
#ifndef RENDER_MODEL_MATERIAL_TEXTURES_H
#define RENDER_MODEL_MATERIAL_TEXTURES_H

#include "render/model/actor.h"

/* [material_count] in the arena; an image that several materials use has one texture object.  The
 * objects live as long as the context; `scratch` is reset. */
MaterialTextures *material_textures_create(const Model *model, const GlApi *gl, Arena *arena,
                                           Arena *scratch);

#endif
