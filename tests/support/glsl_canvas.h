// SPDX-License-Identifier: MIT
/*
 * glsl_canvas.h - draws fragment shaders in GLSL on a picture of floats
 *
 * The shader has one input, a vec4 with the column and the row of the pixel, from 0; its first
 * output is the picture.
 */
#ifndef SUPPORT_GLSL_CANVAS_H
#define SUPPORT_GLSL_CANVAS_H

#include "render/gl/gl.h"

typedef struct GlslCanvas {
    GlContext *context;
    GLuint framebuffer, texture, vertices;
    int width, height;
} GlslCanvas;

bool glsl_canvas_init(GlslCanvas *canvas, int width, int height, Diag *diag);
void glsl_canvas_finish(GlslCanvas *canvas);

/* text: without #version.  pixels: width * height * 4.  False, with the compiler's log, if it is
 * refused. */
bool glsl_canvas_draw(GlslCanvas *canvas, const char *text, float *pixels, char log[1024]);

/* Whether a vertex and a fragment shader compile and link. */
bool glsl_canvas_link(GlslCanvas *canvas, const char *vertex, const char *fragment, char log[1024]);

#endif
