// SPDX-License-Identifier: MIT
#include "render/model/actor.h"

#include <math.h>
#include <string.h>

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
    deform_init(&actor->deform, actor->mesh, arena);
    actor->block = gl_buffer(gl, sizeof(ModelBlock), NULL, GL_DYNAMIC_STORAGE_BIT);
    actor->ground_block = gl_buffer(gl, sizeof(ModelBlock), NULL, GL_DYNAMIC_STORAGE_BIT);
    actor->shadow_block = gl_buffer(gl, ACTOR_SHADOW_BLOCK_SIZE, NULL, GL_DYNAMIC_STORAGE_BIT);

    const uint32_t count = actor->mesh->pmx->material_count;
    bool **flags[] = {&actor->drawn,    &actor->in_view,         &actor->unclipped,
                      &actor->receives, &actor->casts_on_ground, &actor->is_ground,
                      &actor->magnified};
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

ImageRect actor_area_union(ImageRect a, ImageRect b)
{
    if (a.left >= a.right)
        return b;
    if (b.left >= b.right)
        return a;
    return (ImageRect){a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
                       a.right > b.right ? a.right : b.right,
                       a.bottom > b.bottom ? a.bottom : b.bottom};
}

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

void actor_set_state(Actor *actor, const ModelState *state, bool other_time)
{
    const bool was_visible = actor->visible;
    const size_t size = actor->mesh->pmx->material_count * sizeof *state->materials;
    const bool same_look = /* all but the shape is as in the frame before */
        same_bytes(&actor->last_placement, &state->placement, sizeof state->placement) &&
        same_bytes(actor->last_materials, state->materials, size) &&
        actor->last_casts_nothing == state->casts_nothing && !(actor->animated && other_time);

    actor->last_placement = state->placement;
    actor->last_casts_nothing = state->casts_nothing;
    if (size > 0)
        memcpy(actor->last_materials, state->materials, size);
    actor->state = state;
    actor->visible = state->visible && state->placement.scale > 0.0f;
    actor->area = (ImageRect){0, 0, 0, 0};
    if (actor->visible)
        deform_upload(&actor->deform, state);
    actor->unchanged =
        actor->visible == was_visible && (!actor->visible || (same_look && actor->deform.current));
}

static void update_uniforms(Actor *actor, const View *view, bool ground, ModelBlock *block,
                            ModelBlock *ground_block)
{
    const GlApi *gl = actor->mesh->gl;
    const Placement *placement = &actor->state->placement;
    const PmxModel *pmx = actor->mesh->pmx;
    float center[3] = {0, 0, 0}, world[3];

    *block = view_for_model(view, placement);
    gl->NamedBufferSubData(actor->block, 0, sizeof *block, block);
    actor->has_ground_shadow = ground && view_for_ground(ground_block, view, placement);
    if (actor->has_ground_shadow)
        gl->NamedBufferSubData(actor->ground_block, 0, sizeof *ground_block, ground_block);

    if (pmx->bone_count > 0)
        memcpy(center, actor->state->bones[pmx->bone_count > 1 ? 1 : 0].position, sizeof center);
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
        actor->surfaces = actor_area_union(actor->surfaces, rect);
        actor->area = actor_area_union(actor->area, actor_area_union(rect, shadow));
    }
}

bool actor_receives_shadow(const Actor *actor)
{
    for (uint32_t i = 0; actor->visible && i < actor->mesh->pmx->material_count; i++)
        if (actor->receives[i])
            return true;
    return false;
}
