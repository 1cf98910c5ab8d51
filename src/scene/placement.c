// SPDX-License-Identifier: MIT
#include "scene/placement.h"

#include <math.h>

#include "base/units.h"
#include "math/key_span.h"
#include "math/scalar.h"

/* Limits of the product of scales. */
static const double MIN_SCALE = 1e-6, MAX_SCALE = 1e6;

/* About z first, then x, then y: q = qy * qx * qz. */
static void euler_to_quaternion(float out[4], Vec3 degrees)
{
    const double x = degrees.x * PI / 360, y = degrees.y * PI / 360, z = degrees.z * PI / 360;
    const double cx = cos(x), sx = sin(x), cy = cos(y), sy = sin(y), cz = cos(z), sz = sin(z);
    out[0] = (float)(cy * sx * cz + sy * cx * sz);
    out[1] = (float)(sy * cx * cz - cy * sx * sz);
    out[2] = (float)(cy * cx * sz - sy * sx * cz);
    out[3] = (float)(cy * cx * cz + sy * sx * sz);
}

static Vec3 offset_of(const ModelSpec *spec)
{
    return spec->attach ? spec->attach->offset : (Vec3){0};
}

Placement placement_of_model(const ModelSpec *spec)
{
    Placement placement = {.scale = (float)spec->scale};
    vec3_store(placement.position, vec3_add(spec->position, offset_of(spec)));
    euler_to_quaternion(placement.rotation, spec->rotation_deg);
    return placement;
}

Vec3 placement_point(const Placement *placement, Vec3 point)
{
    const Vec3 scaled = vec3_scale(point, (double)placement->scale);
    return vec3_add(vec3_load(placement->position),
                    quat_rotate(quat_load(placement->rotation), scaled));
}

Vec3 placement_inverse_point(const Placement *placement, Vec3 point)
{
    const Quat inverse = quat_inverse(quat_load(placement->rotation));
    const Vec3 offset = vec3_sub(point, vec3_load(placement->position));
    return vec3_scale(quat_rotate(inverse, offset), 1 / (double)placement->scale);
}

Quat placement_rotation(const Placement *placement, Quat rotation)
{
    return quat_mul(quat_load(placement->rotation), rotation);
}

Placement placement_on_bone(const Placement *base, Vec3 position, Quat rotation,
                            const Placement *own)
{
    const double scale = (double)base->scale;
    const Quat bone_rotation = placement_rotation(base, rotation);
    const Vec3 offset = quat_rotate(bone_rotation, vec3_scale(vec3_load(own->position), scale));
    const double product = scale * (double)own->scale;
    Placement out = {.scale = (float)fmax(MIN_SCALE, fmin(MAX_SCALE, product))};

    vec3_store(out.position, vec3_add(placement_point(base, position), offset));
    quat_store(out.rotation, quat_normalize(quat_mul(bone_rotation, quat_load(own->rotation))));
    return out;
}

static Placement apply_vac(const Placement *job, const Vac *vac)
{
    const Quat rotation = quat_from_euler_yxz((double)vac->rotation_deg[0] * RADIANS,
                                              (double)vac->rotation_deg[1] * RADIANS,
                                              (double)vac->rotation_deg[2] * RADIANS);
    Placement out = {.scale = job->scale * vac->scale};

    vec3_store(out.position, placement_point(job, vec3_load(vac->position)));
    quat_store(out.rotation, placement_rotation(job, rotation));
    return out;
}

Placement placement_at(const Placement *base, const PlacementSpline *path, const Vac *vac,
                       double frame)
{
    Placement placement = *base;
    if (path->count)
        placement_spline_at(placement.position, placement.rotation, path, frame);
    return vac ? apply_vac(&placement, vac) : placement;
}

/* NaN: not given. */
static double given(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

static Vec3 given_vector(Vec3 value, Vec3 otherwise)
{
    return (Vec3){given(value.x, otherwise.x), given(value.y, otherwise.y),
                  given(value.z, otherwise.z)};
}

static ModelKey bind_key(const ModelKeySpec *key, const ModelSpec *spec)
{
    const Vec3 angles = given_vector(key->rotation_deg, spec->rotation_deg);
    return (ModelKey){.frame = point_frame(key->time_s, key->frame),
                      .position =
                          vec3_add(given_vector(key->position, spec->position), offset_of(spec)),
                      .rotation = vec3_scale(angles, RADIANS),
                      .scale = given(key->scale, spec->scale),
                      .opacity = given(key->opacity, spec->opacity),
                      .shadow = key->shadow,
                      .visible = key->visible};
}

ModelKeys model_keys_bind(const ModelSpec *spec, Arena *arena)
{
    ModelKey *keys = arena_array(arena, ModelKey, spec->key_count);
    for (size_t i = 0; i < spec->key_count; i++)
        keys[i] = bind_key(&spec->keys[i], spec);
    return (ModelKeys){keys, (uint32_t)spec->key_count};
}

ModelKey model_keys_at(const ModelKeys *keys, double frame)
{
    const KeySpan span = key_span(keys->items, sizeof *keys->items, keys->count, frame);
    const ModelKey *a = &keys->items[span.left], *b = &keys->items[span.right];
    ModelKey key = *a;
    key.position = vec3_lerp(a->position, b->position, span.t);
    key.rotation = vec3_lerp(a->rotation, b->rotation, span.t);
    key.scale = scalar_lerp(a->scale, b->scale, span.t);
    key.opacity = scalar_lerp(a->opacity, b->opacity, span.t);
    return key;
}

Placement model_keys_placement(const ModelKey *key)
{
    Placement placement = {.scale = (float)key->scale};
    const Vec3 angles = key->rotation;
    vec3_store(placement.position, key->position);
    quat_store(placement.rotation, quat_from_euler_yxz(angles.x, angles.y, angles.z));
    return placement;
}
