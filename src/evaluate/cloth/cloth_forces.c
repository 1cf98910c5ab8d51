// SPDX-License-Identifier: MIT
#include "evaluate/cloth/cloth_forces.h"

#include <math.h>
#include <string.h>

enum {
    BLOCK = 8,  /* springs or faces whose forces are computed side by side */
    MIN_RUN = 4 /* with consecutive masses: fewer are gathered by number */
};

/* Squares of lengths are this much larger, so that nothing is divided by 0. */
static const float MIN_SQUARE = 1e-24F;

/* The forces depend on these values; each is an array. */
enum { X, Y, Z, SPEED_X, SPEED_Y, SPEED_Z, GUST, LANES };

/* Lane n starts at values + n * stride. */
typedef struct Lanes {
    const float *values;
    size_t stride;
} Lanes;

/* Unused places at the end have no stiffness and no damping. */
typedef struct SpringBlock {
    uint32_t a[BLOCK], b[BLOCK];
    float rest[BLOCK], stiffness[BLOCK], damping[BLOCK];
    uint32_t count;
    bool consecutive; /* a[i] is a[0] + i, and b[i] is b[0] + i */
} SpringBlock;

typedef struct FaceBlock {
    uint32_t corners[3][BLOCK];
    float used[BLOCK]; /* 1, or 0 in unused places */
    uint32_t count;
    bool consecutive;
} FaceBlock;

typedef struct Push {
    float x[BLOCK], y[BLOCK], z[BLOCK];
} Push;

struct ClothForces {
    const ClothTopology *topology;
    SpringBlock *springs;
    FaceBlock *faces;
    uint32_t spring_blocks, face_blocks;
    double *gusts; /* [mass_count] */
    float *lanes;  /* [LANES][stride] positions from that of the middle mass, velocities, gusts */
    size_t stride; /* mass_count, and zeros for a block that ends behind them */
    float *fx, *fy, *fz; /* [stride] forces of springs and air */
};

/* ---- blocks ---- */

/* How many springs from the first on have consecutive masses, at most a block. */
static uint32_t spring_run(const ClothSpring *springs, uint32_t count)
{
    uint32_t n = 1;
    while (n < count && n < BLOCK && springs[n].a == springs[0].a + n &&
           springs[n].b == springs[0].b + n)
        n++;
    return n;
}

static void add_spring(SpringBlock *block, const ClothSpring *spring)
{
    const uint32_t i = block->count++;
    block->a[i] = spring->a;
    block->b[i] = spring->b;
    block->rest[i] = (float)spring->rest;
    block->stiffness[i] = (float)spring->stiffness;
    block->damping[i] = (float)spring->damping;
}

/* Springs in runs, then all others. */
static void group_springs(ClothForces *forces, Arena *arena)
{
    const ClothTopology *topology = forces->topology;
    const uint32_t count = topology->spring_count;
    Arena *scratch = arena_create();
    uint32_t *others = arena_array(scratch, uint32_t, count), other_count = 0;
    SpringBlock *blocks = arena_array(arena, SpringBlock, (size_t)count / MIN_RUN + 1);
    uint32_t used = 0;

    for (uint32_t i = 0, n; i < count; i += n) {
        n = spring_run(&topology->springs[i], count - i);
        blocks[used].consecutive = n >= MIN_RUN;
        for (uint32_t k = 0; k < n; k++)
            if (n >= MIN_RUN)
                add_spring(&blocks[used], &topology->springs[i + k]);
            else
                others[other_count++] = i + k;
        used += n >= MIN_RUN;
    }
    for (uint32_t i = 0; i < other_count; i++)
        add_spring(&blocks[used + i / BLOCK], &topology->springs[others[i]]);
    forces->springs = blocks;
    forces->spring_blocks = used + (other_count + BLOCK - 1) / BLOCK;
    arena_destroy(scratch);
}

static uint32_t face_run(const uint32_t (*faces)[3], uint32_t count)
{
    uint32_t n = 1;
    while (n < count && n < BLOCK && faces[n][0] == faces[0][0] + n &&
           faces[n][1] == faces[0][1] + n && faces[n][2] == faces[0][2] + n)
        n++;
    return n;
}

static void add_face(FaceBlock *block, const uint32_t face[3])
{
    const uint32_t i = block->count++;
    for (int k = 0; k < 3; k++)
        block->corners[k][i] = face[k];
    block->used[i] = 1;
}

