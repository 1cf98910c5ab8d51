// SPDX-License-Identifier: MIT
/*
 * outline.h - passes of one color: outlines (render/README.md 6) and ground shadows (7)
 *
 * Almost all of the hull of an outline is hidden behind the surface that it surrounds.  After the
 * surfaces of a model were drawn, its outlines are drawn from index lists of the frame, without the
 * triangles that cover no sample or that the depth test rejects completely (occlusion.h), which
 * costs the driver more than the CPU needs to find them.  The pixels are the same.
 */
#pragma once

#include "render/draw_context.h"
#include "render/mtoon.h"
#include "render/occlusion.h"
#include "render/surface.h"

/* Zero-initialise before outline_init. */
typedef struct Outlines {
    GLuint edge, ground;           /* programs */
    VisibleRange *interior, *hull; /* [material_count] of the indices that may be seen */
    bool *thin;                    /* [vertex_count] of the material at hand */
    size_t material_capacity, vertex_capacity;
    MtoonPrograms mtoon;
} Outlines;

bool outline_init(Outlines *outlines, const DrawContext *context, Diag *diag);

/* Draws the outlines of materials in view, in the order of the file: of ALL, of those without
 * translucent pixels (OPAQUE), or of the others (FAINT), after the surfaces of that part.  visible:
 * to omit hidden triangles of models whose surfaces have been drawn, if that is worth it; NULL:
 * not. Returns false after an error was reported. */
bool outline_draw(Outlines *outlines, const DrawContext *context, const Actor *actor,
                  SurfacePart part, VisibleLists *visible, Diag *diag);

/* Whether there are any. */
bool outline_has_part(const DrawContext *context, const Actor *actor, SurfacePart part);

/* Ground shadows of any number of actors are drawn between begin and end; overlaps do not darken
 * twice. */
void outline_begin_ground_shadows(const Outlines *outlines, const DrawContext *context,
                                  const float color[4]);
void outline_draw_ground_shadow(const DrawContext *context, const Actor *actor);
void outline_end_ground_shadows(const DrawContext *context);

/* Instead of begin, where the surface has one color and no depths yet: `color`, which blending
 * gives (shadow/ground_fill.h), is filled, so neither stencil nor depth test is needed. */
void outline_begin_ground_fill(const Outlines *outlines, const DrawContext *context,
                               const float color[4]);
