// SPDX-License-Identifier: MIT
#include "render/effects/effects.h"

#include <string.h>

#include "base/units.h"
#include "render/sample_filter.h"

/* A pre- or post-effect of the frame. */
typedef struct Link {
    int32_t model;
    int effect;
} Link;

struct Effects {
    FxRuntime runtime;
    EffectsStandard standard;
    const Scene *scene;
    const DrawContext *draw;
    int width, height;
    double frame_s;
    bool draws_objects, continues;
    FxInstance **instances; /* [target_count + 1][model_count][effect_count], the frame's last */
    bool *masked;           /* [most materials of a model] what Actor.in_view was */
    Link *chain, *pre;      /* [model_count] of this frame; the chain from the inside out */
    size_t chain_count, pre_count;
    FxTexture screen, upload, averages; /* name 0: not created yet */
    GLuint copy_program, depth_program, samples_program;
    const FxTexture **drawn; /* [target_count] offscreen targets of this frame */
};

/* What a run belongs to, as its `user`. */
typedef struct Place {
    Effects *effects;
    size_t inside; /* of the chain: links that ScriptExternal runs */
} Place;

/* ---- set-up ---- */

static GLuint build_samples(const DrawContext *draw, Diag *diag)
{
    const ShaderDefine defines[] = {
        {"OWN", SAMPLE_OWN}, {"BESIDE", SAMPLE_BESIDE}, {"LINE_ALPHA", SAMPLE_LINE_ALPHA}};
    const ShaderSpec spec = {.vertex = "effect_copy.vert",
                             .fragment = "effect_samples.frag",
                             .defines = defines,
                             .define_count = sizeof defines / sizeof *defines};

    return shader_build(draw->gl, &spec, draw->shader_dir, diag);
}

static const SceneEffects *list_of(const Effects *e)
{
    return &e->scene->effects;
}

/* Whether it is a pre- or post-effect, which takes no turn among the models. */
static bool is_around(const Effects *e, int effect)
{
    return effect >= 0 && e->runtime.effects[effect].techniques.order != FX_STANDARD;
}

/* The effect that draws a material, or EFFECT_STANDARD or EFFECT_HIDE.  An effect that does not run
 * is as none. */
static int effect_of(const Effects *e, SceneEffectDraws draws, size_t model, uint32_t material)
{
    const int effect = scene_effect_of(draws, model, material);

    return effect >= 0 && list_of(e)->items[effect].effect == NULL ? EFFECT_STANDARD : effect;
}

static bool find_object_effects(const Effects *e)
{
    if (list_of(e)->target_count > 0)
        return true;
    for (size_t m = 0; m < e->scene->model_count; m++)
        for (uint32_t i = 0; i < e->scene->models[m].model->pmx.material_count; i++) {
            const int effect = effect_of(e, list_of(e)->draws, m, i);

            if (effect >= 0 && !is_around(e, effect))
                return true;
        }
    return false;
}

Effects *effects_create(const Scene *scene, const DrawContext *draw,
                        const EffectsStandard *standard, int width, int height, double frame_s,
                        Diag *diag)
{
    Effects *e = arena_array(draw->arena, Effects, 1);
    const SceneEffects *list = &scene->effects;
    const size_t models = scene->model_count;
    uint32_t most = 0;

    *e = (Effects){.standard = *standard,
                   .scene = scene,
                   .draw = draw,
                   .width = width,
                   .height = height,
                   .frame_s = frame_s,
                   .chain = arena_array(draw->arena, Link, models),
                   .pre = arena_array(draw->arena, Link, models),
                   .drawn = arena_array(draw->arena, const FxTexture *, list->target_count),
                   .instances = arena_array(draw->arena, FxInstance *,
                                            (list->target_count + 1) * models * list->count)};
    for (size_t m = 0; m < models; m++)
        if (scene->models[m].model->pmx.material_count > most)
            most = scene->models[m].model->pmx.material_count;
    e->masked = arena_array(draw->arena, bool, most);
    if (!fx_runtime_init(&e->runtime, scene, draw, diag))
        return NULL;
    e->draws_objects = find_object_effects(e);
    e->copy_program = draw_program(draw, "effect_copy.vert", "effect_copy.frag", diag);
    e->depth_program = draw_program(draw, "effect_depth.vert", "effect_depth.frag", diag);
    e->samples_program = build_samples(draw, diag);
    return e->copy_program != 0 && e->depth_program != 0 && e->samples_program != 0 ? e : NULL;
}

