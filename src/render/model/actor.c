// SPDX-License-Identifier: MIT
#include "render/model/actor.h"

#include <math.h>
#include <string.h>

#include "render/image_parts.h"
#include "render/same_bytes.h"

enum { TEXELS_PER_BONE = 3 };

/* Pixels added around a projected box: rounding, and samples beside the pixel center. */
static const float PIXEL_MARGIN = 2.0f;

static const float UNITS_PER_METRE = 12.5f; /* as the loader of VRM files takes it */

/* The largest distance from the ground of a material that is a floor. */
static const float FLOOR_HEIGHT = 0.1f;

/* ---- set-up ---- */

/* Scene entries of the same model share its mesh and textures. */
static bool load_model(Actor *actor, const Model *model, const GlApi *gl, Arena *arena, Diag *diag)
{
    const bool rigid = !model->is_cloth && model->pmx.soft_body_count == 0;
    GLint texels = 0;

    gl->GetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &texels);
    if (model->pmx.bone_count > (uint32_t)texels / TEXELS_PER_BONE) {
        diag_file(diag, model->file);
        return diag_fail(diag, DIAG_RESOURCE,
                         "bone count %u exceeds the limit of this OpenGL (0..%u)",
                         model->pmx.bone_count, (uint32_t)texels / TEXELS_PER_BONE);
    }
    Mesh *mesh = arena_array(arena, Mesh, 1);
    Arena *scratch = arena_create();
    mesh_init(mesh, &model->pmx, rigid, gl, arena, scratch);
    arena_reset(scratch);
    actor->mesh = mesh;
    actor->textures = texture_load_materials(model, gl, arena, scratch);
    arena_destroy(scratch);
    return true;
}

bool actor_init(Actor *actors, size_t number, const Scene *scene, const GlApi *gl, Arena *arena,
                Diag *diag)
{
    Actor *actor = &actors[number];

    *actor = (Actor){.entry = &scene->models[number]};
    for (size_t i = 0; i < number && actor->mesh == NULL; i++)
        if (actors[i].entry->model == actor->entry->model) {
            actor->mesh = actors[i].mesh;
            actor->textures = actors[i].textures;
        }
    if (actor->mesh == NULL && !load_model(actor, actor->entry->model, gl, arena, diag))
        return false;
    deform_init(&actor->deform, actor->mesh, actor->entry->spec.stage, arena);
    actor->block = gl_buffer(gl, sizeof(ModelBlock), NULL, GL_DYNAMIC_STORAGE_BIT);
    actor->ground_block = gl_buffer(gl, sizeof(ModelBlock), NULL, GL_DYNAMIC_STORAGE_BIT);
    actor->shadow_block = gl_buffer(gl, ACTOR_SHADOW_BLOCK_SIZE, NULL, GL_DYNAMIC_STORAGE_BIT);

    const uint32_t count = actor->mesh->pmx->material_count;
    bool **flags[] = {
        &actor->drawn,           &actor->in_view,   &actor->unclipped, &actor->receives,
        &actor->casts_on_ground, &actor->is_ground, &actor->magnified, &actor->kept};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flags[i] = arena_array(arena, bool, count);
    actor->rects = arena_array(arena, ImageRect, count);
    actor->last_materials = arena_array(arena, MaterialState, count);
    for (uint32_t i = 0; i < count; i++) {
        const Mtoon *mtoon = actor->mesh->pmx->materials[i].mtoon;

        actor->animated |= mtoon != NULL && mtoon_is_animated(mtoon);
    }
    return true;
}

/* ---- screen rectangles ---- */

/* Whether all corners are outside one plane of the view frustum; depths are 0 to 1. */
static bool is_outside(vec4 corners[8])
{
    for (int axis = 0; axis < 3; axis++) {
        int above = 0, below = 0;

        for (int i = 0; i < 8; i++) {
            above += corners[i][axis] > corners[i][3];
            below += corners[i][axis] < (axis < 2 ? -corners[i][3] : 0.0f);
        }
        if (above == 8 || below == 8)
            return true;
    }
    return false;
}

static int clamp_pixel(float position, float margin, int size)
{
    return (int)fminf(fmaxf(position + margin, 0.0f), (float)size);
}

/* The image rectangle that a box, with a margin around it, may cover; empty when it is outside the
 * view.  unclipped: set when no part of the box is in front of the near plane. */
