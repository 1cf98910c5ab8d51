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

enum { TEXTURE_WRAPS = PMX_WRAPS * PMX_WRAPS }; /* pairs of PmxWrap; 0 repeats in both directions */

/* Samplers, bound separately from textures. */
typedef struct Samplers {
    GLuint surface[TEXTURE_WRAPS];     /* bilinear or trilinear, by the wrap of the texture */
    GLuint first_level[TEXTURE_WRAPS]; /* the same, where it would take the first mip level
                                        * everywhere */
    GLuint clamp;   /* bilinear in the nearest mip level: for sphere maps, which are smooth */
    GLuint toon;    /* linear, clamped, no mip levels */
    int anisotropy; /* of `surface`, which samplers of effects do not exceed; up to 1: off */
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

typedef struct WrappedTexture {
    GLuint name;
    uint8_t wrap; /* index in Samplers.surface */
} WrappedTexture;

/* Textures of a material; a name of 0 means that there is none.  A texture is neutral if it has no
 * effect unless a material morph changes the texture factors. */
typedef struct MaterialTextures {
    GLuint texture, sphere;
    uint8_t wrap;          /* of the texture */
    int width, height;     /* of the texture's image, 0 without one */
    const AlphaMask *mask; /* the texture's mask if it has alpha, else NULL */
    ToonRamp toon;
    WrappedTexture mtoon[MTOON_SAMPLED]; /* of a material with Mtoon; white without a picture */
    WrappedTexture maps[PMX_MAPS];       /* of one with maps; the same */
    GLuint white;                        /* of one with either */
    bool texture_alpha, sphere_alpha;    /* some pixels are not opaque */
    bool texture_neutral, sphere_neutral;
} MaterialTextures;

/* [material_count] in the arena; an image that several materials use has one texture object.
 * `scratch` is reset. */
MaterialTextures *texture_load_materials(const Model *model, const GlApi *gl, Arena *arena,
                                         Arena *scratch);
