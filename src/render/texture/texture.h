// SPDX-License-Identifier: MIT
/*
 * texture.h - the textures of a model's materials, and the samplers for them
 *
 * Row 0 of an image is v = 0.  Mip levels are computed here (mipmap.h), so that they are the same
 * with every driver.  Textures live as long as the context.
 */
#pragma once

#include "base/arena.h"
#include "render/gl/gl.h"
#include "render/texture/alpha_mask.h"
#include "scene/model.h"

/* Samplers, bound separately from textures. */
typedef struct Samplers {
    GLuint repeat;      /* bilinear or trilinear */
    GLuint first_level; /* as repeat, where it would take the first mip level everywhere */
    GLuint clamp;       /* bilinear in the nearest mip level: for sphere maps, which are smooth */
    GLuint toon;        /* linear, clamped, no mip levels */
    int anisotropy;     /* of `repeat`, which samplers of effects do not exceed; up to 1: off */
} Samplers;

/*
 * anisotropy   maximum number of samples along the direction of compression; 1: off
 * supersample  more than 1: the nearest mip level, since averaging hides the steps between levels
 */
Samplers texture_samplers(const GlApi *gl, int anisotropy, int supersample);

/*
 * A toon ramp: 1D, lit side at 0.  Ramps of two colors, as most are, are computed instead of
 * sampled, with the result of linear filtering: mix(lit, dark, clamp(v * rows - edge, 0, 1)).
 */
typedef struct ToonRamp {
    GLuint texture; /* 0: no toon */
    bool white;     /* all white: no effect */
    bool step;      /* at most two colors */
    float lit[3], dark[3];
    float rows, edge;
} ToonRamp;

/* Textures of a material; a name of 0 means that there is none.  A texture is neutral if it has no
 * effect unless a material morph changes the texture factors. */
typedef struct MaterialTextures {
    GLuint texture, sphere;
    int width, height;     /* of the texture's image, 0 without one */
    const AlphaMask *mask; /* the texture's mask if it has alpha, else NULL */
    ToonRamp toon;
    GLuint mtoon[MTOON_SAMPLED], white; /* of a material with Mtoon; white: without a picture */
    bool texture_alpha, sphere_alpha;   /* some pixels are not opaque */
    bool texture_neutral, sphere_neutral;
} MaterialTextures;

/* [material_count] in the arena; an image that several materials use has one texture object.
 * `scratch` is reset. */
MaterialTextures *texture_load_materials(const Model *model, const GlApi *gl, Arena *arena,
                                         Arena *scratch);
