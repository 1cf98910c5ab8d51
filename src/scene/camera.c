// SPDX-License-Identifier: MIT
#include "scene/camera.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "math/rotation.h"
#include "math/scalar.h"

static const float FOV_MIN = 1, FOV_MAX = 179; /* degrees; 0 occurs in bad files */

CameraState camera_fixed(const FixedCameraSpec *spec)
{
    CameraState camera = {.distance = (float)spec->distance,
                          .fov_deg = (float)spec->fov_deg,
                          .orthographic = spec->orthographic};
    vec3_store(camera.target, spec->target);
    vec3_store(camera.rotation, vec3_scale(spec->rotation_deg, RADIANS));
    return camera;
}

/* ---- binding ---- */

/* keys: [count] structs of key_size bytes, which begin with their frame */
static KeyTrack bind(const void *keys, size_t key_size, uint32_t count, TimeMap time, Arena *arena)
{
    TimelineItem *items = arena_array(arena, TimelineItem, count);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(&items[i].frame, (const char *)keys + i * key_size, sizeof items[i].frame);
        items[i].index = i;
    }
    return motion_track(time, items, count, keys, key_size, arena);
}

CameraTrack camera_bind(const VmdMotion *vmd, TimeMap time, Arena *arena)
{
    return bind(vmd->camera_keys, sizeof *vmd->camera_keys, vmd->camera_key_count, time, arena);
}

LightTrack light_bind(const VmdMotion *vmd, TimeMap time, Arena *arena)
{
    return bind(vmd->light_keys, sizeof *vmd->light_keys, vmd->light_key_count, time, arena);
}

ShadowTrack shadow_bind(const VmdMotion *vmd, TimeMap time, Arena *arena)
{
    return bind(vmd->shadow_keys, sizeof *vmd->shadow_keys, vmd->shadow_key_count, time, arena);
}

/* ---- sampling ---- */

/* As timeline_span, but between keys on neighbouring frames (a cut) the left one is held. */
static TimelineSpan span_with_cuts(const KeyTrack *track, double frame)
{
    const double time = (frame - track->time.offset) * track->time.speed;
    TimelineSpan span = timeline_span(track->frames, track->key_count, time);
    if (track->frames[span.right] - track->frames[span.left] <= 1)
        span = (TimelineSpan){span.left, span.left, 0};
    return span;
}

float camera_clamp_fov(float fov_deg)
{
    return fov_deg < FOV_MIN ? FOV_MIN : fov_deg > FOV_MAX ? FOV_MAX : fov_deg;
}

CameraState camera_at(const CameraTrack *track, double frame, int halvings, CameraState fallback)
{
    if (!track->key_count)
        return fallback;

    const TimelineSpan span = span_with_cuts(track, frame);
    const VmdCameraKey *a = track->keys[span.left], *b = track->keys[span.right];
    double t[6];
    for (int i = 0; i < 6; i++)
        t[i] = curve_eval(b->curves[i], span.t, halvings);

    CameraState camera = {.orthographic = a->orthographic};
    for (int i = 0; i < 3; i++) {
        camera.target[i] = scalar_lerp_float(a->target[i], b->target[i], t[i]);
        camera.rotation[i] = scalar_lerp_float(a->rotation[i], b->rotation[i], t[3]);
    }
    camera.distance = scalar_lerp_float(a->distance, b->distance, t[4]);
    camera.fov_deg = camera_clamp_fov(scalar_lerp_float(a->fov_deg, b->fov_deg, t[5]));
    return camera;
}

LightState light_at(const LightTrack *track, double frame, LightState fallback)
{
    if (!track->key_count)
        return fallback;

    const TimelineSpan span = span_with_cuts(track, frame);
    const VmdLightKey *a = track->keys[span.left], *b = track->keys[span.right];
    LightState light;
    for (int i = 0; i < 3; i++) {
        light.color[i] = scalar_lerp_float(a->color[i], b->color[i], span.t);
        light.direction[i] = scalar_lerp_float(a->direction[i], b->direction[i], span.t);
    }
    if (vec3_length(vec3_load(light.direction)) == 0) /* scene/README.md 2.2 */
        for (int i = 0; i < 3; i++)
            light.direction[i] = LIGHT_DEFAULT.direction[i];
    return light;
}

ShadowState shadow_at(const ShadowTrack *track, double frame, ShadowState fallback)
{
    if (!track->key_count)
        return fallback;

    const TimelineSpan span = span_with_cuts(track, frame);
    const VmdShadowKey *a = track->keys[span.left], *b = track->keys[span.right];
    return (ShadowState){.mode = a->mode,
                         .distance = scalar_lerp_float(a->distance, b->distance, span.t)};
}

/* ---- axes ---- */

CameraAxes camera_axes(const CameraState *camera)
{
    /* eye = target + Ry(-ry) Rx(-rx) Rz(-rz) (0, 0, distance), looking along +z
     * (scene/README.md 3.1) */
    const Quat turn = quat_from_euler_yxz(
        -(double)camera->rotation[0], -(double)camera->rotation[1], -(double)camera->rotation[2]);
    const Vec3 back = quat_rotate(turn, (Vec3){0, 0, (double)camera->distance});
    CameraAxes axes;
    vec3_store(axes.eye, vec3_add(vec3_load(camera->target), back));
    vec3_store(axes.right, quat_rotate(turn, (Vec3){1, 0, 0}));
    vec3_store(axes.up, quat_rotate(turn, (Vec3){0, 1, 0}));
    vec3_store(axes.forward, quat_rotate(turn, (Vec3){0, 0, 1}));
    return axes;
}

void camera_rotation_of_axes(float rotation[3], const Axes *axes)
{
    /* With angles a, b, c about x, y, z:  z = (sin b cos a, -sin a, cos b cos a),
     * x.y = cos a sin c, y.y = cos a cos c; where cos a is 0, c = 0 leaves x = (cos b, 0, -sin b).
     */
    const double level = hypot(axes->z.x, axes->z.z);
    const bool steep = level < 1e-9;
    const double a = atan2(-axes->z.y, level);
    const double b = steep ? atan2(-axes->x.z, axes->x.x) : atan2(axes->z.x, axes->z.z);
    const double c = steep ? 0 : atan2(axes->x.y, axes->y.y);

    rotation[0] = -(float)a;
    rotation[1] = -(float)b;
    rotation[2] = -(float)c;
}