static ImageRect screen_rect(bool *unclipped, const BoundingBox *box, float margin,
                             const ModelBlock *block, bool reversed_depth, int width, int height)
{
    float left = FLT_MAX, right = -FLT_MAX, top = FLT_MAX, bottom = -FLT_MAX;
    ModelBlock copy = *block;
    vec4 corners[8];

    for (int i = 0; i < 8; i++) {
        vec4 corner = {0.0f, 0.0f, 0.0f, 1.0f};

        box_corner(corner, box, i);
        for (int k = 0; k < 3; k++)
            corner[k] += i >> k & 1 ? margin : -margin;
        glm_mat4_mulv(copy.clip, corner, corners[i]);
    }
    *unclipped = true;
    if (is_outside(corners))
        return (ImageRect){0, 0, 0, 0};
    for (int i = 0; i < 8; i++) {
        const float w = corners[i][3];

        if (!(w > 0.0f) || (reversed_depth ? corners[i][2] >= w : corners[i][2] <= 0.0f)) {
            *unclipped = false;
            return (ImageRect){0, 0, width, height};
        }
        left = fminf(left, corners[i][0] / w);
        right = fmaxf(right, corners[i][0] / w);
        top = fminf(top, -corners[i][1] / w);
        bottom = fmaxf(bottom, -corners[i][1] / w);
    }
    const ImageRect rect = {
        clamp_pixel((left * 0.5f + 0.5f) * (float)width, -PIXEL_MARGIN, width),
        clamp_pixel((top * 0.5f + 0.5f) * (float)height, -PIXEL_MARGIN, height),
        clamp_pixel((right * 0.5f + 0.5f) * (float)width, PIXEL_MARGIN + 1.0f, width),
        clamp_pixel((bottom * 0.5f + 0.5f) * (float)height, PIXEL_MARGIN + 1.0f, height)};

    return rect.left < rect.right && rect.top < rect.bottom ? rect : (ImageRect){0, 0, 0, 0};
}

/* ---- frame ---- */

/* The largest distance of a box from the ground. */
static float ground_distance(const View *view, const Placement *placement, const BoundingBox *box)
{
    float height = 0.0f;

    for (int i = 0; i < 8; i++) {
        float corner[3], at[3];

        box_corner(corner, box, i);
        view_place(at, placement, corner);
        height = fmaxf(height, fabsf(at[1] - view->ground));
    }
    return height;
}

/* The bone from whose distance the width of all outlines follows, in model space. */
static void outline_center(float center[3], const Actor *actor)
{
    const uint32_t bones = actor->mesh->pmx->bone_count;

    memset(center, 0, sizeof(float[3]));
    if (bones > 0)
        memcpy(center, actor->state->bones[bones > 1 ? 1 : 0].position, sizeof(float[3]));
}

/* Notes which parts look as in the frame before.  same_place: so does the model as a whole, except
 * for its shape; appears: it was not visible, or is not any more */
static void compare_parts(Actor *actor, bool same_place, bool appears)
{
    Parts *parts = actor->deform.parts;
    bool steady = true;
    float center[3];

    if (actor->steady && actor->unchanged)
        return;
    outline_center(center, actor);
    const bool same_edges = same_bytes(center, actor->last_center, sizeof center) ||
                            actor->entry->spec.edge_scale <= 0.0f;
    memcpy(actor->last_center, center, sizeof center);
    for (uint32_t m = 0; m < actor->mesh->pmx->material_count; m++) {
        const MaterialState *material = &actor->state->materials[m];
        const bool same = same_place &&
                          same_bytes(&actor->last_materials[m], material, sizeof *material) &&
                          (same_edges || !(actor->mesh->pmx->materials[m].flags & PMX_EDGE));

        for (uint32_t i = parts->first[m]; i < parts->first[m + 1]; i++) {
            Part *part = &parts->items[i];

            part->same = same && !(actor->visible && part->moved);
            part->has_rect &= part->same;
            if (!part->same)
                part->still = appears ? PART_STILL_FRAMES - 1 : 0;
            else if (part->still < PART_STILL_FRAMES)
                part->still++;
            steady &= part->same && part->still == PART_STILL_FRAMES;
        }
    }
    actor->steady = steady;
}