static void group_faces(ClothForces *forces, Arena *arena)
{
    const ClothTopology *topology = forces->topology;
    const uint32_t(*faces)[3] = (const uint32_t(*)[3])topology->faces;
    const uint32_t count = topology->face_count;
    Arena *scratch = arena_create();
    uint32_t *others = arena_array(scratch, uint32_t, count), other_count = 0;
    FaceBlock *blocks = arena_array(arena, FaceBlock, (size_t)count / MIN_RUN + 1);
    uint32_t used = 0;

    for (uint32_t i = 0, n; i < count; i += n) {
        n = face_run(&faces[i], count - i);
        blocks[used].consecutive = n >= MIN_RUN;
        for (uint32_t k = 0; k < n; k++)
            if (n >= MIN_RUN)
                add_face(&blocks[used], faces[i + k]);
            else
                others[other_count++] = i + k;
        used += n >= MIN_RUN;
    }
    for (uint32_t i = 0; i < other_count; i++)
        add_face(&blocks[used + i / BLOCK], faces[others[i]]);
    forces->faces = blocks;
    forces->face_blocks = used + (other_count + BLOCK - 1) / BLOCK;
    arena_destroy(scratch);
}

/* The values of the masses of a block: where they are if their numbers are consecutive, otherwise
 * gathered. */
static Lanes lanes_of(float gathered[LANES * BLOCK], const ClothForces *forces,
                      const uint32_t masses[BLOCK], bool consecutive)
{
    if (consecutive)
        return (Lanes){forces->lanes + masses[0], forces->stride};
    for (size_t n = 0; n < LANES; n++)
        for (size_t i = 0; i < BLOCK; i++)
            gathered[n * BLOCK + i] = forces->lanes[n * forces->stride + masses[i]];
    return (Lanes){gathered, BLOCK};
}

/* values += sign * push, of a block */
static void add_values(float *restrict values, const float *restrict push, float sign)
{
    for (int i = 0; i < BLOCK; i++)
        values[i] += sign * push[i];
}

/* Adds to the forces on the masses of a block, times a sign; unused places push by 0. */
static void add_push(ClothForces *forces, const uint32_t masses[BLOCK], bool consecutive,
                     const Push *push, float sign)
{
    const uint32_t first = masses[0];

    if (consecutive) {
        add_values(forces->fx + first, push->x, sign);
        add_values(forces->fy + first, push->y, sign);
        add_values(forces->fz + first, push->z, sign);
        return;
    }
    for (uint32_t i = 0; i < BLOCK; i++) {
        const uint32_t m = masses[i];
        forces->fx[m] += sign * push->x[i];
        forces->fy[m] += sign * push->y[i];
        forces->fz[m] += sign * push->z[i];
    }
}

/* ---- forces ---- */

/* k (|x| - x0) + c (dv . x / |x|), along x / |x|; none without length. */
static void find_pulls(Push *restrict out, const SpringBlock *s, Lanes a, Lanes b)
{
    const float *p = a.values, *q = b.values;
    const size_t n = a.stride;

    for (size_t i = 0; i < BLOCK; i++) {
        const float dx = q[i] - p[i], dy = q[Y * n + i] - p[Y * n + i],
                    dz = q[Z * n + i] - p[Z * n + i];
        const float along = dx * (q[SPEED_X * n + i] - p[SPEED_X * n + i]) +
                            dy * (q[SPEED_Y * n + i] - p[SPEED_Y * n + i]) +
                            dz * (q[SPEED_Z * n + i] - p[SPEED_Z * n + i]);
        const float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + MIN_SQUARE);
        const float pull = s->stiffness[i] * (1 - s->rest[i] * inverse) +
                           s->damping[i] * along * (inverse * inverse);
        out->x[i] = dx * pull;
        out->y[i] = dy * pull;
        out->z[i] = dz * pull;
    }
}

static void add_springs(ClothForces *forces)
{
    float at_a[LANES * BLOCK], at_b[LANES * BLOCK];
    Push push;

    for (uint32_t n = 0; n < forces->spring_blocks; n++) {
        const SpringBlock *s = &forces->springs[n];
        find_pulls(&push, s, lanes_of(at_a, forces, s->a, s->consecutive),
                   lanes_of(at_b, forces, s->b, s->consecutive));
        add_push(forces, s->a, s->consecutive, &push, 1);
        add_push(forces, s->b, s->consecutive, &push, -1);
    }
}

/* Wind across faces, a third of the force for each corner.  share: of the product of the area,
 * twice, and the sum of the speeds of the corners. */
