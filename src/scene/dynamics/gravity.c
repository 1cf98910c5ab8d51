#include "scene/dynamics/gravity.h"

#include <math.h>

#include "math/key_span.h"
#include "math/scalar.h"

/* Uniform in -1..1, from a frame and a coordinate (the finalizer of splitmix64). */
static double uniform(int64_t frame, uint64_t axis)
{
    uint64_t h = ((uint64_t)frame * 3 + axis + 1) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ (h >> 27)) * UINT64_C(0x94d049bb133111eb);
    h ^= h >> 31;
    return (double)(h >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

bool gravity_changes(const PhysicsSpec *spec)
{
    return spec->gravity_key_count > 0 || spec->gravity_noise > 0;
}

void gravity_at(float out[3], const PhysicsSpec *spec, double frame)
{
    const GravityKey *keys = spec->gravity_keys;
    double gravity[3] = {(double)spec->gravity[0], (double)spec->gravity[1],
                         (double)spec->gravity[2]};
    double noise = (double)spec->gravity_noise;
    if (spec->gravity_key_count) {
        const KeySpan span = key_span(keys, sizeof *keys, spec->gravity_key_count, frame);
        const GravityKey *a = &keys[span.left], *b = &keys[span.right];
        for (size_t i = 0; i < 3; i++)
            gravity[i] = scalar_lerp(a->gravity[i], b->gravity[i], span.t);
        noise = scalar_lerp(a->noise, b->noise, span.t);
    }
    for (size_t i = 0; i < 3; i++)
        out[i] = (float)(gravity[i] + noise * uniform((int64_t)floor(frame), i));
}
