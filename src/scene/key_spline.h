// SPDX-License-Identifier: MIT
/*
 * key_spline.h - camera, light and placement along key points of a job
 *
 * Each number of a point has its own spline (math/spline.h).  Orientations are interpolated on the
 * sphere (math/axes.h); the progress is a spline over the angles from point to point, so that
 * rotations start and stop smoothly and have no jumps at inner points.  A point with `cut` is a
 * cut: the previous point holds until its frame.  Before the first and after the last point, these
 * hold. Times are frames, 30 a second; speeds are per frame; angles radians.
 */
#pragma once

#include "base/arena.h"
#include "math/axes.h"
#include "math/spline.h"
#include "scene/camera.h"

typedef struct SplineTime {
    double frame; /* ascending; a cut may be on the frame of the previous point */
    bool cut;
    bool velocity_given;
    Vec3 velocity; /* velocity of the eye or the model; not used for light */
} SplineTime;

/* ---- camera ---- */

typedef struct CameraPoint {
    SplineTime time;
    Vec3 eye, target; /* must differ */
    Vec3 up;          /* any length but 0 */
    double roll;      /* about the view axis, as z of a VMD's rotation: up leans to the right */
    double fov_deg;
} CameraPoint;

typedef enum SplineOrientation {
    SPLINE_FOLLOWS_TARGET, /* looks at the spline of the target; the up vector follows from `up` and
                              roll */
    SPLINE_TURNS_AXES      /* spherical interpolation of two axes from point to point */
} SplineOrientation;

typedef struct CameraSpline {
    uint32_t count; /* number of points; 0: no path */
    SplineOrientation orientation;
    Spline eye[3], target[3], roll, fov_deg;
    const Vec3 *ups;  /* [count] unit */
    const Axes *axes; /* [count] rolled */
    Spline turn;
} CameraSpline;

CameraSpline camera_spline_bind(const CameraPoint *points, uint32_t count,
                                SplineOrientation orientation, Arena *arena);
CameraState camera_spline_at(const CameraSpline *path, double frame);

/* The same path with ordinary cubics, for comparisons. */
CameraSpline camera_spline_cubic(const CameraSpline *path, Arena *arena);

/* ---- light ---- */

typedef struct LightPoint {
    SplineTime time;
    Vec3 color;     /* 0..1 */
    Vec3 direction; /* any length but 0 */
} LightPoint;

typedef struct LightSpline {
    uint32_t count;
    Spline color[3];
    const Vec3 *directions; /* [count] unit */
    Spline turn;
} LightSpline;

LightSpline light_spline_bind(const LightPoint *points, uint32_t count, Arena *arena);
LightState light_spline_at(const LightSpline *path, double frame);

/* ---- placement of a model ---- */

typedef struct PlacementPoint {
    SplineTime time;
    Vec3 position;
    Quat rotation;
} PlacementPoint;

typedef struct PlacementSpline {
    uint32_t count;
    Spline position[3];
    const Axes *axes; /* [count] */
    Spline turn;
} PlacementSpline;

PlacementSpline placement_spline_bind(const PlacementPoint *points, uint32_t count, Arena *arena);
void placement_spline_at(float position[3], float rotation[4], const PlacementSpline *path,
                         double frame);