void effects_time_passes(Effects *effects)
{
    FxRuntime *runtime = &effects->runtime;

    runtime->pass_times = arena_array(runtime->arena, FxPassTime, runtime->pass_count);
}

void effects_take_pass_times(FxPassTime *sums, Effects *effects)
{
    const FxRuntime *runtime = &effects->runtime;

    for (size_t i = 0; i < runtime->pass_count; i++)
        fx_pass_time_add(&sums[i], &runtime->pass_times[i]);
    memset(runtime->pass_times, 0, runtime->pass_count * sizeof *runtime->pass_times);
}

bool effects_draw_objects(const Effects *effects)
{
    return effects->draws_objects;
}

static FxInstance *instance_of(Effects *e, int effect, size_t model, size_t target)
{
    const SceneEffects *list = list_of(e);
    const bool offscreen = target < list->target_count;
    FxInstance **slot =
        &e->instances[(target * e->scene->model_count + model) * list->count + (size_t)effect];

    if (*slot == NULL)
        *slot = fx_instance_create(&e->runtime, (size_t)effect, (int32_t)model,
                                   offscreen ? (int32_t)target : -1,
                                   offscreen ? list->targets[target].model : -1);
    return *slot;
}

/* ---- the frame ---- */

void effects_continue(Effects *effects, bool on)
{
    effects->continues = on;
}

void effects_begin(Effects *e, const FrameState *state, const float ground_color[4],
                   bool self_shadow)
{
    FxFrame *frame = &e->runtime.frame;
    FxTextures *textures = &e->runtime.textures;

    textures->frame++;
    if (!e->continues)
        textures->kept_from = textures->frame;
    e->runtime.buffer_passes = 0;
    frame->state = state;
    frame->ground_color = ground_color;
    frame->size[0] = (float)e->width;
    frame->size[1] = (float)e->height;
    frame->time = state->frame / MOTION_FPS;
    frame->elapsed = e->frame_s;
    frame->self_shadow = self_shadow;
    fx_frame_matrices(frame);
    e->chain_count = e->pre_count = 0;
    for (size_t m = 0; m < e->scene->model_count; m++) {
        if (!effects_has_model(e, m) || !state->models[m].visible)
            continue;
        const int effect = effect_of(e, list_of(e)->draws, m, 0);
        if (!is_around(e, effect))
            continue;
        const Link link = {(int32_t)m, effect};
        if (e->runtime.effects[effect].techniques.order == FX_POSTPROCESS)
            e->chain[e->chain_count++] = link;
        else
            e->pre[e->pre_count++] = link;
    }
}

static FxScope scope_of(const Effects *e, size_t model, size_t target)
{
    const SceneEffects *list = list_of(e);

    return (FxScope){.frame = &e->runtime.frame,
                     .model = (int32_t)model,
                     .owner = target < list->target_count ? list->targets[target].model : -1,
                     .size = {e->runtime.frame.size[0], e->runtime.frame.size[1]}};
}

/* ---- models ---- */

bool effects_has_model(const Effects *e, size_t model)
{
    const SceneEffectDraws draws = list_of(e)->draws;

    return draws != NULL && draws[model] != NULL;
}

static const FxTechnique *technique_of(const Effects *e, int effect, const Actor *actor,
                                       uint32_t material, FxPassKind kind)
{
    const FxSubject subject = fx_subject(actor, material, kind == FX_OBJECT_SHADED);

    return fx_find_technique(&e->runtime.effects[effect].techniques, kind, &subject);
}

static FxPassKind object_kind(const Effects *e, const Actor *actor, uint32_t material)
{
    return e->runtime.frame.self_shadow &&
                   actor->mesh->pmx->materials[material].flags & PMX_RECEIVE_SHADOW
               ? FX_OBJECT_SHADED
               : FX_OBJECT;
}

