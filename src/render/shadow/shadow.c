// SPDX-License-Identifier: MIT
#include "render/shadow/shadow.h"

#include <math.h>
#include <string.h>

/* The uniform block `Shadow` of the shaders (std140). */
typedef struct ShadowBlock {
    mat4 map;          /* from model space to texels and depth */
    float lookup[4];   /* darkening over the whole range; filter radius, texels; 1 / side; rows of
                          a soft lookup */
    int32_t texels[4]; /* the values of shadow_texels_layout */
} ShadowBlock;

/* Creates the map on first use.  16 bits suffice: a map's depth is about its width, so the bias is
 * about 80 depth steps. */
static bool create_map(ShadowMap *shadow, const GlApi *gl, Diag *diag)
{
    GLint limit = 0;

    gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    shadow->side = shadow->side < limit ? shadow->side : limit;
    shadow->map = gl_texture(gl, GL_DEPTH_COMPONENT16, 1, shadow->side, shadow->side);
    shadow->used_width = shadow->used_height = shadow->side;
    shadow->sampler = gl_sampler(gl, GL_CLAMP_TO_EDGE, GL_NEAREST, GL_NEAREST);
    return gl->GetError() == GL_NO_ERROR ||
           diag_fail(diag, DIAG_RESOURCE, "OpenGL rejected a shadow map of %dx%d texels",
                     shadow->side, shadow->side);
}

/* ---- casters and receivers ---- */

static bool casts(const Actor *actor, uint32_t number)
{
    return !actor->state->casts_nothing && actor->drawn[number] &&
           actor->mesh->materials[number].mode == GL_TRIANGLES &&
           actor->mesh->pmx->materials[number].flags & PMX_CAST_SHADOW;
}

/* Extends the scope by the materials of an actor that cast or receive shadows. */
static void add_actor(ShadowScope *scope, const ShadowAxes *light, const View *view,
                      const Actor *actor)
{
    ShadowAxes depth_axes;
    float eye = 0.0f;
    mat4 world;

    for (int i = 0; i < 3; i++) {
        memcpy(depth_axes.axes[i], view->axes.forward, sizeof(vec3));
        eye += view->axes.forward[i] * view->axes.eye[i];
    }
    view_placement(world, &actor->state->placement);
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
        const bool caster = casts(actor, i), receiver = actor->receives[i];
        const BoundingBox shape = deform_bounds(&actor->deform, i);

        if (!caster && !receiver)
            continue;
        const BoundingBox box = shadow_box(light, &shape, world);
        if (caster)
            box_add(&scope->casters, box.low, box.high);
        if (receiver) {
            const BoundingBox depths = shadow_box(&depth_axes, &shape, world);

            box_add(&scope->receivers, box.low, box.high);
            scope->near = fminf(scope->near, fmaxf(depths.low[0] - eye, 0.0f));
            scope->far = fmaxf(scope->far, depths.high[0] - eye);
        }
    }
}

/* ---- the map ---- */

/* Vertices in texels of the raster and steps of its depth. */
static void project(ShadowPoint *points, const DeformVertex *vertices, size_t count,
                    const ShadowFit *fit, mat4 world)
{
    mat4 m;

    shadow_fit_matrix(m, fit, world);
    for (size_t i = 0; i < count; i++) {
        const float *p = vertices[i].position;
        float at[3];

        for (int row = 0; row < 3; row++)
            at[row] = m[0][row] * p[0] + m[1][row] * p[1] + m[2][row] * p[2] + m[3][row];
        points[i] = (ShadowPoint){at[0] - 1.0f, at[1] - 1.0f, at[2] * SHADOW_FARTHEST};
    }
}

