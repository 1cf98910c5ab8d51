#include "render/model/actor.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "render/same_bytes.h"

/* Pixels added around a projected box: rounding, and samples beside the pixel center. */
static const float PIXEL_MARGIN = 2.0f;
static const float FLOOR_HEIGHT =
    0.1f; /* of a material that is a floor: its largest distance from the ground */

void actor_init(Actor *actor, const SceneModel *entry, const Mesh *mesh,
                const MaterialTextures *textures, const GlApi *gl, Arena *arena)
{
    *actor = (Actor){.entry = entry, .mesh = mesh, .textures = textures};
    deform_init(&actor->deform, mesh, gl, arena);
    actor->block = mesh_buffer(gl, sizeof(ModelBlock), NULL, GL_DYNAMIC_STORAGE_BIT);
    actor->ground_block = mesh_buffer(gl, sizeof(ModelBlock), NULL, GL_DYNAMIC_STORAGE_BIT);
    actor->shadow_block = mesh_buffer(gl, ACTOR_SHADOW_BLOCK_SIZE, NULL, GL_DYNAMIC_STORAGE_BIT);
    actor->drawn = arena_array(arena, bool, mesh->pmx->material_count);
    actor->in_view = arena_array(arena, bool, mesh->pmx->material_count);
    actor->unclipped = arena_array(arena, bool, mesh->pmx->material_count);
    actor->receives = arena_array(arena, bool, mesh->pmx->material_count);
    actor->casts_on_ground = arena_array(arena, bool, mesh->pmx->material_count);
    actor->is_ground = arena_array(arena, bool, mesh->pmx->material_count);
    actor->last_materials = arena_array(arena, MaterialState, mesh->pmx->material_count);
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

/* The image rectangle that a box may cover; empty when it is outside the view.
 * unclipped: set when no part of the box is in front of the near plane. */
static TargetRect screen_rect(bool *unclipped, const BoundingBox *box, float margin,
                              const ModelBlock *block, bool reversed_depth, int width, int height)
{
    const TargetRect all = {0, 0, width, height};
    float left = FLT_MAX, right = -FLT_MAX, top = FLT_MAX, bottom = -FLT_MAX;
    ModelBlock copy = *block;
    vec4 corners[8];

    for (int i = 0; i < 8; i++) {
        vec4 corner = {i & 1 ? box->high[0] + margin : box->low[0] - margin,
                       i & 2 ? box->high[1] + margin : box->low[1] - margin,
                       i & 4 ? box->high[2] + margin : box->low[2] - margin, 1.0f};

        glm_mat4_mulv(copy.clip, corner, corners[i]);
    }
    *unclipped = true;
    if (is_outside(corners))
        return (TargetRect){0, 0, 0, 0};
    for (int i = 0; i < 8; i++) {
        const float w = corners[i][3];

        if (!(w > 0.0f) || (reversed_depth ? corners[i][2] >= w : corners[i][2] <= 0.0f)) {
            *unclipped = false;
            return all;
        }
        left = fminf(left, corners[i][0] / w);
        right = fmaxf(right, corners[i][0] / w);
        top = fminf(top, -corners[i][1] / w);
        bottom = fmaxf(bottom, -corners[i][1] / w);
    }
    const TargetRect rect = {
        clamp_pixel((left * 0.5f + 0.5f) * (float)width, -PIXEL_MARGIN, width),
        clamp_pixel((top * 0.5f + 0.5f) * (float)height, -PIXEL_MARGIN, height),
        clamp_pixel((right * 0.5f + 0.5f) * (float)width, PIXEL_MARGIN + 1.0f, width),
        clamp_pixel((bottom * 0.5f + 0.5f) * (float)height, PIXEL_MARGIN + 1.0f, height)};

    return rect.left < rect.right && rect.top < rect.bottom ? rect : (TargetRect){0, 0, 0, 0};
}

/* ---- frame ---- */

static bool is_visible(const ModelState *state)
{
    return state->visible && state->placement.scale > 0.0f;
}

/* The largest distance of a box from the ground. */
static float ground_distance(const View *view, const Placement *placement, const BoundingBox *box)
{
    float height = 0.0f;

    for (int i = 0; i < 8; i++) {
        const float corner[3] = {i & 1 ? box->high[0] : box->low[0],
                                 i & 2 ? box->high[1] : box->low[1],
                                 i & 4 ? box->high[2] : box->low[2]};
        float at[3];

        view_place(at, placement, corner);
        height = fmaxf(height, fabsf(at[1] - view->ground));
    }
    return height;
}

/* How far soft edges reach beyond the sharp shadow of a box, model units, with reserve for their
 * filter. */
static float shadow_margin(const View *view, float height, float scale)
{
    return view->soft_ground ? (1.25f * view->ground_spread * height + 0.1f) / scale : 0.0f;
}

/* Whether all but the shape is as in the frame before; remembers it for the next frame. */
static bool keep_look(Actor *actor, const ModelState *state)
{
    const size_t size = actor->mesh->pmx->material_count * sizeof *state->materials;
    const bool same =
        same_bytes(&actor->last_placement, &state->placement, sizeof state->placement) &&
        same_bytes(actor->last_materials, state->materials, size) &&
        actor->last_casts_nothing == state->casts_nothing;

    actor->last_placement = state->placement;
    actor->last_casts_nothing = state->casts_nothing;
    if (size > 0)
        memcpy(actor->last_materials, state->materials, size);
    return same;
}

void actor_set_state(Actor *actor, const GlApi *gl, const ModelState *state)
{
    const bool was_visible = actor->visible, same_look = keep_look(actor, state);

    actor->state = state;
    actor->visible = is_visible(state);
    actor->area = (TargetRect){0, 0, 0, 0};
    if (actor->visible)
        deform_upload(&actor->deform, gl, state);
    actor->unchanged =
        actor->visible == was_visible && (!actor->visible || (same_look && actor->deform.current));
}

static void update_uniforms(Actor *actor, const GlApi *gl, const View *view, bool ground,
                            ModelBlock *block, ModelBlock *ground_block)
{
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
    actor->edge_pixels = view_edge_pixels(view) * actor->entry->edge_scale;
    actor->edge_width = view_edge_width(view, world) * actor->entry->edge_scale / placement->scale;
}

void actor_update(Actor *actor, const GlApi *gl, const View *view, bool ground, int width,
                  int height)
{
    const PmxModel *pmx = actor->mesh->pmx;
    const Placement *placement = &actor->state->placement;
    const bool *hidden = actor->entry->hidden;
    ModelBlock block, ground_block;

    update_uniforms(actor, gl, view, ground && !actor->entry->stage && !actor->state->casts_nothing,
                    &block, &ground_block);
    actor->surfaces = (TargetRect){0, 0, 0, 0};
    for (uint32_t i = 0; i < pmx->material_count; i++) {
        const MaterialState *material = &actor->state->materials[i];
        const bool drawn = actor->mesh->materials[i].count > 0 && material->diffuse[3] > 0.0f &&
                           !(hidden != NULL && hidden[i]);
        const BoundingBox box = deform_bounds(&actor->deform, i);
        const float margin =
            fabsf(actor->edge_width * material->edge_size) * actor->mesh->largest_edge_scale;
        const float distance = ground_distance(view, placement, &box);
        TargetRect rect = {0, 0, 0, 0}, shadow = {0, 0, 0, 0};
        bool shadow_unclipped;

        if (drawn && pmx->materials[i].flags & PMX_POINTS)
            rect = (TargetRect){0, 0, width, height}; /* point sizes are in pixels */
        else if (drawn)
            rect = screen_rect(&actor->unclipped[i], &box, margin, &block, view->reversed_depth,
                               width, height);
        if (drawn && actor->has_ground_shadow && pmx->materials[i].flags & PMX_GROUND_SHADOW)
            shadow = screen_rect(&shadow_unclipped, &box,
                                 shadow_margin(view, distance, placement->scale), &ground_block,
                                 view->reversed_depth, width, height);
        actor->is_ground[i] = view->soft_ground && actor->entry->stage && distance <= FLOOR_HEIGHT;
        actor->drawn[i] = drawn;
        actor->in_view[i] = rect.left < rect.right;
        actor->casts_on_ground[i] = shadow.left < shadow.right;
        actor->surfaces = target_rect_union(actor->surfaces, rect);
        actor->area = target_rect_union(actor->area, target_rect_union(rect, shadow));
    }
}
