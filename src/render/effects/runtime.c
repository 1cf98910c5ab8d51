// SPDX-License-Identifier: MIT
#include "render/effects/runtime.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/memory.h"

/* ---- set-up ---- */

static bool is_target(const EffectParameter *p)
{
    return p->type.base == EFFECT_TEXTURE &&
           (strcasecmp(p->semantic, "RENDERCOLORTARGET") == 0 ||
            strcasecmp(p->semantic, "OFFSCREENRENDERTARGET") == 0);
}

/* "sampler DefSampler : register(s0);" */
static bool is_shadow_map(const EffectSampler *sampler)
{
    return sampler->texture < 0 && sampler->register_index == 0;
}

/* How much a declaration of a shared texture says. */
static size_t weight_of(const EffectParameter *p)
{
    return p->annotation_count + (strcasecmp(p->semantic, "OFFSCREENRENDERTARGET") == 0 ? 100 : 0);
}

static FxShared *find_shared(const FxRuntime *runtime, const char *name)
{
    for (size_t i = 0; i < runtime->shared_count; i++)
        if (strcmp(runtime->shared[i].name, name) == 0)
            return &runtime->shared[i];
    return NULL;
}

static void add_shared(FxRuntime *runtime, const EffectParameter *p, const char *file)
{
    FxShared *shared = find_shared(runtime, p->name);

    if (shared == NULL) {
        if (runtime->shared_count == runtime->shared_capacity)
            runtime->shared = arena_grow(runtime->arena, runtime->shared, runtime->shared_count,
                                         &runtime->shared_capacity, sizeof *runtime->shared);
        shared = &runtime->shared[runtime->shared_count++];
        *shared = (FxShared){.name = p->name, .parameter = p, .file = file};
    } else if (weight_of(p) > weight_of(shared->parameter)) {
        shared->parameter = p;
        shared->file = file;
    }
}

static void init_effect(FxRuntime *runtime, FxEffect *out, const SceneEffect *item)
{
    const Effect *effect = item->effect;
    const GlApi *gl = runtime->gl;

    *out = (FxEffect){.item = item,
                      .effect = effect,
                      .techniques = fx_techniques_of(effect, runtime->arena),
                      .passes = arena_array(runtime->arena, FxPass *, effect->technique_count),
                      .pictures = arena_array(runtime->arena, FxTexture *, effect->parameter_count),
                      .samplers = arena_array(runtime->arena, GLuint, effect->parameter_count)};
    for (size_t i = 0; i < effect->technique_count; i++) {
        out->passes[i] = arena_array(runtime->arena, FxPass, effect->techniques[i].pass_count);
        for (size_t p = 0; p < effect->techniques[i].pass_count; p++)
            out->passes[i][p].number = runtime->pass_count++;
    }
    for (size_t i = 0; i < effect->parameter_count; i++) {
        const EffectParameter *p = &effect->parameters[i];

        if (p->sampler != NULL)
            out->samplers[i] =
                fx_sampler_create(gl, p->sampler, runtime->frame.draw->samplers.anisotropy);
        runtime->uses_shadows |= p->sampler != NULL && is_shadow_map(p->sampler);
        if (p->shared && is_target(p))
            add_shared(runtime, p, item->file);
        if (item->pictures == NULL || item->pictures[i] == NULL)
            continue;
        out->pictures[i] = arena_array(runtime->arena, FxTexture, 1);
        fx_picture_create(out->pictures[i], item->pictures[i], fx_levels_of(p, 0), gl);
    }
}

