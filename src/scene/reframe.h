// SPDX-License-Identifier: MIT
/*
 * reframe.h - a camera motion that is turned and moved back, for frames of another shape
 *
 * evaluate/follow/reframe_path.h computes how far, for the whole film; here it is only applied, so
 * that the camera of a frame depends on nothing but the time of that frame.  Between cuts both
 * numbers run along uniform cubic B-splines.
 */
#pragma once

#include "scene/camera.h"

typedef struct ReframePoint {
    double turn; /* about the vertical axis of the world, to the right, radians */
    double back; /* against the direction of view, MMD units, >= 0 */
} ReframePoint;

typedef struct ReframeSegment {
    double start;         /* frame of the first point; the segment ends where the next one starts */
    ReframePoint *points; /* [count] at start, start + step, ...; the last one holds */
    uint32_t count;       /* at least 1 */
} ReframeSegment;

typedef struct ReframeTrack {
    ReframeSegment *segments; /* ascending; the first one also holds before its start */
    uint32_t count;           /* 0: the camera is as it is */
    double step;              /* frames between two points, > 0 */
} ReframeTrack;

/* The track must have a segment.  An orthographic camera stays as it is. */
CameraState reframe_at(const ReframeTrack *track, const CameraState *given, double frame);
