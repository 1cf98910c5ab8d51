// SPDX-License-Identifier: MIT
#include "render/outline.h"

#include <math.h>
#include <string.h>

enum {
    UNIFORM_WIDTH = 0,
    UNIFORM_COLOR = 1,
    UNIFORM_PIXEL = 2,
    UNIFORM_INTERIOR = 3,
    UNIFORM_SCREEN = 4
};
enum { MIN_INDICES = 6000 }; /* number of outline indices from which reading depths pays */

/* The thinnest outline that is drawn, in samples of each row or column that it crosses: where
 * pixels are means of several samples, a line that is one of them wide flickers (render/README.md
 * 10). */
static const float MIN_SAMPLES = 2.0f;
/* Above it, in units of the thinnest outline, no part of the model has a thinner one. */
static const float THIN = 1.2f;
static const float ALPHA_TEST = 0.005f;

/* Depth offset of ground shadows, in slopes per pixel and in steps of the depth at hand: 64 steps
 * are 5e-6 of the distance. */
static const float GROUND_SLOPE = 1.0f, GROUND_STEPS = 64.0f;

bool outline_init(Outlines *outlines, const DrawContext *context, Diag *diag)
{
    outlines->edge =
        draw_variant(context, "edge.vert", "edge.frag", (ShaderDefine){"MTOON", 0}, diag);
    outlines->ground = draw_program(context, "ground.vert", "flat.frag", diag);
    return outlines->edge != 0 && outlines->ground != 0;
}

/* Whether a material of this part has an outline in view. */
static bool is_drawn(const DrawContext *context, const Actor *actor, uint32_t number,
                     SurfacePart part)
{
    const MaterialState *state = &actor->state->materials[number];

    if (part != SURFACE_PART_ALL &&
        surface_is_opaque(actor, number, &context->view) != (part == SURFACE_PART_OPAQUE))
        return false;
    return actor->in_view[number] && actor->mesh->pmx->materials[number].flags & PMX_EDGE &&
           actor->mesh->materials[number].mode == GL_TRIANGLES &&
           state->edge_color[3] >= ALPHA_TEST && state->edge_size != 0.0f;
}

static float min_pixels(const DrawContext *context)
{
    return context->target.spec.scale > 1 ? MIN_SAMPLES : 1.0f;
}

/* Whether back faces of the hull are drawn, too, which the eye can see through openings. */
static bool has_interior(const DrawContext *context, const Actor *actor, uint32_t number)
{
    return actor->mesh->pmx->materials[number].mtoon != NULL || /* of any width */
           fabsf(actor->edge_pixels * actor->state->materials[number].edge_size) <
               THIN * min_pixels(context);
}

/* From outside, nothing is seen of the inside of a watertight run. */
static bool hides_interior(const Actor *actor, uint32_t number, const MeshRun *run)
{
    return run->watertight && actor->unclipped[number] && !actor->textures[number].texture_alpha;
}

/* ---- the triangles that may be seen ---- */

/* The values that move a vertex to the surface, in model space. */
typedef struct HullSpace {
    ScreenSpace screen_space;
    float eye[3], right[3], up[3];
    float width, screen, pixel; /* as u_width, u_screen and u_pixel of edge.vert */
    const DeformVertex *vertices;
    const float *edge_scales;
    bool *thin; /* by vertex: the hull is drawn wider than it is */
} HullSpace;

/* row_width of edge.vert */
static float row_width(const HullSpace *space, const float normal[3])
{
    float x = 0.0f, y = 0.0f;

    for (int i = 0; i < 3; i++) {
        x += normal[i] * space->right[i];
        y += normal[i] * space->up[i];
    }
    const float across = sqrtf(x * x + y * y);

    return across > 1e-6f ? fmaxf(fabsf(x), fabsf(y)) / across : 1.0f;
}

