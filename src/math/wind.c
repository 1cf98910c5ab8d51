// SPDX-License-Identifier: MIT
#include "math/wind.h"

#include <math.h>
#include <stdbool.h>

#include "math/scalar.h"

static const double GUST_LENGTH = 6;   /* MMD units */
static const double CHANGE = 0.7;      /* gusts a second at one place without wind */
static const double FINE_SHARE = 0.35; /* share of the second octave, half as long */

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

/* The values around a cell, kept from one point to the next: neighbours are mostly in one cell. */
typedef struct Cell {
    int64_t x, y, z;
    double corners[2][2][2]; /* [z][y][x] */
    bool known;
} Cell;

static void enter(Cell *cell, int64_t x, int64_t y, int64_t z)
{
    if (cell->known && cell->x == x && cell->y == y && cell->z == z)
        return;
    *cell = (Cell){.x = x, .y = y, .z = z, .known = true};
    for (int k = 0; k < 8; k++)
        cell->corners[k >> 2][k >> 1 & 1][k & 1] =
            lattice(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
}

/* Interpolated between the eight points around. */
static double value(Vec3 p, Cell *cell)
{
    const double fx = floor(p.x), fy = floor(p.y), fz = floor(p.z);
    const double u = eased(p.x - fx), v = eased(p.y - fy), w = eased(p.z - fz);
    double planes[2];

    enter(cell, (int64_t)fx, (int64_t)fy, (int64_t)fz);
    for (int k = 0; k < 2; k++)
        planes[k] = scalar_lerp(scalar_lerp(cell->corners[k][0][0], cell->corners[k][0][1], u),
                                scalar_lerp(cell->corners[k][1][0], cell->corners[k][1][1], u), v);
    return scalar_lerp(planes[0], planes[1], w);
}

/* The points move against the wind; diagonally through the lattice, so that a place without motion
 * sees changes, too. */
void gust_factors(double *out, const Vec3 *positions, size_t count, Vec3 wind, double time_s)
{
    const Vec3 shift = vec3_scale(wind, time_s);
    const Vec3 drift = {CHANGE * time_s, 0.6 * CHANGE * time_s, 0.4 * CHANGE * time_s};
    Cell coarse = {0}, fine = {0};

    for (size_t i = 0; i < count; i++) {
        const Vec3 p = vec3_add(vec3_scale(vec3_sub(positions[i], shift), 1 / GUST_LENGTH), drift);
        out[i] = (1 - FINE_SHARE) * value(p, &coarse) + FINE_SHARE * value(vec3_scale(p, 2), &fine);
    }
}
