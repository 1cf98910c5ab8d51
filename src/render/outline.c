#include "render/outline.h"

#include <math.h>

#include "render/gl/shader.h"

enum { UNIFORM_WIDTH = 0, UNIFORM_COLOR = 1, UNIFORM_PIXEL = 2, UNIFORM_INTERIOR = 3 };
static const float THIN_PIXELS =
    1.5f; /* pixels; above it no part of the model has an outline thinner than a pixel */
static const float ALPHA_TEST = 0.005f;
/* Depth offset of ground shadows, in slopes per pixel and in steps of the depth at hand: 64 steps
 * are 5e-6 of the distance. */
static const float GROUND_SLOPE = 1.0f, GROUND_STEPS = 64.0f;

bool outline_init(Outlines *outlines, const GlApi *gl, const char *shader_dir, Diag *diag)
{
    const ShaderSpec edge = {.vertex = "edge.vert", .fragment = "edge.frag"};
    const ShaderSpec ground = {.vertex = "ground.vert", .fragment = "flat.frag"};

    *outlines = (Outlines){.edge = shader_build(gl, &edge, shader_dir, diag)};
    outlines->ground = shader_build(gl, &ground, shader_dir, diag);
    return outlines->edge != 0 && outlines->ground != 0;
}

static void draw(const GlApi *gl, GLenum mode, uint32_t first, uint32_t count)
{
    gl->DrawElements(mode, (GLsizei)count, GL_UNSIGNED_INT,
                     (const void *)(first * sizeof(uint32_t)));
}

bool outline_is_drawn(const Actor *actor, uint32_t number)
{
    const MaterialState *state = &actor->state->materials[number];

    return actor->in_view[number] && actor->mesh->pmx->materials[number].flags & PMX_EDGE &&
           actor->mesh->materials[number].mode == GL_TRIANGLES &&
           state->edge_color[3] >= ALPHA_TEST && state->edge_size != 0.0f;
}

bool outline_has_interior(const Actor *actor, uint32_t number)
{
    return fabsf(actor->edge_pixels * actor->state->materials[number].edge_size) < THIN_PIXELS;
}

/* From outside, nothing is seen of the inside of a watertight run. */
bool outline_hides_interior(const Actor *actor, uint32_t number, const MeshRun *run)
{
    return run->watertight && actor->unclipped[number] && !actor->textures[number].texture_alpha;
}

/* Back faces of the hull that the eye can see through openings, of runs that have any. */
static void draw_interior(const GlApi *gl, const Actor *actor, uint32_t number)
{
    const MeshMaterial *mesh = &actor->mesh->materials[number];

    gl->Uniform1f(UNIFORM_INTERIOR, 1.0f);
    for (uint32_t i = 0; i < mesh->run_count; i++)
        if (!outline_hides_interior(actor, number, &mesh->runs[i]))
            draw(gl, GL_TRIANGLES, mesh->runs[i].first, mesh->runs[i].count);
    gl->Uniform1f(UNIFORM_INTERIOR, 0.0f);
}

static void draw_range(const GlApi *gl, VisibleRange range)
{
    if (range.count > 0)
        draw(gl, GL_TRIANGLES, (uint32_t)range.first, (uint32_t)range.count);
}

static void draw_lists(const GlApi *gl, const OutlineLists *lists, uint32_t number)
{
    gl->Uniform1f(UNIFORM_INTERIOR, 1.0f);
    draw_range(gl, lists->interior[number]);
    gl->Uniform1f(UNIFORM_INTERIOR, 0.0f);
    draw_range(gl, lists->hull[number]);
}

static void draw_outline(const GlApi *gl, const Actor *actor, uint32_t number)
{
    const MeshMaterial *mesh = &actor->mesh->materials[number];

    if (outline_has_interior(actor, number))
        draw_interior(gl, actor, number);
    draw(gl, GL_TRIANGLES, mesh->first, mesh->count);
}

void outline_draw(const Outlines *outlines, const GlApi *gl, const Actor *actor,
                  const OutlineLists *lists)
{
    if (actor->edge_width == 0.0f)
        return;
    gl->UseProgram(outlines->edge);
    gl->BindVertexArray(actor->deform.vertices);
    if (lists != NULL)
        gl->VertexArrayElementBuffer(actor->deform.vertices, lists->visible->buffer);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, actor->block);
    gl->Enable(GL_CULL_FACE);
    gl->Enable(GL_BLEND);
    gl->CullFace(GL_FRONT);
    gl->Uniform1f(UNIFORM_PIXEL, actor->pixel_size);
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
        const MaterialState *state = &actor->state->materials[i];

        if (!outline_is_drawn(actor, i))
            continue;
        gl->Uniform1f(UNIFORM_WIDTH, actor->edge_width * state->edge_size);
        gl->Uniform4fv(UNIFORM_COLOR, 1, state->edge_color);
        if (lists != NULL)
            draw_lists(gl, lists, i);
        else
            draw_outline(gl, actor, i);
    }
    if (lists != NULL)
        gl->VertexArrayElementBuffer(actor->deform.vertices, actor->mesh->indices);
}

/* The faces of one side cast the complete shadow of a watertight run. */
static void draw_material_shadow(const GlApi *gl, const MeshMaterial *mesh)
{
    for (uint32_t i = 0; i < mesh->shape_run_count; i++) {
        if (mesh->shape_runs[i].watertight)
            gl->Enable(GL_CULL_FACE);
        else
            gl->Disable(GL_CULL_FACE);
        draw(gl, mesh->mode, mesh->shape_runs[i].first, mesh->shape_runs[i].count);
    }
}

/* ---- ground shadows on a surface of one color ---- */

void outline_begin_ground_fill(const Outlines *outlines, const GlApi *gl, const float color[4])
{
    gl->UseProgram(outlines->ground);
    gl->Uniform4fv(UNIFORM_COLOR, 1, color);
    gl->CullFace(GL_BACK);
    gl->Disable(GL_BLEND);
    gl->Disable(GL_DEPTH_TEST);
    gl->DepthMask(GL_FALSE);
}

/* ---- ground shadows on anything ---- */

void outline_begin_ground_shadows(const Outlines *outlines, const GlApi *gl, const View *view,
                                  const float color[4])
{
    const float towards_eye = view->reversed_depth ? 1.0f : -1.0f;

    gl->UseProgram(outlines->ground);
    gl->Uniform4fv(UNIFORM_COLOR, 1, color);
    gl->CullFace(GL_BACK);
    gl->Enable(GL_BLEND);
    gl->DepthMask(GL_FALSE);
    gl->Enable(GL_POLYGON_OFFSET_FILL);
    gl->PolygonOffset(towards_eye * GROUND_SLOPE, towards_eye * GROUND_STEPS);
    gl->Enable(GL_STENCIL_TEST);
    gl->StencilFunc(GL_EQUAL, 0, 0xff);
    gl->StencilOp(GL_KEEP, GL_KEEP, GL_INCR);
}

void outline_draw_ground_shadow(const GlApi *gl, const Actor *actor)
{
    gl->BindVertexArray(actor->deform.vertices);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, actor->ground_block);
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++)
        if (actor->casts_on_ground[i])
            draw_material_shadow(gl, &actor->mesh->materials[i]);
}

void outline_end_ground_shadows(const GlApi *gl)
{
    gl->Disable(GL_STENCIL_TEST);
    gl->Disable(GL_POLYGON_OFFSET_FILL);
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthMask(GL_TRUE);
}