/* The light is outside of every model: back faces of watertight runs never cast alone. */
static void draw_caster(const ShadowRaster *raster, const Actor *actor, const uint32_t *indices,
                        uint32_t number)
{
    const MeshMaterial *mesh = &actor->mesh->materials[number];
    const bool culled = !(actor->mesh->pmx->materials[number].flags & PMX_DOUBLE_SIDED);

    if (raster->mask != NULL) {
        shadow_raster_draw(raster, indices + mesh->first, mesh->count, culled);
        return;
    }
    for (uint32_t i = 0; i < mesh->shape_run_count; i++) {
        const MeshRun *run = &mesh->shape_runs[i];

        shadow_raster_draw(raster, indices + run->first, run->count, culled || run->watertight);
    }
}

static bool is_on_map(const Actor *actor, uint32_t number, const ShadowFit *fit, mat4 world)
{
    const BoundingBox map_box = shadow_fit_bounds(fit);
    const BoundingBox shape = deform_bounds(&actor->deform, number);
    const BoundingBox box = shadow_box(&fit->light, &shape, world);

    return casts(actor, number) && shadow_boxes_overlap(&box, &map_box) &&
           box.low[SHADOW_FORWARD] <= map_box.high[SHADOW_FORWARD];
}

/* Draws the casters of an actor that are kept, or all others. */
static void draw_actor(ShadowMap *shadow, const Actor *actor, bool kept, const ShadowFit *fit,
                       mat4 world, Arena *arena)
{
    const size_t count = actor->mesh->pmx->vertex_count;
    const uint32_t *indices;
    const DeformVertex *vertices;
    bool projected = false;

    if (count > shadow->point_capacity) {
        shadow->points = arena_array(arena, ShadowPoint, count);
        shadow->point_capacity = count;
    }
    /* The slope covers the filter's radius, so that a surface does not shadow itself. */
    ShadowRaster raster = {.width = fit->width,
                           .height = fit->height,
                           .stride = shadow_texel_size(fit->width, fit->height).stride,
                           .depths = shadow_texels_first(&shadow->texels, fit->width, fit->height),
                           .slope = fit->radius,
                           .offset = 2.0f,
                           .points = shadow->points,
                           .uvs = deform_uvs(&actor->deform)};
    const bool mapped = deform_map(&actor->deform, &indices, &vertices);
    for (uint32_t i = 0; mapped && i < actor->mesh->pmx->material_count; i++) {
        if (actor->kept[i] != kept || !is_on_map(actor, i, fit, world))
            continue;
        if (!projected)
            project(shadow->points, vertices, count, fit, world);
        projected = true;
        raster.mask = actor->textures[i].mask;
        draw_caster(&raster, actor, indices, i);
    }
    deform_unmap(&actor->deform);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Uploads what sharp shadows look up: all of the texture that this frame or the last one uses. */
static void upload_map(ShadowMap *shadow, const GlApi *gl, const ShadowFit *fit)
{
    static const GLfloat far_depth = 1.0f;
    const int width = fit->width + 2, height = fit->height + 2; /* with a border */

    gl->ClearTexSubImage(shadow->map, 0, 0, 0, 0, larger(width, shadow->used_width),
                         larger(height, shadow->used_height), 1, GL_DEPTH_COMPONENT, GL_FLOAT,
                         &far_depth);
    gl->PixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)shadow_texel_size(fit->width, fit->height).stride);
    gl->TextureSubImage2D(shadow->map, 0, 1, 1, fit->width, fit->height, GL_DEPTH_COMPONENT,
                          GL_UNSIGNED_SHORT,
                          shadow_texels_first(&shadow->texels, fit->width, fit->height));
    gl->PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    shadow->used_width = width;
    shadow->used_height = height;
}

static bool upload(ShadowMap *shadow, const GlApi *gl, Diag *diag)
{
    const ShadowFit *fit = &shadow->fit;

    if (shadow->soft > 0.0f)
        return shadow_texels_upload(&shadow->texels, gl, fit->width, fit->height, diag);
    upload_map(shadow, gl, fit);
    return true;
}

/* ---- the casters of stages ---- */

