#include "render/texture.h"

#include <string.h>

#include "render/toon.h"

static GLuint sampler(const GlApi *gl, GLint wrap, GLint minify)
{
    GLuint name = 0;

    gl->CreateSamplers(1, &name);
    gl->SamplerParameteri(name, GL_TEXTURE_WRAP_S, wrap);
    gl->SamplerParameteri(name, GL_TEXTURE_WRAP_T, wrap);
    gl->SamplerParameteri(name, GL_TEXTURE_MIN_FILTER, minify);
    gl->SamplerParameteri(name, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    return name;
}

Samplers texture_samplers(const GlApi *gl)
{
    return (Samplers){.repeat = sampler(gl, GL_REPEAT, GL_LINEAR_MIPMAP_LINEAR),
                      .clamp = sampler(gl, GL_CLAMP_TO_EDGE, GL_LINEAR_MIPMAP_NEAREST),
                      .toon = sampler(gl, GL_CLAMP_TO_EDGE, GL_LINEAR)};
}

static int half(int side)
{
    return side > 1 ? side / 2 : 1;
}

static int level_count(int width, int height)
{
    int levels = 1;

    for (int side = width > height ? width : height; side > 1; side /= 2)
        levels++;
    return levels;
}

/* Half the size; each pixel is the rounded mean of four (an odd last row or column is left out). */
static Image halved(const Image *image, Arena *arena)
{
    Image out = {.width = half(image->width), .height = half(image->height)};
    const size_t stride = (size_t)image->width * 4;
    const size_t right = image->width > 1 ? 4 : 0, below = image->height > 1 ? stride : 0;

    out.pixels = arena_array(arena, uint8_t, (size_t)out.width * (size_t)out.height * 4);
    uint8_t *to = out.pixels;
    for (int y = 0; y < out.height; y++) {
        const uint8_t *from = image->pixels + 2 * (size_t)y * stride;

        for (int x = 0; x < out.width; x++, from += 8)
            for (size_t c = 0; c < 4; c++)
                *to++ = (uint8_t)((from[c] + from[c + right] + from[c + below] +
                                   from[c + right + below] + 2) /
                                  4);
    }
    return out;
}

/* What the GL can take; larger pictures are halved until they fit. */
static Image fitted(const GlApi *gl, const Image *image, Arena *scratch)
{
    Image fit = *image;
    GLint limit = 0;

    gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    while (fit.width > limit || fit.height > limit)
        fit = halved(&fit, scratch);
    return fit;
}

GLuint texture_create(const GlApi *gl, const Image *image, Arena *scratch)
{
    Image level = fitted(gl, image, scratch);
    const int levels = level_count(level.width, level.height);
    GLuint name = 0;

    gl->CreateTextures(GL_TEXTURE_2D, 1, &name);
    gl->TextureStorage2D(name, levels, GL_RGBA8, level.width, level.height);
    for (int i = 0; i < levels; i++) {
        if (i > 0)
            level = halved(&level, scratch);
        gl->TextureSubImage2D(name, i, 0, 0, level.width, level.height, GL_RGBA, GL_UNSIGNED_BYTE,
                              level.pixels);
    }
    return name;
}

GLuint texture_create_flat(const GlApi *gl, const uint8_t rgba[4])
{
    GLuint name = 0;

    gl->CreateTextures(GL_TEXTURE_2D, 1, &name);
    gl->TextureStorage2D(name, 1, GL_RGBA8, 1, 1);
    gl->TextureSubImage2D(name, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    return name;
}

bool texture_is_flat(const Image *image, const uint8_t rgba[4])
{
    const size_t count = (size_t)image->width * (size_t)image->height;

    for (size_t i = 0; i < count; i++)
        if (memcmp(image->pixels + 4 * i, rgba, 4) != 0)
            return false;
    return true;
}

static bool same_color(const uint8_t *a, const uint8_t *b)
{
    return memcmp(a, b, 3) == 0;
}

static ToonRamp ramp(const GlApi *gl, const uint8_t *rows, int count)
{
    const uint8_t *first = rows, *last = rows + 4 * (count - 1);
    const uint8_t white[3] = {255, 255, 255};
    ToonRamp ramp = {.rows = (float)count};
    int changes = 0, edge = 0; /* edge: the first row of another colour */

    for (int i = 1; i < count; i++)
        if (!same_color(rows + 4 * i, rows + 4 * (i - 1)) && changes++ == 0)
            edge = i;
    ramp.white = changes == 0 && same_color(first, white);
    ramp.step = changes <= 1;
    ramp.edge = (float)edge - 0.5f; /* halfway between the rows' centres */
    for (int c = 0; c < 3; c++) {
        ramp.lit[c] = (float)first[c] / 255.0f;
        ramp.dark[c] = (float)last[c] / 255.0f;
    }

    gl->CreateTextures(GL_TEXTURE_1D, 1, &ramp.texture);
    gl->TextureStorage1D(ramp.texture, 1, GL_RGBA8, count);
    gl->TextureSubImage1D(ramp.texture, 0, 0, count, GL_RGBA, GL_UNSIGNED_BYTE, rows);
    return ramp;
}

ToonRamp texture_create_toon(const GlApi *gl, const Image *image, Arena *scratch)
{
    const Image fit = fitted(gl, image, scratch);
    uint8_t *column = arena_array(scratch, uint8_t, (size_t)fit.height * 4);

    for (int y = 0; y < fit.height; y++)
        memcpy(column + 4 * (size_t)y, fit.pixels + 4 * (size_t)y * (size_t)fit.width, 4);
    return ramp(gl, column, fit.height);
}

ToonRamp texture_create_shared_toon(const GlApi *gl, int index)
{
    uint8_t rows[TOON_ROWS][4];

    toon_ramp(rows, index);
    return ramp(gl, rows[0], TOON_ROWS);
}
