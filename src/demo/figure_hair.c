// SPDX-License-Identifier: MIT
#include "demo/figure_parts.h"

#include <math.h>

enum { LOCK_POINTS = 6, LOCK_RINGS = 22, LOCK_SIDES = 10, CHAIN_MAX = 6 };

/* Bones of a lock from its root to its tip, in equal lengths. */
typedef struct Chain {
    int count;
    int bones[CHAIN_MAX];
} Chain;

/* A flattened, pointed tube along a spline. */
typedef struct Lock {
    vec3s path[LOCK_POINTS];
    vec3s axis; /* the flat side faces away from the vertical line through (x, z) */
    float half_width, half_thickness;
    float root; /* its width at the root, as a part of the full width */
    Chain chain;
} Lock;

static Bind chain_bind(const Chain *chain, float t)
{
    const float at = t * (float)chain->count - 0.5f;
    const int a = (int)floorf(at), last = chain->count - 1;

    if (a < 0)
        return bind_one(chain->bones[0]);
    if (a >= last)
        return bind_one(chain->bones[last]);
    return bind_two(chain->bones[a], chain->bones[a + 1], 1.0f - smooth(0.1f, 0.9f, at - (float)a));
}

/* Full width at a third of the length, then tapering to a point. */
static float lock_width(const Lock *lock, float t)
{
    const float root = mix(lock->root, 1.0f, smooth(0.0f, 0.35f, t));
    return root * powf(fmaxf(1.0f - t * t * t * t, 0.0f), 0.9f) * mix(1.0f, 0.72f, t) + 0.012f;
}

static Ring lock_ring(const Lock *lock, int i)
{
    const float t = (float)i / (LOCK_RINGS - 1), s = t * (LOCK_POINTS - 1);
    const vec3s at = spline_point(lock->path, LOCK_POINTS, s);
    const vec3s along = glms_vec3_sub(spline_point(lock->path, LOCK_POINTS, s + 0.05f),
                                      spline_point(lock->path, LOCK_POINTS, s - 0.05f));
    const vec3s out = glms_vec3_sub(at, lock->axis);
    const vec3s across = glms_vec3_normalize(glms_vec3_cross(along, out));
    const vec3s face = glms_vec3_normalize(glms_vec3_cross(across, along));
    const float width = lock_width(lock, t);

    return (Ring){.center = at,
                  .x = glms_vec3_scale(across, width * lock->half_width),
                  .y = glms_vec3_scale(face, (0.35f + 0.65f * width) * lock->half_thickness *
                                                 powf(fmaxf(1.0f - t * t * t * t, 0.02f), 0.8f)),
                  .power = 1.7f,
                  .v = t,
                  .bind = chain_bind(&lock->chain, t)};
}

static void add_lock(Shape *shape, const Lock *lock)
{
    const size_t first = shape->vertices.count;
    Ring rings[LOCK_RINGS];

    for (int i = 0; i < LOCK_RINGS; i++)
        rings[i] = lock_ring(lock, i);
    shape_tube(shape, rings, LOCK_RINGS, LOCK_SIDES);
    for (size_t i = first; i < shape->vertices.count; i++) /* fine points need a fine outline */
        shape->vertices.items[i].edge_scale =
            mix(1.0f, 0.35f, smooth(0.7f, 1.0f, shape->vertices.items[i].uv[1]));
}

/* ---- cap ---- */

static float hairline(float theta)
{
    const float side = fabsf(theta);
    return mix(mix(44.0f, -12.0f, smooth(40.0f, 84.0f, side)), -46.0f, smooth(95.0f, 130.0f, side));
}

/* Strands: shallow grooves that run to the crown. */
static float cap_lift(float theta, float phi)
{
    return 0.085f + 0.010f * cosf(theta * GLM_PIf / 180.0f * 22.0f) * smooth(90.0f, 45.0f, phi);
}

static void add_cap(Shape *shape)
{
    enum { COLUMNS = 88, ROWS = 20, RIM = 2 };
    static const float rim[RIM] = {-0.04f, 0.05f};

    shape_begin(shape);
    for (int r = 0; r < ROWS + RIM; r++)
        for (int c = 0; c <= COLUMNS; c++) {
            const float theta = 360.0f * (float)(c % COLUMNS) / COLUMNS - 180.0f;
            const float up = r < RIM ? 0.0f : (float)(r - RIM + 1) / ROWS;
            const float phi = mix(hairline(theta), 90.0f, up);
            const float lift = r < RIM ? rim[r] : cap_lift(theta, phi);
            shape_point(shape, head_point(theta, phi, lift), 12.0f * (float)c / COLUMNS,
                        0.75f * (1.0f - up), bind_one(BONE_HEAD));
        }
    shape_grid(shape, ROWS + RIM, COLUMNS + 1);
    shape_end_closed(shape);
}

/* ---- locks ---- */

/* End of a fringe lock, in degrees, and its width. */
typedef struct FringeRow {
    float theta, phi, half_width;
} FringeRow;

