#include "render/renderer.h"

#include <math.h>
#include <string.h>

#include "render/gl/shader.h"
#include "render/model/material_textures.h"
#include "render/renderer_state.h"
#include "render/same_bytes.h"
#include "render/texture/texture.h"

enum { TEXELS_PER_BONE = 3 };

/* ---- set-up ---- */

static bool check_bone_count(const Renderer *r, const Model *model, Diag *diag)
{
    GLint texels = 0;

    r->gl->GetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &texels);
    if (model->pmx.bone_count > (uint32_t)texels / TEXELS_PER_BONE) {
        diag_file(diag, model->file);
        return diag_fail(diag, DIAG_RESOURCE,
                         "bone count %u exceeds the limit of this OpenGL (0..%u)",
                         model->pmx.bone_count, (uint32_t)texels / TEXELS_PER_BONE);
    }
    return true;
}

/* Whether all vertices follow bones. */
static bool is_rigid(const Model *model)
{
    return !model->is_cloth && model->pmx.soft_body_count == 0;
}

/* Scene entries of the same model share its mesh and textures. */
static bool init_actor(Renderer *r, const Scene *scene, size_t number, Diag *diag)
{
    const SceneModel *entry = &scene->models[number];
    const Mesh *mesh = NULL;
    const MaterialTextures *textures = NULL;

    for (size_t i = 0; i < number && mesh == NULL; i++)
        if (scene->models[i].model == entry->model) {
            mesh = r->actors[i].mesh;
            textures = r->actors[i].textures;
        }
    if (mesh == NULL) {
        Mesh *created = arena_array(r->arena, Mesh, 1);
        Arena *scratch = arena_create();
        const bool loaded = check_bone_count(r, entry->model, diag);

        if (loaded) {
            mesh_init(created, &entry->model->pmx, is_rigid(entry->model), r->gl, r->arena,
                      scratch);
            arena_reset(scratch);
            textures = material_textures_create(entry->model, r->gl, r->arena, scratch);
        }
        arena_destroy(scratch);
        if (!loaded)
            return false;
        mesh = created;
    }
    actor_init(&r->actors[number], entry, mesh, textures, r->gl, r->arena);
    return deform_programs_add(&r->skinning, mesh, r->gl, r->options.shader_dir, diag);
}

static void init_state(const GlApi *gl)
{
    gl->ClipControl(GL_UPPER_LEFT, GL_ZERO_TO_ONE); /* the only flip of the y axis */
    gl->FrontFace(GL_CW);
    gl->BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
}

/* Whether ground shadows lie on nothing but the background color. */
static bool has_plain_ground(const Renderer *r)
{
    for (size_t i = 0; i < r->actor_count; i++)
        if (r->actors[i].entry->stage)
            return false;
    return r->background_count == 0 && r->options.mirror.strength <= 0.0f;
}

static bool has_soft_ground(const Renderer *r)
{
    return r->options.ground_shadow && r->ground.options.soft;
}

/* Whether the driver may have to draw the triangles of a model's ground shadow, which overlap. */
static bool has_layered_shadow(const Renderer *r, const Actor *actor)
{
    return !actor->entry->stage && !has_soft_ground(r) &&
           (r->options.samples > 1 || !ground_fill_is_possible(actor->mesh));
}

/* Ground shadows need a stencil buffer where something must not be darkened twice: by overlaps, or
 * by a self-shadow before. */
static bool needs_stencil(const Renderer *r)
{
    for (size_t i = 0; i < r->actor_count; i++) {
        const Actor *actor = &r->actors[i];

        if (has_layered_shadow(r, actor) ||
            (actor->entry->stage && r->options.shadow_map > 0 && surface_may_darken(actor)))
            return r->options.ground_shadow && !has_plain_ground(r);
    }
    return false;
}

/* The program and the texture are created for the first image. */
bool renderer_set_background(Renderer *r, const Image *image, Diag *diag)
{
    const GlApi *gl = r->gl;
    const int width = r->options.width, height = r->options.height;

    if (r->background_program == 0) {
        const ShaderSpec shaders = {.vertex = "background.vert", .fragment = "background.frag"};

        r->background_program = shader_build(gl, &shaders, r->options.shader_dir, diag);
        if (r->background_program == 0)
            return false;
        gl->CreateTextures(GL_TEXTURE_2D, 1, &r->background);
        gl->TextureStorage2D(r->background, 1, GL_RGBA8, width, height);
    }
    r->background_count++;
    target_want_stencil(&r->target, needs_stencil(r));
    target_set_background(&r->target, image, r->arena);
    gl->TextureSubImage2D(r->background, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
                          r->target.background);
    return true;
}

