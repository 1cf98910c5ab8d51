#include "render/shadow/shadow.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "gl/shader.h"
#include "render/shadow/shadow_fit.h"

enum { BLOCK_BINDING = 1, UNIT_TEXTURE = 0 };

/* The uniform block `Shadow` of the shaders (std140). */
typedef struct ShadowBlock {
    mat4 map;          /* from model space to texels and depth */
    float lookup[4];   /* darkening over the whole range; filter radius, texels; 1 / side; rows of
                          a soft lookup */
    float clip[4];     /* scale and offset from texels to clip space */
    int32_t texels[4]; /* of shadow_texels_layout */
} ShadowBlock;

void shadow_init(ShadowMap *shadow, int side, float soft, const char *shader_dir, Arena *arena)
{
    *shadow = (ShadowMap){.side = side, .soft = soft, .shader_dir = shader_dir, .arena = arena};
}

/* ---- set-up, on first use ---- */

static bool create_programs(ShadowMap *shadow, const GlApi *gl, Diag *diag)
{
    const ShaderDefine solid = {"TEXTURE", 0}, cutout = {"TEXTURE", 1};
    const ShaderSpec solid_spec = {.vertex = "shadow.vert", .defines = &solid, .define_count = 1};
    const ShaderSpec cut_out_spec = {
        .vertex = "shadow.vert", .fragment = "shadow.frag", .defines = &cutout, .define_count = 1};

    shadow->solid = shader_build(gl, &solid_spec, shadow->shader_dir, diag);
    shadow->cutout = shader_build(gl, &cut_out_spec, shadow->shader_dir, diag);
    return shadow->solid != 0 && shadow->cutout != 0;
}

