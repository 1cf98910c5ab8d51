#include "render/texture/texture.h"

#include <string.h>

#include "render/texture/mipmap.h"
#include "render/texture/toon.h"

/* Of the nearest mip level: closest to a reference with 64 samples (render/README.md 12). */
static const GLfloat LEVEL_BIAS = -0.25f;

static GLuint create_sampler(const GlApi *gl, GLint wrap, GLint minify)
{
    GLuint name = 0;

    gl->CreateSamplers(1, &name);
    gl->SamplerParameteri(name, GL_TEXTURE_WRAP_S, wrap);
    gl->SamplerParameteri(name, GL_TEXTURE_WRAP_T, wrap);
    gl->SamplerParameteri(name, GL_TEXTURE_MIN_FILTER, minify);
    gl->SamplerParameteri(name, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    return name;
}

/* Uses anisotropic filtering as far as the GL supports it. */
static GLuint surface_sampler(const GlApi *gl, int anisotropy, bool nearest_level)
{
    const GLuint name = create_sampler(
        gl, GL_REPEAT, nearest_level ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR);
    GLint limit = 0;

    if (nearest_level)
        gl->SamplerParameterf(name, GL_TEXTURE_LOD_BIAS, LEVEL_BIAS);
    if (anisotropy <= 1)
        return name;
    gl->GetIntegerv(GL_MAX_TEXTURE_MAX_ANISOTROPY, &limit);
    if (limit > 1)
        gl->SamplerParameteri(name, GL_TEXTURE_MAX_ANISOTROPY,
                              anisotropy < limit ? anisotropy : limit);
    gl->GetError(); /* OpenGL 4.5 without the extension reports an error here */
    return name;
}

Samplers texture_samplers(const GlApi *gl, int anisotropy, int supersample)
{
    return (Samplers){.repeat = surface_sampler(gl, anisotropy, supersample > 1),
                      .clamp = create_sampler(gl, GL_CLAMP_TO_EDGE, GL_LINEAR_MIPMAP_NEAREST),
                      .toon = create_sampler(gl, GL_CLAMP_TO_EDGE, GL_LINEAR)};
}

static int level_count(int width, int height)
{
    int levels = 1;

    for (int side = width > height ? width : height; side > 1; side /= 2)
        levels++;
    return levels;
}

/* Halves images that exceed the GL's texture size until they fit. */
static Image shrink_to_limit(const GlApi *gl, const Image *image, Arena *scratch)
{
    Image shrunk = *image;
    GLint limit = 0;

    gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    while (shrunk.width > limit || shrunk.height > limit)
        shrunk = mipmap_half(&shrunk, scratch);
    return shrunk;
}

static void upload_level(const GlApi *gl, GLuint name, int number, const Image *level)
{
    gl->TextureSubImage2D(name, number, 0, 0, level->width, level->height, GL_RGBA,
                          GL_UNSIGNED_BYTE, level->pixels);
}

GLuint texture_create(const GlApi *gl, const Image *image, AlphaMask *mask, Arena *arena,
                      Arena *scratch)
{
    Image level = shrink_to_limit(gl, image, scratch);
    const int levels = level_count(level.width, level.height);
    const bool cutout = mipmap_is_cutout(&level);
    const double coverage = cutout ? mipmap_coverage(&level) : 0.0;
    GLuint name = 0;

    gl->CreateTextures(GL_TEXTURE_2D, 1, &name);
    gl->TextureStorage2D(name, levels, GL_RGBA8, level.width, level.height);
    for (int i = 0; i < levels; i++) {
        level = i > 0 ? mipmap_half(&level, scratch) : level;
        const Image shown =
            cutout && i > 0 ? mipmap_match_coverage(&level, coverage, scratch) : level;
        upload_level(gl, name, i, &shown);
        if (mask != NULL)
            alpha_mask_add(mask, &shown, arena);
    }
    return name;
}

GLuint texture_create_uniform(const GlApi *gl, const uint8_t rgba[4])
{
    GLuint name = 0;

    gl->CreateTextures(GL_TEXTURE_2D, 1, &name);
    gl->TextureStorage2D(name, 1, GL_RGBA8, 1, 1);
    gl->TextureSubImage2D(name, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    return name;
}

bool texture_is_uniform(const Image *image, const uint8_t rgba[4])
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

static ToonRamp create_ramp(const GlApi *gl, const uint8_t *rows, int count)
{
    const uint8_t *first = rows, *last = rows + 4 * (count - 1);
    const uint8_t white[3] = {255, 255, 255};
    ToonRamp ramp = {.rows = (float)count};
    int changes = 0, edge = 0; /* edge: index of the first row with another color */

    for (int i = 1; i < count; i++)
        if (!same_color(rows + 4 * i, rows + 4 * (i - 1)) && changes++ == 0)
            edge = i;
    ramp.white = changes == 0 && same_color(first, white);
    ramp.step = changes <= 1;
    ramp.edge = (float)edge - 0.5f; /* halfway between the centers of two rows */
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
    const Image shrunk = shrink_to_limit(gl, image, scratch);
    uint8_t *column = arena_array(scratch, uint8_t, (size_t)shrunk.height * 4);

    for (int y = 0; y < shrunk.height; y++)
        memcpy(column + 4 * (size_t)y, shrunk.pixels + 4 * (size_t)y * (size_t)shrunk.width, 4);
    return create_ramp(gl, column, shrunk.height);
}

ToonRamp texture_create_shared_toon(const GlApi *gl, int index)
{
    uint8_t rows[TOON_ROWS][4];

    toon_ramp(rows, index);
    return create_ramp(gl, rows[0], TOON_ROWS);
}