void renderer_set_lens(Renderer *r, const RenderLens *lens)
{
    r->has_lens = lens != NULL;
    if (lens != NULL)
        r->lens = *lens;
}

static bool init_target(Renderer *r, Diag *diag)
{
    const RenderOptions *o = &r->options;
    TargetSpec spec = {.width = o->width,
                       .height = o->height,
                       .scale = o->supersample,
                       .samples = o->samples,
                       .alpha = o->alpha,
                       .background_fit = o->background_fit};

    memcpy(spec.background, o->background, sizeof spec.background);
    if (!target_init(&r->target, &spec, r->gl, r->arena, diag))
        return false;
    return o->background_image == NULL || renderer_set_background(r, o->background_image, diag);
}

static bool init(Renderer *r, const Scene *scene, Diag *diag)
{
    const GlApi *gl = r->gl;

    init_state(gl);
    gl->CreateVertexArrays(1, &r->empty_vertices);
    surface_init(&r->surfaces, gl, r->options.shadow_soft > 0.0f, r->options.anisotropy,
                 r->options.supersample, r->options.shader_dir);
    shadow_init(&r->shadow, r->options.shadow_map, r->options.shadow_soft, r->arena);
    r->mirror.options = r->options.mirror;
    r->ground.options = r->options.ground_light;
    emission_init(&r->emission, &r->options.emission, r->options.width, r->options.supersample,
                  r->arena);
    if (!init_target(r, diag) || !outline_init(&r->outlines, gl, r->options.shader_dir, diag) ||
        !ground_fill_init(&r->ground_fill, gl, r->options.shader_dir, diag))
        return false;

    r->actor_count = scene->model_count;
    r->actors = arena_array(r->arena, Actor, scene->model_count);
    for (size_t i = 0; i < scene->model_count; i++)
        if (!init_actor(r, scene, i, diag))
            return false;
    target_want_stencil(&r->target, needs_stencil(r));
    if (gl->GetError() != GL_NO_ERROR)
        return diag_fail(diag, DIAG_RESOURCE, "OpenGL ran out of memory while loading the scene");
    return true;
}

Renderer *renderer_create(const Scene *scene, const RenderOptions *options, Diag *diag)
{
    GlContext *context = gl_create(options->backend, diag);

    return context != NULL ? renderer_create_in(context, scene, options, diag) : NULL;
}

Renderer *renderer_create_in(GlContext *context, const Scene *scene, const RenderOptions *options,
                             Diag *diag)
{
    Arena *arena = arena_create();
    Renderer *r = arena_array(arena, Renderer, 1);

    r->arena = arena;
    r->context = context;
    r->gl = gl_api(context);
    r->options = *options;
    if (init(r, scene, diag))
        return r;
    renderer_destroy(r);
    return NULL;
}

void renderer_destroy(Renderer *renderer)
{
    if (renderer == NULL)
        return;
    gl_destroy(renderer->context); /* destroys all GL objects too */
    arena_destroy(renderer->arena);
}

/* ---- frame ---- */

static void end_stage(Renderer *r, FrameStage stage)
{
    if (!r->timed)
        return;
    r->gl->Finish();
    frame_times_lap(&r->times, stage);
}

/* Updates shapes and uniforms. */
static void prepare_actors(Renderer *r, const FrameState *state, const View *view)
{
    for (size_t i = 0; i < r->actor_count; i++)
        actor_set_state(&r->actors[i], r->gl, &state->models[i]);
    end_stage(r, STAGE_UPLOAD);
    for (size_t i = 0; i < r->actor_count; i++) {
        Actor *actor = &r->actors[i];

        if (!actor->visible)
            continue;
        deform_skin(&actor->deform, r->gl, &r->skinning);
        deform_apply_cloth(&actor->deform, r->gl, actor->state);
        deform_update_bounds(&actor->deform, r->gl);
        actor_update(actor, r->gl, view, r->options.ground_shadow, r->options.width,
                     r->options.height);
        surface_find_receivers(actor, view);
    }
    end_stage(r, STAGE_SKIN);
}

