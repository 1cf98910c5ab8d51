// SPDX-License-Identifier: MIT
#include "render/effects/kept.h"

#include <strings.h>

#include "render/effects/technique.h"
#include "render/effects/textures.h"

/* A script that is followed without drawing. */
typedef struct Walk {
    const Effect *effect;
    const FxTechnique *technique;
    bool *drawn;                      /* [parameter_count] */
    int colors[EFFECT_COLOR_TARGETS]; /* parameters; -1: none, or the default */
    const char *kept;
} Walk;

static void draw(Walk *walk)
{
    for (int i = 0; i < EFFECT_COLOR_TARGETS; i++)
        if (walk->colors[i] >= 0)
            walk->drawn[walk->colors[i]] = true;
}

/* The texels of a target are those at the start of the frame. */
static void read_texels(Walk *walk, const EffectShader *shader)
{
    for (size_t i = 0; shader != NULL && i < shader->uniform_count; i++) {
        const int texture = fx_texels_texture(
            walk->effect, &walk->effect->parameters[shader->uniforms[i].parameter]);

        if (texture >= 0 && walk->kept == NULL &&
            strcasecmp(walk->effect->parameters[texture].semantic, "RENDERCOLORTARGET") == 0)
            walk->kept = walk->effect->parameters[texture].name;
    }
}

static void read_textures(Walk *walk, const EffectShader *shader)
{
    read_texels(walk, shader);
    for (size_t i = 0; shader != NULL && i < shader->sampler_count; i++) {
        const EffectSampler *sampler =
            walk->effect->parameters[shader->samplers[i].parameter].sampler;
        const EffectParameter *texture = sampler != NULL && sampler->texture >= 0
                                             ? &walk->effect->parameters[sampler->texture]
                                             : NULL;

        if (texture != NULL && !texture->shared && !walk->drawn[sampler->texture] &&
            strcasecmp(texture->semantic, "RENDERCOLORTARGET") == 0 && walk->kept == NULL)
            walk->kept = texture->name;
    }
}

static void follow(Walk *walk, const FxScript *script, const EffectPass *pass)
{
    for (size_t i = 0; i < script->count; i++) {
        const FxCommand *command = &script->commands[i];

        if (command->kind == FX_COLOR_TARGET)
            walk->colors[command->number] = command->parameter;
        if (command->kind == FX_CLEAR_COLOR || command->kind == FX_EXTERNAL)
            draw(walk);
        if (command->kind == FX_PASS)
            follow(walk, &walk->technique->passes[command->number],
                   &walk->technique->technique->passes[command->number]);
        if (!pass || (command->kind != FX_DRAW_BUFFER && command->kind != FX_DRAW_GEOMETRY))
            continue;
        read_textures(walk, pass->vertex);
        read_textures(walk, pass->fragment);
        draw(walk);
    }
}

const char *fx_kept_target(const Effect *effect, Arena *arena)
{
    const FxTechniques techniques = fx_techniques_of(effect, arena);
    const FxTechnique *of_scene = fx_scene_technique(&techniques);
    Walk walk = {.effect = effect, .drawn = arena_array(arena, bool, effect->parameter_count)};

    for (size_t i = 0; i < techniques.count; i++) {
        walk.technique = &techniques.items[i];
        if (techniques.order != FX_STANDARD && walk.technique != of_scene)
            continue;
        for (int k = 0; k < EFFECT_COLOR_TARGETS; k++)
            walk.colors[k] = -1;
        follow(&walk, &walk.technique->script, NULL);
    }
    return walk.kept;
}
