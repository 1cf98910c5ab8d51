// SPDX-License-Identifier: MIT
/*
 * mirror.h - a horizontal plane that reflects the characters
 *
 * The characters are drawn on a surface of their own as the plane shows them, and the plane is
 * drawn with that picture (render/README.md 16).
 */
#pragma once

#include "render/draw_context.h"
#include "render/render_options.h"

typedef struct Mirror {
    MirrorOptions options;
    int width, height; /* size of the surface; 0 before the first frame */
    GLuint framebuffer, texture, depth, program;
} Mirror;

/* The view from below the plane, of the world that it reflects.  Front faces are counter-clockwise.
 */
View mirror_view(const View *view, float height);

/* Whether the eye is above the plane. */
bool mirror_is_visible(const Mirror *mirror, const View *view);

/* The part of the image that a reflection covers when it is blurred. */
ImageRect mirror_widen(const Mirror *mirror, ImageRect area, int width, int height);

/* Makes a cleared surface as large as that of the target current; the viewport stays.  The caller
 * draws the characters with mirror_view and calls mirror_end, after which the target is current. */
bool mirror_begin(Mirror *mirror, const DrawContext *context, Diag *diag);
void mirror_end(const DrawContext *context);

/* Draws the plane over what the target shows, in an area of the image, without writing depth. */
void mirror_draw_plane(const Mirror *mirror, const DrawContext *context, ImageRect area);
