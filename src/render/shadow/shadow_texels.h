// SPDX-License-Identifier: MIT
/*
 * shadow_texels.h - the depths of a shadow map, arranged for the lookups of soft shadows
 *
 * A lookup filters 4 x 4 texels (render/README.md 8.2).  Here two neighbours of a row are one word,
 * the first one in its low half, and a second plane of words has the smallest (low half) and the
 * largest depth of the 4 x 4 texels that begin at each texel: where both are in front of a surface,
 * or both behind it, its light is known without the others.  Four texels of depth 1 surround the
 * map, so that no lookup outside of it sees a shadow.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "render/gl/gl_api.h"

typedef struct ShadowTexels {
    int width, height;      /* size of the largest map that fits */
    uint16_t *depths;       /* depths of the map with its border; scratch follows */
    GLuint texture, buffer; /* a buffer texture of words; 0: not created yet */
    size_t words;
} ShadowTexels;

/* The size of a plane with its border; each row fills up its last vector. */
typedef struct ShadowTexelSize {
    size_t stride, rows;
} ShadowTexelSize;

ShadowTexelSize shadow_texel_size(int width, int height);

/* Writes the values that the shaders need: the largest column and row where a lookup can begin,
 * words in a row, the first word of the ranges. */
void shadow_texels_layout(int32_t layout[4], int width, int height);

/* The length of the array of depths that shadow_texels_arrange needs. */
size_t shadow_texels_scratch(ShadowTexelSize size);

/*
 * words   [2 * stride * rows]; the last three rows of the ranges are not written
 * depths  with their border; what follows them is scratch
 */
void shadow_texels_arrange(uint32_t *words, uint16_t *depths, ShadowTexelSize size);

/* Makes all depths of a map of this size 1. */
void shadow_texels_clear(ShadowTexels *texels, int width, int height, Arena *arena);

/* The upper left texel of that map; rows have the stride of its shadow_texel_size. */
uint16_t *shadow_texels_first(const ShadowTexels *texels, int width, int height);

/* Fills the buffer texture.  Returns false after an error was reported. */
bool shadow_texels_upload(ShadowTexels *texels, const GlApi *gl, int width, int height, Diag *diag);
