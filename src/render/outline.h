/*
 * outline.h - what is drawn in one colour: outlines (reference, 4.3) and ground shadows (4.4)
 */
#ifndef RENDER_OUTLINE_H
#define RENDER_OUTLINE_H

#include "base/diag.h"
#include "render/actor.h"

typedef struct Outlines {
    GLuint edge, ground; /* programs */
} Outlines;

bool outline_init(Outlines *outlines, const GlApi *gl, const char *shader_dir, Diag *diag);

/* Edges of all seen materials that have them, in the file's order. */
void outline_draw(const Outlines *outlines, const GlApi *gl, const Actor *actor);

/* Between the two: the shadows of any number of actors, which do not darken twice. */
void outline_begin_ground(const Outlines *outlines, const GlApi *gl);
void outline_draw_ground(const GlApi *gl, const Actor *actor);
void outline_end_ground(const GlApi *gl);

#endif