static void find_winds(Push *restrict out, const FaceBlock *face, const Lanes corners[3],
                       const float wind[3], float share)
{
    const float *p = corners[0].values, *q = corners[1].values, *r = corners[2].values;
    const size_t n = corners[0].stride;

    for (size_t i = 0; i < BLOCK; i++) {
        const size_t y = Y * n + i, z = Z * n + i, g = GUST * n + i;
        const size_t vx = SPEED_X * n + i, vy = SPEED_Y * n + i, vz = SPEED_Z * n + i;
        const float ux = q[i] - p[i], uy = q[y] - p[y], uz = q[z] - p[z];
        const float wx = r[i] - p[i], wy = r[y] - p[y], wz = r[z] - p[z];
        const float nx = uy * wz - uz * wy, ny = uz * wx - ux * wz, nz = ux * wy - uy * wx;
        const float gust = p[g] + q[g] + r[g];
        const float ax = wind[0] * gust - (p[vx] + q[vx] + r[vx]);
        const float ay = wind[1] * gust - (p[vy] + q[vy] + r[vy]);
        const float az = wind[2] * gust - (p[vz] + q[vz] + r[vz]);
        const float push = share * face->used[i] * (nx * ax + ny * ay + nz * az) /
                           sqrtf(nx * nx + ny * ny + nz * nz + MIN_SQUARE);
        out->x[i] = nx * push;
        out->y[i] = ny * push;
        out->z[i] = nz * push;
    }
}

static void add_air(ClothForces *forces)
{
    const ClothTuning *tuning = &forces->topology->tuning;
    const float share =
        (float)(tuning->air / 18); /* half, a third for the mean, a third for each */
    float wind[3], at[3][LANES * BLOCK];
    Lanes corners[3];
    Push push;

    vec3_store(wind, tuning->wind);
    for (uint32_t n = 0; share > 0 && n < forces->face_blocks; n++) {
        const FaceBlock *f = &forces->faces[n];
        for (int k = 0; k < 3; k++)
            corners[k] = lanes_of(at[k], forces, f->corners[k], f->consecutive);
        find_winds(&push, f, corners, wind, share);
        for (int k = 0; k < 3; k++)
            add_push(forces, f->corners[k], f->consecutive, &push, 1);
    }
}

/* Positions, relative to that of the middle mass, and velocities. */
static void spread(ClothForces *forces, const Vec3 *x, const Vec3 *v)
{
    const size_t stride = forces->stride;
    const uint32_t count = forces->topology->mass_count;
    const Vec3 origin = x[count / 2];
    float *out = forces->lanes;

    for (uint32_t i = 0; i < count; i++, out++) {
        out[X] = (float)(x[i].x - origin.x);
        out[Y * stride] = (float)(x[i].y - origin.y);
        out[Z * stride] = (float)(x[i].z - origin.z);
        out[SPEED_X * stride] = (float)v[i].x;
        out[SPEED_Y * stride] = (float)v[i].y;
        out[SPEED_Z * stride] = (float)v[i].z;
    }
}

/* ---- public functions ---- */

void cloth_forces_set_gusts(ClothForces *forces, const double *gusts)
{
    for (uint32_t i = 0; i < forces->topology->mass_count; i++) {
        forces->gusts[i] = gusts[i];
        forces->lanes[GUST * forces->stride + i] = (float)gusts[i];
    }
}

ClothForces *cloth_forces_create(const ClothTopology *topology, Arena *arena)
{
    ClothForces *forces = arena_alloc(arena, sizeof *forces);
    const size_t stride = (size_t)topology->mass_count + BLOCK;

    *forces = (ClothForces){.topology = topology,
                            .gusts = arena_array(arena, double, topology->mass_count),
                            .lanes = arena_calloc(arena, LANES * sizeof(float), stride),
                            .stride = stride,
                            .fx = arena_array(arena, float, stride),
                            .fy = arena_array(arena, float, stride),
                            .fz = arena_array(arena, float, stride)};
    for (uint32_t i = 0; i < topology->mass_count; i++)
        forces->gusts[i] = 1;
    cloth_forces_set_gusts(forces, forces->gusts);
    group_springs(forces, arena);
    group_faces(forces, arena);
    return forces;
}

void cloth_forces_find(Vec3 *out, ClothForces *forces, Vec3 gravity, const Vec3 *x, const Vec3 *v)
{
    const ClothTuning *tuning = &forces->topology->tuning;
    const Vec3 weight = vec3_scale(gravity, tuning->mass), wind = tuning->wind;
    const double drag = tuning->drag;
    const size_t bytes = forces->stride * sizeof(float);

    spread(forces, x, v);
    memset(forces->fx, 0, bytes);
    memset(forces->fy, 0, bytes);
    memset(forces->fz, 0, bytes);
    add_springs(forces);
    add_air(forces);
    for (uint32_t i = 0; i < forces->topology->mass_count; i++) {
        const double gust = forces->gusts[i];
        out[i].x = weight.x + drag * (wind.x * gust - v[i].x) + (double)forces->fx[i];
        out[i].y = weight.y + drag * (wind.y * gust - v[i].y) + (double)forces->fy[i];
        out[i].z = weight.z + drag * (wind.z * gust - v[i].z) + (double)forces->fz[i];
    }
}
