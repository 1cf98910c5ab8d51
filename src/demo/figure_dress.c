// SPDX-License-Identifier: MIT
#include "demo/figure_parts.h"

#include <math.h>

enum { ROW_MAX = 16 };

/* A row of an outline: position along the body, half width and half depth. */
typedef struct Outline {
    float at, wide, deep;
} Outline;

typedef Ring LimbRing(Side side, float at, float radius);

static void add_limb_tube(Shape *shape, LimbRing *limb_ring, Side side, const Outline *rows,
                          int count)
{
    Ring rings[ROW_MAX];

    for (int i = 0; i < count; i++) {
        rings[i] = limb_ring(side, rows[i].at, rows[i].wide);
        rings[i].v = (float)i / (float)(count - 1);
    }
    shape_tube(shape, rings, count, limb_ring == arm_ring ? 28 : 24);
}

/* ---- trunk ---- */

static Bind trunk_bind(float y)
{
    if (y < 7.7f)
        return bind_two(BONE_LOWER, BONE_UPPER, 1.0f - smooth(7.0f, 7.6f, y));
    return bind_two(BONE_UPPER, BONE_UPPER2, 1.0f - smooth(7.9f, 8.9f, y));
}

static Ring trunk_ring(const Outline *row, float top, float bottom)
{
    Ring ring = ring_flat(vec(0.0f, row->at, 0.02f), row->wide, row->deep,
                          (top - row->at) / (top - bottom), trunk_bind(row->at));
    ring.power = 2.2f;
    return ring;
}

static void add_shorts(Shape *shape)
{
    static const Outline hips[] = {{7.3f, 0.70f, 0.56f}, {7.0f, 0.82f, 0.66f}, {6.6f, 0.98f, 0.78f},
                                   {6.2f, 1.00f, 0.78f}, {5.9f, 0.80f, 0.66f}, {5.72f, 0.4f, 0.4f}};
    static const Outline legs[] = {{6.5f, 0.60f, 0}, {6.1f, 0.64f, 0}, {5.8f, 0.635f, 0},
                                   {5.5f, 0.61f, 0}, {5.4f, 0.60f, 0}, {5.3f, 0.64f, 0},
                                   {5.26f, 0.56f, 0}};
    Ring rings[ROW_MAX];

    for (int i = 0; i < 6; i++)
        rings[i] = trunk_ring(&hips[i], 7.3f, 5.7f);
    shape_tube(shape, rings, 6, 32);
    for (Side side = LEFT; side <= RIGHT; side++)
        add_limb_tube(shape, leg_ring, side, legs, 7);
}

void dress_add_white(Shape *shape)
{
    static const Outline sock[] = {{4.52f, 0.47f, 0}, {4.47f, 0.515f, 0}, {4.2f, 0.495f, 0},
                                   {4.0f, 0.475f, 0}, {3.8f, 0.455f, 0},  {3.6f, 0.44f, 0},
                                   {3.4f, 0.44f, 0},  {3.1f, 0.45f, 0},   {2.75f, 0.455f, 0},
                                   {2.3f, 0.425f, 0}, {1.8f, 0.37f, 0},   {1.3f, 0.315f, 0},
                                   {0.95f, 0.29f, 0}, {0.6f, 0.28f, 0}};

    add_shorts(shape);
    for (Side side = LEFT; side <= RIGHT; side++)
        add_limb_tube(shape, leg_ring, side, sock, 14);
}

/* The blouse follows the shoulders slightly. */
static void soften_shoulders(Shape *shape, size_t first)
{
    for (size_t i = first; i < shape->vertices.count; i++) {
        PmxVertex *vertex = &shape->vertices.items[i];
        const float x = fabsf(vertex->position[0]), y = vertex->position[1];
        const float part = 0.55f * smooth(0.45f, 0.95f, x) * smooth(9.1f, 9.6f, y);
        if (part <= 0.0f)
            continue;
        vertex->deform = PMX_BDEF2;
        vertex->bones[0] = BONE_UPPER2;
        vertex->bones[1] = bone_of(PAIR_SHOULDER, vertex->position[0] > 0.0f ? LEFT : RIGHT);
        vertex->weights[0] = 1.0f - part;
        vertex->weights[1] = part;
    }
}

