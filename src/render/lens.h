// SPDX-License-Identifier: MIT
/*
 * lens.h - a place on the lens and within a pixel from which a frame is drawn
 *
 * The eye moves on the lens, the plane at the distance of focus keeps its place in the image, and
 * the image moves by part of a pixel (render/README.md 3.1).  Averages of such images have depth of
 * field and antialiased edges.  Pure functions on values.
 */
#pragma once

#include "evaluate/frame_state.h"
#include "render/look/look_options.h"
#include "render/view.h"

typedef struct RenderLens {
    float offset[2]; /* the eye's shift to the right and up, MMD units; ignored if orthographic */
    float focus;     /* distance along the view, > 0 */
    float pixel[2];  /* the picture's shift to the right and down, finished pixels; -0.5..0.5 */
} RenderLens;

/* width, height: of the finished image. */
void lens_apply(View *view, const RenderLens *lens, int width, int height);

#define LENS_MIN_FOCUS 0.1f /* MMD units, of a point or the camera's target */

/* The distance along the view that is in focus: the given one, else that of the nearest point. */
float lens_focus(const FocusOptions *focus, const FrameState *state);