bool effects_is_standard(const Effects *e, size_t model, uint32_t material, FxPassKind kind)
{
    const int effect = effect_of(e, list_of(e)->draws, model, material);
    const Actor *actor = &e->draw->actors[model];

    if (effect == EFFECT_STANDARD)
        return true;
    if (effect == EFFECT_HIDE || is_around(e, effect))
        return false;
    return technique_of(e, effect, actor, material,
                        kind == FX_OBJECT ? object_kind(e, actor, material) : kind) == NULL;
}

/* Draws the materials of an actor whose in_view is set, as MMD, and clears the marks. */
static bool flush(Effects *e, const FxSurface *surface, Actor *actor, bool *marked, FxPassKind kind,
                  Diag *diag)
{
    const uint32_t count = actor->mesh->pmx->material_count;
    bool ok = true;

    if (*marked && kind == FX_EDGE)
        ok = e->standard.outlines(e->standard.user, actor, surface->is_picture, diag);
    else if (*marked)
        ok = e->standard.surfaces(e->standard.user, actor, diag);
    *marked = false;
    for (uint32_t i = 0; i < count; i++)
        actor->in_view[i] = false;
    return ok;
}

static bool run_standard(FxRun *run, Diag *diag)
{
    const Place *place = run->user;
    Effects *e = place->effects;
    Actor *actor = &e->draw->actors[run->scope.model];
    bool marked = true;

    fx_states_restore(run->runtime->gl, run->surface.reversed_depth);
    fx_surface_bind(run->runtime, &run->surface);
    actor->in_view[run->scope.material] = true;
    return flush(e, &run->surface, actor, &marked, run->scope.kind, diag);
}

static bool run_material(Effects *e, const FxSurface *surface, size_t target, int effect,
                         const Actor *actor, uint32_t material, FxPassKind kind,
                         const FxTechnique *technique, Diag *diag)
{
    const size_t model = (size_t)(actor - e->draw->actors);
    Place place = {.effects = e};
    FxRun run = {.runtime = &e->runtime,
                 .instance = instance_of(e, effect, model, target),
                 .technique = technique,
                 .scope = scope_of(e, model, target),
                 .surface = *surface,
                 .standard = run_standard,
                 .user = &place};

    run.scope.actor = actor;
    run.scope.material = material;
    run.scope.kind = kind;
    run.scope.size[0] = (float)surface->frame_width;
    run.scope.size[1] = (float)surface->frame_height;
    return fx_run(&run, diag);
}

static bool has_edge(const Actor *actor, uint32_t material)
{
    return actor->edge_width != 0 && actor->mesh->pmx->materials[material].flags & PMX_EDGE &&
           actor->mesh->materials[material].mode == GL_TRIANGLES &&
           actor->state->materials[material].edge_color[3] > 0 &&
           actor->state->materials[material].edge_size != 0;
}

/* Draws one kind of pass of all materials, in the order of the file. */
static bool draw_kind(Effects *e, const FxSurface *surface, size_t target, SceneEffectDraws draws,
                      Actor *actor, bool edges, Diag *diag)
{
    const size_t model = (size_t)(actor - e->draw->actors);
    const uint32_t count = actor->mesh->pmx->material_count;
    const FxPassKind rest = edges ? FX_EDGE : FX_OBJECT;
    bool marked = false, ok = true;

    if (count == 0)
        return true;
    memcpy(e->masked, actor->in_view, count * sizeof *e->masked);
    for (uint32_t i = 0; i < count; i++)
        actor->in_view[i] = false;
    for (uint32_t i = 0; ok && i < count; i++) {
        const int effect = effect_of(e, draws, model, i);
        const FxPassKind kind = edges ? FX_EDGE : object_kind(e, actor, i);

        if (effect == EFFECT_HIDE || is_around(e, effect) || !actor->drawn[i] ||
            (edges && !has_edge(actor, i)))
            continue;
        const FxTechnique *technique = effect >= 0 ? technique_of(e, effect, actor, i, kind) : NULL;
        if (technique == NULL) {
            actor->in_view[i] = e->masked[i];
            marked |= e->masked[i];
            continue;
        }
        ok = flush(e, surface, actor, &marked, rest, diag) &&
             run_material(e, surface, target, effect, actor, i, kind, technique, diag);
    }
    ok = ok && flush(e, surface, actor, &marked, rest, diag);
    memcpy(actor->in_view, e->masked, count * sizeof *e->masked);
    return ok;
}