/* Moves a vertex as edge.vert does, and notes whether it is thin. */
static ScreenVertex hull_vertex(const HullSpace *space, uint32_t index)
{
    const DeformVertex *vertex = &space->vertices[index];
    const float(*m)[4] = space->screen_space.clip;
    const float *p = vertex->position;
    const float w = m[0][3] * p[0] + m[1][3] * p[1] + m[2][3] * p[2] + m[3][3];
    const float width = (space->width + space->screen * w) * space->edge_scales[index];
    const float pixel = space->pixel * w * row_width(space, vertex->normal);
    const float drawn = width == 0.0f ? 0.0f : copysignf(fmaxf(fabsf(width), pixel), width);
    float moved[3];

    for (int i = 0; i < 3; i++)
        moved[i] = p[i] + vertex->normal[i] * drawn;
    space->thin[index] = fabsf(width) < pixel;
    return occlusion_vertex(&space->screen_space, moved);
}

/* Moved along the ray from the eye, to its nearer end: which of the two the shader takes depends on
 * the normal. */
static ScreenVertex interior_vertex(const HullSpace *space, uint32_t index)
{
    const DeformVertex *vertex = &space->vertices[index];
    const float(*m)[4] = space->screen_space.clip;
    const float *p = vertex->position;
    const float w = m[0][3] * p[0] + m[1][3] * p[1] + m[2][3] * p[2] + m[3][3];
    const float width = fabsf((space->width + space->screen * w) * space->edge_scales[index]);
    float ray[3], moved[3], length = 0.0f;

    for (int i = 0; i < 3; i++) {
        ray[i] = vertex->position[i] - space->eye[i];
        length += ray[i] * ray[i];
    }
    const float step = width / sqrtf(length);
    for (int i = 0; i < 3; i++)
        moved[i] = vertex->position[i] - step * ray[i];
    return occlusion_vertex(&space->screen_space, moved);
}

static void move_vertices(VisibleLists *visible, const HullSpace *space, const MeshMaterial *mesh,
                          ScreenVertex (*move)(const HullSpace *, uint32_t))
{
    for (int d = 0; d < MESH_DEFORMS; d++)
        for (uint32_t i = mesh->ranges[d].begin; i < mesh->ranges[d].end; i++)
            visible->vertices[i] = move(space, i);
}

/* Copies the triangles that have a thin vertex. */
static size_t keep_thin(uint32_t *out, const bool *thin, const uint32_t *indices, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i + 2 < count; i += 3) {
        memcpy(out + kept, indices + i, 3 * sizeof *out);
        kept += thin[indices[i]] || thin[indices[i + 1]] || thin[indices[i + 2]] ? 3 : 0;
    }
    return kept;
}

/* After the hull, which notes the thin vertices. */
static VisibleRange list_interior(VisibleLists *visible, const HullSpace *space, const Actor *actor,
                                  uint32_t number, const uint32_t *indices)
{
    const MeshMaterial *mesh = &actor->mesh->materials[number];
    uint32_t *thin = visible->indices + visible->index_count;
    size_t count = 0;

    for (uint32_t i = 0; i < mesh->run_count; i++)
        if (!hides_interior(actor, number, &mesh->runs[i]))
            count += keep_thin(thin + count, space->thin, indices + mesh->runs[i].first,
                               mesh->runs[i].count);
    if (count > 0)
        move_vertices(visible, space, mesh, interior_vertex);
    return visible_lists_add(visible, OCCLUSION_BACK_FACES, thin, count);
}

static void list_material(Outlines *outlines, VisibleLists *visible, const DrawContext *context,
                          const HullSpace *space, const Actor *actor, uint32_t number,
                          const uint32_t *indices)
{
    const MeshMaterial *mesh = &actor->mesh->materials[number];

    move_vertices(visible, space, mesh, hull_vertex);
    outlines->hull[number] =
        visible_lists_add(visible, OCCLUSION_BACK_FACES, indices + mesh->first, mesh->count);
    outlines->interior[number] = (VisibleRange){0};
    if (has_interior(context, actor, number))
        outlines->interior[number] = list_interior(visible, space, actor, number, indices);
}