static void draw_background(const Renderer *r)
{
    const GlApi *gl = r->gl;

    if (r->background_program == 0)
        return;
    gl->Disable(GL_DEPTH_TEST);
    gl->Disable(GL_BLEND);
    gl->Disable(GL_CULL_FACE);
    gl->UseProgram(r->background_program);
    gl->Uniform3f(0, (float)r->target.window.left, (float)r->target.window.top,
                  (float)r->options.supersample);
    gl->BindTextureUnit(0, r->background);
    gl->BindVertexArray(r->empty_vertices);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
}

/* ---- the mirror ---- */

static bool is_mirrored(const Actor *actor)
{
    return actor->visible && !actor->entry->stage;
}

/* Updates the figures for a view; returns the part of the image that they cover there. */
static TargetRect update_figures(Renderer *r, const View *view)
{
    TargetRect area = {0, 0, 0, 0};

    for (size_t i = 0; i < r->actor_count; i++) {
        Actor *actor = &r->actors[i];

        if (!is_mirrored(actor))
            continue;
        actor->area = (TargetRect){0, 0, 0, 0};
        actor_update(actor, r->gl, view, r->options.ground_shadow, r->options.width,
                     r->options.height);
        surface_find_receivers(actor, view);
        area = target_rect_union(area, actor->area);
    }
    return area;
}

/* The part of the image that shows the reflections. */
static TargetRect mirrored_area(Renderer *r)
{
    if (!mirror_is_visible(&r->mirror, &r->view))
        return (TargetRect){0, 0, 0, 0};
    const View mirrored = mirror_view(&r->view, r->mirror.options.height);
    const TargetRect area = update_figures(r, &mirrored);
    update_figures(r, &r->view);
    return mirror_widen(&r->mirror, area, r->options.width, r->options.height);
}

static bool draw_figures(Renderer *r, const View *view, Diag *diag)
{
    for (size_t i = 0; i < r->actor_count; i++) {
        const Actor *actor = &r->actors[i];

        if (!is_mirrored(actor))
            continue;
        if (!surface_draw(&r->surfaces, r->gl, actor, surface_all(actor), view, &r->shadow,
                          SURFACE_PART_ALL, diag))
            return false;
        if (r->options.edges)
            outline_draw(&r->outlines, r->gl, actor, NULL);
    }
    return true;
}

/* What the plane reflects, on a surface of its own. */
static bool draw_reflection(Renderer *r, const View *view, Diag *diag)
{
    if (!mirror_is_visible(&r->mirror, view))
        return true;
    const View mirrored = mirror_view(view, r->mirror.options.height);
    if (!mirror_begin(&r->mirror, r->gl, &r->target, view->reversed_depth, r->options.shader_dir,
                      diag))
        return false;
    update_figures(r, &mirrored);
    const bool ok = draw_figures(r, &mirrored, diag);
    mirror_end(r->gl, &r->target);
    update_figures(r, view);
    end_stage(r, STAGE_SURFACE);
    return ok;
}

static void draw_mirror_plane(const Renderer *r, const View *view)
{
    target_draw_overlays(r->gl, false, false);
    mirror_draw_plane(&r->mirror, r->gl, &r->target, view, r->mirrored, r->empty_vertices);
    target_draw_overlays(r->gl, true, true);
}

/* Nothing else is on the surface then. */
static bool fills_ground(const Renderer *r)
{
    return r->options.ground_shadow && !has_soft_ground(r) && has_plain_ground(r);
}

/* Whether the CPU finds the samples of all ground shadows in view. */
static bool finds_shadows(const Renderer *r)
{
    for (size_t i = 0; i < r->actor_count; i++) {
        const Actor *actor = &r->actors[i];

        if (actor->visible && actor->has_ground_shadow && !ground_fill_is_possible(actor->mesh))
            return false;
    }
    return r->options.samples < 2;
}

static void draw_flat_shadows(const Renderer *r)
{
    for (size_t i = 0; i < r->actor_count; i++)
        if (r->actors[i].visible && r->actors[i].has_ground_shadow)
            outline_draw_ground_shadow(r->gl, &r->actors[i]);
}