static bool draw_model(Effects *e, const FxSurface *surface, size_t target, SceneEffectDraws draws,
                       Actor *actor, Diag *diag)
{
    return draw_kind(e, surface, target, draws, actor, false, diag) &&
           draw_kind(e, surface, target, draws, actor, true, diag);
}

bool effects_draw_model(Effects *e, const FxSurface *surface, Actor *actor, Diag *diag)
{
    return draw_model(e, surface, list_of(e)->target_count, list_of(e)->draws, actor, diag);
}

static bool draw_ground_shadow(Effects *e, const FxSurface *surface, size_t target,
                               SceneEffectDraws draws, const Actor *actor, Diag *diag)
{
    const size_t model = (size_t)(actor - e->draw->actors);
    const uint32_t count = actor->mesh->pmx->material_count;

    for (uint32_t i = 0; i < count; i++) {
        const int effect = effect_of(e, draws, model, i);
        const FxTechnique *technique =
            effect >= 0 ? technique_of(e, effect, actor, i, FX_GROUND_SHADOW) : NULL;

        if (technique == NULL || !actor->drawn[i] ||
            !(actor->mesh->pmx->materials[i].flags & PMX_GROUND_SHADOW))
            continue;
        if (!run_material(e, surface, target, effect, actor, i, FX_GROUND_SHADOW, technique, diag))
            return false;
    }
    return true;
}

/* Draws the ground shadows of all characters that have one. */
static bool draw_ground_shadows(Effects *e, const FxSurface *surface, size_t target,
                                SceneEffectDraws draws, Diag *diag)
{
    for (size_t i = 0; draws != NULL && i < e->draw->actor_count; i++) {
        const Actor *actor = &e->draw->actors[i];

        if (actor->visible && actor->has_ground_shadow && !actor->entry->spec.stage &&
            !actor->state->casts_nothing && draws[i] != NULL &&
            !draw_ground_shadow(e, surface, target, draws, actor, diag))
            return false;
    }
    return true;
}

bool effects_draw_ground_shadows(Effects *e, const FxSurface *surface, Diag *diag)
{
    return draw_ground_shadows(e, surface, list_of(e)->target_count, list_of(e)->draws, diag);
}

/* ---- offscreen targets ---- */

static bool was_drawn(const Effects *e, const FxTexture *texture)
{
    for (size_t i = 0; i < list_of(e)->target_count; i++)
        if (e->drawn[i] == texture)
            return true;
    return false;
}

/* Whether an effect that draws a target draws on more than one at once. */
static bool has_more_colors(const Effects *e, SceneEffectDraws draws)
{
    for (size_t m = 0; draws != NULL && m < e->scene->model_count; m++)
        for (uint32_t i = 0; i < e->scene->models[m].model->pmx.material_count; i++) {
            const int effect = effect_of(e, draws, m, i);

            if (effect >= 0 &&
                fx_techniques_have_more_colors(&e->runtime.effects[effect].techniques))
                return true;
        }
    return false;
}

/* Draws the stages, or the characters. */
static bool draw_target_models(Effects *e, const FxSurface *surface, size_t number, bool stages,
                               Diag *diag)
{
    for (size_t i = 0; i < e->draw->actor_count; i++) {
        Actor *actor = &e->draw->actors[i];

        if (actor->visible && actor->entry->spec.stage == stages &&
            !draw_model(e, surface, number, list_of(e)->targets[number].draws, actor, diag))
            return false;
    }
    return true;
}