static const FringeRow FRINGE[] = {
    {-58.0f, -6.0f, 0.40f}, {-44.0f, 4.0f, 0.42f}, {-30.0f, 10.0f, 0.44f}, {-17.0f, 4.0f, 0.42f},
    {-4.0f, 9.0f, 0.40f},   {9.0f, 1.0f, 0.42f},   {22.0f, 11.0f, 0.44f},  {35.0f, 8.0f, 0.44f},
    {48.0f, 3.0f, 0.42f},   {60.0f, -8.0f, 0.40f},
};

static void add_fringe(Shape *shape)
{
    for (size_t i = 0; i < sizeof FRINGE / sizeof *FRINGE; i++) {
        const FringeRow *row = &FRINGE[i];
        const float lift = i % 2 ? 0.10f : 0.125f; /* adjacent locks alternate in depth */
        const float sweep = i < 5 ? -3.0f : 3.0f;
        add_lock(shape,
                 &(Lock){.path = {head_point(row->theta * 0.30f, 78.0f, lift - 0.04f),
                                  head_point(row->theta * 0.62f, 60.0f, lift + 0.015f),
                                  head_point(row->theta * 0.86f, 44.0f, lift + 0.035f),
                                  head_point(row->theta, mix(row->phi, 44.0f, 0.5f), lift + 0.03f),
                                  head_point(row->theta + sweep * 0.3f, mix(row->phi, 44.0f, 0.2f),
                                             lift + 0.015f),
                                  head_point(row->theta + sweep, row->phi, lift)},
                         .axis = vec(0.0f, 12.6f, 0.0f),
                         .half_width = row->half_width,
                         .half_thickness = 0.15f,
                         .root = 0.5f,
                         .chain = {2, {BONE_HEAD, BONE_FRINGE}}});
    }
}

static void add_side_lock(Shape *shape, Side side, float theta, float width, float length)
{
    const float sign = side_sign(side);

    add_lock(shape, &(Lock){.path = {head_point(sign * theta * 0.8f, 62.0f, 0.09f),
                                     head_point(sign * theta, 24.0f, 0.14f),
                                     head_point(sign * (theta + 4.0f), -8.0f, 0.13f),
                                     vec(sign * 2.02f, 11.7f, -0.95f),
                                     vec(sign * 1.98f, 10.9f - 0.4f * length, -1.05f),
                                     vec(sign * 1.70f, 10.6f - length, -1.15f)},
                            .axis = vec(0.0f, 12.0f, 0.0f),
                            .half_width = width,
                            .half_thickness = 0.2f,
                            .root = 0.55f,
                            .chain = {4,
                                      {BONE_HEAD, BONE_HEAD, bone_of(PAIR_LOCK, side),
                                       bone_of((Pair)(PAIR_LOCK + 1), side)}}});
}

static void add_back(Shape *shape)
{
    enum { LOCKS = 13 };

    for (int i = 0; i < LOCKS; i++) {
        const float theta = mix(82.0f, 278.0f, (float)i / (LOCKS - 1));
        const float t = theta * GLM_PIf / 180.0f, s = sinf(t), c = -cosf(t);
        const float lift = i % 2 ? 0.0f : 0.03f, drop = i % 2 ? 0.15f : -0.1f;
        add_lock(shape, &(Lock){.path = {head_point(theta, 40.0f, 0.06f + lift),
                                         head_point(theta, 12.0f, 0.12f + lift),
                                         head_point(theta, -18.0f, 0.15f + lift),
                                         vec(1.93f * s, 11.3f - drop, 1.85f * c),
                                         vec(1.66f * s, 10.5f - drop, 1.62f * c + 0.1f),
                                         vec(1.62f * s, 10.0f - drop, 1.62f * c + 0.15f)},
                                .axis = vec(0.0f, 12.0f, 0.0f),
                                .half_width = 0.5f,
                                .half_thickness = 0.2f,
                                .root = 0.7f,
                                .chain = {1, {BONE_HEAD}}});
    }
}

/* The points of a tail: its bones and its tip. */
static vec3s tail_point(Side side, float s)
{
    vec3s line[TAIL_BONES + 1];

    for (int i = 0; i < TAIL_BONES; i++)
        line[i] = bone_position(bone_of((Pair)(PAIR_TAIL + i), side));
    line[TAIL_BONES] = vec(side_sign(side) * 3.2f, 6.3f, 0.85f);
    return spline_point(line, TAIL_BONES + 1, s);
}

/* Radius of a tail at s bones from its root. */
static float tail_radius(float s)
{
    return 0.16f + 0.62f * smooth(0.0f, 1.4f, s) - 0.45f * smooth(2.0f, 5.0f, s);
}

