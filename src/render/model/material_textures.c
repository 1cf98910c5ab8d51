#include "render/model/material_textures.h"

#include "render/texture/toon.h"

static const uint8_t WHITE[4] = {255, 255, 255, 255}, BLACK[4] = {0, 0, 0, 255};

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

static GLuint uniform_texture(TextureSet *set, bool black)
{
    GLuint *name = black ? &set->black : &set->white;

    if (*name == 0)
        *name = texture_create_uniform(set->gl, black ? BLACK : WHITE);
    return *name;
}

/* A missing image has no effect: white, or black where it is added (render/README.md 5.2). */
static GLuint image_texture(TextureSet *set, int32_t index, bool added)
{
    const Image *image = image_of(set, index);

    if (index < 0)
        return 0;
    if (image == NULL)
        return uniform_texture(set, added);
    if (set->textures[index] == 0) {
        if (image->has_alpha)
            set->masks[index] = arena_array(set->arena, AlphaMask, 1);
        set->textures[index] =
            texture_create(set->gl, image, set->masks[index], set->arena, set->scratch);
        arena_reset(set->scratch);
    }
    return set->textures[index];
}

static ToonRamp toon(TextureSet *set, const PmxMaterial *material)
{
    const int32_t index = material->toon;

    if (material->shared_toon && index >= 0 && index < TOON_COUNT) {
        ToonRamp *ramp = &set->shared[index];

        if (ramp->texture == 0)
            *ramp = texture_create_shared_toon(set->gl, index);
        return *ramp;
    }
    if (material->shared_toon || image_of(set, index) == NULL)
        return (ToonRamp){0}; /* no toon, or a missing image: white */
    if (set->toons[index].texture == 0) {
        set->toons[index] = texture_create_toon(set->gl, image_of(set, index), set->scratch);
        arena_reset(set->scratch);
    }
    return set->toons[index];
}

static bool is_neutral(const TextureSet *set, int32_t index, bool added)
{
    const Image *image = image_of(set, index);

    return image == NULL || texture_is_uniform(image, added ? BLACK : WHITE);
}

static MaterialTextures textures_of(TextureSet *set, const PmxMaterial *material)
{
    const unsigned mode = material->sphere_mode;
    const bool add = mode == PMX_SPHERE_ADD;
    const bool sphere = mode != PMX_SPHERE_OFF &&
                        (mode != PMX_SPHERE_SUB_TEXTURE || set->model->pmx.extra_uv_count > 0);
    const int32_t sphere_index = sphere ? material->sphere_texture : PMX_NONE;
    const Image *base = image_of(set, material->texture), *over = image_of(set, sphere_index);
    const GLuint texture = image_texture(set, material->texture, false);

    return (MaterialTextures){.texture = texture,
                              .sphere = image_texture(set, sphere_index, add),
                              .mask = base != NULL ? set->masks[material->texture] : NULL,
                              .toon = toon(set, material),
                              .texture_alpha = base != NULL && base->has_alpha,
                              .sphere_alpha = over != NULL && over->has_alpha,
                              .texture_neutral = is_neutral(set, material->texture, false),
                              .sphere_neutral = is_neutral(set, sphere_index, add)};
}

MaterialTextures *material_textures_create(const Model *model, const GlApi *gl, Arena *arena,
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

    for (uint32_t i = 0; i < pmx->material_count; i++)
        textures[i] = textures_of(&set, &pmx->materials[i]);
    arena_destroy(lists);
    return textures;
}
