// SPDX-License-Identifier: MIT
/*
 * vmd.h - a motion as stored in its file: keys of bones, morphs, camera, light, self-shadow and
 *         properties
 *
 * Keys are in file order (scene/motion.h sorts and binds them).  Frames are 30 a second.
 * After a load: floats are finite and within VMD_MAX_VALUE, quaternions have unit length, curve
 * points are 0..127, frames are below 2^31.  If the file ends inside a section, its complete keys
 * are kept, with a warning (format/motion/README.md 1.6).  All memory is in the arena given; no
 * function keeps state.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "math/curve.h"

enum {
    VMD_NAME_SIZE = 15,
    VMD_MAX_VALUE = 1000000, /* magnitude of coordinates, angles, weights, ... */
    VMD_MAX_FOV_DEG = 179
};

/* A track name as MMD compares it: at most 15 bytes of CP932, NUL-padded; an empty one never
 * matches (format/motion/README.md 1.5). */
typedef struct VmdName {
    char bytes[VMD_NAME_SIZE + 1];
    bool is_start; /* a longer name was cut in another encoding: names that begin with it match */
} VmdName;

typedef enum VmdPhysics { VMD_PHYSICS_UNSPECIFIED, VMD_PHYSICS_ON, VMD_PHYSICS_OFF } VmdPhysics;

typedef struct VmdBoneKey {
    VmdName name;
    uint32_t frame;
    float translation[3]; /* offset from rest */
    float rotation[4];
    Curve curves[4]; /* x y z rotation; of the span that ends at this key */
    uint8_t physics; /* VmdPhysics, from interpolation bytes 2 and 3 */
} VmdBoneKey;

typedef struct VmdMorphKey {
    VmdName name;
    uint32_t frame;
    float weight;
} VmdMorphKey;

typedef struct VmdCameraKey {
    uint32_t frame;
    float distance; /* normally negative */
    float target[3];
    float rotation[3]; /* radians, as in the file */
    Curve curves[6];   /* target x y z, rotation, distance, fov */
    float fov_deg;     /* vertical */
    bool orthographic;
} VmdCameraKey;

typedef struct VmdLightKey {
    uint32_t frame;
    float color[3], direction[3];
} VmdLightKey;

typedef struct VmdShadowKey {
    uint32_t frame;
    uint8_t mode; /* 0 off, 1, 2 */
    float distance;
} VmdShadowKey;

typedef struct VmdIkSwitch {
    VmdName bone; /* first 15 bytes */
    bool enabled;
} VmdIkSwitch;

typedef struct VmdPropertyKey {
    uint32_t frame;
    bool visible;
    VmdIkSwitch *ik;
    uint32_t ik_count;
} VmdPropertyKey;

typedef struct VmdMotion {
    const char *model_name; /* UTF-8; カメラ・照明 for a camera file */
    VmdBoneKey *bone_keys;
    VmdMorphKey *morph_keys;
    VmdCameraKey *camera_keys;
    VmdLightKey *light_keys;
    VmdShadowKey *shadow_keys;
    VmdPropertyKey *property_keys;
    uint32_t bone_key_count, morph_key_count, camera_key_count, light_key_count, shadow_key_count,
        property_key_count;
    bool is_pose; /* loaded from a VPD file: one key per bone, at frame 0 */
} VmdMotion;

bool vmd_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag);

/* Whether a file that begins with these bytes has keys of a camera, but none of bones and morphs.
 */
enum { VMD_HEAD_SIZE = 62 };
bool vmd_is_camera(Bytes head);

/* The bytes of a file ("Vocaloid Motion Data 0002") with all six sections. */
Bytes vmd_write(const VmdMotion *motion, Arena *arena);

/* Normalizes a quaternion from a file; the zero quaternion becomes the identity. */
void vmd_normalize(float q[4]);

/* The largest frame number of all keys; 0 without keys. */
uint32_t vmd_last_frame(const VmdMotion *motion);

/* Encodes a UTF-8 name of a model as MMD does (format/motion/README.md 1.5). */
VmdName vmd_name_from_utf8(const char *utf8);
bool vmd_name_equal(const VmdName *a, const VmdName *b);         /* false when either is empty */
const char *vmd_name_to_utf8(const VmdName *name, Arena *arena); /* to UTF-8, for messages */