bool fx_runtime_init(FxRuntime *out, const Scene *scene, const DrawContext *draw, Diag *diag)
{
    static const uint8_t BLACK[4] = {0, 0, 0, 255}, WHITE[4] = {255, 255, 255, 255};
    static const uint8_t FACES[6][4] = {{0, 0, 0, 255}, {0, 0, 0, 255}, {0, 0, 0, 255},
                                        {0, 0, 0, 255}, {0, 0, 0, 255}, {0, 0, 0, 255}};
    const TextureFile cube = {.width = 1,
                              .height = 1,
                              .faces = 6,
                              .levels = 1,
                              .frames = 1,
                              .format = PIXEL_RGBA8,
                              .pixels = FACES[0]};
    const TextureFile volume = {.width = 1,
                                .height = 1,
                                .faces = 1,
                                .depth = 1,
                                .levels = 1,
                                .frames = 1,
                                .format = PIXEL_RGBA8,
                                .pixels = BLACK};
    const SceneEffects *effects = &scene->effects;

    *out = (FxRuntime){.gl = draw->gl,
                       .arena = draw->arena,
                       .textures = {.gl = draw->gl, .arena = draw->arena, .kept_from = 1},
                       .effects = arena_array(draw->arena, FxEffect, effects->count),
                       .effect_count = effects->count,
                       .shapes = arena_array(draw->arena, FxShape, scene->model_count),
                       .frame = {.scene = scene, .draw = draw}};
    out->shadow_sampler = gl_sampler(draw->gl, GL_CLAMP_TO_EDGE, GL_NEAREST, GL_NEAREST);
    fx_quad_init(&out->quad, draw->gl);
    fx_plain_create(&out->black, BLACK, draw->gl);
    fx_plain_create(&out->white, WHITE, draw->gl);
    fx_picture_create(&out->black_cube, &cube, 1, draw->gl);
    fx_picture_create(&out->black_volume, &volume, 1, draw->gl);
    for (size_t i = 0; i < effects->count; i++)
        if (effects->items[i].effect != NULL)
            init_effect(out, &out->effects[i], &effects->items[i]);
    for (size_t i = 0; i < draw->actor_count; i++)
        fx_shape_init(&out->shapes[i], &draw->actors[i], draw->gl, draw->arena);
    return draw->gl->GetError() == GL_NO_ERROR ||
           diag_fail(diag, DIAG_RESOURCE, "OpenGL ran out of memory while loading the effects");
}

/* The texels of a picture that a parameter has as its value; NULL: it has none. */
static float *texels_of(const FxEffect *effect, const EffectParameter *p, Arena *arena)
{
    const int texture = fx_texels_texture(effect->effect, p);
    const size_t count = effect_type_size(p->type) / 4;

    if (texture < 0 || effect->item->pictures == NULL || effect->item->pictures[texture] == NULL)
        return NULL;
    float(*texels)[4] = arena_alloc(arena, count * sizeof *texels);
    texture_file_texels(texels, count, effect->item->pictures[texture]);
    return texels[0];
}

FxInstance *fx_instance_create(FxRuntime *runtime, size_t effect, int32_t model, int32_t target,
                               int32_t owner)
{
    FxInstance *out = arena_array(runtime->arena, FxInstance, 1);
    const Effect *e = runtime->effects[effect].effect;
    const size_t count = e->parameter_count;

    *out = (FxInstance){.effect = &runtime->effects[effect],
                        .model = model,
                        .target = target,
                        .bindings = arena_array(runtime->arena, FxBinding, count),
                        .targets = arena_array(runtime->arena, FxTexture *, count),
                        .values = arena_array(runtime->arena, float *, count)};
    for (size_t i = 0; i < count; i++) {
        out->bindings[i] = fx_bind(&e->parameters[i], runtime->frame.scene, model, owner);
        out->values[i] = texels_of(out->effect, &e->parameters[i], runtime->arena);
    }
    return out;
}

FxTexture *fx_instance_target(FxRuntime *runtime, FxInstance *instance, int parameter, Diag *diag)
{
    const EffectParameter *p = &instance->effect->effect->parameters[parameter];
    FxShared *shared = p->shared ? find_shared(runtime, p->name) : NULL;
    FxTexture **texture = &instance->targets[parameter];
    FxTargetSpec spec;

    if (*texture == NULL)
        *texture = shared != NULL ? &shared->texture : arena_array(runtime->arena, FxTexture, 1);
    if ((*texture)->name != 0)
        return *texture;
    if (!fx_target_spec(&spec, shared != NULL ? shared->parameter : p, (int)runtime->frame.size[0],
                        (int)runtime->frame.size[1],
                        shared != NULL ? shared->file : instance->effect->item->file, diag) ||
        !fx_target_create(*texture, &runtime->textures, &spec, p->name, diag))
        return NULL;
    return *texture;
}