/* 16 bits suffice: a map's depth is about its width, so the bias is about 80 depth steps. */
static bool create_map(ShadowMap *shadow, const GlApi *gl, Diag *diag)
{
    GLint limit = 0;

    gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    shadow->side = shadow->side < limit ? shadow->side : limit;
    gl->CreateTextures(GL_TEXTURE_2D, 1, &shadow->map);
    gl->TextureStorage2D(shadow->map, 1, GL_DEPTH_COMPONENT16, shadow->side, shadow->side);
    shadow->used_width = shadow->used_height = shadow->side;
    gl->CreateSamplers(1, &shadow->sampler);
    gl->SamplerParameteri(shadow->sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->SamplerParameteri(shadow->sampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    gl->SamplerParameteri(shadow->sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->SamplerParameteri(shadow->sampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->CreateFramebuffers(1, &shadow->framebuffer);
    gl->NamedFramebufferTexture(shadow->framebuffer, GL_DEPTH_ATTACHMENT, shadow->map, 0);
    if (gl->GetError() == GL_NO_ERROR &&
        gl->CheckNamedFramebufferStatus(shadow->framebuffer, GL_DRAW_FRAMEBUFFER) ==
            GL_FRAMEBUFFER_COMPLETE)
        return true;
    return diag_fail(diag, DIAG_RESOURCE, "OpenGL rejected a shadow map of %dx%d texels",
                     shadow->side, shadow->side);
}

/* ---- casters and receivers ---- */

static bool casts(const Actor *actor, uint32_t number)
{
    return !actor->state->casts_nothing && actor->drawn[number] &&
           actor->mesh->materials[number].mode == GL_TRIANGLES &&
           actor->mesh->pmx->materials[number].flags & PMX_CAST_SHADOW;
}

static bool has_receiver(const Actor *actors, size_t actor_count)
{
    for (size_t a = 0; a < actor_count; a++)
        for (uint32_t i = 0; actors[a].visible && i < actors[a].mesh->pmx->material_count; i++)
            if (actors[a].receives[i])
                return true;
    return false;
}

static void extend_box(BoundingBox *total, const BoundingBox *box)
{
    for (int i = 0; i < 3; i++) {
        total->low[i] = fminf(total->low[i], box->low[i]);
        total->high[i] = fmaxf(total->high[i], box->high[i]);
    }
}

/* Extends the range of view depths by a box. */
static void extend_depth_range(ShadowScope *scope, const View *view, const BoundingBox *box,
                               mat4 world)
{
    ShadowAxes axes;
    float eye = 0.0f;

    for (int i = 0; i < 3; i++) {
        memcpy(axes.axes[i], view->axes.forward, sizeof(vec3));
        eye += view->axes.forward[i] * view->axes.eye[i];
    }
    const BoundingBox depths = shadow_box(&axes, box, world);
    scope->near = fminf(scope->near, fmaxf(depths.low[0] - eye, 0.0f));
    scope->far = fmaxf(scope->far, depths.high[0] - eye);
}

static void add_actor(ShadowScope *scope, const ShadowAxes *light, const View *view,
                      const Actor *actor)
{
    mat4 world;

    view_placement(world, &actor->state->placement);
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
        const bool caster = casts(actor, i), receiver = actor->receives[i];
        const BoundingBox shape = deform_bounds(&actor->deform, i);

        if (!caster && !receiver)
            continue;
        const BoundingBox box = shadow_box(light, &shape, world);
        if (caster)
            extend_box(&scope->casters, &box);
        if (receiver) {
            extend_box(&scope->receivers, &box);
            extend_depth_range(scope, view, &shape, world);
        }
    }
}

/* ---- the map ---- */

static void set_block(const GlApi *gl, const Actor *actor, const ShadowFit *fit, int side)
{
    const float x = 2.0f / (float)(fit->width > 0 ? fit->width : 1);
    const float y = 2.0f / (float)(fit->height > 0 ? fit->height : 1);
    ShadowBlock block = {
        .lookup = {fit->darkening * (float)fit->range, fit->radius, 1.0f / (float)side, 4.0f},
        .clip = {x, -y, -1.0f - x, 1.0f + y}};
    mat4 world;

    view_placement(world, &actor->state->placement);
    shadow_fit_matrix(block.map, fit, world);
    shadow_texels_layout(block.texels, fit->width, fit->height);
    gl->NamedBufferSubData(actor->shadow_block, 0, sizeof block, &block);
}

static void draw_run(const GlApi *gl, GLenum mode, uint32_t first, uint32_t count, bool culled)
{
    if (culled)
        gl->Enable(GL_CULL_FACE);
    else
        gl->Disable(GL_CULL_FACE);
    gl->DrawElements(mode, (GLsizei)count, GL_UNSIGNED_INT,
                     (const void *)(first * sizeof(uint32_t)));
}

/* The light is outside of every model: back faces of watertight runs never cast alone. */
static void draw_caster(const ShadowMap *shadow, const GlApi *gl, const Samplers *samplers,
                        const Actor *actor, uint32_t number)
{
    const MeshMaterial *mesh = &actor->mesh->materials[number];
    const MaterialTextures *textures = &actor->textures[number];
    const bool cutout = textures->texture != 0 && textures->texture_alpha;
    const bool culled = !(actor->mesh->pmx->materials[number].flags & PMX_DOUBLE_SIDED);

    gl->UseProgram(cutout ? shadow->cutout : shadow->solid);
    if (cutout) {
        gl->BindTextureUnit(UNIT_TEXTURE, textures->texture);
        gl->BindSampler(UNIT_TEXTURE, samplers->repeat);
    }
    if (cutout) {
        draw_run(gl, mesh->mode, mesh->first, mesh->count, culled);
        return;
    }
    for (uint32_t i = 0; i < mesh->shape_run_count; i++) {
        const MeshRun *run = &mesh->shape_runs[i];

        draw_run(gl, mesh->mode, run->first, run->count, culled || run->watertight);
    }
}

static void draw_casters(const ShadowMap *shadow, const GlApi *gl, const Samplers *samplers,
                         const Actor *actor, const ShadowFit *fit)
{
    const BoundingBox map_box = shadow_fit_bounds(fit);
    mat4 world;

    view_placement(world, &actor->state->placement);
    gl->BindVertexArray(actor->deform.vertices);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, BLOCK_BINDING, actor->shadow_block);
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
        const BoundingBox shape = deform_bounds(&actor->deform, i);
        const BoundingBox box = shadow_box(&fit->light, &shape, world);

        if (casts(actor, i) && shadow_boxes_overlap(&box, &map_box) &&
            box.low[SHADOW_FORWARD] <= map_box.high[SHADOW_FORWARD])
            draw_caster(shadow, gl, samplers, actor, i);
    }
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Clears what this frame or the last one draws on: the viewport and its border. */
static void clear_map(ShadowMap *shadow, const GlApi *gl, const ShadowFit *fit)
{
    static const GLfloat far_depth = 1.0f;
    const int width = fit->width + 2, height = fit->height + 2;

    gl->ClearTexSubImage(shadow->map, 0, 0, 0, 0, larger(width, shadow->used_width),
                         larger(height, shadow->used_height), 1, GL_DEPTH_COMPONENT, GL_FLOAT,
                         &far_depth);
    shadow->used_width = width;
    shadow->used_height = height;
}

/* Casters in front of the near plane are clamped to it.  The slope offset covers the filter's
 * radius, so that a surface does not shadow itself. */
static void begin_map(ShadowMap *shadow, const GlApi *gl, const ShadowFit *fit)
{
    clear_map(shadow, gl, fit);
    gl->BindFramebuffer(GL_FRAMEBUFFER, shadow->framebuffer);
    gl->DepthMask(GL_TRUE);
    gl->DepthFunc(GL_LEQUAL);
    gl->Viewport(1, 1, fit->width, fit->height);
    gl->Enable(GL_DEPTH_TEST);
    gl->Enable(GL_DEPTH_CLAMP);
    gl->Disable(GL_BLEND);
    gl->CullFace(GL_BACK);
    gl->Enable(GL_POLYGON_OFFSET_FILL);
    gl->PolygonOffset(fit->radius, 2.0f);
}

static void end_map(const GlApi *gl)
{
    gl->Disable(GL_POLYGON_OFFSET_FILL);
    gl->Disable(GL_DEPTH_CLAMP);
}

bool shadow_draw(ShadowMap *shadow, const GlApi *gl, const Samplers *samplers, Actor *actors,
                 size_t actor_count, const View *view, const ShadowState *state, Diag *diag)
{
    shadow->on = shadow->side > 0 && state->mode != 0 && has_receiver(actors, actor_count);
    if (!shadow->on)
        return true;
    if (shadow->map == 0 && (!create_programs(shadow, gl, diag) || !create_map(shadow, gl, diag)))
        return false;

    const BoundingBox empty = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    const ShadowAxes light = shadow_axes(view);
    ShadowScope scope = {.casters = empty, .receivers = empty, .near = FLT_MAX, .far = -FLT_MAX};

    for (size_t i = 0; i < actor_count; i++)
        if (actors[i].visible)
            add_actor(&scope, &light, view, &actors[i]);
    const ShadowFit fit = shadow_fit(&scope, &light, view, state, shadow->side, shadow->soft);

    begin_map(shadow, gl, &fit);
    for (size_t i = 0; i < actor_count; i++) {
        if (!actors[i].visible)
            continue;
        set_block(gl, &actors[i], &fit, shadow->side);
        if (fit.width > 0)
            draw_casters(shadow, gl, samplers, &actors[i], &fit);
    }
    end_map(gl);
    return shadow->soft <= 0.0f ||
           shadow_texels_read(&shadow->texels, gl, fit.width, fit.height, shadow->arena, diag);
}
