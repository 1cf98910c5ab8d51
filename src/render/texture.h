/*
 * texture.h - pictures on the GL, and how they are sampled
 *
 * Row 0 of a picture is v = 0.  Mip maps are made here, by 2x2 averages of the stored values, so that
 * every driver has the same.  Nothing is freed singly: textures live as long as the context.
 */
#ifndef RENDER_TEXTURE_H
#define RENDER_TEXTURE_H

#include "base/arena.h"
#include "base/image.h"
#include "render/gl_api.h"

/* Ways to sample, bound beside a texture. */
typedef struct Samplers {
    GLuint repeat; /* trilinear */
    GLuint clamp;  /* trilinear, edges held: sphere maps */
    GLuint toon;   /* linear, edges held, no mip maps */
} Samplers;

Samplers texture_samplers(const GlApi *gl);

/* 2D with mip maps; `scratch` holds the levels meanwhile. */
GLuint texture_create(const GlApi *gl, const Image *image, Arena *scratch);

GLuint texture_create_flat(const GlApi *gl, const uint8_t rgba[4]);

/* 1D ramps, lit side at 0: the left column of a picture, and toon01 (index 0) to toon10. */
GLuint texture_create_toon(const GlApi *gl, const Image *image, Arena *scratch);
GLuint texture_create_shared_toon(const GlApi *gl, int index);

#endif
