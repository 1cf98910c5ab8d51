// SPDX-License-Identifier: MIT
#include "render/depth_first.h"

#include <math.h>

#include "math/scalar.h"
#include "render/screen_space.h"
#include "render/surface.h"

/* Samples in the model's rectangle for each of its triangles from which it pays. */
static const float MIN_SAMPLES = 64.0f;
/* Indices of a stage's materials that are examined. */
enum { MAX_INDICES = 3 * 32768 };
/* Pixels: the driver's rounding, and outlines that are widened. */
static const float PIXEL_MARGIN = 2.0f;

/* ---- the model ---- */

static bool is_first(const DrawContext *context, const Actor *actor, uint32_t number)
{
    return actor->mesh->materials[number].mode == GL_TRIANGLES && surface_is_drawn(actor, number) &&
           surface_is_opaque(actor, number, &context->view);
}

static bool is_blended(const DrawContext *context, const Actor *actor, uint32_t number)
{
    return surface_is_drawn(actor, number) && !surface_is_opaque(actor, number, &context->view);
}

bool depth_first_pays(const DrawContext *context, const Actor *actor)
{
    const float scale = (float)context->target.spec.scale;
    const ImageRect r = actor->surfaces;
    const float samples = (float)(r.right - r.left) * (float)(r.bottom - r.top) * scale * scale;
    size_t opaque = 0, blended = 0;

    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
        const size_t count = actor->mesh->materials[i].count / 3;

        if (actor->mesh->materials[i].mode == GL_POINTS && is_blended(context, actor, i))
            return false; /* its size may differ */
        if (actor->mesh->pmx->materials[i].mtoon != NULL)
            return false; /* other positions and depths, and in another order */
        opaque += is_first(context, actor, i) ? count : 0;
        blended += is_blended(context, actor, i) ? count : 0;
    }
    return context->view.reversed_depth && 8 * blended <= opaque &&
           samples >= MIN_SAMPLES * (float)opaque;
}

static void set_color_mask(const GlApi *gl, GLboolean on)
{
    gl->ColorMask(on, on, on, on);
}

bool depth_first_draw_opaque(DepthFirst *first, const DrawContext *context, const Actor *actor,
                             Diag *diag)
{
    const GlApi *gl = context->gl;

    if (first->program == 0)
        first->program = draw_program(context, "depth.vert", "depth.frag", diag);
    if (first->program == 0)
        return false;
    gl->UseProgram(first->program);
    gl->BindVertexArray(actor->deform.vertices);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, actor->block);
    gl->CullFace(GL_BACK);
    gl_set_enabled(gl, GL_BLEND, false);
    set_color_mask(gl, GL_FALSE);
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++)
        if (is_first(context, actor, i))
            draw_faces(context, actor, i, true, false);
    set_color_mask(gl, GL_TRUE);
    return true;
}

bool depth_first_draw(DepthFirst *first, const DrawContext *context, const Actor *actor, Diag *diag)
{
    const GlApi *gl = context->gl;

    if (!depth_first_draw_opaque(first, context, actor, diag))
        return false;
    set_color_mask(gl, GL_FALSE);
    gl->DepthFunc(GL_ALWAYS);
    gl->DepthRangef(0.0f, 0.0f); /* as if nothing was there */
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++)
        if (is_blended(context, actor, i))
            draw_faces(context, actor, i, false, false);
    gl->DepthRangef(0.0f, 1.0f);
    gl->DepthFunc(GL_GEQUAL);
    set_color_mask(gl, GL_TRUE);
    return true;
}

/* ---- stages ---- */

/* The space in front of a model, seen from the eye: planes that are linear in x, y and w of clip
 * coordinates, positive outside. */
enum { SIDES = 6 };
typedef struct FrontSpace {
    float planes[SIDES][4]; /* factors of x, y, w; constant */
    float reach[SIDES];     /* how much a distance of 1 changes them at most */
} FrontSpace;