/* Draws the casters of the stages that are kept, or all others. */
static void draw_casters(ShadowMap *shadow, const DrawContext *context, bool kept)
{
    for (size_t i = 0; i < context->actor_count; i++) {
        const Actor *actor = &context->actors[i];
        mat4 world;

        if (!actor->visible || (kept && !actor->entry->spec.stage))
            continue;
        view_placement(world, &actor->state->placement);
        draw_actor(shadow, actor, kept, &shadow->fit, world, context->arena);
    }
}

/* Draws the depths of the stages that are kept, or copies them.  They are kept from the second
 * frame on. */
static void draw_stages(ShadowMap *shadow, const DrawContext *context, bool same_fit)
{
    const size_t count = shadow_texels_scratch(
                     shadow_texel_size(shadow->fit.width, shadow->fit.height)),
                 bytes = count * sizeof *shadow->stage_depths;

    shadow->has_stages &= same_fit && shadow->kept_sets == context->kept_sets;
    if (shadow->has_stages) {
        memcpy(shadow->texels.depths, shadow->stage_depths, bytes);
        return;
    }
    draw_casters(shadow, context, true);
    if (!same_fit)
        return;
    if (count > shadow->stage_capacity) {
        shadow->stage_depths = arena_array(context->arena, uint16_t, count);
        shadow->stage_capacity = count;
    }
    memcpy(shadow->stage_depths, shadow->texels.depths, bytes);
    shadow->kept_sets = context->kept_sets;
    shadow->has_stages = true;
}

bool shadow_show_stages(ShadowMap *shadow, const GlApi *gl, bool alone, Diag *diag)
{
    uint16_t *whole = shadow->texels.depths;

    if (alone)
        shadow->texels.depths = shadow->stage_depths;
    const bool ok = upload(shadow, gl, diag);
    shadow->texels.depths = whole;
    return ok;
}

/* ---- a frame ---- */

bool shadow_draw(ShadowMap *shadow, const DrawContext *context, const ShadowState *state,
                 Diag *diag)
{
    const GlApi *gl = context->gl;
    const ShadowAxes light = shadow_axes(&context->view);
    ShadowScope scope = {
        .casters = BOX_EMPTY, .receivers = BOX_EMPTY, .near = FLT_MAX, .far = -FLT_MAX};

    shadow->on = false;
    if (context->view.surrounds) /* the map serves several views */
        shadow->has_stages = false;
    for (size_t i = 0; i < context->actor_count && shadow->side > 0 && state->mode != 0; i++)
        shadow->on |= actor_receives_shadow(&context->actors[i]);
    if (!shadow->on) {
        shadow->has_stages = false;
        return true;
    }
    if (shadow->soft <= 0.0f && shadow->map == 0 && !create_map(shadow, gl, diag))
        return false;
    for (size_t i = 0; i < context->actor_count; i++)
        if (context->actors[i].visible)
            add_actor(&scope, &light, &context->view, &context->actors[i]);
    const ShadowFit fit =
        shadow_fit(&scope, &light, &context->view, state, shadow->side, shadow->soft);
    const bool same_fit = shadow_fit_equal(&fit, &shadow->fit);

    shadow->fit = fit;
    shadow_texels_clear(&shadow->texels, fit.width, fit.height, context->arena);
    for (size_t i = 0; i < context->actor_count; i++) {
        const Actor *actor = &context->actors[i];
        ShadowBlock block = {.lookup = {fit.darkening * (float)fit.range, fit.radius,
                                        1.0f / (float)shadow->side, 4.0f}};
        mat4 world;

        if (!actor->visible)
            continue;
        view_placement(world, &actor->state->placement);
        shadow_fit_matrix(block.map, &fit, world);
        shadow_texels_layout(block.texels, fit.width, fit.height);
        gl->NamedBufferSubData(actor->shadow_block, 0, sizeof block, &block);
    }
    if (fit.width > 0) {
        draw_stages(shadow, context, same_fit);
        draw_casters(shadow, context, false);
    } else {
        shadow->has_stages = false;
    }
    return upload(shadow, gl, diag);
}
