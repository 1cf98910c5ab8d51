// SPDX-License-Identifier: MIT
/*
 * lens.h - a place on the lens and within a pixel from which a frame is drawn
 *
 * The eye moves on the lens, the plane at the distance of focus keeps its place in the image, and
 * the image moves by part of a pixel (render/README.md 3.1).  Averages of such images have depth of
 * field and antialiased edges.  Pure functions on values.
 */
#pragma once

#include "render/view.h"

typedef struct RenderLens {
    float offset[2]; /* the eye's shift to the right and up, MMD units; ignored if orthographic */
    float focus;     /* distance along the view, > 0 */
    float pixel[2];  /* the picture's shift to the right and down, finished pixels; -0.5..0.5 */
} RenderLens;

/* width, height: of the finished image. */
void lens_apply(View *view, const RenderLens *lens, int width, int height);