static FrontSpace front_space(const DrawContext *context, const Actor *actor)
{
    const float width = (float)context->target.spec.width,
                height = (float)context->target.spec.height;
    const ImageRect r = actor->surfaces;
    const float left = 2.0f * ((float)r.left - PIXEL_MARGIN) / width - 1.0f;
    const float right = 2.0f * ((float)r.right + PIXEL_MARGIN) / width - 1.0f;
    const float top = 1.0f - 2.0f * ((float)r.top - PIXEL_MARGIN) / height;
    const float bottom = 1.0f - 2.0f * ((float)r.bottom + PIXEL_MARGIN) / height;
    const ModelBlock block = view_for_model(&context->view, &actor->state->placement);
    const ScreenSpace space = screen_space(&context->target, (const float(*)[4])block.clip);
    float farthest = 0.0f;

    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
        const BoundingBox box = deform_bounds(&actor->deform, i);

        for (int corner = 0; corner < 8; corner++) {
            float at[3], clip[4];

            box_corner(at, &box, corner);
            screen_clip(clip, &space, at);
            farthest = scalar_max(farthest, clip[3]);
        }
    }
    FrontSpace front = {.planes = {{-1, 0, left, 0},
                                   {1, 0, -right, 0},
                                   {0, 1, -top, 0},
                                   {0, -1, bottom, 0},
                                   {0, 0, -1, 0},
                                   {0, 0, 1, -farthest}}};
    for (int i = 0; i < SIDES; i++)
        front.reach[i] = fabsf(front.planes[i][0]) / context->view.half_extent[0] +
                         fabsf(front.planes[i][1]) / context->view.half_extent[1] +
                         fabsf(front.planes[i][2]);
    return front;
}

/* Whether a triangle, with what is up to `width` beside it, may be in the space. */
static bool is_in_front(const FrontSpace *front, const float corners[3][4], float width)
{
    for (int i = 0; i < SIDES; i++) {
        const float *p = front->planes[i];
        float least = INFINITY;

        for (int k = 0; k < 3; k++)
            least = scalar_min(least, p[0] * corners[k][0] + p[1] * corners[k][1] +
                                          p[2] * corners[k][3] + p[3]);
        if (least > width * front->reach[i])
            return false;
    }
    return true;
}

static bool has_edge(const Actor *stage, uint32_t number)
{
    return stage->mesh->pmx->materials[number].flags & PMX_EDGE;
}

static bool overlaps(ImageRect a, ImageRect b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool depth_first_is_behind(const DrawContext *context, const Actor *actor, const Actor *stage)
{
    const uint32_t end = stage->mesh->pmx->material_count;
    const Placement *placement = &stage->state->placement;
    const ModelBlock block = view_for_model(&context->view, placement);
    const ScreenSpace space = screen_space(&context->target, (const float(*)[4])block.clip);
    const FrontSpace front = front_space(context, actor);
    const uint32_t *indices;
    const DeformVertex *vertices;
    size_t examined = 0;
    bool behind = true;

    for (uint32_t i = 0; i < end && behind; i++) {
        const MeshMaterial *mesh = &stage->mesh->materials[i];
        const float width = has_edge(stage, i)
                                ? fabsf(stage->edge_width * stage->state->materials[i].edge_size) *
                                      stage->mesh->largest_edge_scale * placement->scale
                                : 0.0f;

        if (stage->mesh->pmx->materials[i].mtoon != NULL)
            return false;
        if (!surface_is_drawn(stage, i) || !overlaps(stage->rects[i], actor->surfaces) ||
            (!has_edge(stage, i) && !is_blended(context, stage, i)))
            continue;
        examined += mesh->count;
        if (mesh->mode != GL_TRIANGLES || examined > MAX_INDICES)
            return false;
        behind = deform_map(&stage->deform, &indices, &vertices);
        for (uint32_t k = mesh->first; k + 2 < mesh->first + mesh->count && behind; k += 3) {
            float corners[3][4];

            for (uint32_t c = 0; c < 3; c++)
                screen_clip(corners[c], &space, vertices[indices[k + c]].position);
            behind = !is_in_front(&front, (const float(*)[4])corners, width);
        }
        deform_unmap(&stage->deform);
    }
    return behind;
}
