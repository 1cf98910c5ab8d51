/*
 * texture.h - pictures on the GL, and how they are sampled
 *
 * Row 0 of a picture is v = 0.  Mip maps are made here (mipmap.h), so
 * that every driver has the same.  Nothing is freed singly: textures live as long as the context.
 */
#ifndef RENDER_TEXTURE_H
#define RENDER_TEXTURE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/image.h"
#include "render/gl_api.h"

/* Ways to sample, bound beside a texture. */
typedef struct Samplers {
    GLuint repeat; /* trilinear */
    GLuint clamp;  /* linear in the nearest level, edges held: sphere maps, which are smooth */
    GLuint toon;   /* linear, edges held, no mip maps */
} Samplers;

/* anisotropy   1: off; textures at a slant are sampled up to so many times */
Samplers texture_samplers(const GlApi *gl, int anisotropy);

/* 2D with mip maps; `scratch` holds the levels meanwhile. */
GLuint texture_create(const GlApi *gl, const Image *image, Arena *scratch);

GLuint texture_create_flat(const GlApi *gl, const uint8_t rgba[4]);

/* Every pixel has this colour. */
bool texture_is_flat(const Image *image, const uint8_t rgba[4]);

/*
 * A toon ramp: 1D, lit side at 0.  Most have two colours, as toon01 to toon04: those are computed
 * instead of looked up, as linear filtering would: mix(lit, dark, clamp(v * rows - edge, 0, 1)).
 */
typedef struct ToonRamp {
    GLuint texture; /* 0: no toon */
    bool white;     /* changes nothing */
    bool step;      /* two colours */
    float lit[3], dark[3];
    float rows, edge;
} ToonRamp;

/* From the left column of a picture, and toon01 (index 0) to toon10. */
ToonRamp texture_create_toon(const GlApi *gl, const Image *image, Arena *scratch);
ToonRamp texture_create_shared_toon(const GlApi *gl, int index);

#endif
