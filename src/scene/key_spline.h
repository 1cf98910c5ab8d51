// SPDX-License-Identifier: MIT
/*
 * key_spline.h - camera, light and placement along key points of a job
 *
 * Each number of a point has its own spline (math/spline.h).  Orientations are interpolated on the
 * sphere (math/axes.h); the progress is a spline over the angles from point to point, so that
 * rotations start and stop smoothly and have no jumps at inner points.  A point with `cut` is a
 * cut: the previous point holds until its frame.  Before the first and after the last point, these
 * hold. Times are frames, 30 a second.
 */
#pragma once

#include "base/arena.h"
#include "math/axes.h"
#include "math/spline.h"
#include "scene/camera.h"
#include "scene/scene_options.h"

/* The frame of a key point, of whose two times one is given and the other is NaN, rounded to a
 * millionth, so that 0.1 s is exactly frame 3. */
double point_frame(double time_s, double frame);

/* ---- camera ---- */

typedef struct CameraSpline {
    uint32_t count; /* number of points; 0: no path */
    SplineOrientation orientation;
    Spline eye[3], target[3], roll, fov_deg;
    const Vec3 *ups;  /* [count] unit */
    const Axes *axes; /* [count] rolled */
    Spline turn;
} CameraSpline;

/* Eye and target of a point differ, and its up vector is not 0; the roll is about the view axis, as
 * z of a VMD's rotation. */
CameraSpline camera_spline_bind(const CameraPoint *points, uint32_t count,
                                SplineOrientation orientation, Arena *arena);
CameraState camera_spline_at(const CameraSpline *path, double frame);

/* The same path with ordinary cubics, for comparisons. */
CameraSpline camera_spline_cubic(const CameraSpline *path, Arena *arena);

/* ---- light ---- */

typedef struct LightSpline {
    uint32_t count;
    Spline color[3];
    const Vec3 *directions; /* [count] unit */
    Spline turn;
} LightSpline;

/* Through the points of light->path, whose directions are not 0. */
LightSpline light_spline_bind(const LightSpec *light, Arena *arena);
LightState light_spline_at(const LightSpline *path, double frame);

/* ---- placement of a model ---- */

typedef struct PlacementSpline {
    uint32_t count;
    Spline position[3];
    const Axes *axes; /* [count] */
    Spline turn;
} PlacementSpline;

/* offset: added to all positions */
PlacementSpline placement_spline_bind(const PlacementPoint *points, uint32_t count, Vec3 offset,
                                      Arena *arena);
void placement_spline_at(float position[3], float rotation[4], const PlacementSpline *path,
                         double frame);