/* Makes the lists of a model whose surfaces have been drawn on the target.  Returns false if that
 * is not possible, or not worth it: multisampling, orthographic views, small models. */
static bool make_lists(Outlines *outlines, VisibleLists *visible, const DrawContext *context,
                       const Actor *actor, SurfacePart part)
{
    const GlApi *gl = context->gl;
    const Mesh *mesh = actor->mesh;
    const uint32_t material_count = mesh->pmx->material_count;
    const ModelBlock block = view_for_model(&context->view, &actor->state->placement);
    HullSpace space = {.screen_space =
                           screen_space(&context->target, (const float(*)[4])block.clip),
                       .eye = {block.eye[0], block.eye[1], block.eye[2]},
                       .right = {block.right[0], block.right[1], block.right[2]},
                       .up = {block.up[0], block.up[1], block.up[2]},
                       .pixel = actor->pixel_size * min_pixels(context)};
    const uint32_t *indices;
    size_t max_indices = 0;

    for (uint32_t i = 0; i < material_count; i++)
        if (is_drawn(context, actor, i, part))
            max_indices += mesh->materials[i].count * (has_interior(context, actor, i) ? 2 : 1);
    if (max_indices < MIN_INDICES ||
        !visible_lists_begin(visible, context, mesh, actor->area, max_indices))
        return false;
    if (material_count > outlines->material_capacity) {
        outlines->interior = arena_array(context->arena, VisibleRange, material_count);
        outlines->hull = arena_array(context->arena, VisibleRange, material_count);
        outlines->material_capacity = material_count;
    }
    if (mesh->pmx->vertex_count > outlines->vertex_capacity) {
        outlines->thin = arena_array(context->arena, bool, mesh->pmx->vertex_count);
        outlines->vertex_capacity = mesh->pmx->vertex_count;
    }
    space.thin = outlines->thin;
    space.edge_scales =
        gl_map(gl, mesh->edge_scales, mesh->pmx->vertex_count * sizeof *space.edge_scales);
    const bool mapped =
        deform_map(&actor->deform, &indices, &space.vertices) && space.edge_scales != NULL;
    for (uint32_t i = 0; mapped && i < material_count; i++)
        if (is_drawn(context, actor, i, part)) {
            space.width = actor_edge_width(actor, i);
            space.screen = actor_edge_screen(actor, i, &context->view);
            list_material(outlines, visible, context, &space, actor, i, indices);
        }
    deform_unmap(&actor->deform);
    gl->UnmapNamedBuffer(mesh->edge_scales);
    if (mapped)
        visible_lists_upload(visible, gl);
    return mapped;
}

/* ---- outlines ---- */

static void draw_outline(const DrawContext *context, const Actor *actor, uint32_t number)
{
    const GlApi *gl = context->gl;
    const MeshMaterial *mesh = &actor->mesh->materials[number];

    gl->Uniform1f(UNIFORM_INTERIOR, 1.0f);
    for (uint32_t i = 0; i < mesh->run_count && has_interior(context, actor, number); i++)
        if (!hides_interior(actor, number, &mesh->runs[i]))
            gl_draw_indices(gl, GL_TRIANGLES, mesh->runs[i].first, mesh->runs[i].count);
    gl->Uniform1f(UNIFORM_INTERIOR, 0.0f);
    gl_draw_indices(gl, GL_TRIANGLES, mesh->first, mesh->count);
}

static void draw_listed(const Outlines *outlines, const GlApi *gl, uint32_t number)
{
    gl->Uniform1f(UNIFORM_INTERIOR, 1.0f);
    visible_lists_draw(gl, outlines->interior[number]);
    gl->Uniform1f(UNIFORM_INTERIOR, 0.0f);
    visible_lists_draw(gl, outlines->hull[number]);
}