static bool draw_target(Effects *e, size_t number, Diag *diag)
{
    const GlApi *gl = e->runtime.gl;
    const SceneEffectTarget *target = &list_of(e)->targets[number];
    FxInstance *owner =
        instance_of(e, target->effect, (size_t)target->model,
                    target->parent < 0 ? list_of(e)->target_count : (size_t)target->parent);
    FxTexture *texture = fx_instance_target(&e->runtime, owner, target->parameter, diag);
    FxTargetSpec spec;

    if (texture == NULL ||
        !fx_target_spec(&spec, &owner->effect->effect->parameters[target->parameter], e->width,
                        e->height, owner->effect->item->file, diag))
        return false;
    if (was_drawn(e, texture))
        return true;
    e->drawn[number] = texture;
    FxSurface surface = {.texture = texture,
                         .width = texture->width,
                         .height = texture->height,
                         .frame_width = texture->width,
                         .frame_height = texture->height,
                         .scale = 1};
    const bool antialias = spec.antialias && !has_more_colors(e, target->draws);
    if (antialias) {
        surface.texture = NULL;
        surface.framebuffer = fx_texture_samples(texture, &e->runtime.textures, diag);
        if (surface.framebuffer == 0)
            return false;
    } else {
        surface.depth = fx_depth(&e->runtime.textures, texture, texture->width, texture->height, 1);
        surface.depth->frame = e->runtime.textures.frame;
    }
    fx_surface_bind(&e->runtime, &surface);
    fx_states_restore(gl, false);
    gl->ClearColor(spec.clear_color[0], spec.clear_color[1], spec.clear_color[2],
                   spec.clear_color[3]);
    gl->ClearDepth((double)spec.clear_depth);
    gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    if (!antialias)
        fx_texture_drawn(texture, &e->runtime.textures);
    if (!draw_target_models(e, &surface, number, true, diag) ||
        !draw_ground_shadows(e, &surface, number, target->draws, diag) ||
        !draw_target_models(e, &surface, number, false, diag))
        return false;
    if (antialias)
        fx_texture_resolve(texture, &e->runtime.textures);
    fx_texture_drawn(texture, &e->runtime.textures);
    return true;
}

/* ---- the self-shadow map ---- */

/* Draws what casts with depths from the light. */
static void draw_caster(Effects *e, const Actor *actor, uint32_t material)
{
    enum { UNIFORM_CLIP = 0 };
    FxFrame frame = e->runtime.frame; /* cglm takes no constants */
    const size_t model = (size_t)(actor - e->draw->actors);
    const GlApi *gl = e->runtime.gl;
    const GLuint texture = actor->textures[material].texture;
    mat4 clip, world;

    view_placement(world, &actor->state->placement);
    glm_mat4_mulN((mat4 *[]){&frame.light_projection, &frame.light_view, &world}, 3, clip);
    gl->Disable(GL_BLEND);
    gl_set_enabled(gl, GL_CULL_FACE,
                   !(actor->mesh->pmx->materials[material].flags & PMX_DOUBLE_SIDED));
    gl->UseProgram(e->depth_program);
    gl->Uniform4fv(UNIFORM_CLIP, 4, clip[0]);
    gl->BindTextureUnit(0, texture != 0 ? texture : e->runtime.white.name);
    gl->BindSampler(0, e->draw->samplers.surface[actor->textures[material].wrap]);
    fx_shape_draw(&e->runtime.shapes[model], actor, material, false, e->runtime.textures.frame, gl,
                  e->runtime.arena);
    gl->BindSampler(0, 0);
}

/* Draws the casters of an actor: by the technique for zplot of their effects, or as MMD. */
static bool draw_casters(Effects *e, const FxSurface *surface, Actor *actor, Diag *diag)
{
    const size_t model = (size_t)(actor - e->draw->actors), frame = list_of(e)->target_count;

    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
        const int effect = effect_of(e, list_of(e)->draws, model, i);

        if (effect == EFFECT_HIDE || is_around(e, effect) || !actor->drawn[i] ||
            !(actor->mesh->pmx->materials[i].flags & PMX_CAST_SHADOW))
            continue;
        const FxTechnique *technique =
            effect >= 0 ? technique_of(e, effect, actor, i, FX_Z_PLOT) : NULL;
        if (technique == NULL)
            draw_caster(e, actor, i);
        else if (!run_material(e, surface, frame, effect, actor, i, FX_Z_PLOT, technique, diag))
            return false;
    }
    return true;
}