void dress_add_blouse(Shape *shape)
{
    static const Outline rows[] = {
        {6.95f, 0.80f, 0.64f},  {7.2f, 0.74f, 0.60f},  {7.45f, 0.73f, 0.59f}, {7.8f, 0.78f, 0.62f},
        {8.2f, 0.86f, 0.66f},   {8.6f, 0.93f, 0.71f},  {8.95f, 0.98f, 0.74f}, {9.25f, 1.01f, 0.72f},
        {9.5f, 1.00f, 0.66f},   {9.72f, 0.92f, 0.58f}, {9.88f, 0.78f, 0.52f}, {10.0f, 0.60f, 0.48f},
        {10.08f, 0.47f, 0.45f}, {10.12f, 0.40f, 0.40f}};
    const size_t first = shape->vertices.count;
    Ring rings[ROW_MAX];

    for (int i = 0; i < 14; i++) {
        rings[i] = trunk_ring(&rows[i], 10.12f, 6.95f);
        rings[i].v = 1.0f - (float)i / 13.0f; /* rows are closest at the flat shoulders */
    }
    shape_tube(shape, rings, 14, 48);
    soften_shoulders(shape, first);
}

void dress_add_sleeves(Shape *shape)
{
    static const Outline puff[] = {{-0.33f, 0.24f, 0}, {-0.28f, 0.36f, 0}, {-0.16f, 0.48f, 0},
                                   {0.0f, 0.565f, 0},  {0.2f, 0.625f, 0},  {0.4f, 0.65f, 0},
                                   {0.6f, 0.645f, 0},  {0.77f, 0.60f, 0},  {0.90f, 0.52f, 0},
                                   {0.99f, 0.42f, 0},  {1.06f, 0.33f, 0}};

    for (Side side = LEFT; side <= RIGHT; side++)
        add_limb_tube(shape, arm_ring, side, puff, 11);
}

void dress_add_trim(Shape *shape)
{
    static const Outline band[] = {{0.95f, 0.40f, 0},
                                   {0.97f, 0.43f, 0},
                                   {1.1f, 0.43f, 0},
                                   {1.13f, 0.40f, 0},
                                   {1.14f, 0.30f, 0}};
    static const Outline cuff[] = {{2.72f, 0.30f, 0}, {2.75f, 0.41f, 0}, {2.8f, 0.42f, 0},
                                   {3.05f, 0.33f, 0}, {3.3f, 0.285f, 0}, {3.38f, 0.28f, 0},
                                   {3.4f, 0.22f, 0}};
    static const Outline garter[] = {
        {4.30f, 0.49f, 0}, {4.28f, 0.53f, 0}, {4.14f, 0.525f, 0}, {4.12f, 0.48f, 0}};
    static const Outline collar[] = {{9.92f, 0.60f, 0.52f},  {9.96f, 0.62f, 0.55f},
                                     {10.12f, 0.52f, 0.49f}, {10.2f, 0.49f, 0.47f},
                                     {10.2f, 0.43f, 0.41f},  {10.05f, 0.4f, 0.4f}};
    Ring rings[ROW_MAX];

    for (Side side = LEFT; side <= RIGHT; side++) {
        add_limb_tube(shape, arm_ring, side, band, 5);
        add_limb_tube(shape, arm_ring, side, cuff, 7);
        add_limb_tube(shape, leg_ring, side, garter, 4);
    }
    for (int i = 0; i < 6; i++)
        rings[i] = trunk_ring(&collar[i], 10.3f, 9.9f);
    shape_tube(shape, rings, 6, 32);
}

/* ---- shoes ---- */

