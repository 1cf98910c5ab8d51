// SPDX-License-Identifier: MIT
#include "render/texture/texture.h"

#include <string.h>

#include "render/texture/mipmap.h"
#include "render/texture/toon.h"

/* The bias of the nearest mip level that is closest to a reference with 64 samples
 * (render/README.md 10). */
static const GLfloat LEVEL_BIAS = -0.75f;
static const uint8_t WHITE[4] = {255, 255, 255, 255}, BLACK[4] = {0, 0, 0, 255};

static GLuint surface_sampler(const GlApi *gl, int wrap, GLint minify)
{
    static const GLint modes[PMX_WRAPS] = {[PMX_REPEAT] = GL_REPEAT,
                                           [PMX_MIRROR] = GL_MIRRORED_REPEAT,
                                           [PMX_CLAMP] = GL_CLAMP_TO_EDGE};
    const GLuint name = gl_sampler(gl, modes[wrap / PMX_WRAPS], minify, GL_LINEAR);

    gl->SamplerParameteri(name, GL_TEXTURE_WRAP_T, modes[wrap % PMX_WRAPS]);
    return name;
}

Samplers texture_samplers(const GlApi *gl, int anisotropy, int supersample)
{
    const bool nearest_level = supersample > 1;
    Samplers samplers = {.clamp =
                             gl_sampler(gl, GL_CLAMP_TO_EDGE, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR),
                         .toon = gl_sampler(gl, GL_CLAMP_TO_EDGE, GL_LINEAR, GL_LINEAR),
                         .anisotropy = anisotropy};
    GLint limit = 0;

    if (anisotropy > 1)
        gl->GetIntegerv(GL_MAX_TEXTURE_MAX_ANISOTROPY, &limit);
    for (int i = 0; i < TEXTURE_WRAPS; i++) {
        const GLuint name = surface_sampler(
            gl, i, nearest_level ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR);

        if (nearest_level)
            gl->SamplerParameterf(name, GL_TEXTURE_LOD_BIAS, LEVEL_BIAS);
        if (limit > 1)
            gl->SamplerParameteri(name, GL_TEXTURE_MAX_ANISOTROPY,
                                  anisotropy < limit ? anisotropy : limit);
        samplers.surface[i] = name;
        /* Where there is anisotropy, other filters give other pixels. */
        samplers.first_level[i] = anisotropy > 1 ? name : surface_sampler(gl, i, GL_LINEAR);
    }
    gl->GetError(); /* OpenGL 4.5 without anisotropy reports an error here */
    return samplers;
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

/* Creates a texture with mip levels, whose alpha is added to `mask`, in `arena`, if it is not NULL.
 */
static GLuint create_texture(const GlApi *gl, const Image *image, AlphaMask *mask, Arena *arena,
                             Arena *scratch)
{
    Image level = shrink_to_limit(gl, image, scratch);
    const bool cutout = mipmap_is_cutout(&level);
    const double coverage = cutout ? mipmap_coverage(&level) : 0.0;
    int level_count = 1;

    for (int side = level.width > level.height ? level.width : level.height; side > 1; side /= 2)
        level_count++;
    const GLuint name = gl_texture(gl, GL_RGBA8, level_count, level.width, level.height);
    for (int i = 0; i < level_count; i++) {
        level = i > 0 ? mipmap_half(&level, scratch) : level;
        const Image shown =
            cutout && i > 0 ? mipmap_match_coverage(&level, coverage, scratch) : level;
        gl->TextureSubImage2D(name, i, 0, 0, shown.width, shown.height, GL_RGBA, GL_UNSIGNED_BYTE,
                              shown.pixels);
        if (mask != NULL)
            alpha_mask_add(mask, &shown, arena);
    }
    return name;
}

/* ---- toons ---- */

static ToonRamp create_ramp(const GlApi *gl, const uint8_t *rows, int count)
{
    const uint8_t *first = rows, *last = rows + 4 * (count - 1);
    ToonRamp ramp = {.rows = (float)count};
    int changes = 0, edge = 0; /* edge: index of the first row with another color */

    for (int i = 1; i < count; i++)
        if (memcmp(rows + 4 * i, rows + 4 * (i - 1), 3) != 0 && changes++ == 0)
            edge = i;
    ramp.white = changes == 0 && memcmp(first, WHITE, 3) == 0;
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

/* The ramp of the left column of an image. */
static ToonRamp create_toon(const GlApi *gl, const Image *image, Arena *scratch)
{
    const Image shrunk = shrink_to_limit(gl, image, scratch);
    uint8_t *column = arena_array(scratch, uint8_t, (size_t)shrunk.height * 4);

    for (int y = 0; y < shrunk.height; y++)
        memcpy(column + 4 * (size_t)y, shrunk.pixels + 4 * (size_t)y * (size_t)shrunk.width, 4);
    return create_ramp(gl, column, shrunk.height);
}

/* ---- materials ---- */

/* Texture objects of one model, created on first use. */
typedef struct TextureSet {
    const GlApi *gl;
    const Model *model;
    GLuint *textures;  /* [texture_count] */
    ToonRamp *toons;   /* [texture_count] */
    AlphaMask **masks; /* [texture_count]; NULL without alpha */
    ToonRamp shared[TOON_COUNT];
    GLuint white, black;
    Arena *arena, *scratch;
} TextureSet;

static const Image *image_of(const TextureSet *set, int32_t index)
{
    return index >= 0 ? set->model->textures[index] : NULL;
}

static const PmxTexture *source_of(const TextureSet *set, int32_t index)
{
    const PmxTexture *sources = set->model->pmx.texture_sources;

    return sources != NULL && index >= 0 ? &sources[index] : NULL;
}

/* What is outside of its picture, as index in Samplers.surface. */
static uint8_t wrap_of(const TextureSet *set, int32_t index)
{
    const PmxTexture *source = source_of(set, index);

    return source != NULL ? (uint8_t)(source->wrap[0] * PMX_WRAPS + source->wrap[1]) : 0;
}

/* White, or black where it is added. */
static GLuint neutral_texture(TextureSet *set, bool added)
{
    GLuint *name = added ? &set->black : &set->white;

    if (*name == 0) {
        *name = gl_texture(set->gl, GL_RGBA8, 1, 1, 1);
        set->gl->TextureSubImage2D(*name, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                                   added ? BLACK : WHITE);
    }
    return *name;
}

/* A missing image has no effect (render/README.md 5.2). */
static GLuint image_texture(TextureSet *set, int32_t index, bool added)
{
    const Image *image = image_of(set, index);

    if (index < 0)
        return 0;
    if (image == NULL)
        return neutral_texture(set, added);
    if (set->textures[index] == 0) {
        if (image->has_alpha) {
            const PmxTexture *source = source_of(set, index);

            set->masks[index] = arena_array(set->arena, AlphaMask, 1);
            if (source != NULL)
                memcpy(set->masks[index]->wrap, source->wrap, sizeof source->wrap);
        }
        set->textures[index] =
            create_texture(set->gl, image, set->masks[index], set->arena, set->scratch);
        arena_reset(set->scratch);
    }
    return set->textures[index];
}

static ToonRamp toon_of(TextureSet *set, const PmxMaterial *material)
{
    const int32_t index = material->toon;

    if (material->shared_toon && index >= 0 && index < TOON_COUNT) {
        ToonRamp *ramp = &set->shared[index];

        if (ramp->texture == 0) {
            uint8_t rows[TOON_ROWS][4];

            toon_ramp(rows, index);
            *ramp = create_ramp(set->gl, rows[0], TOON_ROWS);
        }
        return *ramp;
    }
    if (material->shared_toon || image_of(set, index) == NULL)
        return (ToonRamp){0}; /* no toon, or a missing image: white */
    if (set->toons[index].texture == 0) {
        set->toons[index] = create_toon(set->gl, image_of(set, index), set->scratch);
        arena_reset(set->scratch);
    }
    return set->toons[index];
}

/* White without a picture; a missing one is white, or black where it is added. */
static WrappedTexture wrapped_texture(TextureSet *set, int32_t index, bool added)
{
    return (WrappedTexture){index < 0 ? neutral_texture(set, false)
                                      : image_texture(set, index, added),
                            wrap_of(set, index)};
}

/* Those that only materials of VRM figures and scenes have. */
static void load_more(MaterialTextures *textures, TextureSet *set, const PmxMaterial *material)
{
    textures->white = neutral_texture(set, false);
    for (int i = 0; material->mtoon != NULL && i < MTOON_SAMPLED; i++)
        textures->mtoon[i] = wrapped_texture(set, material->mtoon->textures[i], false);
    for (int i = 0; material->maps.used && i < PMX_MAPS; i++)
        textures->maps[i] = wrapped_texture(set, material->maps.textures[i], i == PMX_MAP_EMISSION);
}

/* Whether there is no image, or all of it is white, or black where it is added. */
static bool is_neutral(const Image *image, bool added)
{
    const size_t count = image != NULL ? (size_t)image->width * (size_t)image->height : 0;

    for (size_t i = 0; i < count; i++)
        if (memcmp(image->pixels + 4 * i, added ? BLACK : WHITE, 4) != 0)
            return false;
    return true;
}

MaterialTextures *texture_load_materials(const Model *model, const GlApi *gl, Arena *arena,
                                         Arena *scratch)
{
    const PmxModel *pmx = &model->pmx;
    Arena *lists = arena_create();
    TextureSet set = {.gl = gl,
                      .model = model,
                      .textures = arena_array(lists, GLuint, pmx->texture_count),
                      .toons = arena_array(lists, ToonRamp, pmx->texture_count),
                      .masks = arena_array(lists, AlphaMask *, pmx->texture_count),
                      .arena = arena,
                      .scratch = scratch};
    MaterialTextures *textures = arena_array(arena, MaterialTextures, pmx->material_count);

    for (uint32_t i = 0; i < pmx->material_count; i++) {
        const PmxMaterial *material = &pmx->materials[i];
        const unsigned mode = material->sphere_mode;
        const bool add = mode == PMX_SPHERE_ADD;
        const bool sphere =
            mode != PMX_SPHERE_OFF && (mode != PMX_SPHERE_SUB_TEXTURE || pmx->extra_uv_count > 0);
        const int32_t sphere_index = sphere ? material->sphere_texture : PMX_NONE;
        const Image *base = image_of(&set, material->texture), *over = image_of(&set, sphere_index);
        const GLuint texture = image_texture(&set, material->texture, false);

        textures[i] = (MaterialTextures){.texture = texture,
                                         .wrap = wrap_of(&set, material->texture),
                                         .sphere = image_texture(&set, sphere_index, add),
                                         .width = base != NULL ? base->width : 0,
                                         .height = base != NULL ? base->height : 0,
                                         .mask = base != NULL ? set.masks[material->texture] : NULL,
                                         .toon = toon_of(&set, material),
                                         .texture_alpha = base != NULL && base->has_alpha,
                                         .sphere_alpha = over != NULL && over->has_alpha,
                                         .texture_neutral = is_neutral(base, false),
                                         .sphere_neutral = is_neutral(over, add)};
        if (material->mtoon != NULL || material->maps.used)
            load_more(&textures[i], &set, material);
    }
    arena_destroy(lists);
    return textures;
}