/* ---- values ---- */

/* The numbers of a parameter, as many as its type has. */
static const float *numbers_of(float buffer[FX_VALUE_SIZE], const FxRun *run, int parameter)
{
    const FxInstance *instance = run->instance;
    const EffectParameter *p = &instance->effect->effect->parameters[parameter];

    if (instance->values[parameter] != NULL)
        return instance->values[parameter];
    if (instance->bindings[parameter].source == FX_INITIAL)
        return p->values;
    fx_value(buffer, &instance->bindings[parameter], &p->type, &run->scope);
    return buffer;
}

static float number_of(const FxRun *run, int parameter)
{
    float buffer[FX_VALUE_SIZE];
    const float *numbers = numbers_of(buffer, run, parameter);

    return numbers != NULL ? numbers[0] : 0;
}

static void set_number(FxRun *run, int parameter, float value)
{
    const EffectParameter *p = &run->instance->effect->effect->parameters[parameter];
    float **values = &run->instance->values[parameter];
    const size_t size = effect_type_size(p->type);

    if (size == 0)
        return;
    if (*values == NULL)
        *values = arena_array(run->runtime->arena, float, size);
    (*values)[0] = value;
}

static void upload_values(FxRun *run, const FxProgram *program)
{
    const Effect *effect = run->instance->effect->effect;
    const GlApi *gl = run->runtime->gl;

    for (size_t i = 0; i < program->uniform_count; i++) {
        const FxUniform *u = &program->uniforms[i];
        const EffectParameter *p = &effect->parameters[u->parameter];
        float buffer[FX_VALUE_SIZE];
        const float *numbers = numbers_of(buffer, run, u->parameter);

        if (numbers != NULL) /* uniforms begin as zeros */
            fx_uniform_set(gl, u->location, &p->type, numbers);
    }
}

/* ---- textures ---- */

static FxTexture *picture_of(FxRun *run, int parameter)
{
    FxTexture *picture = run->instance->effect->pictures[parameter];
    const EffectParameter *p = &run->instance->effect->effect->parameters[parameter];
    const EffectAnnotation *seek, *offset, *speed;

    if (picture == NULL || picture->picture == NULL)
        return picture;
    seek = effect_find_annotation(p->annotations, p->annotation_count, "SeekVariable");
    offset = effect_find_annotation(p->annotations, p->annotation_count, "Offset");
    speed = effect_find_annotation(p->annotations, p->annotation_count, "Speed");
    double time = run->runtime->frame.time;
    if (seek != NULL && seek->text != NULL) {
        const int variable = effect_find_parameter(run->instance->effect->effect, seek->text);
        time = variable >= 0 ? (double)number_of(run, variable) : time;
    }
    if (offset != NULL && offset->values != NULL)
        time -= (double)offset->values[0];
    if (speed != NULL && speed->values != NULL)
        time *= (double)speed->values[0];
    fx_picture_show(picture, time > 0 ? time : 0, run->runtime->gl);
    return picture;
}

/* The texture of a material that a semantic names; 0: it is none of these. */
static GLuint material_texture(const FxRun *run, const char *semantic)
{
    const Actor *actor = run->scope.actor;
    GLuint name = 0;

    if (strcasecmp(semantic, "MATERIALTEXTURE") == 0)
        name = actor != NULL ? actor->textures[run->scope.material].texture : 0;
    else if (strcasecmp(semantic, "MATERIALSPHEREMAP") == 0)
        name = actor != NULL ? actor->textures[run->scope.material].sphere : 0;
    else if (strcasecmp(semantic, "MATERIALTOONTEXTURE") == 0)
        name =
            actor != NULL ? run->runtime->shapes[run->scope.model].toons[run->scope.material] : 0;
    else
        return 0;
    return name != 0 ? name : run->runtime->white.name;
}