/* Sections from the heel to the toe: position on z, half width, height. */
static const Outline SHOE[] = {
    {0.60f, 0.14f, 0.42f},  {0.56f, 0.27f, 0.66f},  {0.44f, 0.36f, 0.84f},  {0.2f, 0.40f, 0.88f},
    {-0.05f, 0.41f, 0.80f}, {-0.3f, 0.42f, 0.62f},  {-0.55f, 0.44f, 0.54f}, {-0.8f, 0.45f, 0.52f},
    {-1.0f, 0.42f, 0.48f},  {-1.14f, 0.34f, 0.42f}, {-1.23f, 0.22f, 0.32f}, {-1.26f, 0.1f, 0.22f}};

enum { SHOE_ROWS = sizeof SHOE / sizeof *SHOE };

/* From y = bottom up; a sole has the same height everywhere. */
static void add_shoe_layer(Shape *shape, Side side, float bottom, float sole, float widen, float v)
{
    Ring rings[SHOE_ROWS];

    for (int i = 0; i < SHOE_ROWS; i++) {
        const float height = sole > 0.0f ? sole : SHOE[i].deep;
        const float x = bone_position(bone_of(PAIR_ANKLE, side)).x + side_sign(side) * 0.02f;
        rings[i] = (Ring){.center = vec(x, bottom + 0.5f * height, SHOE[i].at * (1.0f + widen)),
                          .x = vec(SHOE[i].wide + widen, 0, 0),
                          .y = vec(0, 0.5f * height, 0),
                          .power = sole > 0.0f ? 5.0f : 2.5f,
                          .v = v,
                          .bind = bind_two(bone_of(PAIR_ANKLE, side), bone_of(PAIR_TOE, side),
                                           smooth(-0.85f, -0.45f, SHOE[i].at))};
    }
    shape_tube(shape, rings, SHOE_ROWS, 22);
}

void dress_add_shoes(Shape *shape)
{
    for (Side side = LEFT; side <= RIGHT; side++) {
        add_shoe_layer(shape, side, 0.06f, 0.0f, 0.0f, 0.25f);
        add_shoe_layer(shape, side, 0.0f, 0.15f, 0.035f, 0.75f);
        const Outline strap[] = {
            {0.92f, 0.32f, 0}, {0.90f, 0.36f, 0}, {0.78f, 0.38f, 0}, {0.76f, 0.30f, 0}};
        add_limb_tube(shape, leg_ring, side, strap, 4);
    }
}

/* ---- skirt ---- */

typedef struct Skirt {
    float top, hem;          /* heights */
    float waist, waist_deep; /* half width and depth at the top */
    float hem_radius;
    float flare; /* shape of the outline: below 1 bulges, above 1 is a bell */
    int pleats;
    float depth; /* depth of the pleats at the hem */
    bool knife;  /* folded pleats, else soft waves */
} Skirt;

enum { PLEAT_POINTS = 6, SKIRT_RINGS = 15 };

static float pleat(const Skirt *skirt, int column)
{
    static const float folds[PLEAT_POINTS] = {-1.0f, -0.1f, 0.45f, 0.8f, 1.0f, -0.2f};

    if (skirt->knife)
        return folds[column % PLEAT_POINTS];
    return sinf(2.0f * GLM_PIf * (float)(column % PLEAT_POINTS) / PLEAT_POINTS);
}

static vec3s skirt_point(const Skirt *skirt, int column, float t, float inset)
{
    const int columns = skirt->pleats * PLEAT_POINTS;
    const float angle = 2.0f * GLM_PIf * (float)(column % columns) / (float)columns;
    const float spread = powf(t, skirt->flare);
    const float fold =
        skirt->depth * pleat(skirt, column) * smooth(0.0f, 1.0f, t) + 0.02f * pleat(skirt, column);
    const float wide = mix(skirt->waist, skirt->hem_radius, spread) + fold - inset;
    const float deep = mix(skirt->waist_deep, skirt->hem_radius, spread) + fold - inset;

    return vec(wide * sinf(angle), mix(skirt->top, skirt->hem, t), -deep * cosf(angle));
}

