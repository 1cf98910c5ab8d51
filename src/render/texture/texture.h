/*
 * texture.h - GL textures and samplers
 *
 * Row 0 of an image is v = 0.  Mip levels are computed here (mipmap.h), so that they are the same
 * with every driver.  Textures live as long as the context.
 */
#ifndef RENDER_TEXTURE_TEXTURE_H
#define RENDER_TEXTURE_TEXTURE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/image.h"
#include "render/gl/gl_api.h"
#include "render/texture/alpha_mask.h"

/* Samplers, bound separately from textures. */
typedef struct Samplers {
    GLuint repeat; /* bilinear or trilinear */
    GLuint
        clamp;   /* bilinear in the nearest mip level, clamped: for sphere maps, which are smooth */
    GLuint toon; /* linear, clamped, no mip levels */
} Samplers;

/*
 * anisotropy   maximum number of samples along the direction of compression; 1: off
 * supersample  more than 1: the nearest mip level, since averaging hides the steps between levels
 */
Samplers texture_samplers(const GlApi *gl, int anisotropy, int supersample);

/* 2D with mip levels, whose alpha is added to `mask`, in `arena`, if it is not NULL; `scratch`
 * holds the levels temporarily. */
GLuint texture_create(const GlApi *gl, const Image *image, AlphaMask *mask, Arena *arena,
                      Arena *scratch);

GLuint texture_create_uniform(const GlApi *gl, const uint8_t rgba[4]);

/* Whether every pixel has this color. */
bool texture_is_uniform(const Image *image, const uint8_t rgba[4]);

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

/* From the left column of an image, and toon01 (index 0) to toon10 (index 9). */
ToonRamp texture_create_toon(const GlApi *gl, const Image *image, Arena *scratch);
ToonRamp texture_create_shared_toon(const GlApi *gl, int index);

#endif