/* Ground shadows that lie on nothing but the background. */
static void fill_ground_shadows(Renderer *r, const View *view)
{
    if (finds_shadows(r)) {
        ground_fill_draw(&r->ground_fill, r->gl, &r->target, r->actors, r->actor_count, view,
                         r->empty_vertices, r->arena);
        return;
    }
    outline_begin_ground_fill(&r->outlines, r->gl, r->ground_fill.color);
    draw_flat_shadows(r);
}

/* Ground shadows on anything. */
static void blend_ground_shadows(Renderer *r, const View *view)
{
    outline_begin_ground_shadows(&r->outlines, r->gl, view, r->ground_color);
    if (has_soft_ground(r))
        ground_map_draw_plane(&r->ground, r->gl, view, r->ground_color, r->empty_vertices);
    else if (finds_shadows(r))
        ground_fill_blend(&r->ground_fill, r->gl, &r->target, r->actors, r->actor_count, view,
                          r->ground_color, r->empty_vertices, r->arena);
    else
        draw_flat_shadows(r);
}

static void draw_ground_shadows(Renderer *r, const View *view)
{
    target_draw_overlays(r->gl, true, false);
    if (fills_ground(r))
        fill_ground_shadows(r, view);
    else
        blend_ground_shadows(r, view);
    outline_end_ground_shadows(r->gl);
    target_draw_overlays(r->gl, true, true);
    end_stage(r, STAGE_SHADOW);
}

static bool draw_part(Renderer *r, const View *view, SurfacePart part, Diag *diag)
{
    for (size_t i = 0; i < r->actor_count && r->options.split_transparency; i++)
        if (r->actors[i].visible &&
            !surface_draw(&r->surfaces, r->gl, &r->actors[i], surface_all(&r->actors[i]), view,
                          &r->shadow, part, diag))
            return false;
    return true;
}

/* The other passes of split transparency, after everything opaque. */
static bool draw_translucent(Renderer *r, const View *view, Diag *diag)
{
    const bool ok = draw_part(r, view, SURFACE_PART_DENSE, diag) &&
                    draw_part(r, view, SURFACE_PART_FAINT, diag);
    end_stage(r, STAGE_SURFACE);
    return ok;
}