static bool is_drawn_on(const FxRun *run, const FxTexture *texture)
{
    for (int i = 0; i < EFFECT_COLOR_TARGETS; i++)
        if (run->colors[i] == texture)
            return true;
    return fx_run_color(run) == texture;
}

/* The texture to bind for a sampler; 0 after an error was reported. */
static GLuint texture_of(FxRun *run, const EffectSampler *sampler, EffectDimension dimension,
                         Diag *diag)
{
    FxRuntime *runtime = run->runtime;
    const bool cube = dimension == EFFECT_CUBE, volume = dimension == EFFECT_3D;
    const GLuint none = cube     ? runtime->black_cube.name
                        : volume ? runtime->black_volume.name
                                 : runtime->black.name;
    const Effect *effect = run->instance->effect->effect;
    FxTexture *texture;

    if (is_shadow_map(sampler) && runtime->shadow_map.name != 0 && !cube && !volume)
        return runtime->shadow_map.name;
    if (sampler->texture < 0)
        return none;
    const EffectParameter *p = &effect->parameters[sampler->texture];
    const GLuint of_material = material_texture(run, p->semantic);
    if (of_material != 0)
        return cube || volume ? none : of_material;
    if (is_target(p)) {
        texture = fx_instance_target(runtime, run->instance, sampler->texture, diag);
        if (texture == NULL)
            return 0;
        const GLuint name = fx_texture_read(texture, &runtime->textures, sampler->srgb);
        if (is_drawn_on(run, texture))
            return fx_texture_copy(texture, runtime->gl);
        return cube || volume ? none : name;
    }
    texture = picture_of(run, sampler->texture);
    if (texture == NULL || cube != (texture->dimension == EFFECT_CUBE) ||
        volume != (texture->dimension == EFFECT_3D))
        return none;
    return fx_texture_read(texture, &runtime->textures, sampler->srgb);
}

static bool bind_textures(FxRun *run, const FxProgram *program, Diag *diag)
{
    const FxEffect *effect = run->instance->effect;
    const GlApi *gl = run->runtime->gl;

    for (GLuint unit = 0; unit < program->sampler_count; unit++) {
        const FxSamplerSlot *slot = &program->samplers[unit];
        const EffectSampler *sampler = effect->effect->parameters[slot->parameter].sampler;
        const GLuint name = texture_of(run, sampler, slot->dimension, diag);

        if (name == 0)
            return false;
        gl->BindTextureUnit(unit, name);
        gl->BindSampler(unit, is_shadow_map(sampler) ? run->runtime->shadow_sampler
                                                     : effect->samplers[slot->parameter]);
    }
    return true;
}

/* ---- targets ---- */

FxTexture *fx_run_color(const FxRun *run)
{
    return run->colors[0] != NULL ? run->colors[0] : run->surface.texture;
}

/* What a run draws on now. */
typedef struct Output {
    GLuint framebuffer;
    FxTexture *colors[EFFECT_COLOR_TARGETS];
    FxDepth *depth; /* NULL: none of our own */
    int left, top, width, height;
    float shift[2]; /* half a pixel, in clip coordinates */
    float fragment[4];
    FxStateTarget states;
} Output;

