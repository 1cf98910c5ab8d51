// SPDX-License-Identifier: MIT
#include "render/shadow/ground_fill.h"

#include <math.h>
#include <string.h>

#include "render/same_bytes.h"
#include "render/screen_space.h"

enum { WORD = 32, BAND_ROWS = 64 };
enum { UNIFORM_COLOR = 1 }; /* a uniform of flat.frag; the others belong to ground_fill */
enum { UNIFORM_AREA, UNIFORM_SIZE, UNIFORM_SHADOW, UNIFORM_BACKGROUND, UNIFORM_DEPTH };

bool ground_fill_init(GroundFill *fill, const DrawContext *context, Diag *diag)
{
    static const char vertex[] = "ground_fill.vert", fragment[] = "ground_fill.frag";

    *fill = (GroundFill){
        .blend = draw_program(context, "whole_image.vert", "flat.frag", diag),
        .fill = draw_variant(context, vertex, fragment, (ShaderDefine){"OVER", 0}, diag),
        .over = draw_variant(context, vertex, fragment, (ShaderDefine){"OVER", 1}, diag)};
    return fill->blend != 0 && fill->fill != 0 && fill->over != 0;
}

/* ---- color ---- */

void ground_fill_prepare(GroundFill *fill, const DrawContext *context, const float shadow[4])
{
    const GlApi *gl = context->gl;
    const float *background = context->target.clear;
    uint8_t blended[4];

    if (fill->framebuffer != 0 && same_bytes(fill->background, background, sizeof(float[4])) &&
        same_bytes(fill->shadow, shadow, sizeof(float[4])))
        return;
    if (fill->framebuffer == 0) {
        gl->CreateFramebuffers(1, &fill->framebuffer);
        gl_attach_buffer(gl, fill->framebuffer, GL_COLOR_ATTACHMENT0, 1, GL_RGBA8, 1, 1);
    }
    memcpy(fill->background, background, sizeof fill->background);
    memcpy(fill->shadow, shadow, sizeof fill->shadow);

    /* The driver blends one pixel, as it would blend those of the shadow. */
    gl->BindFramebuffer(GL_FRAMEBUFFER, fill->framebuffer);
    gl->Viewport(0, 0, 1, 1);
    gl->ClearColor(background[0], background[1], background[2], background[3]);
    gl->Clear(GL_COLOR_BUFFER_BIT);
    gl->Disable(GL_DEPTH_TEST);
    gl->Enable(GL_BLEND);
    gl->UseProgram(fill->blend);
    gl->Uniform4fv(UNIFORM_COLOR, 1, fill->shadow);
    draw_shape(context, GL_TRIANGLES, 3);
    gl->PixelStorei(GL_PACK_ROW_LENGTH, 1);
    gl->ReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, blended);
    gl->Enable(GL_DEPTH_TEST);
    for (int c = 0; c < 4; c++)
        fill->color[c] = (float)blended[c] / 255.0f;
}

/* ---- coverage ---- */

typedef struct GroundSpace {
    ScreenSpace screen;
    bool reversed_depth;
    const DeformVertex *vertices;
} GroundSpace;

/* Is not negative for points that are not in front of the near plane. */
static inline float beyond_near(const GroundSpace *space, const float clip[4])
{
    return space->reversed_depth ? clip[3] - clip[2] : clip[2];
}

static inline CoveragePoint to_surface(const GroundSpace *space, const float clip[4])
{
    float at[2];

    screen_place(at, &space->screen, clip);
    return (CoveragePoint){at[0], at[1]};
}

/* The part of a triangle beyond the near plane (Sutherland and Hodgman). */
static void add_clipped(Coverage *coverage, const GroundSpace *space, const uint32_t triangle[3])
{
    float corners[3][4];
    CoveragePoint polygon[4];
    int count = 0;

    for (int i = 0; i < 3; i++)
        screen_clip(corners[i], &space->screen, space->vertices[triangle[i]].position);
    for (int i = 0; i < 3; i++) {
        const float *from = corners[i], *to = corners[(i + 1) % 3];
        const float a = beyond_near(space, from), b = beyond_near(space, to);
        float cut[4];

        if (a >= 0.0f)
            polygon[count++] = to_surface(space, from);
        if ((a >= 0.0f) == (b >= 0.0f))
            continue;
        for (int k = 0; k < 4; k++)
            cut[k] = from[k] + (to[k] - from[k]) * (a / (a - b));
        polygon[count++] = to_surface(space, cut);
    }
    for (int i = 2; i < count; i++)
        coverage_add(coverage, polygon[0], polygon[i - 1], polygon[i]);
}

static void add_run(GroundFill *fill, const GroundSpace *space, const uint32_t *indices,
                    size_t count)
{
    const CoveragePoint *points = fill->points;

    for (size_t i = 0; i + 2 < count; i += 3) {
        const CoveragePoint a = points[indices[i]], b = points[indices[i + 1]];
        const CoveragePoint c = points[indices[i + 2]];

        if (isnan(a.x + b.x + c.x))
            add_clipped(&fill->coverage, space, indices + i);
        else
            coverage_add(&fill->coverage, a, b, c);
    }
}

