#include "scene/model_keys.h"

#include "math/key_span.h"
#include "math/scalar.h"

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