static Output output_of(FxRun *run)
{
    FxRuntime *runtime = run->runtime;
    const FxSurface *s = &run->surface;
    const Effect *effect = run->instance->effect->effect;
    FxTexture *first = fx_run_color(run);
    GLuint names[EFFECT_COLOR_TARGETS] = {0};
    Output out = {.fragment = {1, 1, 0, 0},
                  .states = {.has_depth = true, .depth_steps = 16777216.0f}};

    if (first == NULL) {
        out.framebuffer = s->framebuffer;
        out.left = s->left;
        out.top = s->top;
        out.width = s->width;
        out.height = s->height;
        out.shift[0] = 1.0f / (float)s->frame_width;
        out.shift[1] = -1.0f / (float)s->frame_height;
        out.fragment[0] = out.fragment[1] = 1 / s->scale;
        out.fragment[2] = (float)-s->left / s->scale;
        out.fragment[3] = (float)-s->top / s->scale;
        out.states.is_picture = s->is_picture;
        out.states.reversed_depth = s->reversed_depth;
        return out;
    }
    out.width = first->width;
    out.height = first->height;
    for (int i = 0; i < EFFECT_COLOR_TARGETS; i++) {
        out.colors[i] = i == 0 ? first : run->colors[i];
        names[i] = out.colors[i] != NULL ? out.colors[i]->name : 0;
        if (out.colors[i] != NULL) {
            out.width = out.colors[i]->width < out.width ? out.colors[i]->width : out.width;
            out.height = out.colors[i]->height < out.height ? out.colors[i]->height : out.height;
        }
    }
    /* The depths of the surface stay while a script draws on other targets of its size. */
    if (run->depth < 0 && s->depth != NULL && s->depth->width == first->width &&
        s->depth->height == first->height)
        out.depth = s->depth;
    else
        out.depth =
            fx_depth(&runtime->textures, run->depth >= 0 ? &effect->parameters[run->depth] : NULL,
                     first->width, first->height, 1);
    out.framebuffer = fx_framebuffer(&runtime->textures, names, out.depth->buffer);
    out.shift[0] = 1.0f / (float)first->width;
    out.shift[1] = -1.0f / (float)first->height;
    return out;
}

static void clear_depth(const Output *out, FxRuntime *runtime, float depth)
{
    const GlApi *gl = runtime->gl;

    gl->BindFramebuffer(GL_FRAMEBUFFER, out->framebuffer);
    gl->DepthMask(GL_TRUE);
    gl->StencilMask(0xffffffffu);
    gl->ClearDepth((double)(out->states.reversed_depth ? 1 - depth : depth));
    gl->Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    if (out->depth != NULL)
        out->depth->frame = runtime->textures.frame;
}

