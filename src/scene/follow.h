// SPDX-License-Identifier: MIT
/*
 * follow.h - the path of a camera that follows models
 *
 * evaluate/follow/follow_path.h computes the path for the whole film from the bones of the models;
 * here it is only sampled, so that the camera of a frame depends on nothing but the time of that
 * frame. The path consists of segments, separated by cuts.  In a segment the camera keeps its
 * rotation and moves along a uniform cubic B-spline, which has no jumps in its acceleration. Times
 * are motion frames, 30 a second; lengths MMD units.
 */
#pragma once

#include "math/rotation.h"
#include "scene/camera.h"

enum { FOLLOW_SHOTS = SHOT_FACE + 1 };

/* A control point of the B-spline. */
typedef struct FollowPoint {
    Vec3 target;
    double distance; /* from the eye to the target, > 0 */
} FollowPoint;

typedef struct FollowSegment {
    double start;        /* frame of the first point; the segment ends where the next one starts */
    float rotation[3];   /* radians, as in CameraState */
    FollowPoint *points; /* [count] at start, start + step, ... */
    uint32_t count;      /* at least 1 */
} FollowSegment;

typedef struct FollowTrack {
    FollowSegment *segments; /* ascending; the first one also holds before its start */
    uint32_t count;          /* 0: the camera does not follow */
    double step;             /* frames between two points, > 0 */
    float fov_deg;
} FollowTrack;

/* Weights of four neighbouring points of a uniform cubic B-spline at t, 0..1 between the second and
 * the third one. */
void follow_weights(double weights[4], double t);

/* The track must have a segment.  After the last point of a segment that point holds. */
CameraState follow_at(const FollowTrack *track, double frame);
