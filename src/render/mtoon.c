// SPDX-License-Identifier: MIT
#include "render/mtoon.h"

#include <math.h>
#include <string.h>

#include "math/srgb.h"

enum { UNIFORM_MATERIAL = 8, UNIT_TEXTURE = 0 };

/* The uniform u_material of mtoon.frag. */
typedef struct MtoonBlock {
    float color[4];
    float shade[3], shift;
    float ramp[2], shift_scale, rim_lighting_mix;
    float light[3], rim_power;
    float matcap[3], rim_lift;
    float rim[3], outline_lighting_mix;
    float emission[3], rotation;
    float outline[3], indirect;
    float scroll[2], is_older, unused;
    float mask_channels[4];
} MtoonBlock;

/* The least width of the fall-off of light: half a percent, so that its edge is not jagged. */
static const float MIN_RAMP = 0.005f;
/* Indirect light: what MMD's light adds to; with its default (154 / 255) all is 1. */
static const float CONSTANT_LIGHT = 101.0f / 255.0f;

static bool is_zero(const float color[3])
{
    return color[0] == 0.0f && color[1] == 0.0f && color[2] == 0.0f;
}

static bool has_extras(const Mtoon *m)
{
    return m->textures[MTOON_SHIFT] >= 0 || !is_zero(m->rim) || !is_zero(m->emission) ||
           (m->textures[MTOON_MATCAP] >= 0 && !is_zero(m->matcap_factor)) || mtoon_is_animated(m);
}

/* A movement after some time; without a mask only the rest of its periods counts. */
static float moved(const Mtoon *m, float speed, double seconds, double period)
{
    const double value = (double)speed * seconds;

    return (float)(m->textures[MTOON_UV_MASK] < 0 ? fmod(value, period) : value);
}

static MtoonBlock material_block(const DrawContext *context, const Actor *actor, uint32_t number)
{
    const Mtoon *m = actor->mesh->pmx->materials[number].mtoon;
    const MaterialState *state = &actor->state->materials[number];
    const float width = fmaxf(2.0f - 2.0f * m->toony, MIN_RAMP);
    const bool masked = m->textures[MTOON_UV_MASK] >= 0;
    MtoonBlock block = {.shift = m->shift,
                        .ramp = {1.0f / width, 0.5f},
                        .shift_scale = m->textures[MTOON_SHIFT] < 0 ? 0.0f : m->shift_scale,
                        .rim_lighting_mix = m->rim_lighting_mix,
                        .rim_power = m->rim_power,
                        .rim_lift = m->rim_lift,
                        .outline_lighting_mix = m->outline_lighting_mix,
                        .indirect = srgb_linear(CONSTANT_LIGHT),
                        .is_older = m->is_older,
                        .rotation = moved(m, m->rotation, context->seconds, 2 * GLM_PI),
                        .scroll = {moved(m, m->scroll[0], context->seconds, 1.0),
                                   moved(m, m->scroll[1], context->seconds, 1.0)}};

    for (int i = 0; i < 3; i++) {
        block.color[i] = srgb_linear(fminf(fmaxf(state->diffuse[i], 0.0f), 1.0f));
        block.light[i] = srgb_linear(CONSTANT_LIGHT + context->view.light_color[i]);
        block.outline[i] = srgb_linear(fminf(fmaxf(state->edge_color[i], 0.0f), 1.0f));
        block.matcap[i] = m->textures[MTOON_MATCAP] < 0 ? 0.0f : m->matcap_factor[i];
    }
    block.color[3] = fminf(fmaxf(state->diffuse[3], 0.0f), 1.0f);
    memcpy(block.shade, m->shade, sizeof block.shade);
    memcpy(block.rim, m->rim, sizeof block.rim);
    memcpy(block.emission, m->emission, sizeof block.emission);
    block.mask_channels[masked && !m->is_older ? 2 : 0] = 1.0f; /* white without a mask */
    return block;
}

static GLuint variant_program(MtoonPrograms *programs, const DrawContext *context,
                              unsigned features, Diag *diag)
{
    const unsigned part = features & MTOON_FAINT;
    const ShaderDefine defines[] = {
        {"MTOON", 1},
        {"TEXTURE", (features & MTOON_TEXTURE) != 0},
        {"EXTRAS", (features & MTOON_EXTRAS) != 0},
        {"ALPHA_TEST", (features & MTOON_ALPHA_TEST) != 0},
        {"OPAQUE", part == MTOON_OPAQUE},
        {"DENSE", part == MTOON_DENSE},
        {"FAINT", part == MTOON_FAINT},
        {"SHADOW", (features & MTOON_SHADOW) != 0},
        {"SOFT", (features & MTOON_SOFT) != 0},
        {"LIGHT", (features & MTOON_LIGHT) != 0},
        {"OUTLINE", (features & MTOON_HULL) != 0},
        /* what surface.vert has for MMD's shading */
        {"SPHERE", 0},
        {"VERTEX_COLOR", 0},
        {"TOON", 0},
        {"TOON_STEP", 0},
        {"LAMBERT", 0},
        {"SPECULAR", 0},
        {"MAPS", 0},
    };
    const ShaderSpec spec = {.vertex = features & MTOON_HULL ? "edge.vert" : "surface.vert",
                             .fragment = "mtoon.frag",
                             .library = "shadow.glsl",
                             .defines = defines,
                             .define_count = sizeof defines / sizeof *defines};
    GLuint *program = &programs->programs[features];

    if (*program == 0)
        *program = shader_build(context->gl, &spec, context->shader_dir, diag);
    return *program;
}

bool mtoon_use(MtoonPrograms *programs, const DrawContext *context, const Actor *actor,
               uint32_t number, unsigned features, Diag *diag)
{
    static const GLuint units[MTOON_SAMPLED] = {1, 2, 4, 5, 6, 7}; /* 3: the shadow map */
    const GlApi *gl = context->gl;
    const Mtoon *m = actor->mesh->pmx->materials[number].mtoon;
    const MaterialTextures *textures = &actor->textures[number];
    const MtoonBlock block = material_block(context, actor, number);
    const bool extras = has_extras(m);

    if (textures->texture != 0 || m->textures[MTOON_SHADE] >= 0)
        features |= MTOON_TEXTURE;
    features |= extras ? MTOON_EXTRAS : 0;
    const GLuint program = variant_program(programs, context, features, diag);
    if (program == 0)
        return false;
    gl->UseProgram(program);
    gl->Uniform4fv(UNIFORM_MATERIAL, sizeof block / sizeof block.color, block.color);
    gl->BindTextureUnit(UNIT_TEXTURE, textures->texture != 0 ? textures->texture : textures->white);
    gl->BindSampler(UNIT_TEXTURE, context->samplers.surface[textures->wrap]);
    for (int i = 0; i < (extras ? MTOON_SAMPLED : 1); i++) {
        const WrappedTexture *texture = &textures->mtoon[i];

        gl->BindTextureUnit(units[i], texture->name);
        gl->BindSampler(units[i], i == MTOON_MATCAP ? context->samplers.clamp
                                                    : context->samplers.surface[texture->wrap]);
    }
    return true;
}
