// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "asset_check.h"
#include "format/motion/vmd.h"

static bool are_values(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(values[i]) <= VMD_MAX_VALUE))
            return false;
    return true;
}

static bool are_curves(const Curve *c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (c[i].x1 > CURVE_ONE || c[i].y1 > CURVE_ONE || c[i].x2 > CURVE_ONE ||
            c[i].y2 > CURVE_ONE)
            return false;
    return true;
}

static bool is_name(const VmdName *name)
{
    const size_t size = strnlen(name->bytes, sizeof name->bytes);
    for (size_t i = size; i < sizeof name->bytes; i++)
        if (name->bytes[i])
            return false;
    return size <= VMD_NAME_SIZE;
}

static bool is_bone_key(const void *any)
{
    const VmdBoneKey *key = any;
    const float *q = key->rotation;
    const double square = (double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] +
                          (double)q[2] * (double)q[2] + (double)q[3] * (double)q[3];
    return is_name(&key->name) && are_values(key->translation, 3) && fabs(square - 1.0) < 1e-5 &&
           are_curves(key->curves, 4) && key->physics <= VMD_PHYSICS_OFF;
}

static bool is_morph_key(const void *any)
{
    const VmdMorphKey *key = any;
    return is_name(&key->name) && are_values(&key->weight, 1);
}

static bool is_camera_key(const void *any)
{
    const VmdCameraKey *key = any;
    return are_values(&key->distance, 1) && are_values(key->target, 3) &&
           are_values(key->rotation, 3) && are_curves(key->curves, 6) && key->fov_deg >= 1.0f &&
           key->fov_deg <= (float)VMD_MAX_FOV_DEG;
}

static bool is_light_key(const void *any)
{
    const VmdLightKey *key = any;
    return are_values(key->color, 3) && are_values(key->direction, 3);
}

static bool is_shadow_key(const void *any)
{
    const VmdShadowKey *key = any;
    return key->mode <= 2 && are_values(&key->distance, 1);
}

static bool is_property_key(const void *any)
{
    const VmdPropertyKey *key = any;
    for (uint32_t i = 0; i < key->ik_count; i++)
        if (!is_name(&key->ik[i].bone))
            return false;
    return true;
}

#define CHECK_KEYS(field)                                                                         \
    for (uint32_t i = 0; i < motion->field##_key_count; i++)                                      \
        if (motion->field##_keys[i].frame > INT32_MAX ||                                          \
            !is_##field##_key(&motion->field##_keys[i]))                                          \
            return diag_fail(diag, DIAG_INTERNAL, #field " key %" PRIu32 " has an invalid value", \
                             i);

bool vmd_check(const VmdMotion *motion, Diag *diag)
{
    if (!motion->model_name)
        return diag_fail(diag, DIAG_INTERNAL, "motion without a model name");
    CHECK_KEYS(bone)
    CHECK_KEYS(morph)
    CHECK_KEYS(camera)
    CHECK_KEYS(light)
    CHECK_KEYS(shadow)
    CHECK_KEYS(property)
    return true;
}
