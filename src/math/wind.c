#include "math/wind.h"

#include <math.h>
#include <stdint.h>

static const double GUST_LENGTH = 6;   /* MMD units */
static const double CHANGE = 0.7;      /* gusts a second at one place without wind */
static const double FINE_SHARE = 0.35; /* of the second octave, half as long */

/* A value of 0..1 for a point of the lattice. */
static double lattice(int64_t x, int64_t y, int64_t z)
{
    uint64_t h = UINT64_C(0x2545f4914f6cdd1d) + (uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) +
                 (uint64_t)y * UINT64_C(0xc2b2ae3d27d4eb4f) +
                 (uint64_t)z * UINT64_C(0x165667b19e3779f9);

    h ^= h >> 29;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    h ^= h >> 32;
    h *= UINT64_C(0x94d049bb133111eb);
    return (double)(h >> 40) / (double)(1 << 24);
}

static double eased(double t)
{
    return t * t * (3 - 2 * t);
}

static double mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

/* Interpolated between the eight points around. */
static double value(Vec3 p)
{
    const double fx = floor(p.x), fy = floor(p.y), fz = floor(p.z);
    const int64_t x = (int64_t)fx, y = (int64_t)fy, z = (int64_t)fz;
    const double u = eased(p.x - fx), v = eased(p.y - fy), w = eased(p.z - fz);
    double planes[2];

    for (int k = 0; k < 2; k++)
        planes[k] = mix(mix(lattice(x, y, z + k), lattice(x + 1, y, z + k), u),
                        mix(lattice(x, y + 1, z + k), lattice(x + 1, y + 1, z + k), u), v);
    return mix(planes[0], planes[1], w);
}

/* The point moves against the wind; diagonally through the lattice, so that a place without motion
 * sees changes, too. */
double wind_lull(Vec3 position, Vec3 wind, double time_s)
{
    const Vec3 moved = vec3_sub(position, vec3_scale(wind, time_s));
    const Vec3 drift = {CHANGE * time_s, 0.6 * CHANGE * time_s, 0.4 * CHANGE * time_s};
    const Vec3 p = vec3_add(vec3_scale(moved, 1 / GUST_LENGTH), drift);

    return (1 - FINE_SHARE) * value(p) + FINE_SHARE * value(vec3_scale(p, 2));
}
