/*
 * key_path.h - what moves along points that a job writes down: the camera, the light, a model
 *
 * Each number of a point runs along a spline (math/spline.h) of its own.  Orientations are led along the
 * sphere (math/axes.h); how far on they are is again a spline, over the angles from point to point, so that
 * they start and stop gently and pass inner points without a jerk.  A point with `cut` is jumped to: what
 * comes before it is held until its moment.  Outside the points the first and the last one hold.
 * Times are frames, 30 a second; speeds are per frame; angles radians.
 */
#ifndef SCENE_KEY_PATH_H
#define SCENE_KEY_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "math/axes.h"
#include "math/spline.h"
#include "scene/camera.h"

typedef struct PathMoment {
    double frame; /* rising; a cut may stand on the frame of the point before it */
    bool cut;
    bool velocity_given;
    Vec3 velocity; /* of the eye, of the model; light has none */
} PathMoment;

/* ---- camera ---- */

typedef struct CameraPoint {
    PathMoment moment;
    Vec3 eye, target; /* apart from each other */
    Vec3 up;          /* any length but 0 */
    double roll;      /* about the view axis, as z of a VMD's rotation: up leans to the right */
    double fov_deg;
} CameraPoint;

typedef enum PathOrientation {
    PATH_FOLLOWS_TARGET, /* always looks at the target's own spline; up by `up` and roll */
    PATH_TURNS_AXES      /* two-axis spherical interpolation from point to point */
} PathOrientation;

typedef struct CameraPath {
    uint32_t count; /* of points; 0: there is no path */
    PathOrientation orientation;
    Spline eye[3], target[3], roll, fov_deg;
    const Vec3 *ups;  /* [count] unit */
    const Axes *axes; /* [count] rolled */
    Spline turn;
} CameraPath;

CameraPath camera_path_bind(const CameraPoint *points, uint32_t count, PathOrientation orientation,
                            Arena *arena);
CameraState camera_path_at(const CameraPath *path, double frame);

/* The same path with ordinary cubics, to compare with. */
CameraPath camera_path_cubic(const CameraPath *path, Arena *arena);

/* ---- light ---- */

typedef struct LightPoint {
    PathMoment moment;
    Vec3 color;     /* 0..1 */
    Vec3 direction; /* any length but 0 */
} LightPoint;

typedef struct LightPath {
    uint32_t count;
    Spline color[3];
    const Vec3 *directions; /* [count] unit */
    Spline turn;
} LightPath;

LightPath light_path_bind(const LightPoint *points, uint32_t count, Arena *arena);
LightState light_path_at(const LightPath *path, double frame);

/* ---- a model's place ---- */

typedef struct PlacePoint {
    PathMoment moment;
    Vec3 position;
    Quat rotation;
} PlacePoint;

typedef struct PlacePath {
    uint32_t count;
    Spline position[3];
    const Axes *axes; /* [count] */
    Spline turn;
} PlacePath;

PlacePath place_path_bind(const PlacePoint *points, uint32_t count, Arena *arena);
void place_path_at(float position[3], float rotation[4], const PlacePath *path, double frame);

#endif