/* Makes the program and the color of a material current. */
static bool use_material(Outlines *outlines, const DrawContext *context, const Actor *actor,
                         uint32_t number, Diag *diag)
{
    const GlApi *gl = context->gl;
    const unsigned light = context->target.has_overlays ? MTOON_LIGHT : 0;

    if (actor->mesh->pmx->materials[number].mtoon == NULL) {
        gl->UseProgram(outlines->edge);
        gl->Uniform4fv(UNIFORM_COLOR, 1, actor->state->materials[number].edge_color);
    } else if (!mtoon_use(&outlines->mtoon, context, actor, number,
                          MTOON_HULL | MTOON_ALPHA_TEST | light, diag)) {
        return false;
    }
    gl->Uniform1f(UNIFORM_PIXEL, actor->pixel_size * min_pixels(context));
    gl->Uniform1f(UNIFORM_WIDTH, actor_edge_width(actor, number));
    gl->Uniform1f(UNIFORM_SCREEN, actor_edge_screen(actor, number, &context->view));
    return true;
}

bool outline_has_part(const DrawContext *context, const Actor *actor, SurfacePart part)
{
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count && actor->edge_width != 0.0f; i++)
        if (is_drawn(context, actor, i, part))
            return true;
    return false;
}

bool outline_draw(Outlines *outlines, const DrawContext *context, const Actor *actor,
                  SurfacePart part, VisibleLists *visible, Diag *diag)
{
    const GlApi *gl = context->gl;

    bool ok = true;

    if (actor->edge_width == 0.0f)
        return true;
    const bool listed = visible != NULL && make_lists(outlines, visible, context, actor, part);
    gl->BindVertexArray(actor->deform.vertices);
    if (listed)
        gl->VertexArrayElementBuffer(actor->deform.vertices, visible->buffer);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, actor->block);
    gl->Enable(GL_CULL_FACE);
    gl->Enable(GL_BLEND);
    gl->CullFace(GL_FRONT);
    gl->Enable(GL_CLIP_DISTANCE0);
    for (uint32_t i = 0; ok && i < actor->mesh->pmx->material_count; i++) {
        if (!is_drawn(context, actor, i, part))
            continue;
        ok = use_material(outlines, context, actor, i, diag);
        if (listed)
            draw_listed(outlines, gl, i);
        else
            draw_outline(context, actor, i);
    }
    gl->Disable(GL_CLIP_DISTANCE0);
    gl->VertexArrayElementBuffer(actor->deform.vertices, actor->mesh->indices);
    return ok;
}

/* ---- ground shadows ---- */

static void begin(const Outlines *outlines, const DrawContext *context, const float color[4])
{
    context->gl->UseProgram(outlines->ground);
    context->gl->Uniform4fv(UNIFORM_COLOR, 1, color);
    context->gl->CullFace(GL_BACK);
    context->gl->DepthMask(GL_FALSE);
}

void outline_begin_ground_fill(const Outlines *outlines, const DrawContext *context,
                               const float color[4])
{
    begin(outlines, context, color);
    context->gl->Disable(GL_BLEND);
    context->gl->Disable(GL_DEPTH_TEST);
}

void outline_begin_ground_shadows(const Outlines *outlines, const DrawContext *context,
                                  const float color[4])
{
    const GlApi *gl = context->gl;

    begin(outlines, context, color);
    gl->Enable(GL_BLEND);
    draw_towards_eye(context, GROUND_SLOPE, GROUND_STEPS);
    gl->Enable(GL_STENCIL_TEST);
    gl->StencilFunc(GL_EQUAL, 0, 0xff);
    gl->StencilOp(GL_KEEP, GL_KEEP, GL_INCR);
}

void outline_draw_ground_shadow(const DrawContext *context, const Actor *actor)
{
    context->gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, actor->ground_block);
    draw_ground_casters(context, actor);
}

void outline_end_ground_shadows(const DrawContext *context)
{
    const GlApi *gl = context->gl;

    gl->Disable(GL_STENCIL_TEST);
    gl->Disable(GL_POLYGON_OFFSET_FILL);
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthMask(GL_TRUE);
}
