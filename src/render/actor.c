#include "render/actor.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Pixels; for rounding, and the samples around a pixel's centre. */
static const float MARGIN = 2.0f;

void actor_init(Actor *actor, const SceneModel *entry, const Mesh *mesh,
                const MaterialTextures *textures, const GlApi *gl, Arena *arena)
{
    *actor = (Actor){.entry = entry, .mesh = mesh, .textures = textures};
    deform_init(&actor->deform, mesh, gl, arena);
    actor->block = mesh_buffer(gl, sizeof(ModelBlock), NULL, GL_DYNAMIC_STORAGE_BIT);
    actor->ground_block = mesh_buffer(gl, sizeof(ModelBlock), NULL, GL_DYNAMIC_STORAGE_BIT);
    actor->shadow_block = mesh_buffer(gl, ACTOR_SHADOW_BLOCK_SIZE, NULL, GL_DYNAMIC_STORAGE_BIT);
    actor->present = arena_array(arena, bool, mesh->pmx->material_count);
    actor->seen = arena_array(arena, bool, mesh->pmx->material_count);
    actor->whole = arena_array(arena, bool, mesh->pmx->material_count);
    actor->shades = arena_array(arena, bool, mesh->pmx->material_count);
}

/* ---- where on the screen ---- */

/* All corners beyond the same side of the view. */
static bool outside(vec4 corners[8])
{
    for (int axis = 0; axis < 3; axis++) {
        int beyond = 0, before = 0;

        for (int i = 0; i < 8; i++) {
            beyond += corners[i][axis] > corners[i][3];
            before += corners[i][axis] < -corners[i][3];
        }
        if (beyond == 8 || before == 8)
            return true;
    }
    return false;
}

static int pixel(float at, float margin, int size)
{
    return (int)fminf(fmaxf(at + margin, 0.0f), (float)size);
}

/* The picture's part that a box may cover; empty when it is out of view.
 * whole: no part of it lies before the near plane. */
static TargetRect screen_rect(bool *whole, const DeformBox *box, float grow,
                              const ModelBlock *block, int width, int height)
{
    const TargetRect all = {0, 0, width, height};
    float left = FLT_MAX, right = -FLT_MAX, top = FLT_MAX, bottom = -FLT_MAX;
    ModelBlock copy = *block;
    vec4 corners[8];

    for (int i = 0; i < 8; i++) {
        vec4 corner = {i & 1 ? box->high[0] + grow : box->low[0] - grow,
                       i & 2 ? box->high[1] + grow : box->low[1] - grow,
                       i & 4 ? box->high[2] + grow : box->low[2] - grow, 1.0f};

        glm_mat4_mulv(copy.clip, corner, corners[i]);
    }
    *whole = true;
    if (outside(corners))
        return (TargetRect){0, 0, 0, 0};
    for (int i = 0; i < 8; i++) {
        const float w = corners[i][3];

        if (!(corners[i][2] > -w && w > 0.0f)) {
            *whole = false;
            return all;
        }
        left = fminf(left, corners[i][0] / w);
        right = fmaxf(right, corners[i][0] / w);
        top = fminf(top, -corners[i][1] / w);
        bottom = fmaxf(bottom, -corners[i][1] / w);
    }
    const TargetRect rect = {pixel((left * 0.5f + 0.5f) * (float)width, -MARGIN, width),
                             pixel((top * 0.5f + 0.5f) * (float)height, -MARGIN, height),
                             pixel((right * 0.5f + 0.5f) * (float)width, MARGIN + 1.0f, width),
                             pixel((bottom * 0.5f + 0.5f) * (float)height, MARGIN + 1.0f, height)};

    return rect.left < rect.right && rect.top < rect.bottom ? rect : (TargetRect){0, 0, 0, 0};
}

/* ---- frame ---- */

static void place_in_view(Actor *actor, const GlApi *gl, const View *view, bool ground,
                          ModelBlock *block, ModelBlock *ground_block)
{
    const Placement *placement = &actor->state->placement;
    const PmxModel *pmx = actor->mesh->pmx;
    float center[3] = {0, 0, 0}, world[3];

    *block = view_for_model(view, placement);
    gl->NamedBufferSubData(actor->block, 0, sizeof *block, block);
    actor->has_ground = ground && view_for_ground(ground_block, view, placement);
    if (actor->has_ground)
        gl->NamedBufferSubData(actor->ground_block, 0, sizeof *ground_block, ground_block);

    if (pmx->bone_count > 0)
        memcpy(center, actor->state->bones[pmx->bone_count > 1 ? 1 : 0].position, sizeof center);
    view_place(world, placement, center);
    actor->pixel = view->pixel / placement->scale;
    actor->edge_pixels = view_edge_pixels(view) * actor->entry->edge_scale;
    actor->edge_width = view_edge_width(view, world) * actor->entry->edge_scale / placement->scale;
}

TargetRect actor_frame(Actor *actor, const GlApi *gl, const View *view, bool ground, int width,
                       int height)
{
    const PmxModel *pmx = actor->mesh->pmx;
    const bool *hidden = actor->entry->hidden;
    TargetRect drawn = {0, 0, 0, 0};
    ModelBlock block, ground_block;

    place_in_view(actor, gl, view, ground && !actor->entry->stage, &block, &ground_block);
    for (uint32_t i = 0; i < pmx->material_count; i++) {
        const MaterialState *material = &actor->state->materials[i];
        const bool exists = actor->mesh->materials[i].count > 0 && material->diffuse[3] > 0.0f &&
                            !(hidden != NULL && hidden[i]);
        const DeformBox box = deform_box(&actor->deform, i);
        const float grow =
            fabsf(actor->edge_width * material->edge_size) * actor->mesh->largest_edge_scale;
        TargetRect rect = {0, 0, 0, 0}, shadow = {0, 0, 0, 0};
        bool shadow_whole;

        if (exists && pmx->materials[i].flags & PMX_POINTS)
            rect = (TargetRect){0, 0, width, height}; /* points have a size on the screen */
        else if (exists)
            rect = screen_rect(&actor->whole[i], &box, grow, &block, width, height);
        if (exists && actor->has_ground && pmx->materials[i].flags & PMX_GROUND_SHADOW)
            shadow = screen_rect(&shadow_whole, &box, 0.0f, &ground_block, width, height);
        actor->present[i] = exists;
        actor->seen[i] = rect.left < rect.right;
        actor->shades[i] = shadow.left < shadow.right;
        drawn = target_joined(drawn, target_joined(rect, shadow));
    }
    return drawn;
}
