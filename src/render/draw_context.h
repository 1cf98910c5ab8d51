// SPDX-License-Identifier: MIT
/*
 * draw_context.h - what all passes of a frame draw with, and what they draw
 */
#pragma once

#include "base/diag.h"
#include "render/gl/shader.h"
#include "render/model/actor.h"
#include "render/target.h"
#include "render/texture/texture.h"
#include "render/view.h"

typedef struct DrawContext {
    const GlApi *gl;
    const char *shader_dir; /* NULL: the embedded shaders */
    Arena *arena;           /* memory that is kept for later frames */
    GLuint empty_vertices;  /* vertex array without attributes */
    Samplers samplers;
    Target target;
    Actor *actors; /* in the order of the scene's models */
    size_t actor_count;
    unsigned kept_sets; /* changes with Part.kept of any of them */
    View view;          /* view of the frame that was prepared last, as are the actors */
    double seconds;     /* of that frame, from the start of the motion */
} DrawContext;

/* Returns 0 after an error was reported. */
static inline GLuint draw_program(const DrawContext *context, const char *vertex,
                                  const char *fragment, Diag *diag)
{
    const ShaderSpec spec = {.vertex = vertex, .fragment = fragment};

    return shader_build(context->gl, &spec, context->shader_dir, diag);
}

/* The same with a definition. */
static inline GLuint draw_variant(const DrawContext *context, const char *vertex,
                                  const char *fragment, ShaderDefine define, Diag *diag)
{
    const ShaderSpec spec = {
        .vertex = vertex, .fragment = fragment, .defines = &define, .define_count = 1};

    return shader_build(context->gl, &spec, context->shader_dir, diag);
}

/* Draws a shape whose vertices the current program computes from their numbers. */
static inline void draw_shape(const DrawContext *context, GLenum mode, int vertex_count)
{
    context->gl->BindVertexArray(context->empty_vertices);
    context->gl->Disable(GL_CULL_FACE);
    context->gl->DrawArrays(mode, 0, vertex_count);
}

/* Sets the polygon offset that moves what is drawn towards the eye by slopes and steps of depth. */
static inline void draw_towards_eye(const DrawContext *context, float slopes, float steps)
{
    const float sign = context->view.reversed_depth ? 1.0f : -1.0f;

    context->gl->Enable(GL_POLYGON_OFFSET_FILL);
    context->gl->PolygonOffset(sign * slopes, sign * steps);
}

/* Draws all visible faces of a run; the faces of one side of a watertight run show, or cast, all of
 * its shape. */
static inline void draw_run(const DrawContext *context, GLenum mode, const MeshRun *run)
{
    gl_set_enabled(context->gl, GL_CULL_FACE, run->watertight);
    gl_draw_indices(context->gl, mode, run->first, run->count);
}

/* Draws the selected parts of a run of a material, or (reversed) the last one first. */
static inline void draw_selected(const DrawContext *context, const Actor *actor, uint32_t number,
                                 const MeshRun *run, bool reversed)
{
    enum { MOST = 64 };
    const MeshMaterial *mesh = &actor->mesh->materials[number];
    const Parts *parts = actor->deform.parts;
    const uint32_t begin = parts->first[number], end = parts->first[number + 1];
    const void *offsets[MOST];
    GLsizei counts[MOST], count = 0;
    size_t next = 0; /* index after those of the last draw */

    gl_set_enabled(context->gl, GL_CULL_FACE, run->watertight);
    for (uint32_t i = begin; i < end; i++) {
        const Part *part = &parts->items[reversed ? end - 1 - (i - begin) : i];
        size_t first = part->first;

        if (part->selected && first >= run->first && first < run->first + run->count) {
            if (reversed)
                first = mesh->reversed_first + mesh->first + mesh->count - first - part->count;
            if (count > 0 && first == next) {
                counts[count - 1] += (GLsizei)part->count;
            } else {
                offsets[count] = (const void *)(first * sizeof(uint32_t));
                counts[count++] = (GLsizei)part->count;
            }
            next = first + part->count;
        }
        if (count == MOST || (count > 0 && i + 1 == end)) {
            context->gl->MultiDrawElements(mesh->mode, counts, GL_UNSIGNED_INT, offsets, count);
            count = 0;
        }
    }
}

/* Draws the visible faces of a material, in their order or (reversed) the last one first.  opaque:
 * a back face of a watertight run is hidden by a front face of the same material where nothing
 * shows it: no holes, seen from outside. */
static inline void draw_faces(const DrawContext *context, const Actor *actor, uint32_t number,
                              bool opaque, bool reversed)
{
    const MeshMaterial *mesh = &actor->mesh->materials[number];
    const bool double_sided = actor->mesh->pmx->materials[number].flags & PMX_DOUBLE_SIDED;
    const bool split = double_sided && opaque && actor->unclipped[number];
    const MeshRun all = {mesh->first, mesh->count, !double_sided};
    const uint32_t count = split ? mesh->run_count : 1;

    for (uint32_t i = 0; i < count; i++) {
        MeshRun run = split ? mesh->runs[reversed ? count - 1 - i : i] : all;

        if (actor->limited) {
            draw_selected(context, actor, number, &run, reversed);
            continue;
        }
        if (reversed)
            run.first = mesh->reversed_first + mesh->first + mesh->count - run.first - run.count;
        draw_run(context, mesh->mode, &run);
    }
}

/* Draws the shapes of the materials whose ground shadow may be in the view. */
static inline void draw_ground_casters(const DrawContext *context, const Actor *actor)
{
    context->gl->BindVertexArray(actor->deform.vertices);
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
        const MeshMaterial *mesh = &actor->mesh->materials[i];

        for (uint32_t run = 0; actor->casts_on_ground[i] && run < mesh->shape_run_count; run++)
            draw_run(context, mesh->mode, &mesh->shape_runs[run]);
    }
}
