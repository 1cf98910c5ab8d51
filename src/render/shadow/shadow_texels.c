// SPDX-License-Identifier: MIT
#include "render/shadow/shadow_texels.h"

#include <string.h>

enum { BORDER = 4, TAPS = 4 }; /* on each side; of a lookup, in each direction */
enum { LANES = 8 };
typedef uint16_t Lanes __attribute__((vector_size(LANES * sizeof(uint16_t))));

ShadowTexelSize shadow_texel_size(int width, int height)
{
    const size_t columns = (size_t)width + 2 * BORDER;

    return (ShadowTexelSize){(columns + LANES - 1) / LANES * LANES, (size_t)height + 2 * BORDER};
}

void shadow_texels_layout(int32_t layout[4], int width, int height)
{
    const ShadowTexelSize size = shadow_texel_size(width, height);

    layout[0] = width + 2 * BORDER - TAPS;
    layout[1] = height + 2 * BORDER - TAPS;
    layout[2] = (int32_t)size.stride;
    layout[3] = (int32_t)(size.stride * size.rows);
}

/* ---- arrangement ---- */

static Lanes load(const uint16_t *from)
{
    Lanes lanes;

    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static Lanes lower(Lanes a, Lanes b)
{
    const Lanes less = (Lanes)(a < b);

    return (a & less) | (b & ~less);
}

static Lanes higher(Lanes a, Lanes b)
{
    const Lanes less = (Lanes)(a < b);

    return (b & less) | (a & ~less);
}

/* The ranges of four neighbours in a row. */
static void row_ranges(uint16_t *low, uint16_t *high, const uint16_t *depths, size_t stride)
{
    for (size_t x = 0; x < stride; x += LANES) {
        const Lanes a = load(depths + x), b = load(depths + x + 1);
        const Lanes c = load(depths + x + 2), d = load(depths + x + 3);
        const Lanes lowest = lower(lower(a, b), lower(c, d));
        const Lanes highest = higher(higher(a, b), higher(c, d));

        memcpy(low + x, &lowest, sizeof lowest);
        memcpy(high + x, &highest, sizeof highest);
    }
}

static void pack(uint32_t *words, const uint16_t *first, const uint16_t *second, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = first[i] | (uint32_t)second[i] << 16;
}

/* The ranges of blocks, of the ranges of their rows. */
static void block_ranges(uint32_t *words, const uint16_t *low, const uint16_t *high, size_t stride)
{
    for (size_t x = 0; x < stride; x += LANES) {
        Lanes lowest = load(low + x), highest = load(high + x);
        uint16_t values[2][LANES];

        for (size_t y = 1; y < TAPS; y++) {
            lowest = lower(lowest, load(low + y * stride + x));
            highest = higher(highest, load(high + y * stride + x));
        }
        memcpy(values[0], &lowest, sizeof lowest);
        memcpy(values[1], &highest, sizeof highest);
        pack(words + x, values[0], values[1], LANES);
    }
}

size_t shadow_texels_scratch(ShadowTexelSize size)
{
    return size.stride * size.rows + LANES + 2 * TAPS * size.stride;
}

void shadow_texels_arrange(uint32_t *words, uint16_t *depths, ShadowTexelSize size)
{
    const size_t count = size.stride * size.rows;
    uint16_t *low = depths + count + LANES, *high = low + TAPS * size.stride;

    pack(words, depths, depths + 1, count);
    for (size_t y = 0; y < size.rows; y++) {
        const size_t slot = y % TAPS * size.stride;

        row_ranges(low + slot, high + slot, depths + y * size.stride, size.stride);
        if (y + 1 >= TAPS)
            block_ranges(words + count + (y + 1 - TAPS) * size.stride, low, high, size.stride);
    }
}

/* ---- the buffer ---- */

/* A size that is some larger, so that a character that comes nearer seldom needs other buffers. */
static int grow(int have, int needed)
{
    return have < needed ? needed + needed / 4 : have;
}

void shadow_texels_clear(ShadowTexels *texels, int width, int height, Arena *arena)
{
    const ShadowTexelSize size = shadow_texel_size(width, height);

    if (texels->depths == NULL || texels->width < width || texels->height < height) {
        texels->width = grow(texels->width, width);
        texels->height = grow(texels->height, height);
        texels->depths =
            arena_array(arena, uint16_t,
                        shadow_texels_scratch(shadow_texel_size(texels->width, texels->height)));
    }
    memset(texels->depths, 0xff, (size.stride * size.rows + LANES) * sizeof *texels->depths);
}

uint16_t *shadow_texels_first(const ShadowTexels *texels, int width, int height)
{
    return texels->depths + BORDER * shadow_texel_size(width, height).stride + BORDER;
}

static bool create_buffer(ShadowTexels *texels, const GlApi *gl, Diag *diag)
{
    const ShadowTexelSize size = shadow_texel_size(texels->width, texels->height);
    const size_t words = 2 * size.stride * size.rows;
    GLint limit = 0;

    gl->GetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &limit);
    if (words > (size_t)limit)
        return diag_fail(diag, DIAG_RESOURCE,
                         "a soft shadow map of %dx%d texels exceeds the limit of OpenGL (%d)",
                         texels->width, texels->height, limit / 2);
    gl->DeleteBuffers(1, &texels->buffer); /* 0 is ignored */
    gl->CreateBuffers(1, &texels->buffer);
    gl->NamedBufferStorage(texels->buffer, (GLsizeiptr)(words * sizeof(uint32_t)), NULL,
                           GL_MAP_WRITE_BIT);
    if (texels->texture == 0)
        gl->CreateTextures(GL_TEXTURE_BUFFER, 1, &texels->texture);
    gl->TextureBuffer(texels->texture, GL_R32UI, texels->buffer);
    texels->words = words;
    return true;
}

bool shadow_texels_upload(ShadowTexels *texels, const GlApi *gl, int width, int height, Diag *diag)
{
    const ShadowTexelSize size = shadow_texel_size(width, height);
    const size_t count = 2 * size.stride * size.rows;

    if (texels->words < count && !create_buffer(texels, gl, diag))
        return false;
    uint32_t *words =
        gl->MapNamedBufferRange(texels->buffer, 0, (GLsizeiptr)(count * sizeof *words),
                                GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT);
    if (words == NULL)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for a soft shadow map");
    shadow_texels_arrange(words, texels->depths, size);
    gl->UnmapNamedBuffer(texels->buffer);
    return true;
}
