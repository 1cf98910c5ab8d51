/*
 * ground_fill.h - ground shadows on a surface of one colour that has no depths yet
 *
 * All that such shadows change is which samples have their colour, which scan conversion on the CPU
 * finds (coverage.h): the driver would shade each of the many triangles that lie above each other.
 * One rectangle then fills the samples.
 */
#ifndef RENDER_GROUND_GROUND_FILL_H
#define RENDER_GROUND_GROUND_FILL_H

#include "base/diag.h"
#include "render/actor.h"
#include "render/ground/coverage.h"
#include "render/target.h"

typedef struct GroundFill {
    GLuint blend, fill;             /* programs */
    GLuint framebuffer, buffer;     /* of one pixel; 0 before the first use */
    float background[4], shadow[4]; /* that `color` was blended of */
    float color[4];
    GLuint bits; /* texture; 0 before the first use */
    Coverage coverage;
    CoveragePoint *points; /* of the vertices of an actor */
    size_t point_capacity;
} GroundFill;

/* Builds the programs.  Returns false after an error was reported. */
bool ground_fill_init(GroundFill *fill, const GlApi *gl, const char *shader_dir, Diag *diag);

/*
 * Computes `color`, as the driver blends it.  Binds another framebuffer and viewport.
 *
 * background  as cleared, premultiplied
 * shadow      colour and alpha of the shadow
 * vertices    an empty vertex array
 */
void ground_fill_prepare(GroundFill *fill, const GlApi *gl, const float background[4],
                         const float shadow[4], GLuint vertices);

/* Whether all shadows are those of triangles. */
bool ground_fill_is_possible(const Actor *actors, size_t count);

/* Draws the shadows of all actors on the target, which has the colour `background`. */
void ground_fill_draw(GroundFill *fill, const GlApi *gl, const Target *target, const Actor *actors,
                      size_t count, const View *view, GLuint vertices, Arena *arena);

#endif
