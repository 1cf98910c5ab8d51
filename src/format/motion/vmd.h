/*
 * vmd.h - a motion as its file says: keys of bones, morphs, camera, light, self-shadow, properties
 *
 * Keys are in file order (scene/motion.h sorts and binds them).  Frames are 30 a second.
 * After a load: floats finite, quaternions of unit length, curve points 0..127, frames < 2^31.
 * Sections that are missing or cut at the end of the file are kept as far as they go, with a
 * warning (reference, 1.3).
 */
#ifndef FORMAT_MOTION_VMD_H
#define FORMAT_MOTION_VMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "math/curve.h"

enum { VMD_NAME_SIZE = 15 };

/* A track name as MMD compares it: CP932 bytes, at most 15, NUL-padded; empty never matches. */
typedef struct VmdName {
    char bytes[VMD_NAME_SIZE + 1];
} VmdName;

typedef enum VmdPhysics { VMD_PHYSICS_UNSPECIFIED, VMD_PHYSICS_ON, VMD_PHYSICS_OFF } VmdPhysics;

typedef struct VmdBoneKey {
    VmdName name;
    uint32_t frame;
    float translation[3]; /* from rest */
    float rotation[4];
    Curve curves[4]; /* x y z rotation; govern the span that ends at this key */
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
    bool is_pose; /* came from a VPD: one key a bone at frame 0 */
} VmdMotion;

bool vmd_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag);
bool vmd_check(const VmdMotion *motion, Diag *diag);

/* A file's quaternion to unit length; one that is all zero becomes no rotation. */
void vmd_normalize(float q[4]);

/* The largest frame of any key; 0 without keys. */
uint32_t vmd_last_frame(const VmdMotion *motion);

/* Encodes a model's UTF-8 name the way MMD does (reference, 1.3 "Name rules"). */
VmdName vmd_name_from_utf8(const char *utf8);
bool vmd_name_equal(const VmdName *a, const VmdName *b);         /* false when either is empty */
const char *vmd_name_to_utf8(const VmdName *name, Arena *arena); /* to UTF-8, for messages */

#endif