/* Two columns and two rows of bones move each vertex. */
static Bind skirt_bind(float angle_part, float t)
{
    const float at = angle_part * SKIRT_COLUMNS;
    const int column = (int)floorf(at);
    const float right = smooth(0.0f, 1.0f, at - (float)column);
    const float held = 1.0f - smooth(0.02f, 0.13f, t);
    const float low = smooth(0.35f, 0.65f, t);
    const int upper = held > 0.0f ? BONE_LOWER : bone_of_skirt(column, 1);
    Bind bind = {.deform = PMX_BDEF4,
                 .bones = {bone_of_skirt(column, 0), bone_of_skirt(column + 1, 0), upper,
                           held > 0.0f ? BONE_LOWER : bone_of_skirt(column + 1, 1)}};

    if (held > 0.0f) {
        bind.weights[2] = held;
        bind.weights[0] = (1.0f - held) * (1.0f - right);
        bind.weights[1] = (1.0f - held) * right;
        return bind;
    }
    bind.weights[0] = (1.0f - low) * (1.0f - right);
    bind.weights[1] = (1.0f - low) * right;
    bind.weights[2] = low * (1.0f - right);
    bind.weights[3] = low * right;
    return bind;
}

/* Cloth with an inside: down the outside, around the hem, up the inside, closed at the waist. */
static void add_skirt(Shape *shape, const Skirt *skirt)
{
    enum { ROWS = 2 * SKIRT_RINGS + 1 };
    const int columns = skirt->pleats * PLEAT_POINTS;

    shape_begin(shape);
    for (int r = 0; r < ROWS; r++) {
        const bool inside = r >= SKIRT_RINGS && r < 2 * SKIRT_RINGS;
        const int row = r == 2 * SKIRT_RINGS ? 0 : inside ? 2 * SKIRT_RINGS - 1 - r : r;
        const float t = (float)row / (SKIRT_RINGS - 1);
        for (int c = 0; c <= columns; c++) {
            const float u = (float)c / (float)columns;
            const Bind bind = skirt_bind(c == columns ? 0.0f : u, t);
            shape_point(shape, skirt_point(skirt, c, t, inside ? 0.06f : 0.0f), u,
                        inside ? 0.98f : 0.9f * t, bind);
        }
    }
    shape_grid(shape, ROWS, columns + 1);
    shape_end_closed(shape);
}

void dress_add_skirt(Shape *shape)
{
    add_skirt(shape, &(Skirt){.top = 7.42f,
                              .hem = 4.75f,
                              .waist = 0.78f,
                              .waist_deep = 0.64f,
                              .hem_radius = 2.45f,
                              .flare = 0.85f,
                              .pleats = 22,
                              .depth = 0.10f,
                              .knife = true});
}

void dress_add_petticoat(Shape *shape)
{
    add_skirt(shape, &(Skirt){.top = 7.2f,
                              .hem = 4.55f,
                              .waist = 0.70f,
                              .waist_deep = 0.56f,
                              .hem_radius = 2.22f,
                              .flare = 0.85f,
                              .pleats = 26,
                              .depth = 0.09f});
}

void dress_add_bows(Shape *shape)
{
    static const Outline belt[] = {{7.05f, 0.84f, 0.70f},
                                   {7.07f, 0.88f, 0.74f},
                                   {7.25f, 0.83f, 0.69f},
                                   {7.43f, 0.82f, 0.68f},
                                   {7.46f, 0.76f, 0.62f}};
    const Bind chest = bind_one(BONE_BOW), back = bind_one(BONE_LOWER);
    Ring rings[ROW_MAX];

    for (int i = 0; i < 5; i++) {
        rings[i] = trunk_ring(&belt[i], 7.5f, 7.0f);
        rings[i].bind = trunk_bind(7.3f);
    }
    shape_tube(shape, rings, 5, 36);
    bow_add(shape, vec(0.0f, 9.42f, -0.78f), vec(0.0f, 0.1f, -1.0f), 0.62f, chest);
    bow_add(shape, vec(0.0f, 7.35f, 0.82f), vec(0.0f, 0.25f, 1.0f), 1.25f, back);
}
