// SPDX-License-Identifier: MIT
#include "scene/placement.h"

#include <math.h>

#include "base/units.h"
#include "math/key_span.h"
#include "math/scalar.h"

/* Limits of the product of scales. */
static const double MIN_SCALE = 1e-6, MAX_SCALE = 1e6;

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

ModelKey model_keys_at(const ModelKeys *keys, double frame)
{
    const KeySpan span = key_span(keys->items, sizeof *keys->items, keys->count, frame);
    const ModelKey *a = &keys->items[span.left], *b = &keys->items[span.right];
    ModelKey key = *a;
    for (int i = 0; i < 3; i++) {
        key.position[i] = scalar_lerp(a->position[i], b->position[i], span.t);
        key.rotation[i] = scalar_lerp(a->rotation[i], b->rotation[i], span.t);
    }
    key.scale = scalar_lerp(a->scale, b->scale, span.t);
    key.opacity = scalar_lerp(a->opacity, b->opacity, span.t);
    return key;
}

Placement model_keys_placement(const ModelKey *key)
{
    Placement placement = {.scale = (float)key->scale};
    const Vec3 position = {key->position[0], key->position[1], key->position[2]};
    vec3_store(placement.position, position);
    quat_store(placement.rotation,
               quat_from_euler_yxz(key->rotation[0], key->rotation[1], key->rotation[2]));
    return placement;
}