static void add_tail_lock(Shape *shape, Side side, float angle, float length, float width)
{
    Lock lock = {
        .half_width = width, .half_thickness = 0.34f, .root = 0.35f, .chain = {TAIL_BONES, {0}}};

    for (int i = 0; i < TAIL_BONES; i++)
        lock.chain.bones[i] = bone_of((Pair)(PAIR_TAIL + i), side);
    for (int i = 0; i < LOCK_POINTS; i++) {
        const float s = (float)i / (LOCK_POINTS - 1) * length;
        /* the locks wind around the tail slightly */
        const float direction = (angle + 14.0f * s) * GLM_PIf / 180.0f * side_sign(side);
        const float out = 0.62f * tail_radius(s);
        const vec3s off =
            vec(out * sinf(direction), 0.25f * out * cosf(direction), -out * cosf(direction));
        lock.path[i] = glms_vec3_add(tail_point(side, s), off);
    }
    lock.axis = glms_vec3_add(tail_point(side, 2.0f), vec(-side_sign(side) * 0.5f, 0.0f, 0.0f));
    add_lock(shape, &lock);
}

static void add_tail(Shape *shape, Side side)
{
    static const float angles[] = {20.0f, 80.0f, 140.0f, 200.0f, 260.0f, 320.0f};
    static const float lengths[] = {5.0f, 4.6f, 4.9f, 4.5f, 4.8f, 4.65f};

    for (int i = 0; i < 6; i++)
        add_tail_lock(shape, side, angles[i], lengths[i], i % 2 ? 0.46f : 0.52f);
}

/* A single strand that stands up from the crown. */
static void add_cowlick(Shape *shape)
{
    add_lock(shape, &(Lock){.path = {vec(0.05f, 15.5f, -0.2f), vec(0.1f, 15.95f, -0.25f),
                                     vec(0.3f, 16.3f, -0.45f), vec(0.65f, 16.45f, -0.65f),
                                     vec(1.0f, 16.3f, -0.85f), vec(1.2f, 15.98f, -0.95f)},
                            .axis = vec(0.4f, 15.0f, -0.3f),
                            .half_width = 0.2f,
                            .half_thickness = 0.09f,
                            .root = 0.6f,
                            .chain = {1, {BONE_HEAD}}});
}

void hair_add(Shape *shape)
{
    add_cap(shape);
    add_back(shape);
    for (Side side = LEFT; side <= RIGHT; side++) {
        add_tail(shape, side);
        add_side_lock(shape, side, 74.0f, 0.46f, 1.0f);
        add_side_lock(shape, side, 62.0f, 0.34f, 0.35f);
    }
    add_fringe(shape);
    add_cowlick(shape);
}

/* ---- bows ---- */

/* A leaf-shaped tube from `from` to `to`, flat towards `out`. */
static void add_leaf(Shape *shape, vec3s from, vec3s to, vec3s out, float half_width, bool pointed,
                     Bind bind)
{
    enum { RINGS = 17 };
    const vec3s along = glms_vec3_sub(to, from);
    const vec3s across = glms_vec3_normalize(glms_vec3_cross(along, out));
    const vec3s face = glms_vec3_normalize(glms_vec3_cross(across, along));
    Ring rings[RINGS];

    for (int i = 0; i < RINGS; i++) {
        const float t = (float)i / (RINGS - 1);
        const float round = sqrtf(fmaxf(1.0f - powf(2.0f * t - 1.0f, 4.0f), 0.0f));
        const float width = pointed ? mix(0.3f, 1.0f, t) : mix(0.3f, 1.0f, smooth(0, 0.75f, t));
        rings[i] = (Ring){
            .center = glms_vec3_lerp(from, to, t),
            .x = glms_vec3_scale(across, half_width * width * (pointed ? 1.0f : round) + 0.01f),
            .y = glms_vec3_scale(face, (pointed ? 0.06f : 0.42f * half_width * round) + 0.01f),
            .power = 2.4f,
            .v = t,
            .bind = bind};
    }
    shape_tube(shape, rings, RINGS, 14);
}

void bow_add(Shape *shape, vec3s at, vec3s out, float size, Bind bind)
{
    const vec3s up = vec(0, 1, 0);
    const vec3s right = glms_vec3_normalize(glms_vec3_cross(up, out));

    for (int i = 0; i < 2; i++) {
        const vec3s aside = glms_vec3_scale(right, i ? -size : size);
        const vec3s loop = glms_vec3_add(at, glms_vec3_add(aside, vec(0, 0.22f * size, 0)));
        const vec3s end = glms_vec3_add(
            at, glms_vec3_add(glms_vec3_scale(aside, 0.55f), vec(0, -1.25f * size, 0)));
        add_leaf(shape, at, loop, out, 0.55f * size, false, bind);
        add_leaf(shape, glms_vec3_sub(at, glms_vec3_scale(out, 0.04f)), end, out, 0.24f * size,
                 true, bind);
    }
    shape_ball(shape, glms_vec3_add(at, glms_vec3_scale(out, 0.1f * size)),
               vec(0.24f * size, 0.26f * size, 0.24f * size), 12, bind);
}

void hair_add_ribbons(Shape *shape)
{
    for (Side side = LEFT; side <= RIGHT; side++) {
        const vec3s tie = glms_vec3_add(tail_point(side, 0.12f), vec(0, 0.05f, -0.25f));
        bow_add(shape, tie, glms_vec3_normalize(vec(side_sign(side) * 0.75f, 0.1f, -0.75f)), 0.85f,
                bind_one(bone_of(PAIR_TAIL, side)));
    }
}
