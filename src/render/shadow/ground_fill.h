// SPDX-License-Identifier: MIT
/*
 * ground_fill.h - ground shadows by scan conversion
 *
 * Sharp shadows lie in one plane and have one color, so all that matters is which samples they
 * cover.  Scan conversion on the CPU finds these (coverage.h): the driver would shade each of the
 * many triangles that lie above each other.  Rectangles then fill the samples, at the depths of the
 * ground; on a surface of one color that has no depths yet, without blending and depth test.
 */
#pragma once

#include "render/draw_context.h"
#include "render/shadow/coverage.h"

typedef struct GroundFill {
    GLuint blend, fill, over;       /* programs */
    GLuint framebuffer;             /* of one pixel; 0 before the first use */
    float background[4], shadow[4]; /* that `color` was blended of */
    float color[4];
    GLuint bits; /* texture; 0 before the first use */
    Coverage coverage;
    CoveragePoint *points; /* positions of the vertices of an actor */
    size_t point_capacity;
} GroundFill;

/* Builds the programs.  Returns false after an error was reported. */
bool ground_fill_init(GroundFill *fill, const DrawContext *context, Diag *diag);

/*
 * Computes `color`, as the driver blends it.  Binds another framebuffer and viewport.
 *
 * shadow      color and alpha of the shadow, over the color that the target is cleared with
 */
void ground_fill_prepare(GroundFill *fill, const DrawContext *context, const float shadow[4]);

/* Whether all ground shadows of a model are those of triangles. */
bool ground_fill_is_possible(const Mesh *mesh);

/* Draws the shadows of all actors on the target, which has the color that it is cleared with. */
void ground_fill_draw(GroundFill *fill, const DrawContext *context);

/* Blends the shadows of all actors with what is on the target; the state of blending, depth and
 * stencil test is that of the caller. */
void ground_fill_blend(GroundFill *fill, const DrawContext *context, const float shadow[4]);