/* The picture may be without them, but not the overlay of lines. */
static void draw_outlines(Renderer *r, const Actor *actor, const View *view)
{
    const GLboolean seen = r->options.edges;
    if (!seen && !r->has_overlays)
        return;
    r->gl->ColorMaski(0, seen, seen, seen, seen);
    r->gl->DepthMask(seen);
    const bool listed =
        !r->options.all_triangles && outline_lists_make(&r->outline_lists, &r->visible, r->gl,
                                                        &r->target, actor, view, r->arena);
    outline_draw(&r->outlines, r->gl, actor, listed ? &r->outline_lists : NULL);
    r->gl->ColorMaski(0, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    r->gl->DepthMask(GL_TRUE);
}

/* Without most of the hidden triangles of blended materials, if that pays. */
static bool draw_surfaces(Renderer *r, const Actor *actor, const View *view, SurfacePart part,
                          Diag *diag)
{
    SurfaceLists *lists = &r->surface_lists;
    SurfaceSpan before = surface_all(actor), blended = {before.end, before.end, NULL};

    surface_lists_begin(lists, &r->visible, actor, r->arena);
    if (part == SURFACE_PART_ALL && !r->options.all_triangles)
        blended = surface_find_blended(lists, actor, view);
    before.end = blended.first;
    if (!surface_draw(&r->surfaces, r->gl, actor, before, view, &r->shadow, part, diag))
        return false;
    if (blended.first == blended.end)
        return true;
    if (!surface_lists_make(lists, r->gl, &r->target, actor, view, r->arena))
        blended.lists = NULL;
    return surface_draw(&r->surfaces, r->gl, actor, blended, view, &r->shadow, part, diag);
}

/* The stages, or all other models, among those with the numbers [first, end). */
static bool draw_models(Renderer *r, const View *view, bool stages, size_t first, size_t end,
                        Diag *diag)
{
    const SurfacePart part = r->options.split_transparency ? SURFACE_PART_OPAQUE : SURFACE_PART_ALL;

    if (stages && r->options.ground_shadow)
        surface_begin_stencil(r->gl);
    for (size_t i = first; i < end; i++) {
        const Actor *actor = &r->actors[i];

        if (!actor->visible || actor->entry->stage != stages)
            continue;
        if (!draw_surfaces(r, actor, view, part, diag))
            return false;
        end_stage(r, STAGE_SURFACE);
        draw_outlines(r, actor, view);
        end_stage(r, STAGE_EDGE);
    }
    if (stages && r->options.ground_shadow)
        surface_end_stencil(r->gl);
    return true;
}

static bool receives_shadow(const Renderer *r, const Actor *actor)
{
    for (uint32_t i = 0; r->shadow.on && i < actor->mesh->pmx->material_count; i++)
        if (actor->receives[i])
            return true;
    return false;
}

/* The number of leading models whose stages can be kept as a picture: models with shadows on them
 * depend on the figures, and what comes after one may be drawn over it. */
static size_t kept_actors(const Renderer *r)
{
    size_t kept = 0;

    if (r->options.samples > 1 || r->options.split_transparency || r->whole ||
        r->options.mirror.strength > 0.0f)
        return 0;
    for (size_t i = 0; i < r->actor_count; i++) {
        const Actor *actor = &r->actors[i];

        if (!actor->entry->stage)
            continue;
        if (!actor->unchanged || (actor->visible && receives_shadow(r, actor)))
            return kept;
        if (actor->visible)
            kept = i + 1;
    }
    return kept;
}

/* The part of the image that contains everything drawn of the models, without the stages among the
 * first `kept` ones. */
static TargetRect drawn_area(const Renderer *r, size_t kept)
{
    TargetRect area = {0, 0, 0, 0};

    for (size_t i = 0; i < r->actor_count; i++)
        if (i >= kept || !r->actors[i].entry->stage)
            area = target_rect_union(area, r->actors[i].area);
    return area;
}

static void begin_picture(Renderer *r)
{
    target_draw_overlays(r->gl, false, false);
    target_clear(&r->target, r->gl);
    draw_background(r);
    target_clear_overlays(&r->target, r->gl);
    end_stage(r, STAGE_CLEAR);
    r->gl->Enable(GL_DEPTH_TEST);
}

/* The stages among the first `kept` models are drawn, or copied from the layer. */
static bool draw_kept_stages(Renderer *r, const View *view, size_t kept, Diag *diag)
{
    const StageLayerKey key = {*view, r->target.window, r->background_count, kept};
    const StageLayerUse use = stage_layer_next(&r->stage, kept > 0 ? &key : NULL);

    if (use == STAGE_LAYER_KEPT) {
        r->last.area = drawn_area(r, kept);
        r->last.around = r->stage.image;
        stage_layer_restore(&r->stage, &r->target, r->gl, r->last.area);
        end_stage(r, STAGE_CLEAR);
        r->gl->Enable(GL_DEPTH_TEST);
        return true;
    }
    begin_picture(r);
    if (!draw_models(r, view, true, 0, kept, diag))
        return false;
    if (use == STAGE_LAYER_SAVE && !stage_layer_save(&r->stage, &r->target, r->gl, r->arena, diag))
        return false;
    end_stage(r, STAGE_CLEAR);
    return true;
}

/* Passes in MMD's order (render/README.md 2.1): shadow map, stage, ground shadows, models. */
static bool draw_scene(Renderer *r, const View *view, const ShadowState *shadow, Diag *diag)
{
    if (!shadow_draw(&r->shadow, r->gl, r->actors, r->actor_count, view, shadow, diag))
        return false;
    if (has_soft_ground(r) && !ground_map_draw(&r->ground, r->gl, r->actors, r->actor_count, view,
                                               r->options.shader_dir, r->arena, diag))
        return false;
    if (fills_ground(r))
        ground_fill_prepare(&r->ground_fill, r->gl, r->target.clear, r->ground_color,
                            r->empty_vertices);
    end_stage(r, STAGE_SHADOW);
    target_want_overlays(&r->target, r->has_overlays);
    r->surfaces.overlays = r->has_overlays;
    if (!target_begin(&r->target, r->gl, target_window(&r->target.spec, r->last.area),
                      view->reversed_depth, diag))
        return false;

    const size_t kept = kept_actors(r);
    if (!draw_reflection(r, view, diag) || !draw_kept_stages(r, view, kept, diag) ||
        !draw_models(r, view, true, kept, r->actor_count, diag))
        return false;
    if (mirror_is_visible(&r->mirror, view))
        draw_mirror_plane(r, view);
    draw_ground_shadows(r, view);
    if (!draw_models(r, view, false, 0, r->actor_count, diag) || !draw_translucent(r, view, diag))
        return false;
    target_resolve(&r->target, r->gl, r->last.area);
    end_stage(r, STAGE_RESOLVE);
    return true;
}

/* Whether the target already shows this frame: nothing that decides pixels has changed. */
static bool is_drawn(const Renderer *r, const ShadowState *shadow)
{
    const Drawing *last = &r->last;

    if (!last->complete || last->background != r->background_count ||
        last->shadow.mode != shadow->mode || last->shadow.distance != shadow->distance ||
        !same_bytes(&last->view, &r->view, sizeof last->view))
        return false;
    for (size_t i = 0; i < r->actor_count; i++)
        if (!r->actors[i].unchanged)
            return false;
    return true;
}

bool renderer_draw(Renderer *r, const ShadowState *shadow, Diag *diag)
{
    r->last = (Drawing){.view = r->view,
                        .shadow = *shadow,
                        .background = r->background_count,
                        .area = r->drawn,
                        .around = r->target.background};
    if (r->last.area.left < r->last.area.right) {
        r->last.complete = draw_scene(r, &r->view, shadow, diag);
    } else {
        stage_layer_next(&r->stage, NULL);
        r->last.complete = true;
    }
    return r->last.complete;
}

static void set_ground_color(Renderer *r, const LightState *light)
{
    for (int i = 0; i < 3; i++)
        r->ground_color[i] = fminf(r->options.ground_brightness * light->color[i], 1.0f);
    r->ground_color[3] = r->options.ground_opacity;
}

void render_prepare(Renderer *r, const FrameState *state)
{
    frame_times_start(&r->times);
    r->view = view_of(&state->camera, &state->light, r->options.width * r->options.supersample,
                      r->options.height * r->options.supersample);
    r->view.ground = r->options.ground_height;
    set_ground_color(r, &state->light);
    r->view.soft_ground = has_soft_ground(r);
    if (r->view.soft_ground)
        r->view.ground_spread = ground_rays(r->view.to_light, r->ground.options.angle).spread;
    if (r->has_lens)
        lens_apply(&r->view, &r->lens, r->options.width, r->options.height);
    if (!r->pictured) { /* what the actors compare with was prepared, but not drawn */
        r->last.complete = false;
        stage_layer_next(&r->stage, NULL);
    }
    r->pictured = false;
    prepare_actors(r, state, &r->view);
    r->mirrored = mirrored_area(r);
    r->drawn = target_rect_union(drawn_area(r, 0), r->mirrored);
    r->shadow_state = state->shadow;
    r->has_depths = r->has_read_overlays = false;
}

bool render_frame(Image *image, Renderer *r, const FrameState *state, Diag *diag)
{
    render_prepare(r, state);
    if (!is_drawn(r, &state->shadow) && !renderer_draw(r, &state->shadow, diag))
        return false;
    r->pictured = true;
    target_read(image, &r->target, r->gl, r->last.area, r->last.around);
    target_unpremultiply(image, &r->target);
    end_stage(r, STAGE_READ);
    frame_times_lap(&r->times, STAGE_OTHER);
    if (r->gl->GetError() != GL_NO_ERROR)
        return diag_fail(diag, DIAG_RESOURCE, "OpenGL reported an error in frame %.3f",
                         state->frame);
    return true;
}

void renderer_time_stages(Renderer *renderer, bool on)
{
    renderer->timed = on;
}

const FrameTimes *renderer_times(const Renderer *renderer)
{
    return &renderer->times;
}

bool renderer_skin_positions(float (*positions)[3], Renderer *renderer, const FrameState *state,
                             size_t model, Diag *diag)
{
    Actor *actor = &renderer->actors[model];

    deform_upload(&actor->deform, renderer->gl, &state->models[model]);
    deform_skin(&actor->deform, renderer->gl, &renderer->skinning);
    deform_apply_cloth(&actor->deform, renderer->gl, &state->models[model]);
    deform_read_positions(positions, &actor->deform, renderer->gl);
    if (renderer->gl->GetError() != GL_NO_ERROR)
        return diag_fail(diag, DIAG_RESOURCE, "OpenGL reported an error in frame %.3f",
                         state->frame);
    return true;
}

const char *renderer_identity(const Renderer *renderer)
{
    return gl_renderer(renderer->context);
}