static void add_actor(GroundFill *fill, const DrawContext *context, const Actor *actor)
{
    const Mesh *mesh = actor->mesh;
    const size_t count = mesh->pmx->vertex_count;
    GroundSpace space = {.reversed_depth = context->view.reversed_depth};
    const uint32_t *indices;
    ModelBlock block;

    view_for_ground(&block, &context->view, &actor->state->placement);
    space.screen = screen_space(&context->target, (const float(*)[4])block.clip);
    if (count > fill->point_capacity) {
        fill->points = arena_array(context->arena, CoveragePoint, count);
        fill->point_capacity = count;
    }
    const bool mapped = deform_map(&actor->deform, &indices, &space.vertices);
    for (size_t i = 0; mapped && i < count; i++) { /* x is NaN in front of the near plane */
        float clip[4];

        screen_clip(clip, &space.screen, space.vertices[i].position);
        fill->points[i] = to_surface(&space, clip);
        if (!(beyond_near(&space, clip) >= 0.0f))
            fill->points[i].x = NAN;
    }
    for (uint32_t i = 0; mapped && i < mesh->pmx->material_count; i++) {
        const MeshMaterial *material = &mesh->materials[i];

        for (uint32_t run = 0; actor->casts_on_ground[i] && run < material->shape_run_count; run++)
            add_run(fill, &space, indices + material->shape_runs[run].first,
                    material->shape_runs[run].count);
    }
    deform_unmap(&actor->deform);
}

/* ---- drawing ---- */

/* The depth of the ground at normalized coordinates (x, y) is out[0] x + out[1] y + out[2]: a plane
 * remains one.  Returns false if the eye is in the plane. */
static bool ground_depths(float out[3], const View *view)
{
    double columns[3][4], crosses[3][3], volume = 0.0;

    for (int row = 0; row < 4; row++) {
        columns[0][row] = (double)view->clip[0][row];
        columns[1][row] = (double)view->clip[2][row];
        columns[2][row] =
            (double)view->clip[1][row] * (double)view->ground + (double)view->clip[3][row];
    }
    for (int i = 0; i < 3; i++) { /* cross products of the columns' x, y and w */
        const double *a = columns[(i + 1) % 3], *b = columns[(i + 2) % 3];

        crosses[i][0] = a[1] * b[3] - a[3] * b[1];
        crosses[i][1] = a[3] * b[0] - a[0] * b[3];
        crosses[i][2] = a[0] * b[1] - a[1] * b[0];
    }
    volume = columns[0][0] * crosses[0][0] + columns[0][1] * crosses[0][1] +
             columns[0][3] * crosses[0][2];
    for (int i = 0; i < 3; i++)
        out[i] = (float)((columns[0][2] * crosses[0][i] + columns[1][2] * crosses[1][i] +
                          columns[2][2] * crosses[2][i]) /
                         volume);
    return isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]);
}

bool ground_fill_is_possible(const Mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->pmx->material_count; i++)
        if (mesh->materials[i].mode != GL_TRIANGLES &&
            mesh->pmx->materials[i].flags & PMX_GROUND_SHADOW)
            return false;
    return true;
}

/* Finds the samples of all shadows; false if there are none. */
static bool cover(GroundFill *fill, const DrawContext *context)
{
    coverage_begin(&fill->coverage, context->target.width, context->target.height, context->arena);
    for (size_t i = 0; i < context->actor_count; i++)
        if (context->actors[i].visible && context->actors[i].has_ground_shadow)
            add_actor(fill, context, &context->actors[i]);
    return fill->coverage.top < fill->coverage.bottom;
}

/* Fills rectangles of a color with the current program where samples are covered. */
static void draw_bands(GroundFill *fill, const DrawContext *context, const float color[4])
{
    const GlApi *gl = context->gl;
    const Target *target = &context->target;
    const Coverage *c = &fill->coverage;
    const int scale = target->spec.scale;
    const int width = target->spec.width * scale, height = target->spec.height * scale;
    const float x = (float)(target->window.left * scale), y = (float)(target->window.top * scale);

    if (fill->bits == 0) {
        fill->bits = gl_texture(gl, GL_R32UI, 1, (width + WORD - 1) / WORD, height);
        gl->TextureParameteri(fill->bits, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl->TextureParameteri(fill->bits, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    gl->TextureSubImage2D(fill->bits, 0, 0, c->top, (GLsizei)c->words, c->bottom - c->top,
                          GL_RED_INTEGER, GL_UNSIGNED_INT, c->bits + (size_t)c->top * c->words);
    gl->BindTextureUnit(0, fill->bits);
    gl->BindSampler(0, 0);
    gl->Uniform2f(UNIFORM_SIZE, (float)width, (float)height);
    gl->Uniform4fv(UNIFORM_SHADOW, 1, color);
    for (int top = c->top; top < c->bottom; top += BAND_ROWS) {
        const int bottom = top + BAND_ROWS < c->bottom ? top + BAND_ROWS : c->bottom;
        size_t left, right;

        coverage_extent(&left, &right, c, top, bottom);
        if (left >= right)
            continue;
        const float area[4] = {x + (float)(left * WORD), y + (float)top, x + (float)(right * WORD),
                               y + (float)bottom};
        gl->Uniform4fv(UNIFORM_AREA, 1, area);
        draw_shape(context, GL_TRIANGLE_STRIP, 4);
    }
}

void ground_fill_draw(GroundFill *fill, const DrawContext *context)
{
    const GlApi *gl = context->gl;

    if (!cover(fill, context))
        return;
    gl->UseProgram(fill->fill);
    gl->Uniform4fv(UNIFORM_BACKGROUND, 1, fill->background);
    gl->Uniform3f(UNIFORM_DEPTH, 0.0f, 0.0f, 0.0f);
    gl->Disable(GL_BLEND);
    gl->Disable(GL_DEPTH_TEST);
    draw_bands(fill, context, fill->color);
}

void ground_fill_blend(GroundFill *fill, const DrawContext *context, const float shadow[4])
{
    float depth[3];

    if (!ground_depths(depth, &context->view) || !cover(fill, context))
        return;
    context->gl->UseProgram(fill->over);
    context->gl->Uniform3f(UNIFORM_DEPTH, depth[0], depth[1], depth[2]);
    draw_bands(fill, context, shadow);
}
