// SPDX-License-Identifier: MIT
/*
 * depth_first.h - the depths of a model's opaque surfaces, drawn before anything is shaded
 *
 * In a close-up most samples are shaded several times: the stage behind the figure, layers of hair.
 * With the depths of the figure on the target, hidden samples fail the depth test before they are
 * shaded.  Setting up the triangles a second time costs less than that only where they are large.
 *
 * The pixels are the same: what is omitted lies behind an opaque surface that is drawn later.  It
 * could only be seen through a blended surface that is in front of both and drawn between them,
 * because such a surface hides the opaque one by its depth.  So there are no depths where a blended
 * surface of the model is, and stages are examined for such surfaces.
 */
#pragma once

#include "render/draw_context.h"

/* Zero-initialise. */
typedef struct DepthFirst {
    GLuint program;
} DepthFirst;

/* Whether drawing the depths of some material of the model first pays. */
bool depth_first_pays(const DrawContext *context, const Actor *actor);

/* Draws only the depths of the opaque surfaces.  Returns false after an error was reported. */
bool depth_first_draw_opaque(DepthFirst *first, const DrawContext *context, const Actor *actor,
                             Diag *diag);

/* The same, without depths where a blended surface is. */
bool depth_first_draw(DepthFirst *first, const DrawContext *context, const Actor *actor,
                      Diag *diag);

/* Whether a blended surface or an outline of the stage may be in front of the model. */
bool depth_first_is_behind(const DrawContext *context, const Actor *actor, const Actor *stage);