static bool draw_shadow_map(Effects *e, Diag *diag)
{
    enum { SIDE = 2048 };
    static const FxTargetSpec spec = {
        .width = SIDE, .height = SIDE, .levels = 1, .format = GL_R32F};
    FxTexture *map = &e->runtime.shadow_map;
    const GlApi *gl = e->runtime.gl;

    if (!e->runtime.uses_shadows || !e->runtime.frame.self_shadow)
        return true;
    if (map->name == 0 &&
        !fx_target_create(map, &e->runtime.textures, &spec, "the self-shadow map", diag))
        return false;
    const FxSurface surface = {.texture = map,
                               .width = SIDE,
                               .height = SIDE,
                               .frame_width = SIDE,
                               .frame_height = SIDE,
                               .scale = 1,
                               .depth = fx_depth(&e->runtime.textures, map, SIDE, SIDE, 1)};
    surface.depth->frame = e->runtime.textures.frame;
    fx_texture_drawn(map, &e->runtime.textures);
    fx_surface_bind(&e->runtime, &surface);
    fx_states_restore(gl, false);
    gl->ClearColor(1, 1, 1, 1);
    gl->ClearDepth(1);
    gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    for (size_t i = 0; i < e->draw->actor_count; i++)
        if (e->draw->actors[i].visible && !e->draw->actors[i].state->casts_nothing &&
            !draw_casters(e, &surface, &e->draw->actors[i], diag))
            return false;
    return true;
}

bool effects_draw_targets(Effects *e, Diag *diag)
{
    fx_frame_light(&e->runtime.frame);
    if (!draw_shadow_map(e, diag))
        return false;
    memset(e->drawn, 0, list_of(e)->target_count * sizeof(FxTexture *));
    for (size_t i = list_of(e)->target_count; i-- > 0;)
        if (e->runtime.frame.state->models[list_of(e)->targets[i].model].visible &&
            !draw_target(e, i, diag))
            return false;
    return true;
}

/* ---- pre- and post-effects ---- */

bool effects_has_chain(const Effects *e)
{
    return e->chain_count + e->pre_count > 0;
}

