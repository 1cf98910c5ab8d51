/*
 * outline.h - passes of one colour: outlines (render/README.md 6) and ground shadows (7)
 */
#ifndef RENDER_OUTLINE_H
#define RENDER_OUTLINE_H

#include "base/diag.h"
#include "render/actor.h"

typedef struct Outlines {
    GLuint edge, ground; /* programs */
} Outlines;

bool outline_init(Outlines *outlines, const GlApi *gl, const char *shader_dir, Diag *diag);

/* Draws the outlines of all materials in view, in the order of the file. */
void outline_draw(const Outlines *outlines, const GlApi *gl, const Actor *actor);

/* Ground shadows of any number of actors are drawn between begin and end; overlaps do not darken
 * twice. */
void outline_begin_ground_shadows(const Outlines *outlines, const GlApi *gl, const View *view,
                                  const float color[4]);
void outline_draw_ground_shadow(const GlApi *gl, const Actor *actor);
void outline_end_ground_shadows(const GlApi *gl);

#endif
