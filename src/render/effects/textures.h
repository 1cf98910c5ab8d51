// SPDX-License-Identifier: MIT
/*
 * textures.h - the render targets and pictures of effects, and the framebuffers to draw on them
 *
 * A target is created when it is first used, and is transparent black at the start of each frame,
 * so that a frame depends on nothing before it, unless frames continue (effects_continue).  Formats
 * that Direct3D 9 cannot draw on become the next larger one that it can, as D3DX does: L8, A8 and
 * A8L8 are A8R8G8B8.
 */
#pragma once

#include "base/diag.h"
#include "effect/effect.h"
#include "render/gl/gl.h"
#include "scene/effects.h"

enum {
    FX_MAX_SIDE = 8192,          /* of a target, pixels */
    FX_MAX_PIXELS = 4096 * 4096, /* of a target */
    FX_MAX_TARGETS = 256,        /* of all effects of a frame */
    FX_SAMPLES = 4               /* of an antialiased target */
};
static const uint64_t FX_MAX_TARGET_BYTES = (uint64_t)3 << 30; /* all targets together */

typedef struct FxTexture {
    GLuint name;   /* 0: not created yet */
    GLuint linear; /* the same texels, decoded from sRGB when read; 0: not created yet */
    GLuint copy;   /* what was on it, for a pass that reads its own target; 0: not created yet */
    GLenum format;
    int width, height, levels;
    bool is_target;
    EffectDimension dimension; /* of a picture; EFFECT_CUBE, EFFECT_3D, or any other: a plane */
    bool opaque;               /* its format has no alpha, which reads as 1 */
    bool stale_levels;         /* of a target: level 0 was drawn on */
    GLuint samples;            /* framebuffer with several samples per pixel; 0: not created yet */
    uint64_t frame;            /* of a target: in which it was last cleared or drawn on */
    bool is_plain;             /* of a target: cleared to `color` and not drawn on since */
    bool is_pending;           /* it has that color once fx_texture_settle was called */
    float color[4];
    const TextureFile *picture; /* of an animation; else NULL */
    int shown;                  /* its frame that the texture has; -1: none */
} FxTexture;

/* Depths and stencil of one size. */
typedef struct FxDepth {
    const void
        *owner; /* the parameter that declares it; NULL: the default of targets of that size */
    int width, height, samples;
    GLuint buffer;
    uint64_t frame; /* in which it was last cleared */
} FxDepth;

typedef struct FxFramebuffer {
    GLuint colors[EFFECT_COLOR_TARGETS], depth;
    GLuint name;
} FxFramebuffer;

typedef struct FxTextures {
    const GlApi *gl;
    Arena *arena;
    uint64_t frame;     /* from 1 */
    uint64_t kept_from; /* the first frame whose contents of targets are not gone */
    uint64_t bytes;     /* of all targets */
    unsigned target_count;
    FxDepth **depths;
    size_t depth_count, depth_capacity;
    FxFramebuffer *framebuffers;
    size_t framebuffer_count, framebuffer_capacity;
} FxTextures;

/* What the annotations of a RENDERCOLORTARGET or an OFFSCREENRENDERTARGET ask for. */
typedef struct FxTargetSpec {
    int width, height, levels;
    GLenum format;
    bool opaque;
    bool antialias;
    float clear_color[4], clear_depth;
} FxTargetSpec;

/* width, height: of the frame.  file: of the effect, for messages. */
bool fx_target_spec(FxTargetSpec *out, const EffectParameter *parameter, int width, int height,
                    const char *file, Diag *diag);

/* Memory of a target of these kinds, or of a RENDERDEPTHSTENCILTARGET, with its levels and samples;
 * 0 if it cannot be created. */
uint64_t fx_target_bytes(const EffectParameter *parameter, int width, int height);

/* Creates a target; false after an error was reported. */
bool fx_target_create(FxTexture *out, FxTextures *textures, const FxTargetSpec *spec,
                      const char *name, Diag *diag);

/* Uploads a picture with its mip levels; `levels` of the annotation MipLevels: 0 is all. */
void fx_picture_create(FxTexture *out, const TextureFile *file, int levels, const GlApi *gl);

/* Shows the frame of an animation at a time in seconds; it repeats. */
void fx_picture_show(FxTexture *texture, double time, const GlApi *gl);

/* The texture whose texels a float4 array has by the semantic TEXTUREVALUE, as an index; -1: none.
 */
int fx_texels_texture(const Effect *effect, const EffectParameter *parameter);

/* A texture of one color. */
void fx_plain_create(FxTexture *out, const uint8_t rgba[4], const GlApi *gl);

/* Whether colors of a format do not end at 1. */
bool fx_is_wide(GLenum format);

/* MipLevels or Levels of a texture; `otherwise` if it has none. */
int fx_levels_of(const EffectParameter *parameter, int otherwise);

FxDepth *fx_depth(FxTextures *textures, const void *owner, int width, int height, int samples);

/* colors: names of textures, 0 for none; the framebuffer draws on those that exist. */
GLuint fx_framebuffer(FxTextures *textures, const GLuint colors[EFFECT_COLOR_TARGETS],
                      GLuint depth);

/* A framebuffer with FX_SAMPLES samples per pixel, depths and stencil, for a target; and what was
 * drawn on it as the target's contents.  0 after an error was reported. */
GLuint fx_texture_samples(FxTexture *texture, const FxTextures *textures, Diag *diag);
void fx_texture_resolve(FxTexture *texture, FxTextures *textures);

/* Whether a target was cleared or drawn on, in a frame whose contents are not gone. */
bool fx_texture_is_used(const FxTexture *texture, const FxTextures *textures);

/* The name to read a target or picture with: with its levels made, and cleared if it is not used.
 */
GLuint fx_texture_read(FxTexture *texture, FxTextures *textures, bool srgb);

/* Clears a target, which costs nothing if all of it is drawn on next; and makes its texels so. */
void fx_texture_clear(FxTexture *texture, const FxTextures *textures, const float color[4]);
void fx_texture_settle(FxTexture *texture, const FxTextures *textures);

/* Says that a target was drawn on, or is about to be. */
void fx_texture_drawn(FxTexture *texture, const FxTextures *textures);

/* A copy of level 0 of a target, made now. */
GLuint fx_texture_copy(FxTexture *texture, const GlApi *gl);
