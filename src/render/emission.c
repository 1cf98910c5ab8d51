// SPDX-License-Identifier: MIT
#include "render/emission.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

enum { UNIFORM_COLOR = 0, UNIFORM_ALPHA = 1, UNIT_TEXTURE = 0 };
static const float MAX_STRENGTH = EMISSION_MAX_STRENGTH;   /* as alpha 1 */
static const float BASE_POWER = 100.0f, POWER_STEP = 7.0f; /* AutoLuminous */
static const float MAX_SPECULAR = 0.01f;                   /* length of a black specular color */

float emission_strength(const MaterialState *state, const char *name,
                        const EmissionOptions *options)
{
    const float *s = state->specular;
    const float strength = (state->specular_power - BASE_POWER) / POWER_STEP;

    if (text_find(TEXT_WORDS(options->materials, options->material_count), name) >= 0)
        return 1.0f;
    if (!(strength > 0.0f) ||
        s[0] * s[0] + s[1] * s[1] + s[2] * s[2] >= MAX_SPECULAR * MAX_SPECULAR)
        return 0.0f;
    return fminf(strength, EMISSION_MAX_STRENGTH);
}

/* 0 if the material does not glow, or is not in the view. */
static float strength_of(const Emission *emission, const Actor *actor, uint32_t number)
{
    return actor->in_view[number]
               ? emission_strength(&actor->state->materials[number],
                                   actor->mesh->pmx->materials[number].name, &emission->options)
               : 0.0f;
}

bool emission_any(const Emission *emission, const DrawContext *context)
{
    for (size_t a = 0; a < context->actor_count; a++) {
        const Actor *actor = &context->actors[a];

        for (uint32_t i = 0; actor->visible && i < actor->mesh->pmx->material_count; i++)
            if (strength_of(emission, actor, i) > 0)
                return true;
    }
    return false;
}

/* ---- drawing ---- */

static void draw_material(const Emission *emission, const DrawContext *context, const Actor *actor,
                          uint32_t number, float strength)
{
    const GlApi *gl = context->gl;
    const MaterialState *state = &actor->state->materials[number];
    const GLuint texture = actor->textures[number].texture;
    const MeshMaterial *mesh = &actor->mesh->materials[number];
    float color[4];

    for (int c = 0; c < 3; c++) { /* AutoLuminous: (diffuse + emissive / 2) / 2 */
        const float value = 0.5f * (state->diffuse[c] + 0.5f * state->ambient[c]);
        color[c] = fminf(fmaxf(value, 0.0f), 1.0f);
    }
    color[3] = strength / MAX_STRENGTH;
    gl->UseProgram(emission->programs[texture != 0]);
    gl->Uniform4fv(UNIFORM_COLOR, 1, color);
    gl->Uniform1f(UNIFORM_ALPHA, fminf(state->diffuse[3], 1.0f));
    if (texture != 0) {
        gl->BindTextureUnit(UNIT_TEXTURE, texture);
        gl->BindSampler(UNIT_TEXTURE, context->samplers.surface[actor->textures[number].wrap]);
    }
    gl_set_enabled(gl, GL_CULL_FACE,
                   !(actor->mesh->pmx->materials[number].flags & PMX_DOUBLE_SIDED));
    gl_draw_indices(gl, mesh->mode, mesh->first, mesh->count);
}

/* Draws over the depth of the picture, without writing it; slightly towards the eye, so that
 * rounding does not hide a surface behind itself. */
static void draw_light(const Emission *emission, const DrawContext *context)
{
    const GlApi *gl = context->gl;
    const Target *target = &context->target;

    gl->BindFramebuffer(GL_FRAMEBUFFER, target->draw);
    target_draw_overlays(target, false, false);
    gl->ClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    gl->Clear(GL_COLOR_BUFFER_BIT);
    gl->Disable(GL_BLEND);
    gl->CullFace(GL_BACK);
    gl->DepthMask(GL_FALSE);
    draw_towards_eye(context, 1.0f, 4.0f);
    for (size_t a = 0; a < context->actor_count; a++) {
        const Actor *actor = &context->actors[a];

        if (!actor->visible)
            continue;
        gl->BindVertexArray(actor->deform.vertices);
        gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, actor->block);
        for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
            const float strength = strength_of(emission, actor, i);

            if (strength > 0.0f)
                draw_material(emission, context, actor, i, strength);
        }
    }
    gl->Disable(GL_POLYGON_OFFSET_FILL);
    gl->DepthMask(GL_TRUE);
    target_draw_overlays(target, true, true);
}

/* ---- reading ---- */

/* Adds two rows of the image, which are in the strip, to a row of half-size pixels. */
static void add_rows(float (*row)[3], const uint8_t *strip, ImageRect part, int scale, float weight)
{
    const int width = (part.right - part.left) * scale, rows = (part.bottom - part.top) * scale;
    const uint8_t *sample = strip;
    static const uint8_t nothing[4] = {0};

    for (int y = 0; y < rows; y++)
        for (int x = 0; x < width; x++, sample += 4) {
            if (memcmp(sample, nothing, 4) == 0)
                continue;
            const float share = weight * MAX_STRENGTH * (float)sample[3] / (255.0f * 255.0f);
            float *out = row[(part.left + x / scale) / 2];
            for (int c = 0; c < 3; c++)
                out[c] += share * (float)sample[c];
        }
}

bool emission_draw(float (*out)[3], float weight, Emission *emission, const DrawContext *context,
                   ImageRect drawn, Diag *diag)
{
    const Target *target = &context->target;
    const int scale = target->spec.scale, half_width = (target->spec.width + 1) / 2;
    const float each = weight / (float)(4 * scale * scale);

    if (drawn.left >= drawn.right)
        return true;
    for (int texture = 0; texture < 2; texture++) {
        GLuint *program = &emission->programs[texture];

        if (*program == 0)
            *program = draw_variant(context, "emission.vert", "emission.frag",
                                    (ShaderDefine){"TEXTURE", texture}, diag);
        if (*program == 0)
            return false;
    }
    if (emission->strip == NULL)
        emission->strip =
            arena_array(context->arena, uint8_t, 16 * (size_t)(scale * scale * half_width));
    draw_light(emission, context);
    target_resolve(target, drawn);
    for (int y = drawn.top & ~1; y < drawn.bottom; y += 2) {
        ImageRect part = {drawn.left, y, drawn.right, y + 2};
        part.top = part.top > drawn.top ? part.top : drawn.top;
        part.bottom = part.bottom < drawn.bottom ? part.bottom : drawn.bottom;
        target_read_surface(emission->strip, target, part);
        add_rows(out + (size_t)(y / 2) * (size_t)half_width, emission->strip, part, scale, each);
    }
    return true;
}
