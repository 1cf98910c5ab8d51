// SPDX-License-Identifier: MIT
#include "render/renderer.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "render/image_parts.h"
#include "render/magnified.h"
#include "render/renderer_state.h"
#include "render/same_bytes.h"

static const ImageRect NOTHING = {0, 0, 0, 0};

/* ---- what the scene needs ---- */

/* Whether ground shadows lie on nothing but the background color. */
static bool has_plain_ground(const Renderer *r)
{
    for (size_t i = 0; i < r->draw.actor_count; i++)
        if (r->draw.actors[i].entry->spec.stage)
            return false;
    return r->background_count == 0 && r->options.mirror.strength <= 0.0f;
}

static bool has_soft_ground(const Renderer *r)
{
    return r->options.ground_shadow && r->ground.options.soft;
}

/* Whether ground shadows are filled without blending: nothing else is on the surface then. */
static bool fills_ground(const Renderer *r)
{
    return r->options.ground_shadow && !has_soft_ground(r) && has_plain_ground(r);
}

/* Ground shadows need a stencil buffer where something must not be darkened twice: by overlaps of
 * triangles, which the driver may have to draw, or by a self-shadow before. */
static bool needs_stencil(const Renderer *r)
{
    for (size_t i = 0; i < r->draw.actor_count; i++) {
        const Actor *actor = &r->draw.actors[i];
        const bool overlaps = !actor->entry->spec.stage && !has_soft_ground(r) &&
                              (r->options.samples > 1 || !ground_fill_is_possible(actor->mesh));

        if (overlaps ||
            (actor->entry->spec.stage && r->options.shadow_map > 0 && surface_may_darken(actor)))
            return r->options.ground_shadow && !has_plain_ground(r);
    }
    return false;
}

/* ---- set-up ---- */

void renderer_set_background(Renderer *r, const Image *image)
{
    r->background_count++;
    target_set_background(&r->draw.target, image, r->arena);
}

void renderer_set_lens(Renderer *r, const RenderLens *lens)
{
    r->has_lens = lens != NULL;
    if (lens != NULL)
        r->lens = *lens;
}

static bool draw_standard_surfaces(void *user, const Actor *actor, Diag *diag);
static bool draw_standard_outlines(void *user, const Actor *actor, bool is_picture, Diag *diag);
static bool draw_effect_scene(EffectsScene *out, void *user, const float clear[4], bool wide,
                              Diag *diag);

static bool init_effects(Renderer *r, const Scene *scene, Diag *diag)
{
    const EffectsStandard standard = {r, draw_standard_surfaces, draw_standard_outlines,
                                      draw_effect_scene};

    r->effects = effects_create(scene, &r->draw, &standard, r->options.width, r->options.height,
                                r->options.frame_s, diag);
    if (r->effects != NULL && effects_draw_objects(r->effects))
        target_draw_background(&r->draw.target);
    return r->effects != NULL;
}

static bool has_panorama(const Renderer *r)
{
    return r->options.panorama.projection != PROJECTION_PERSPECTIVE;
}

/* What is drawn of a panorama are its faces. */
static void init_panorama(Renderer *r)
{
    RenderOptions *o = &r->options;

    if (!has_panorama(r))
        return;
    r->panorama = panorama_of(&o->panorama, o->width, o->height);
    o->width = o->height = r->panorama.side;
    for (int face = 0; face < PANORAMA_FACES; face++)
        if (r->panorama.used[face])
            r->faces[face] = arena_calloc(r->arena, (size_t)o->width * (size_t)o->height, 4);
}

