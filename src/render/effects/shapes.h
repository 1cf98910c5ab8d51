// SPDX-License-Identifier: MIT
/*
 * shapes.h - what the passes of effects draw: the materials of a model, and a rectangle
 *
 * Vertex attributes have the locations of EffectInput.
 */
#pragma once

#include "effect/effect.h"
#include "render/draw_context.h"

/* One model.  GL objects are created with the runtime; those of edges when they are drawn. */
typedef struct FxShape {
    GLuint vertices;      /* vertex array */
    GLuint edge_buffer;   /* DeformVertex each; 0: not created yet */
    DeformVertex *edges;  /* [vertex_count] what it is filled with */
    GLuint *toons;        /* [material_count] as pictures; 0: none */
    uint64_t edges_frame; /* in which it was filled last */
} FxShape;

/* The picture of a toon must not have been released yet. */
void fx_shape_init(FxShape *out, const Actor *actor, const GlApi *gl, Arena *arena);

/* Draws a material with the current program.  edges: the hull of its outline. */
void fx_shape_draw(FxShape *shape, const Actor *actor, uint32_t material, bool edges,
                   uint64_t frame, const GlApi *gl, Arena *arena);

/* A rectangle over the whole target: positions -1..1 and texture coordinates 0..1 from the upper
 * left, moved by half a pixel against the shift of odori_viewport. */
typedef struct FxQuad {
    GLuint vertices, buffer;
    float shift[2];
} FxQuad;

void fx_quad_init(FxQuad *out, const GlApi *gl);
void fx_quad_draw(FxQuad *quad, const float shift[2], const GlApi *gl);