static FxTexture picture_texture(const Effects *e, GLenum format)
{
    const GlApi *gl = e->runtime.gl;
    const FxTexture out = {.name = gl_texture(gl, format, 1, e->width, e->height),
                           .width = e->width,
                           .height = e->height};

    gl->TextureParameteri(out.name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TextureParameteri(out.name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    gl->TextureParameteri(out.name, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    return out;
}

/* Draws a texture on a target by a program, over what is there if `over`. */
static void draw_texture(Effects *e, const FxTexture *target, GLuint program, GLuint texture,
                         bool over)
{
    const GlApi *gl = e->runtime.gl;
    GLuint names[EFFECT_COLOR_TARGETS] = {target->name};

    fx_states_restore(gl, false);
    gl->BindFramebuffer(GL_FRAMEBUFFER, fx_framebuffer(&e->runtime.textures, names, 0));
    gl->Viewport(0, 0, target->width, target->height);
    gl->Disable(GL_DEPTH_TEST);
    gl_set_enabled(gl, GL_BLEND, over);
    gl->BlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl->UseProgram(program);
    gl->BindTextureUnit(0, texture);
    gl->BindSampler(0, 0);
    draw_shape(e->draw, GL_TRIANGLE_STRIP, 4);
    fx_states_restore(gl, false);
}

static void upload(Effects *e, FxTexture *target, const Image *image, bool over)
{
    const GlApi *gl = e->runtime.gl;
    const bool direct = !over && target->format == GL_RGBA8 && target->width == image->width &&
                        target->height == image->height;

    if (!direct && e->upload.name == 0)
        e->upload = picture_texture(e, GL_RGBA8);
    gl->TextureSubImage2D(direct ? target->name : e->upload.name, 0, 0, 0, image->width,
                          image->height, GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
    if (!direct)
        draw_texture(e, target, e->copy_program, e->upload.name, over);
    fx_texture_drawn(target, &e->runtime.textures);
}

/* Draws the samples of the scene: their averages, resampled if the target has another size. */
static void draw_samples(Effects *e, FxTexture *target, const EffectsScene *scene, bool over)
{
    enum { UNIFORM_SCALE = 0 };
    const bool direct = target->width == e->width && target->height == e->height;

    if (!direct && e->averages.name == 0)
        e->averages = picture_texture(e, GL_RGBA16F);
    e->runtime.gl->UseProgram(e->samples_program);
    e->runtime.gl->Uniform1i(UNIFORM_SCALE, scene->scale);
    draw_texture(e, direct ? target : &e->averages, e->samples_program, scene->samples,
                 direct && over);
    if (!direct)
        draw_texture(e, target, e->copy_program, e->averages.name, over);
    fx_texture_drawn(target, &e->runtime.textures);
}

/* Draws the scene on a target.  Where effects draw some of it, colors may be above 1. */
static bool draw_scene(Effects *e, FxTexture *target, Diag *diag)
{
    static const float nothing[4] = {0};
    const bool used = fx_texture_is_used(target, &e->runtime.textures);
    const bool over = used && !target->is_plain;
    const bool wide = e->draws_objects && fx_is_wide(target->format);
    EffectsScene scene;

    if (!e->standard.scene(&scene, e->standard.user, used && !over ? target->color : nothing, wide,
                           diag))
        return false;
    if (scene.image != NULL)
        upload(e, target, scene.image, over);
    if (scene.samples != 0)
        draw_samples(e, target, &scene, over || scene.image != NULL);
    return true;
}

static bool run_link(Effects *e, const Link *link, FxTexture *target, size_t inside, Diag *diag);

/* What is inside of a post-effect: the next one, or pre-effects and the scene. */
static bool draw_inside(Effects *e, FxTexture *target, size_t inside, Diag *diag)
{
    if (inside > 0)
        return run_link(e, &e->chain[inside - 1], target, inside - 1, diag);
    for (size_t i = 0; i < e->pre_count; i++)
        if (!run_link(e, &e->pre[i], target, 0, diag))
            return false;
    return draw_scene(e, target, diag);
}

static bool run_external(FxRun *run, Diag *diag)
{
    const Place *place = run->user;

    return draw_inside(place->effects, fx_run_color(run), place->inside, diag);
}

static bool run_link(Effects *e, const Link *link, FxTexture *target, size_t inside, Diag *diag)
{
    const FxEffect *effect = &e->runtime.effects[link->effect];
    const size_t model = (size_t)link->model;
    Place place = {e, inside};
    FxRun run = {.runtime = &e->runtime,
                 .instance = instance_of(e, link->effect, model, list_of(e)->target_count),
                 .technique = fx_scene_technique(&effect->techniques),
                 .scope = scope_of(e, model, list_of(e)->target_count),
                 .surface = {.texture = target,
                             .width = target->width,
                             .height = target->height,
                             .frame_width = target->width,
                             .frame_height = target->height,
                             .scale = 1},
                 .external = effect->techniques.order == FX_POSTPROCESS ? run_external : NULL,
                 .user = &place};

    if (effect->techniques.class == FX_CLASS_BOTH) { /* its accessory is drawn by Draw=Geometry */
        run.scope.actor = &e->draw->actors[model];
        run.standard = run_standard;
        run.all_materials = true;
    }
    return run.technique == NULL || fx_run(&run, diag);
}

bool effects_draw_chain(Effects *e, Image *image, const float background[4], Diag *diag)
{
    const GlApi *gl = e->runtime.gl;
    const FxTargetSpec spec = {
        .width = e->width, .height = e->height, .levels = 1, .format = GL_RGBA8};
    GLuint names[EFFECT_COLOR_TARGETS] = {0};

    if (e->screen.name == 0 &&
        !fx_target_create(&e->screen, &e->runtime.textures, &spec, "the screen", diag))
        return false;
    fx_texture_clear(&e->screen, &e->runtime.textures, background);
    if (!draw_inside(e, &e->screen, e->chain_count, diag))
        return false;
    fx_texture_settle(&e->screen, &e->runtime.textures);
    names[0] = e->screen.name;
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, fx_framebuffer(&e->runtime.textures, names, 0));
    gl->PixelStorei(GL_PACK_ROW_LENGTH, 0);
    gl->ReadPixels(0, 0, e->width, e->height, GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
    image->width = e->width;
    image->height = e->height;
    return true;
}
