// SPDX-License-Identifier: MIT
/*
 * reframe.h - a camera motion that is turned, moved back and widened, for frames of another shape
 *
 * evaluate/follow/reframe_path.h computes how far, for the whole film; here it is only applied, so
 * that the camera of a frame depends on nothing but the time of that frame.  Between cuts the
 * numbers run along uniform cubic B-splines.
 */
#pragma once

#include "scene/camera.h"

typedef struct ReframePoint {
    double turn;  /* about the vertical axis of the world, to the right, radians */
    double back;  /* against the direction of view, MMD units, >= 0 */
    double widen; /* factor of the tangent of half the angle of view, >= 1 */
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
    double widened,
        cropped;       /* frames that are widened; those that leave something out all the same */
    double widest_deg; /* largest vertical angle of view of those that are widened */
} ReframeTrack;

/* The track must have a segment.  An orthographic camera stays as it is. */
CameraState reframe_at(const ReframeTrack *track, const CameraState *given, double frame);

/* An angle of view, degrees, with this factor of the tangent of its half. */
double reframe_widen(double fov_deg, double widen);
