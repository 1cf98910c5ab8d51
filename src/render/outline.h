/*
 * outline.h - passes of one color: outlines (render/README.md 6) and ground shadows (7)
 */
#ifndef RENDER_OUTLINE_H
#define RENDER_OUTLINE_H

#include "base/diag.h"
#include "render/model/actor.h"
#include "render/outline_lists.h"

typedef struct Outlines {
    GLuint edge, ground; /* programs */
} Outlines;

bool outline_init(Outlines *outlines, const GlApi *gl, const char *shader_dir, Diag *diag);

/* Draws the outlines of all materials in view, in the order of the file.  lists: NULL, or the
 * triangles that may be seen (outline_lists.h). */
void outline_draw(const Outlines *outlines, const GlApi *gl, const Actor *actor,
                  const OutlineLists *lists);

/* Whether a material has an outline in view. */
bool outline_is_drawn(const Actor *actor, uint32_t material);

/* Whether the inside of the hull of such a material is drawn, too, and of which runs. */
bool outline_has_interior(const Actor *actor, uint32_t material);
bool outline_hides_interior(const Actor *actor, uint32_t material, const MeshRun *run);

/* Ground shadows of any number of actors are drawn between begin and end; overlaps do not darken
 * twice. */
void outline_begin_ground_shadows(const Outlines *outlines, const GlApi *gl, const View *view,
                                  const float color[4]);
void outline_draw_ground_shadow(const GlApi *gl, const Actor *actor);
void outline_end_ground_shadows(const GlApi *gl);

/* Instead of begin, where the surface has one color and no depths yet: `color`, which blending
 * gives (shadow/ground_fill.h), is filled, so neither stencil nor depth test is needed. */
void outline_begin_ground_fill(const Outlines *outlines, const GlApi *gl, const float color[4]);

#endif
