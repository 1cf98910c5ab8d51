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
#include "render/view.h"

typedef struct RenderLens {
    float offset[2]; /* the eye's shift to the right and up, MMD units; ignored if orthographic */
    float focus;     /* distance along the view, > 0 */
    float pixel[2];  /* the picture's shift to the right and down, finished pixels; -0.5..0.5 */
} RenderLens;

/* width, height: of the finished image. */
void lens_apply(View *view, const RenderLens *lens, int width, int height);

/* A point that moves with a bone. */
typedef struct FocusPoint {
    int32_t bone;
    float offset[3]; /* from the bone at rest, model space */
} FocusPoint;

enum { FOCUS_POINTS = 2 }; /* two eyes */

/* The size of a lens, and the distance that it shows sharply. */
typedef struct FocusOptions {
    float aperture;  /* diameter of the lens, MMD units; 0: everything is sharp */
    float distance;  /* 0: that of the nearest point */
    uint32_t model;  /* of the points: index in the scene */
    int point_count; /* 0: the target of the camera is in focus */
    FocusPoint points[FOCUS_POINTS];
} FocusOptions;

#define LENS_MIN_FOCUS 0.1f /* MMD units, of a point or the camera's target */

/* The distance along the view that is in focus. */
float lens_focus(const FocusOptions *focus, const FrameState *state);