static bool init(Renderer *r, const Scene *scene, Diag *diag)
{
    init_panorama(r);

    const RenderOptions *o = &r->options;
    const GlApi *gl = gl_api(r->context);
    TargetSpec target = {.width = o->width,
                         .height = o->height,
                         .scale = o->supersample,
                         .samples = o->samples,
                         .alpha = o->alpha,
                         .background_fit = o->background_fit};

    gl->ClipControl(GL_UPPER_LEFT, GL_ZERO_TO_ONE); /* the only flip of the y axis */
    gl->FrontFace(GL_CW);
    gl->BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    r->draw = (DrawContext){.gl = gl,
                            .shader_dir = o->shader_dir,
                            .arena = r->arena,
                            .samplers = texture_samplers(gl, o->anisotropy, o->supersample),
                            .actors = arena_array(r->arena, Actor, scene->model_count)};
    gl->CreateVertexArrays(1, &r->draw.empty_vertices);
    r->surfaces.soft_shadow = o->shadow_soft > 0.0f;
    r->shadow = (ShadowMap){.side = o->shadow_map, .soft = o->shadow_soft};
    r->mirror.options = o->mirror;
    r->ground.options = o->ground_light;
    r->emission.options = o->emission;
    memcpy(target.background, o->background, sizeof target.background);
    if (!target_init(&r->draw.target, &target, gl, r->arena, diag) ||
        !outline_init(&r->outlines, &r->draw, diag) ||
        !ground_fill_init(&r->ground_fill, &r->draw, diag))
        return false;
    if (o->background_image != NULL)
        renderer_set_background(r, o->background_image);

    for (size_t i = 0; i < scene->model_count; i++) {
        if (!actor_init(r->draw.actors, i, scene, gl, r->arena, diag) ||
            !deform_programs_add(&r->skinning, r->draw.actors[i].mesh, o->shader_dir, diag))
            return false;
        r->draw.actor_count++;
    }
    if (gl->GetError() != GL_NO_ERROR)
        return diag_fail(diag, DIAG_RESOURCE, "OpenGL ran out of memory while loading the scene");
    return scene->effects.draws == NULL || init_effects(r, scene, diag);
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

bool renderer_use(Renderer *renderer, Diag *diag)
{
    return gl_use(renderer->context, diag);
}

/* ---- time and errors ---- */

static void end_stage(Renderer *r, FrameStage stage)
{
    if (!r->timed)
        return;
    r->draw.gl->Finish();
    frame_times_lap(&r->times, stage);
}

void renderer_time_stages(Renderer *renderer, bool on)
{
    renderer->timed = on;
}

const FrameTimes *renderer_times(const Renderer *renderer)
{
    return &renderer->times;
}

void renderer_continue(Renderer *renderer, bool on)
{
    if (renderer->effects != NULL)
        effects_continue(renderer->effects, on);
}

void renderer_time_passes(Renderer *renderer)
{
    if (renderer->effects != NULL)
        effects_time_passes(renderer->effects);
}

void renderer_take_pass_times(FxPassTime *sums, Renderer *renderer)
{
    if (renderer->effects != NULL)
        effects_take_pass_times(sums, renderer->effects);
}

/* Returns false after an error of OpenGL while it did something was reported. */
static bool check_gl(const Renderer *r, const char *activity, Diag *diag)
{
    return r->draw.gl->GetError() == GL_NO_ERROR ||
           diag_fail(diag, DIAG_RESOURCE, "OpenGL reported an error %s", activity);
}

/* ---- preparing a frame ---- */

static bool is_character(const Actor *actor)
{
    return actor->visible && !actor->entry->spec.stage;
}

/* Updates the uniforms and the visibility of an actor for a view. */
static void update_actor(Renderer *r, Actor *actor, const View *view)
{
    actor_update(actor, view, r->options.ground_shadow, r->options.width, r->options.height);
    surface_find_receivers(actor, view);
}

/* Updates the characters for a view; returns the part of the image that they cover there. */
static ImageRect update_characters(Renderer *r, const View *view)
{
    ImageRect area = NOTHING;

    for (size_t i = 0; i < r->draw.actor_count; i++) {
        Actor *actor = &r->draw.actors[i];

        if (!is_character(actor))
            continue;
        actor->area = NOTHING;
        update_actor(r, actor, view);
        area = image_rect_union(area, actor->area);
    }
    return area;
}

/* With the pixels around it, whose colors the outermost samples in it change, and inside of
 * `limit`. */
static ImageRect grown(ImageRect r, ImageRect limit)
{
    if (r.left >= r.right)
        return r;
    return (ImageRect){r.left > limit.left ? r.left - 1 : r.left,
                       r.top > limit.top ? r.top - 1 : r.top,
                       r.right < limit.right ? r.right + 1 : r.right,
                       r.bottom < limit.bottom ? r.bottom + 1 : r.bottom};
}

/* The part of the image that everything drawn of the models changes, without the stages among the
 * first `kept` ones. */
static ImageRect drawn_area(const Renderer *r, size_t kept)
{
    ImageRect area = NOTHING;

    for (size_t i = 0; i < r->draw.actor_count; i++)
        if (i >= kept || !r->draw.actors[i].entry->spec.stage)
            area = image_rect_union(area, r->draw.actors[i].area);
    return grown(area, (ImageRect){0, 0, r->options.width, r->options.height});
}

static void prepare_view(Renderer *r, const FrameState *state)
{
    const RenderOptions *o = &r->options;
    View *view = &r->draw.view;

    *view = view_of(&state->camera, &state->light, o->width * o->supersample,
                    o->height * o->supersample);
    if (has_panorama(r))
        panorama_turn(view, &r->panorama, r->eye, r->face, o->supersample);
    view->ground = o->ground_height;
    view->soft_ground = has_soft_ground(r);
    if (view->soft_ground)
        view->ground_spread = ground_rays(view->to_light, r->ground.options.angle).spread;
    if (r->has_lens)
        lens_apply(view, &r->lens, o->width, o->height);
    for (int i = 0; i < 3; i++)
        r->ground_color[i] = fminf(o->ground_brightness * state->light.color[i], 1.0f);
    r->ground_color[3] = o->ground_opacity;
    r->shadow_state = state->shadow;
    if (r->effects == NULL)
        return;
    effects_begin(r->effects, state, r->ground_color, o->shadow_map > 0 && state->shadow.mode != 0);
    if (effects_draw_objects(r->effects))
        fx_view_change(view, o->width, o->height);
}

/* What effects draw may be anywhere, and has no shadow of MMD's on it. */
static void prepare_effects(Renderer *r)
{
    for (size_t i = 0; i < r->draw.actor_count; i++) {
        Actor *actor = &r->draw.actors[i];

        if (!actor->visible || !effects_has_model(r->effects, i))
            continue;
        for (uint32_t m = 0; m < actor->mesh->pmx->material_count; m++) {
            actor->receives[m] &= effects_is_standard(r->effects, i, m, FX_OBJECT);
            actor->casts_on_ground[m] &= effects_is_standard(r->effects, i, m, FX_GROUND_SHADOW);
        }
    }
    if (effects_draw_objects(r->effects))
        r->drawn = (ImageRect){0, 0, r->options.width, r->options.height};
}

/* What decides the pixels of the prepared frame besides its models. */
static FrameKey key_of(const Renderer *r)
{
    FrameKey key;
    memset(&key, 0, sizeof key); /* with its padding */
    key.view = r->draw.view;
    key.shadow = r->shadow_state;
    memcpy(key.ground_color, r->ground_color, sizeof key.ground_color);
    key.background = r->background_count;
    return key;
}

/* Outlines and shadows are drawn of whole materials only. */
static bool is_whole(const Renderer *r, const Actor *actor, uint32_t material)
{
    const unsigned flags = actor->mesh->pmx->materials[material].flags;

    return flags & PMX_EDGE || (flags & PMX_CAST_SHADOW && r->options.shadow_map > 0);
}

/* Whether a part belongs to the picture of stages that is kept.  One that changes leaves it; one
 * that was still for a while joins it, at once where the picture has to be drawn anyway. */
static bool is_kept(const Part *part, bool other_view)
{
    return part->still >= PART_STILL_FRAMES || (part->same && (part->kept || other_view));
}

static void choose_kept(Renderer *r)
{
    const FrameKey key = key_of(r);
    const bool other_view = !r->stage.has_key || !same_bytes(&r->stage.key.frame, &key, sizeof key);
    bool other = false;

    for (size_t i = 0; i < r->draw.actor_count; i++) {
        Actor *actor = &r->draw.actors[i];
        Parts *parts = actor->deform.parts;
        bool whole = true;

        if (parts == NULL || (actor->steady && actor->keeps_all && !other_view))
            continue;
        for (uint32_t m = 0; m < actor->mesh->pmx->material_count; m++) {
            const uint32_t begin = parts->first[m], end = parts->first[m + 1];
            bool all = true;

            for (uint32_t p = begin; p < end; p++)
                all &= is_kept(&parts->items[p], other_view);
            actor->kept[m] = all;
            whole &= all;
            for (uint32_t p = begin; p < end; p++) {
                Part *part = &parts->items[p];
                const bool kept = is_whole(r, actor, m) ? all : is_kept(part, other_view);

                other |= kept != part->kept;
                part->kept = kept;
                part->has_rect &= !other_view;
            }
        }
        actor->keeps_all = whole;
    }
    r->draw.kept_sets += other;
}

/* After a frame that was not drawn, in which the stages may have changed. */
static void forget_stage(Renderer *r)
{
    stage_layer_next(&r->stage, NULL);
    r->shadow.has_stages = false;
}

void render_prepare(Renderer *r, const FrameState *state)
{
    const double seconds = state->frame / MOTION_FPS;
    const bool other_time = seconds != r->draw.seconds;

    frame_times_start(&r->times);
    prepare_view(r, state);
    r->draw.seconds = seconds;
    if (!r->frame_read) { /* the state that actors compare with was prepared, but not drawn */
        r->last.complete = false;
        forget_stage(r);
    }
    r->frame_read = r->has_depths = r->has_read_overlays = r->has_shadows = false;
    for (size_t i = 0; i < r->draw.actor_count; i++)
        actor_set_state(&r->draw.actors[i], &state->models[i], other_time);
    end_stage(r, STAGE_UPLOAD);
    for (size_t i = 0; i < r->draw.actor_count; i++) {
        Actor *actor = &r->draw.actors[i];

        if (!actor->visible)
            continue;
        deform_skin(&actor->deform, &r->skinning);
        deform_apply_cloth(&actor->deform, actor->state);
        deform_update_bounds(&actor->deform);
        update_actor(r, actor, &r->draw.view);
        if (!r->options.all_triangles)
            magnified_find(actor, &r->draw);
    }
    end_stage(r, STAGE_SKIN);
    r->mirrored = NOTHING;
    if (mirror_is_visible(&r->mirror, &r->draw.view)) {
        const View mirrored = mirror_view(&r->draw.view, r->mirror.options.height);

        r->mirrored = mirror_widen(&r->mirror, update_characters(r, &mirrored), r->options.width,
                                   r->options.height);
        update_characters(r, &r->draw.view);
    }
    r->drawn = image_rect_union(drawn_area(r, 0), r->mirrored);
    if (r->effects != NULL)
        prepare_effects(r);
    choose_kept(r);
}

/* ---- passes ---- */

/* Draws what the plane of the mirror reflects, on a surface of its own. */
static bool draw_reflection(Renderer *r, Diag *diag)
{
    DrawContext mirrored = r->draw;
    bool ok = true;

    if (!mirror_is_visible(&r->mirror, &r->draw.view))
        return true;
    if (!mirror_begin(&r->mirror, &r->draw, diag))
        return false;
    mirrored.view = mirror_view(&r->draw.view, r->mirror.options.height);
    update_characters(r, &mirrored.view);
    for (size_t i = 0; ok && i < r->draw.actor_count; i++) {
        const Actor *actor = &r->draw.actors[i];

        if (!is_character(actor))
            continue;
        ok = surface_draw(&r->surfaces, &mirrored, actor, &r->shadow, SURFACE_PART_ALL, false, NULL,
                          diag);
        if (ok && r->options.edges)
            ok = outline_draw(&r->outlines, &mirrored, actor, SURFACE_PART_ALL, NULL, diag);
    }
    mirror_end(&r->draw);
    update_characters(r, &r->draw.view);
    end_stage(r, STAGE_SURFACE);
    return ok;
}

static void clear_target(Renderer *r)
{
    const Target *target = &r->draw.target;

    target_draw_overlays(target, false, false);
    target_clear(target);
    target_clear_overlays(target);
    r->empty = true;
    end_stage(r, STAGE_CLEAR);
    r->draw.gl->Enable(GL_DEPTH_TEST);
}

/* Draws the outlines of a model: the picture may be without them, but not the overlay of lines. */
static bool draw_outlines(Renderer *r, const Actor *actor, SurfacePart part, Diag *diag)
{
    const GlApi *gl = r->draw.gl;
    const GLboolean seen = r->options.edges;

    if (!seen && !r->has_overlays)
        return true;
    gl->ColorMaski(0, seen, seen, seen, seen);
    gl->DepthMask(seen);
    target_draw_lines(&r->draw.target, true);
    const bool ok = outline_draw(&r->outlines, &r->draw, actor, part,
                                 r->options.all_triangles ? NULL : &r->visible, diag);
    target_draw_lines(&r->draw.target, false);
    gl->ColorMaski(0, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl->DepthMask(GL_TRUE);
    return ok;
}

/* ---- effects ---- */

static bool runs_effects(const Renderer *r)
{
    return r->effects != NULL && !r->plain;
}

/* The target as what effects draw on. */
static FxSurface picture_surface(const Renderer *r)
{
    const Target *t = &r->draw.target;
    const int scale = t->spec.scale;

    return (FxSurface){.framebuffer = t->draw,
                       .left = -t->window.left * scale,
                       .top = -t->window.top * scale,
                       .width = t->spec.width * scale,
                       .height = t->spec.height * scale,
                       .frame_width = t->spec.width,
                       .frame_height = t->spec.height,
                       .scale = (float)scale,
                       .is_picture = true,
                       .reversed_depth = r->draw.view.reversed_depth};
}

static bool draw_standard_surfaces(void *user, const Actor *actor, Diag *diag)
{
    Renderer *r = user;

    return surface_draw(&r->surfaces, &r->draw, actor, &r->shadow, SURFACE_PART_ALL, false, NULL,
                        diag);
}

static bool draw_standard_outlines(void *user, const Actor *actor, bool is_picture, Diag *diag)
{
    Renderer *r = user;

    if (!r->options.edges)
        return true;
    target_draw_lines(&r->draw.target, is_picture);
    const bool ok = outline_draw(&r->outlines, &r->draw, actor, SURFACE_PART_ALL, NULL, diag);
    target_draw_lines(&r->draw.target, false);
    return ok;
}

/* Ground shadows of materials whose effect has a technique for them. */
static bool draw_effect_shadows(Renderer *r, Diag *diag)
{
    const FxSurface surface = picture_surface(r);

    return !runs_effects(r) || effects_draw_ground_shadows(r->effects, &surface, diag);
}

/* Draws the stages, or all other models, among those with the numbers [first, end). */
static bool draw_models(Renderer *r, bool stages, size_t first, size_t end, Diag *diag)
{
    const bool split = r->options.split_transparency;
    const SurfacePart part = split ? SURFACE_PART_OPAQUE : SURFACE_PART_ALL;
    const bool stencil = stages && r->options.ground_shadow;
    const GlApi *gl = r->draw.gl;

    if (stencil) { /* notes where surfaces are that self-shadows darken */
        gl->Enable(GL_STENCIL_TEST);
        gl->StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    }
    for (size_t i = first; i < end; i++) {
        const Actor *actor = &r->draw.actors[i];

        if (!actor->visible || actor->entry->spec.stage != stages)
            continue;
        if (runs_effects(r) && effects_has_model(r->effects, i)) {
            const FxSurface surface = picture_surface(r);

            if (!effects_draw_model(r->effects, &surface, &r->draw.actors[i], diag))
                return false;
            if (stencil) {
                gl->Enable(GL_STENCIL_TEST);
                gl->StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
            }
            r->empty = false;
            end_stage(r, STAGE_EFFECTS);
            continue;
        }
        if (!surface_draw(&r->surfaces, &r->draw, actor, &r->shadow, part,
                          r->empty && !r->options.all_triangles,
                          split || r->options.all_triangles || actor->limited ? NULL : &r->visible,
                          diag))
            return false;
        r->empty = false;
        end_stage(r, STAGE_SURFACE);
        if (!draw_outlines(r, actor, part, diag))
            return false;
        end_stage(r, STAGE_EDGE);
    }
    if (stencil)
        gl->Disable(GL_STENCIL_TEST);
    return true;
}

/* Whether a stage with shadows on it can be kept with those of the stages alone: that is known of
 * triangles, where they are drawn as depth_first draws them. */
static bool keeps_shadows(const Renderer *r, const Actor *actor)
{
    const View *view = &r->draw.view;

    if (!r->shadow.has_stages || !view->reversed_depth || view->surrounds)
        return false;
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++)
        if (actor->mesh->pmx->materials[i].mtoon != NULL ||
            (actor->receives[i] && actor->mesh->materials[i].mode != GL_TRIANGLES))
            return false;
    return true;
}

static bool has_kept(const Actor *actor)
{
    const Parts *parts = actor->deform.parts;

    for (uint32_t i = 0; actor->visible && i < parts->count; i++)
        if (parts->items[i].kept && actor->drawn[parts->items[i].material])
            return true;
    return false;
}

/* The number of leading models of whose stages the still parts can be kept as a picture: models
 * with shadows on them depend on the characters, and what comes after one may be drawn over it.
 * *shadows: a kept one has some. */
static size_t kept_actors(const Renderer *r, bool *shadows)
{
    size_t kept = 0;

    *shadows = false;

    if (r->options.samples > 1 || r->options.split_transparency || r->full_frame ||
        r->options.mirror.strength > 0.0f ||
        (r->effects != NULL && effects_draw_objects(r->effects)))
        return 0;
    for (size_t i = 0; i < r->draw.actor_count; i++) {
        const Actor *actor = &r->draw.actors[i];

        if (!actor->entry->spec.stage)
            continue;
        const bool receives = r->shadow.on && actor_receives_shadow(actor);
        if (receives && !keeps_shadows(r, actor))
            return kept;
        *shadows |= receives;
        if (has_kept(actor))
            kept = i + 1;
    }
    return kept;
}

/* The only character, if it pays to draw its depths before the stages, and if nothing of them is
 * blended in front of it; otherwise NULL. */
static const Actor *first_character(const Renderer *r)
{
    const Actor *first = NULL;
    bool staged = false, ok = true;

    if (r->options.all_triangles || r->options.split_transparency || r->options.samples > 1 ||
        r->effects != NULL || mirror_is_visible(&r->mirror, &r->draw.view))
        return NULL;
    for (size_t i = 0; i < r->draw.actor_count; i++) {
        const Actor *actor = &r->draw.actors[i];

        ok &= first == NULL || !is_character(actor);
        if (is_character(actor))
            first = actor;
        staged |= actor->visible && actor->entry->spec.stage;
    }
    if (!ok || !staged || first == NULL || !depth_first_pays(&r->draw, first))
        return NULL;
    for (size_t i = 0; ok && i < r->draw.actor_count; i++) {
        const Actor *stage = &r->draw.actors[i];

        ok = !stage->visible || !stage->entry->spec.stage ||
             depth_first_is_behind(&r->draw, first, stage);
    }
    return ok ? first : NULL;
}

/* The part of the picture of the stage in which the characters change its shadows. */
static ImageRect changed_shadows(Renderer *r)
{
    const ShadowFit *fit = &r->shadow.fit;
    const ShadowTexelSize size = shadow_texel_size(fit->width, fit->height);
    ShadowTexels stages = {.depths = r->shadow.stage_depths};

    if (fit->width <= 0)
        return NOTHING;
    return shadow_tiles_changed(
        &r->stage.tiles, &r->draw, shadow_texels_first(&stages, fit->width, fit->height),
        shadow_texels_first(&r->shadow.texels, fit->width, fit->height), size.stride, fit);
}

/* ---- the parts of a kept picture that are drawn again ---- */

/* A rectangle of the image in which the kept stages are drawn again, from one of their parts on. */
typedef struct Redraw {
    ImageRect rect;
    bool over;    /* on the kept picture; otherwise on the background */
    size_t actor; /* the first part: the one with the number `part` of this model */
    uint32_t part;
} Redraw;

typedef struct Redraws {
    Redraw items[IMAGE_PARTS];
    size_t count;
} Redraws;

static bool is_kept_stage(const Actor *actor)
{
    return actor->visible && actor->deform.parts != NULL;
}

static bool has_outline(const Renderer *r, const Actor *actor, uint32_t number)
{
    return r->options.edges && actor->mesh->pmx->materials[number].flags & PMX_EDGE;
}

/* Whether drawing a material a second time changes nothing: nothing of it is blended. */
static bool is_plain(const Renderer *r, const Actor *actor, uint32_t number)
{
    return actor->mesh->pmx->materials[number].mtoon == NULL &&
           surface_is_opaque(actor, number, &r->draw.view);
}

/*
 * Whether what moves in a rectangle can be drawn on the kept picture: then only it, and the still
 * parts after it, are drawn, with the pixels of the order of the file.  Still parts before it are
 * on the picture already.  Those after it must be opaque, as must be what moves before them, which
 * has no outlines either: they are on the picture, too, where they would be blended twice, or below
 * what moves.
 */
static bool draws_over(Redraw *redraw, const Renderer *r, size_t kept)
{
    bool moves = false, blended = false;

    for (size_t i = 0; i < kept; i++) {
        const Actor *actor = &r->draw.actors[i];
        const Parts *parts = actor->deform.parts;
        bool outlines = false;

        for (uint32_t p = 0; is_kept_stage(actor) && p < parts->count; p++) {
            const Part *part = &parts->items[p];

            if (!actor->drawn[part->material] || !image_rects_overlap(part->rect, redraw->rect))
                continue;
            const bool plain = is_plain(r, actor, part->material);
            const bool outline = has_outline(r, actor, part->material);
            if (part->kept && moves && (blended || !plain))
                return false;
            outlines |= part->kept && outline;
            if (!part->kept && !moves) {
                redraw->actor = i;
                redraw->part = p;
            }
            moves |= !part->kept;
            blended |= !part->kept && (!plain || outline);
        }
        if (moves && outlines) /* outlines come after all surfaces of their model */
            return false;
    }
    return moves;
}

/* Where what moves of the kept stages is, and where the characters change the shadows on them. */
static Redraws find_redraws(Renderer *r, size_t kept, bool shadows)
{
    const ImageRect shadow = shadows ? changed_shadows(r) : NOTHING;
    const ImageRect window = r->draw.target.window;
    ImageParts changed = {.slack = image_rect_size(window) / 512};
    Redraws redraws = {.count = 0};

    image_parts_add(&changed, shadow);
    for (size_t i = 0; i < kept; i++) {
        Actor *actor = &r->draw.actors[i];
        const Parts *parts = actor->deform.parts;

        if (!is_kept_stage(actor))
            continue;
        actor_find_rects(actor, &r->draw.view, r->options.width, r->options.height);
        for (uint32_t p = 0; p < parts->count; p++)
            if (!parts->items[p].kept && actor->drawn[parts->items[p].material])
                image_parts_add(&changed, parts->items[p].rect);
    }
    for (size_t i = 0; i < changed.count; i++) {
        Redraw redraw = {.rect = changed.rects[i]};

        redraw.over = !image_rects_overlap(redraw.rect, shadow) && draws_over(&redraw, r, kept);
        if (!redraw.over)
            redraw.actor = redraw.part = 0;
        redraws.items[redraws.count++] = redraw;
    }
    return redraws;
}

/* Limits the visible stages among the first models (actor_limit) to kept parts, or, with a redraw,
 * to what it draws. */
static void limit_stages(Renderer *r, size_t count, const Redraw *redraw)
{
    for (size_t i = 0; i < count; i++) {
        Actor *actor = &r->draw.actors[i];

        if (!is_kept_stage(actor))
            continue;
        if (redraw == NULL)
            actor_limit(actor, true, 0, NULL);
        else
            actor_limit(actor, false,
                        i < redraw->actor    ? actor->deform.parts->count
                        : i == redraw->actor ? redraw->part
                                             : 0,
                        &redraw->rect);
    }
}

/* Draws the kept stages again where that is needed, with all that moves and all shadows.  The
 * target shows their picture. */
static bool draw_stages_again(Renderer *r, size_t kept, const Redraws *redraws, Diag *diag)
{
    const GlApi *gl = r->draw.gl;
    bool ok = true;

    for (size_t i = 0; ok && i < redraws->count; i++) {
        const Redraw *redraw = &redraws->items[i];
        const ImageRect s = target_surface_rect(&r->draw.target, redraw->rect);

        gl->Enable(GL_SCISSOR_TEST);
        gl->Scissor(s.left, s.top, s.right - s.left, s.bottom - s.top);
        if (!redraw->over)
            clear_target(r);
        for (size_t k = 0; redraw->over && k < i; k++)
            if (image_rects_overlap(redraws->items[k].rect, redraw->rect))
                stage_layer_restore(&r->stage, &r->draw.target, redraw->rect);
        limit_stages(r, kept, redraw);
        ok = draw_models(r, true, 0, kept, diag);
        gl->Disable(GL_SCISSOR_TEST);
    }
    for (size_t i = 0; i < kept; i++)
        if (is_kept_stage(&r->draw.actors[i]))
            actor_limit_end(&r->draw.actors[i]);
    return ok;
}

/* Finds which texels the kept stages look up, by the depths of their opaque surfaces. */
static bool find_tiles(Renderer *r, size_t kept, Diag *diag)
{
    ShadowTiles *tiles = &r->stage.tiles;
    const DrawContext *draw = &r->draw;

    for (size_t i = 0; i < kept; i++)
        if (draw->actors[i].visible && draw->actors[i].entry->spec.stage &&
            !depth_first_draw_opaque(&r->depth_first, draw, &draw->actors[i], diag))
            return false;
    shadow_tiles_find(tiles, draw, &r->shadow.fit);
    for (size_t i = 0; i < kept; i++)
        if (draw->actors[i].visible && draw->actors[i].entry->spec.stage)
            shadow_tiles_add_faces(tiles, draw, &draw->actors[i], &r->shadow.fit);
    draw->gl->BindFramebuffer(GL_FRAMEBUFFER, draw->target.draw);
    clear_target(r);
    return true;
}

/* Draws what is kept of the stages from now on, with the shadows that they have alone, and then
 * what moves and the shadows of the frame. */
static bool draw_layer(Renderer *r, size_t kept, bool shadows, Diag *diag)
{
    const GlApi *gl = r->draw.gl;

    limit_stages(r, kept, NULL);
    if (shadows && (!find_tiles(r, kept, diag) || !shadow_show_stages(&r->shadow, gl, true, diag)))
        return false;
    if (!draw_models(r, true, 0, kept, diag) ||
        !stage_layer_save(&r->stage, &r->draw.target, r->arena, diag) ||
        (shadows && !shadow_show_stages(&r->shadow, gl, false, diag)))
        return false;
    const Redraws redraws = find_redraws(r, kept, shadows);
    return draw_stages_again(r, kept, &redraws, diag);
}

/* Copies the kept stages, and draws them again where that is not enough. */
static bool restore_layer(Renderer *r, size_t kept, const Redraws *redraws, Diag *diag)
{
    const Target *target = &r->draw.target;
    ImageRect changed = NOTHING;

    for (size_t i = 0; i < redraws->count; i++)
        changed = image_rect_union(changed, redraws->items[i].rect);
    r->last.area = image_rect_union(drawn_area(r, kept), grown(changed, target->window));
    r->last.background_pixels = r->stage.image;
    stage_layer_restore(&r->stage, target, grown(r->last.area, target->window));
    end_stage(r, STAGE_CLEAR);
    r->draw.gl->Enable(GL_DEPTH_TEST);
    return draw_stages_again(r, kept, redraws, diag);
}

/* Whether drawing parts again takes about as long as drawing everything. */
static bool are_large(const Redraws *redraws, ImageRect window)
{
    int64_t size = 0;

    for (size_t i = 0; i < redraws->count; i++)
        size += redraws->items[i].over ? 0 : image_rect_size(redraws->items[i].rect);
    return size > image_rect_size(window) / 4 * 3;
}

/* Draws the background and the stages.  Those that can be kept are copied from the layer if it has
 * them. */
static bool draw_stages(Renderer *r, Diag *diag)
{
    bool shadows;
    const size_t kept = kept_actors(r, &shadows);
    StageLayerKey key;

    memset(&key, 0, sizeof key); /* with its padding */
    key.frame = key_of(r);
    key.window = r->draw.target.window;
    key.actors = kept;
    key.sets = r->draw.kept_sets;
    key.shadows = shadows;
    StageLayerUse use = stage_layer_next(&r->stage, kept > 0 ? &key : NULL);
    Redraws redraws = {.count = 0};

    if (use == STAGE_LAYER_KEPT)
        redraws = find_redraws(r, kept, shadows);
    if (are_large(&redraws, key.window))
        use = STAGE_LAYER_NONE;
    if (use == STAGE_LAYER_KEPT) {
        if (!restore_layer(r, kept, &redraws, diag))
            return false;
    } else {
        clear_target(r);
        const Actor *first = use != STAGE_LAYER_SAVE ? first_character(r) : NULL;
        if (first != NULL && !depth_first_draw(&r->depth_first, &r->draw, first, diag))
            return false;
        end_stage(r, STAGE_SURFACE);
        if (use == STAGE_LAYER_SAVE ? !draw_layer(r, kept, shadows, diag)
                                    : !draw_models(r, true, 0, kept, diag))
            return false;
        end_stage(r, STAGE_CLEAR);
    }
    const bool ok = draw_models(r, true, kept, r->draw.actor_count, diag);
    r->empty = false; /* ground shadows come next */
    return ok;
}

/* Draws ground shadows, of which the CPU finds the samples if it can. */
static void draw_ground_shadows(Renderer *r)
{
    const DrawContext *draw = &r->draw;
    const bool fills = fills_ground(r);
    bool covers = r->options.samples < 2;

    for (size_t i = 0; i < draw->actor_count; i++)
        covers &= !draw->actors[i].visible || !draw->actors[i].has_ground_shadow ||
                  ground_fill_is_possible(draw->actors[i].mesh);
    target_draw_overlays(&draw->target, true, false);
    if (!fills)
        outline_begin_ground_shadows(&r->outlines, draw, r->ground_color);
    if (has_soft_ground(r))
        ground_map_draw_plane(&r->ground, draw, r->ground_color);
    else if (covers && fills)
        ground_fill_draw(&r->ground_fill, draw);
    else if (covers)
        ground_fill_blend(&r->ground_fill, draw, r->ground_color);
    else if (fills)
        outline_begin_ground_fill(&r->outlines, draw, r->ground_fill.color);
    for (size_t i = 0; !has_soft_ground(r) && !covers && i < draw->actor_count; i++)
        if (draw->actors[i].visible && draw->actors[i].has_ground_shadow)
            outline_draw_ground_shadow(draw, &draw->actors[i]);
    outline_end_ground_shadows(draw);
    target_draw_overlays(&draw->target, true, true);
    end_stage(r, STAGE_SHADOW);
}

/* Draws the outlines of what is not opaque in split transparency, after all colors.  As in MMD's
 * order each pixel of a surface hides the outlines behind it: else a strand of hair would show the
 * inside of its hull. */
static bool draw_translucent_outlines(Renderer *r, const Actor *actor, Diag *diag)
{
    const GlApi *gl = r->draw.gl;

    if (!outline_has_part(&r->draw, actor, SURFACE_PART_FAINT))
        return true;
    gl->ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    const bool ok = surface_draw(&r->surfaces, &r->draw, actor, &r->shadow,
                                 SURFACE_PART_FAINT_DEPTHS, false, NULL, diag);
    gl->ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    target_draw_overlays(&r->draw.target, true, true);
    return ok && draw_outlines(r, actor, SURFACE_PART_FAINT, diag);
}

/* Draws the other passes of split transparency, after everything opaque.  The last one, depths of
 * faint pixels, is for the outlines. */
static bool draw_translucent(Renderer *r, Diag *diag)
{
    for (SurfacePart part = SURFACE_PART_DENSE; part <= SURFACE_PART_FAINT_DEPTHS; part++) {
        const bool outlines = part == SURFACE_PART_FAINT_DEPTHS;

        for (size_t i = 0; i < r->draw.actor_count && r->options.split_transparency; i++) {
            const Actor *actor = &r->draw.actors[i];

            if (!actor->visible || (runs_effects(r) && effects_has_model(r->effects, i)))
                continue;
            if (outlines ? !draw_translucent_outlines(r, actor, diag)
                         : !surface_draw(&r->surfaces, &r->draw, actor, &r->shadow, part, false,
                                         NULL, diag))
                return false;
        }
        end_stage(r, outlines ? STAGE_EDGE : STAGE_SURFACE);
    }
    return true;
}

/* Draws what surfaces look up, before anything is drawn on the target. */
static bool draw_shadows(Renderer *r, Diag *diag)
{
    DrawContext *draw = &r->draw;

    if (r->has_shadows)
        return true;
    if (!r->has_all_shadows && !shadow_draw(&r->shadow, draw, &r->shadow_state, diag))
        return false;
    if (!r->has_all_shadows && has_soft_ground(r) && !ground_map_draw(&r->ground, draw, diag))
        return false;
    r->has_all_shadows = draw->view.surrounds;
    if (fills_ground(r))
        ground_fill_prepare(&r->ground_fill, draw, r->ground_color);
    r->has_shadows = true;
    end_stage(r, STAGE_SHADOW);
    return true;
}

/* Draws the picture of the prepared frame on the target, in MMD's order (render/README.md 2.1).
 * Returns false after an error was reported. */
static bool draw_picture(Renderer *r, Diag *diag)
{
    DrawContext *draw = &r->draw;

    target_want(&draw->target,
                needs_stencil(r) || (runs_effects(r) && effects_draw_objects(r->effects)),
                r->has_overlays, r->wide);
    if (!target_begin(&draw->target, r->last.area, draw->view.reversed_depth, diag) ||
        !draw_reflection(r, diag) || !draw_stages(r, diag))
        return false;
    if (mirror_is_visible(&r->mirror, &draw->view))
        mirror_draw_plane(&r->mirror, draw, r->mirrored);
    draw_ground_shadows(r);
    if (!draw_effect_shadows(r, diag) || !draw_models(r, false, 0, draw->actor_count, diag) ||
        !draw_translucent(r, diag))
        return false;
    target_resolve(&draw->target, r->last.area);
    end_stage(r, STAGE_RESOLVE);
    return true;
}

/* Draws offscreen targets, unless post-effects had them drawn before. */
static bool draw_targets(Renderer *r, Diag *diag)
{
    if (!runs_effects(r) || effects_has_chain(r->effects))
        return true;
    const bool ok = effects_draw_targets(r->effects, diag);
    end_stage(r, STAGE_EFFECTS);
    return ok;
}

static bool draw_frame(Renderer *r, Diag *diag)
{
    DrawContext *draw = &r->draw;

    r->last =
        (Drawing){.key = key_of(r), .area = r->drawn, .background_pixels = draw->target.background};
    const bool nothing = r->last.area.left >= r->last.area.right;
    if (nothing)
        forget_stage(r);
    if (!nothing && (!draw_shadows(r, diag) || !draw_targets(r, diag) || !draw_picture(r, diag)))
        return false;
    r->last.complete = true;
    return true;
}

/* Whether the target already shows this frame: nothing that decides pixels has changed. */
static bool is_drawn(const Renderer *r)
{
    const FrameKey key = key_of(r);

    if (!r->last.complete || !same_bytes(&r->last.key, &key, sizeof key))
        return false;
    for (size_t i = 0; i < r->draw.actor_count; i++)
        if (!r->draw.actors[i].unchanged)
            return false;
    return true;
}

/* The scene without post-effects, over a color of theirs.  A background of the job takes the place
 * of that color, but not of its alpha. */
static bool draw_effect_scene(EffectsScene *out, void *user, const float clear[4], bool wide,
                              Diag *diag)
{
    Renderer *r = user;
    const RenderOptions *o = &r->options;
    Target *target = &r->draw.target;
    Image *image = &r->effect_scene;
    float color[4] = {clear[0], clear[1], clear[2], clear[3]};

    if (!o->alpha || o->background[3] > 0.0f)
        memcpy(color, o->background, 3 * sizeof(float));
    if (!same_bytes(color, r->effect_color, sizeof color)) {
        memcpy(r->effect_color, color, sizeof color);
        target_set_color(target, color);
        r->background_count++;
    }
    end_stage(r, STAGE_EFFECTS);
    r->wide = wide;
    const bool ok = draw_frame(r, diag);
    r->wide = false;
    if (!ok)
        return false;
    if (wide) {
        r->effect_background = (Image){o->width, o->height, true, target->background};
        *out = (EffectsScene){target->background != NULL ? &r->effect_background : NULL,
                              target->wide, target->spec.scale};
        return true;
    }
    if (image->pixels == NULL)
        image->pixels = arena_calloc(r->arena, (size_t)o->width * (size_t)o->height, 4);
    target_read(image, target, r->last.area, r->last.background_pixels);
    *out = (EffectsScene){.image = image};
    end_stage(r, STAGE_READ);
    return true;
}

/* Draws the frame inside of pre- and post-effects. */
static bool draw_chain(Image *image, Renderer *r, Diag *diag)
{
    const Target *target = &r->draw.target;
    const RenderOptions *o = &r->options;
    const float alpha = o->alpha ? o->background[3] : 1.0f;
    const float background[4] = {o->background[0] * alpha, o->background[1] * alpha,
                                 o->background[2] * alpha, alpha};

    if (!draw_shadows(r, diag) || !effects_draw_targets(r->effects, diag) ||
        !effects_draw_chain(r->effects, image, background, diag))
        return false;
    image->has_alpha = target->spec.alpha;
    for (size_t i = 0; !image->has_alpha && i < (size_t)o->width * (size_t)o->height; i++)
        image->pixels[4 * i + 3] = 255;
    return true;
}

/* Draws the frame where effects run. */
static bool draw_with_effects(Image *image, Renderer *r, Diag *diag)
{
    bool ok;

    if (effects_has_chain(r->effects)) {
        ok = draw_chain(image, r, diag);
    } else {
        ok = draw_frame(r, diag);
        if (ok)
            target_read(image, &r->draw.target, r->last.area, r->last.background_pixels);
        end_stage(r, STAGE_READ);
    }
    r->last.complete = false; /* what effects draw changes with the time */
    end_stage(r, STAGE_EFFECTS);
    return ok;
}

/* Draws the only view of a frame, or a face. */
static bool draw_view(Image *image, Renderer *r, const FrameState *state, Diag *diag)
{
    render_prepare(r, state);
    if (r->effects != NULL) {
        if (!draw_with_effects(image, r, diag))
            return false;
    } else if (!is_drawn(r) && !draw_frame(r, diag)) {
        return false;
    }
    r->frame_read = true;
    if (r->effects == NULL)
        target_read(image, &r->draw.target, r->last.area, r->last.background_pixels);
    target_unpremultiply(image, &r->draw.target);
    end_stage(r, STAGE_READ);
    frame_times_lap(&r->times, STAGE_OTHER);
    if (r->draw.gl->GetError() != GL_NO_ERROR)
        return diag_fail(diag, DIAG_RESOURCE, "OpenGL reported an error in frame %.3f",
                         state->frame);
    return true;
}

static bool draw_panorama(Image *image, Renderer *r, const FrameState *state, Diag *diag)
{
    const Panorama *panorama = &r->panorama;
    FrameTimes times;

    frame_times_start(&times);
    r->has_all_shadows = false;
    for (r->eye = 0; r->eye < panorama->eyes; r->eye++) {
        for (int i = 0; i < PANORAMA_FACES; i++) {
            Image face = {.width = panorama->side, .height = panorama->side, .pixels = r->faces[i]};

            if (!panorama->used[i])
                continue;
            r->face = (PanoramaFace)i;
            if (!draw_view(&face, r, state, diag))
                return false;
            frame_times_add(&times, &r->times);
            image->has_alpha = face.has_alpha;
        }
        frame_times_restart(&times);
        panorama_resample(image, panorama, r->eye, r->faces);
        frame_times_lap(&times, STAGE_RESOLVE);
    }
    r->times = times;
    return true;
}

bool render_frame(Image *image, Renderer *r, const FrameState *state, Diag *diag)
{
    return has_panorama(r) ? draw_panorama(image, r, state, diag)
                           : draw_view(image, r, state, diag);
}

/* ---- what is drawn beside the picture ---- */

bool render_geometry(GeometryImage *out, Renderer *r, unsigned wanted, Diag *diag)
{
    Geometry *geometry = &r->geometry[0];

    if (geometry->wanted != 0 && geometry->wanted != wanted)
        geometry = &r->geometry[1];
    geometry->width = r->options.width;
    geometry->height = r->options.height;
    geometry->wanted = wanted;
    if (!geometry_draw(out, geometry, &r->draw, r->motion, diag))
        return false;
    return check_gl(r, "while drawing passes", diag);
}

bool render_labels(void *out, ImageRect *part, Renderer *r, int scale, size_t size, Diag *diag)
{
    r->labels.width = r->options.width * scale;
    r->labels.height = r->options.height * scale;
    r->labels.wanted = GEOMETRY_LABELS;
    if (!geometry_draw_labels(out, part, &r->labels, &r->draw, scale, size, diag))
        return false;
    return check_gl(r, "while drawing passes", diag);
}

void render_set_moments(Renderer *r, const FrameState *before, const FrameState *after)
{
    const FrameState *const moments[MOTION_MOMENTS] = {before, after};
    const int scale = r->options.supersample;

    if (r->motion == NULL)
        r->motion = arena_array(r->arena, ActorMotion, r->draw.actor_count);
    for (size_t i = 0; i < r->draw.actor_count; i++)
        if (r->draw.actors[i].visible)
            motion_update(&r->motion[i], &r->draw.actors[i], &r->skinning, moments, i,
                          &r->draw.view, r->options.width * scale, r->options.height * scale);
}

/* Draws all of the picture of the prepared frame, for its depths or its overlays, unless that was
 * done. */
static bool draw_full_frame(Renderer *r, bool overlays, Diag *diag)
{
    const bool was_full = r->full_frame && (r->has_overlays || !overlays);

    r->full_frame = true;
    r->has_overlays |= overlays;
    if (was_full && (r->has_depths || (r->frame_read && r->last.complete)))
        return true;
    r->has_depths = true;
    r->plain = true;
    const bool ok = draw_frame(r, diag);
    r->plain = false;
    return ok;
}

/* Where the stage is kept, the target has only the part of the frame that was drawn on it. */
bool render_distances(float *out, Renderer *r, Diag *diag)
{
    Target *target = &r->draw.target;
    const size_t pixels = (size_t)r->options.width * (size_t)r->options.height;

    if (r->effects != NULL && !draw_full_frame(r, false, diag))
        return false;
    if (r->stage.image != NULL && r->last.background_pixels == r->stage.image)
        memcpy(out, stage_layer_depths(&r->stage, target, r->arena), pixels * sizeof *out);
    else
        memset(out, 0, pixels * sizeof *out);
    target_read_depths(out, target, target->draw, r->last.area, r->arena);
    view_distances(out, pixels);
    return check_gl(r, "while reading depths", diag);
}

bool render_overlay(Image *image, Renderer *r, RenderOverlay overlay, Diag *diag)
{
    Image *overlays = &r->overlays;

    if (!draw_full_frame(r, true, diag))
        return false;
    if (overlays->pixels == NULL) {
        overlays->width = r->options.width;
        overlays->height = r->options.height;
        overlays->pixels =
            arena_calloc(r->arena, (size_t)overlays->width * (size_t)overlays->height, 4);
    }
    if (!r->has_read_overlays)
        target_read_overlays(overlays, &r->draw.target, r->drawn);
    r->has_read_overlays = true;
    target_copy_overlay(image, overlays, r->drawn, overlay == RENDER_SHADOWS ? 0 : 1);
    return check_gl(r, "while drawing passes", diag);
}

bool render_emission(float (*out)[3], float weight, Renderer *r, Diag *diag)
{
    if (!emission_any(&r->emission, &r->draw))
        return true;
    if (!draw_full_frame(r, false, diag))
        return false;
    r->has_depths = true;
    r->last.complete = false; /* its colors are lost */
    const bool ok = emission_draw(out, weight, &r->emission, &r->draw, r->drawn, diag);
    return ok && check_gl(r, "while drawing glow", diag);
}

bool renderer_skin_positions(float (*positions)[3], Renderer *r, const FrameState *state,
                             size_t model, Diag *diag)
{
    Deform *deform = &r->draw.actors[model].deform;

    deform_upload(deform, &state->models[model]);
    deform_skin(deform, &r->skinning);
    deform_apply_cloth(deform, &state->models[model]);
    deform_read_positions(positions, deform);
    return check_gl(r, "while skinning", diag);
}
