// SPDX-License-Identifier: MIT
/*
 * camera.h - camera, light and self-shadow over time
 *
 * Keys are sorted; two keys on neighbouring frames are a cut: the first holds, without
 * interpolation (scene/README.md 2.4).  Angles in radians as in the VMD, distance normally
 * negative.
 */
#pragma once

#include "base/arena.h"
#include "math/axes.h"
#include "scene/motion.h"

typedef struct CameraState {
    float target[3];
    float rotation[3];
    float distance;
    float fov_deg; /* vertical, 1..179 */
    bool orthographic;
} CameraState;

typedef struct LightState {
    float color[3];     /* 0..1 */
    float direction[3]; /* direction in which the light travels; not zero */
} LightState;

typedef struct ShadowState {
    uint8_t mode;   /* 0 off, 1, 2 */
    float distance; /* the VMD field, 0.01125 by default */
} ShadowState;

typedef KeyTrack CameraTrack, LightTrack, ShadowTrack; /* VmdCameraKey, ... */

/* A camera that does not move. */
CameraState camera_fixed(const FixedCameraSpec *spec);

#define CAMERA_DEFAULT ((CameraState){.target = {0, 10, 0}, .distance = -45, .fov_deg = 30})
#define LIGHT_DEFAULT                                                  \
    ((LightState){.color = {154.0f / 255, 154.0f / 255, 154.0f / 255}, \
                  .direction = {-0.5f, -1, 0.5f}})
#define SHADOW_DEFAULT ((ShadowState){.mode = 1, .distance = 0.01125f})

/* The keys of one motion as a track; key_count is 0 if it has none. */
CameraTrack camera_bind(const VmdMotion *vmd, TimeMap time, Arena *arena);
LightTrack light_bind(const VmdMotion *vmd, TimeMap time, Arena *arena);
ShadowTrack shadow_bind(const VmdMotion *vmd, TimeMap time, Arena *arena);

/* Return `fallback` if the track has no keys. */
CameraState camera_at(const CameraTrack *track, double frame, int halvings, CameraState fallback);
LightState light_at(const LightTrack *track, double frame, LightState fallback);
ShadowState shadow_at(const ShadowTrack *track, double frame, ShadowState fallback);

/* Eye and axes (unit, world), from target, rotation and distance (scene/README.md 3.1). */
typedef struct CameraAxes {
    float eye[3], right[3], up[3], forward[3];
} CameraAxes;
CameraAxes camera_axes(const CameraState *camera);

/* The inverse: the rotation that gives these axes, z forward; without roll if it looks straight up
 * or down. */
void camera_rotation_of_axes(float rotation[3], const Axes *axes);

float camera_clamp_fov(float fov_deg); /* 1..179 */
