// SPDX-License-Identifier: MIT
/*
 * dance_keys.h - adds keys of bones and morphs, and evaluates them
 *
 * Times are in beats; the keys of a bone are added in the order of time.
 */
#pragma once

#include "demo/dance.h"
#include "demo/figure_parts.h"
#include "demo/figure_rig.h"
#include "math/rotation.h"

typedef enum Ease {
    EASE_SMOOTH, /* speed 0 at both ends */
    EASE_LINEAR,
    EASE_SNAP, /* fast, then slow */
    EASE_RISE, /* upward throw: decelerating, t (2 - t) */
    EASE_FALL  /* free fall: accelerating, t^2 */
} Ease;

typedef ARENA_LIST(VmdBoneKey) BoneKeys;

typedef struct Keys {
    Arena *arena;
    BoneKeys bones[BONE_COUNT];
    ARENA_LIST(VmdMorphKey) morphs;
} Keys;

/* Rotation by Euler angles in degrees, in MMD's order Ry * Rx * Rz. */
Quat quat_from_degrees(double x, double y, double z);

/* The same rotation mirrored to the other side of the body. */
Quat quat_mirrored(Quat q);

void dance_key_rotation(Keys *keys, int bone, double beat, Quat rotation, Ease ease);
void dance_key_bone(Keys *keys, int bone, double beat, Vec3 offset, Quat rotation, Ease ease);
void dance_key_morph(Keys *keys, FaceMorph morph, double beat, float weight);

/* The transform of a bone at a frame, interpolated as MMD does. */
typedef struct BoneTransform {
    Vec3 offset;
    Quat rotation;
} BoneTransform;

BoneTransform bone_transform_at(const Keys *keys, int bone, double frame);

/* The parts of the dance, each for its own bones. */
void dance_add_steps(Keys *keys); /* root, center, hips, feet */
void dance_add_legs(Keys *keys);  /* thighs, knees, ankles; after the steps */
void dance_add_trunk(Keys *keys); /* upper body, neck, head */
void dance_add_arms(Keys *keys);
void dance_add_face(Keys *keys);
void dance_add_sway(Keys *keys); /* hair and skirt; after all others */