void actor_set_state(Actor *actor, const ModelState *state, bool other_time)
{
    const bool was_visible = actor->visible;
    const size_t size = actor->mesh->pmx->material_count * sizeof *state->materials;
    const bool same_place =
        same_bytes(&actor->last_placement, &state->placement, sizeof state->placement) &&
        actor->last_casts_nothing == state->casts_nothing && !(actor->animated && other_time);
    const bool same_look = /* all but the shape is as in the frame before */
        same_place && same_bytes(actor->last_materials, state->materials, size);

    actor->last_placement = state->placement;
    actor->last_casts_nothing = state->casts_nothing;
    actor->state = state;
    actor->visible = state->visible && state->placement.scale > 0.0f;
    actor->area = (ImageRect){0, 0, 0, 0};
    if (actor->visible)
        deform_upload(&actor->deform, state);
    actor->unchanged =
        actor->visible == was_visible && (!actor->visible || (same_look && actor->deform.current));
    if (actor->deform.parts != NULL)
        compare_parts(actor, same_place && actor->visible == was_visible,
                      actor->visible != was_visible);
    if (size > 0)
        memcpy(actor->last_materials, state->materials, size);
}

static void update_uniforms(Actor *actor, const View *view, bool ground, ModelBlock *block,
                            ModelBlock *ground_block)
{
    const GlApi *gl = actor->mesh->gl;
    const Placement *placement = &actor->state->placement;
    float center[3], world[3];

    *block = view_for_model(view, placement);
    gl->NamedBufferSubData(actor->block, 0, sizeof *block, block);
    actor->has_ground_shadow = ground && view_for_ground(ground_block, view, placement);
    if (actor->has_ground_shadow)
        gl->NamedBufferSubData(actor->ground_block, 0, sizeof *ground_block, ground_block);

    outline_center(center, actor);
    view_place(world, placement, center);
    actor->pixel_size = view->pixel_size / placement->scale;
    actor->edge_pixels = view_edge_pixels(view) * actor->entry->spec.edge_scale;
    actor->edge_width =
        view_edge_width(view, world) * actor->entry->spec.edge_scale / placement->scale;
}

/* What a material morph and the job make of the width of an outline of MToon. */
static float edge_factor(const Actor *actor, uint32_t number)
{
    const float size = actor->mesh->pmx->materials[number].edge_size;

    return size > 0.0f
               ? actor->entry->spec.edge_scale * actor->state->materials[number].edge_size / size
               : 0.0f;
}

float actor_edge_width(const Actor *actor, uint32_t number)
{
    const Mtoon *mtoon = actor->mesh->pmx->materials[number].mtoon;

    if (mtoon == NULL)
        return actor->edge_width * actor->state->materials[number].edge_size;
    return mtoon->outline == MTOON_WORLD_OUTLINE
               ? UNITS_PER_METRE * mtoon->outline_width * edge_factor(actor, number)
               : 0.0f;
}

float actor_edge_screen(const Actor *actor, uint32_t number, const View *view)
{
    const Mtoon *mtoon = actor->mesh->pmx->materials[number].mtoon;

    if (mtoon == NULL || mtoon->outline != MTOON_SCREEN_OUTLINE)
        return 0.0f;
    return 2.0f * view->half_extent[1] * mtoon->outline_width * edge_factor(actor, number) /
           actor->state->placement.scale;
}

/* The width of an outline in a box at most. */
static float widest_edge(const Actor *actor, uint32_t number, const View *view,
                         const BoundingBox *box)
{
    const float screen = actor_edge_screen(actor, number, view);
    float farthest = 1.0f;

    for (int i = 0; screen > 0.0f && i < 8; i++) {
        float corner[3], at[3], distance = 0.0f;

        box_corner(corner, box, i);
        view_place(at, &actor->state->placement, corner);
        for (int k = 0; k < 3; k++)
            distance += (at[k] - view->axes.eye[k]) * (at[k] - view->axes.eye[k]);
        farthest = fmaxf(farthest, sqrtf(distance));
    }
    return (fabsf(actor_edge_width(actor, number)) + fabsf(screen) * farthest) *
           actor->mesh->largest_edge_scale;
}