static void clear_colors(FxRun *run)
{
    const Output out = output_of(run);
    const float *c = run->clear_color;
    const GlApi *gl = run->runtime->gl;

    for (int i = 0; i < EFFECT_COLOR_TARGETS; i++)
        if (out.colors[i] != NULL)
            fx_texture_clear(out.colors[i], &run->runtime->textures, c);
    if (out.colors[0] != NULL)
        return;
    gl->BindFramebuffer(GL_FRAMEBUFFER, out.framebuffer);
    for (GLuint i = 0; i < EFFECT_COLOR_TARGETS; i++)
        gl->ColorMaski(i, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl->ClearColor(c[0], c[1], c[2], c[3]);
    gl->Clear(GL_COLOR_BUFFER_BIT);
}

/* Clears what was not drawn on in this frame, unless the pass writes every pixel of it, as it does
 * of the first `overwritten` targets. */
static void begin_output(FxRun *run, const Output *out, unsigned overwritten)
{
    FxRuntime *runtime = run->runtime;
    FxTextures *textures = &runtime->textures;

    for (unsigned i = 0; i < EFFECT_COLOR_TARGETS; i++) {
        if (out->colors[i] == NULL)
            continue;
        if (i >= overwritten)
            fx_texture_settle(out->colors[i], textures);
        fx_texture_drawn(out->colors[i], textures);
    }
    if (out->depth != NULL && out->depth->frame != textures->frame)
        clear_depth(out, runtime, 1);
    runtime->gl->BindFramebuffer(GL_FRAMEBUFFER, out->framebuffer);
    runtime->gl->Viewport(out->left, out->top, out->width, out->height);
}

void fx_surface_bind(FxRuntime *runtime, const FxSurface *surface)
{
    GLuint names[EFFECT_COLOR_TARGETS] = {0};
    GLuint framebuffer = surface->framebuffer;

    if (surface->texture != NULL) {
        names[0] = surface->texture->name;
        framebuffer = fx_framebuffer(&runtime->textures, names,
                                     surface->depth != NULL ? surface->depth->buffer : 0);
    }
    runtime->gl->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    runtime->gl->Viewport(surface->left, surface->top, surface->width, surface->height);
}

/* ---- passes ---- */

static FxStates states_of(const FxRun *run, const EffectPass *pass)
{
    const Actor *actor = run->scope.actor;
    const bool double_sided =
        actor == NULL || actor->mesh->pmx->materials[run->scope.material].flags & PMX_DOUBLE_SIDED;
    FxStates states = fx_states_default(double_sided);

    if (run->scope.kind == FX_EDGE)
        fx_states_edge(&states);
    if (run->scope.kind == FX_GROUND_SHADOW)
        fx_states_ground_shadow(&states);
    for (size_t i = 0; i < pass->state_count; i++) {
        const EffectState *s = &pass->states[i];

        states.values[s->kind] =
            s->parameter >= 0 ? (double)number_of(run, s->parameter) : s->value;
    }
    return states;
}

static FxPass *pass_of(const FxRun *run, int number)
{
    const FxEffect *effect = run->instance->effect;

    return &effect->passes[run->technique->technique - effect->effect->techniques][number];
}

/* NULL after an error was reported. */
static FxProgram *program_of(const FxRun *run, int pass, const FxStates *states, Diag *diag)
{
    const char *test = fx_states_alpha_test(states);
    const double function = states->values[EFFECT_ALPHA_FUNC];
    const size_t variant = test == NULL                                 ? 0
                           : function >= 1 && function < FX_ALPHA_TESTS ? (size_t)function
                                                                        : 1;
    FxProgram *program = &pass_of(run, pass)->programs[variant];

    if (program->name == 0) {
        diag_file(diag, run->instance->effect->item->file);
        if (!fx_program_build(program, &run->technique->technique->passes[pass], test,
                              run->runtime->gl, run->runtime->arena, diag))
            return NULL;
    }
    return program;
}

/* The CPU time of this thread when all that was to be drawn before is drawn; 0: not measured. */
static double time_now(const FxRuntime *runtime)
{
    if (runtime->pass_times == NULL)
        return 0;
    runtime->gl->Finish();
    return clock_thread_cpu_s();
}

static void add_time(const FxRun *run, int number, FxProgram *program, double start_s)
{
    const FxRuntime *runtime = run->runtime;

    if (runtime->pass_times != NULL)
        fx_pass_time_draw(&runtime->pass_times[pass_of(run, number)->number],
                          time_now(runtime) - start_s, !program->drawn);
    program->drawn = true;
}

/* Draws with the shaders of a pass: the rectangle (buffer) or the geometry of the run. */
static bool draw(FxRun *run, int number, bool buffer, Diag *diag)
{
    FxRuntime *runtime = run->runtime;
    const GlApi *gl = runtime->gl;
    const EffectPass *pass = &run->technique->technique->passes[number];
    const FxStates states = states_of(run, pass);

    if (pass->vertex == NULL && pass->fragment == NULL && !buffer && run->standard != NULL)
        return run->standard(run, diag);
    if (pass->vertex == NULL || pass->fragment == NULL)
        return true;
    const double start_s = time_now(runtime);
    FxProgram *program = program_of(run, number, &states, diag);
    if (program == NULL || !bind_textures(run, program, diag))
        return false;
    Output out = output_of(run);
    const bool overwrites = buffer && !program->discards &&
                            states.values[EFFECT_ALPHA_BLEND_ENABLE] == 0 &&
                            states.values[EFFECT_COLOR_WRITE_ENABLE] == 15;
    begin_output(run, &out, overwrites ? pass->fragment->color_count : 0);
    fx_states_set(gl, &states, &out.states);
    for (GLuint i = pass->fragment->color_count; i < EFFECT_COLOR_TARGETS; i++)
        gl->ColorMaski(i, GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    gl->UseProgram(program->name);
    gl->Uniform4fv(program->viewport, 1,
                   (float[4]){out.shift[0], out.shift[1], 1, out.states.reversed_depth});
    gl->Uniform4fv(program->fragment, 1, out.fragment);
    if (program->alpha_reference >= 0)
        gl->Uniform1f(program->alpha_reference, fx_states_alpha_reference(&states));
    upload_values(run, program);
    if (buffer)
        fx_quad_draw(&runtime->quad, out.shift, gl);
    else
        fx_shape_draw(&runtime->shapes[run->scope.model], run->scope.actor, run->scope.material,
                      run->scope.kind == FX_EDGE, runtime->textures.frame, gl, runtime->arena);
    for (GLuint unit = 0; unit < program->sampler_count; unit++)
        gl->BindSampler(unit, 0);
    add_time(run, number, program, start_s);
    return true;
}

static bool draw_buffer(FxRun *run, int pass, Diag *diag)
{
    if (++run->runtime->buffer_passes > FX_MAX_BUFFER_PASSES)
        return diag_fail(diag, DIAG_RESOURCE, "the effects of a frame run more than %d passes",
                         FX_MAX_BUFFER_PASSES);
    return draw(run, pass, true, diag);
}

/* Draws the material of the run, or all of a model. */
static bool draw_geometry(FxRun *run, int pass, Diag *diag)
{
    const Actor *actor = run->scope.actor;
    bool ok = true;

    if (actor == NULL)
        return true;
    if (!run->all_materials)
        return draw(run, pass, false, diag);
    for (uint32_t i = 0; ok && i < actor->mesh->pmx->material_count; i++) {
        run->scope.material = i;
        ok = !actor->visible || !actor->drawn[i] || draw(run, pass, false, diag);
    }
    return ok;
}

/* ---- scripts ---- */

static bool set_target(FxRun *run, const FxCommand *command, Diag *diag)
{
    if (command->kind == FX_DEPTH_TARGET) {
        run->depth = command->parameter;
        return true;
    }
    const Effect *effect = run->instance->effect->effect;
    FxTexture **color = &run->colors[command->number];
    *color = NULL;
    if (command->parameter < 0 || !is_target(&effect->parameters[command->parameter]))
        return true;
    *color = fx_instance_target(run->runtime, run->instance, command->parameter, diag);
    return *color != NULL;
}

static void set_clear_color(FxRun *run, int parameter)
{
    float buffer[FX_VALUE_SIZE];
    const EffectParameter *p = &run->instance->effect->effect->parameters[parameter];
    const float *numbers = numbers_of(buffer, run, parameter);
    const size_t size = effect_type_size(p->type);

    for (size_t i = 0; i < 4; i++)
        run->clear_color[i] = numbers != NULL && i < size ? numbers[i] : 0;
}

/* Begins a loop, or another turn; *at becomes the index of the command before the next one. */
static bool loop(size_t *at, FxRun *run, const FxScript *script, Diag *diag)
{
    const FxCommand *command = &script->commands[*at];
    const int depth = run->loops - 1;

    if (command->kind == FX_LOOP) {
        const float count = number_of(run, command->parameter);

        if (count > FX_MAX_LOOP_TURNS)
            return diag_fail(diag, DIAG_RESOURCE, "LoopByCount of %g turns (at most %d)",
                             (double)count, FX_MAX_LOOP_TURNS);
        if (count >= 1) {
            run->loop_count[run->loops] = (int)count;
            run->turns[run->loops++] = 0;
        } else {
            *at = (size_t)command->number; /* its end */
        }
    } else if (++run->turns[depth] < run->loop_count[depth]) {
        *at = (size_t)command->number; /* its begin, which is not run again */
    } else {
        run->loops--;
    }
    return true;
}

static bool run_script(FxRun *run, const FxScript *script, int pass, Diag *diag)
{
    const int outer = run->loops;

    for (size_t i = 0; i < script->count; i++) {
        const FxCommand *command = &script->commands[i];
        bool ok = true;

        if (++run->steps > FX_MAX_SCRIPT_STEPS)
            return diag_fail(diag, DIAG_RESOURCE, "a script runs more than %d commands",
                             FX_MAX_SCRIPT_STEPS);
        switch (command->kind) {
        case FX_COLOR_TARGET:
        case FX_DEPTH_TARGET:
            ok = set_target(run, command, diag);
            break;
        case FX_SET_COLOR:
            set_clear_color(run, command->parameter);
            break;
        case FX_SET_DEPTH:
            run->clear_depth = number_of(run, command->parameter);
            break;
        case FX_CLEAR_COLOR:
            clear_colors(run);
            break;
        case FX_CLEAR_DEPTH: {
            const Output out = output_of(run);
            clear_depth(&out, run->runtime, run->clear_depth);
            break;
        }
        case FX_EXTERNAL:
            ok = run->external == NULL || run->external(run, diag);
            break;
        case FX_PASS:
            ok = run_script(run, &run->technique->passes[command->number], command->number, diag);
            break;
        case FX_LOOP:
        case FX_LOOP_END:
            ok = loop(&i, run, script, diag);
            break;
        case FX_LOOP_GET:
            if (run->loops > 0)
                set_number(run, command->parameter, (float)run->turns[run->loops - 1]);
            break;
        case FX_LOOP_SET:
            if (run->loops > 0)
                run->turns[run->loops - 1] =
                    (int)fminf(fmaxf(number_of(run, command->parameter), -1), FX_MAX_LOOP_TURNS);
            break;
        case FX_DRAW_GEOMETRY:
            ok = draw_geometry(run, pass, diag);
            break;
        case FX_DRAW_BUFFER:
            ok = draw_buffer(run, pass, diag);
            break;
        }
        if (!ok)
            return false;
    }
    run->loops = outer;
    return true;
}

/* The first texels of a target, in the order of its rows, as the value of a parameter. */
static void read_texels(FxRuntime *runtime, FxTexture *target, float *values, size_t count)
{
    const GlApi *gl = runtime->gl;
    const size_t width = (size_t)target->width, most = width * (size_t)target->height;
    const size_t texels = count < most ? count : most, rows = (texels + width - 1) / width;
    const GLuint names[EFFECT_COLOR_TARGETS] = {target->name};
    float *pixels = memory_alloc(rows * width * 4, sizeof *pixels);

    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, fx_framebuffer(&runtime->textures, names, 0));
    gl->PixelStorei(GL_PACK_ROW_LENGTH, 0);
    gl->ReadPixels(0, 0, target->width, (GLsizei)rows, GL_RGBA, GL_FLOAT, pixels);
    memcpy(values, pixels, texels * 4 * sizeof *values);
    memory_free(pixels);
}

/* TEXTUREVALUE of targets: what is on them at the start of a frame. */
static bool read_kept_texels(FxRun *run, Diag *diag)
{
    FxInstance *instance = run->instance;
    FxRuntime *runtime = run->runtime;
    const Effect *effect = instance->effect->effect;

    if (runtime->textures.kept_from == runtime->textures.frame ||
        instance->texels_frame == runtime->textures.frame)
        return true;
    instance->texels_frame = runtime->textures.frame;
    for (size_t i = 0; i < effect->parameter_count; i++) {
        const EffectParameter *p = &effect->parameters[i];
        const int texture = fx_texels_texture(effect, p);

        if (texture < 0 || !is_target(&effect->parameters[texture]))
            continue;
        FxTexture *target = fx_instance_target(runtime, instance, texture, diag);
        if (target == NULL)
            return false;
        if (instance->values[i] == NULL)
            instance->values[i] = arena_array(runtime->arena, float, effect_type_size(p->type));
        fx_texture_settle(target, &runtime->textures);
        read_texels(runtime, target, instance->values[i], effect_type_size(p->type) / 4);
    }
    return true;
}

bool fx_run(FxRun *run, Diag *diag)
{
    run->depth = -1;
    run->clear_depth = 1;
    const bool ok =
        read_kept_texels(run, diag) && run_script(run, &run->technique->script, 0, diag);

    fx_states_restore(run->runtime->gl, run->surface.reversed_depth);
    fx_surface_bind(run->runtime, &run->surface);
    return ok;
}