void actor_update(Actor *actor, const View *view, bool ground, int width, int height)
{
    const PmxModel *pmx = actor->mesh->pmx;
    const Placement *placement = &actor->state->placement;
    const bool *hidden = actor->entry->hidden;
    ModelBlock block, ground_block;

    update_uniforms(actor, view,
                    ground && !actor->entry->spec.stage && !actor->state->casts_nothing, &block,
                    &ground_block);
    actor->surfaces = (ImageRect){0, 0, 0, 0};
    for (uint32_t i = 0; i < pmx->material_count; i++) {
        const MaterialState *material = &actor->state->materials[i];
        const bool drawn = actor->mesh->materials[i].count > 0 && material->diffuse[3] > 0.0f &&
                           !(hidden != NULL && hidden[i]);
        const BoundingBox box = deform_bounds(&actor->deform, i);
        const float margin = widest_edge(actor, i, view, &box);
        const float distance = ground_distance(view, placement, &box);
        /* Soft edges reach beyond the sharp shadow; with reserve for their filter. */
        const float shadow_margin =
            view->soft_ground ? (1.25f * view->ground_spread * distance + 0.1f) / placement->scale
                              : 0.0f;
        ImageRect rect = {0, 0, 0, 0}, shadow = {0, 0, 0, 0};
        bool shadow_unclipped;

        if (drawn && pmx->materials[i].flags & PMX_POINTS)
            rect = (ImageRect){0, 0, width, height}; /* point sizes are in pixels */
        else if (drawn)
            rect = screen_rect(&actor->unclipped[i], &box, margin, &block, view->reversed_depth,
                               width, height);
        const bool casts =
            drawn && actor->has_ground_shadow && pmx->materials[i].flags & PMX_GROUND_SHADOW;
        if (casts)
            shadow = screen_rect(&shadow_unclipped, &box, shadow_margin, &ground_block,
                                 view->reversed_depth, width, height);
        actor->is_ground[i] =
            view->soft_ground && actor->entry->spec.stage && distance <= FLOOR_HEIGHT;
        actor->drawn[i] = drawn;
        actor->rects[i] = rect;
        actor->in_view[i] = rect.left < rect.right;
        actor->casts_on_ground[i] = casts && (view->surrounds || shadow.left < shadow.right);
        actor->surfaces = image_rect_union(actor->surfaces, rect);
        actor->area = image_rect_union(actor->area, image_rect_union(rect, shadow));
    }
}

void actor_find_rects(Actor *actor, const View *view, int width, int height)
{
    const ModelBlock block = view_for_model(view, &actor->state->placement);
    Parts *parts = actor->deform.parts;
    const uint32_t *indices;
    const DeformVertex *vertices;
    const bool mapped = deform_map(&actor->deform, &indices, &vertices);

    for (uint32_t i = 0; i < parts->count; i++) {
        Part *part = &parts->items[i];
        const bool points = actor->mesh->pmx->materials[part->material].flags & PMX_POINTS;
        BoundingBox box = BOX_EMPTY;
        bool unclipped;

        if (part->has_rect)
            continue;
        part->rect = actor->rects[part->material];
        part->has_rect = true;
        if (points || !mapped)
            continue;
        for (uint32_t k = part->first; k < part->first + part->count; k++)
            box_add(&box, vertices[indices[k]].position, vertices[indices[k]].position);
        part->rect = screen_rect(&unclipped, &box, widest_edge(actor, part->material, view, &box),
                                 &block, view->reversed_depth, width, height);
    }
    deform_unmap(&actor->deform);
}

void actor_limit(Actor *actor, bool kept, uint32_t first, const ImageRect *rect)
{
    Parts *parts = actor->deform.parts;

    actor->limited = true;
    for (uint32_t m = 0; m < actor->mesh->pmx->material_count; m++) {
        bool any = false;

        for (uint32_t i = parts->first[m]; i < parts->first[m + 1]; i++) {
            Part *part = &parts->items[i];

            part->selected = i >= first && (!kept || part->kept) &&
                             (rect == NULL || image_rects_overlap(part->rect, *rect));
            any |= part->selected;
        }
        actor->in_view[m] = any && !image_rect_is_empty(actor->rects[m]);
    }
}

void actor_limit_end(Actor *actor)
{
    actor->limited = false;
    for (uint32_t m = 0; m < actor->mesh->pmx->material_count; m++)
        actor->in_view[m] = !image_rect_is_empty(actor->rects[m]);
}

bool actor_receives_shadow(const Actor *actor)
{
    for (uint32_t i = 0; actor->visible && i < actor->mesh->pmx->material_count; i++)
        if (actor->receives[i])
            return true;
    return false;
}
