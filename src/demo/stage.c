// SPDX-License-Identifier: MIT
#include "demo/stage.h"

#include <math.h>
#include <string.h>

enum { PICTURE_FLOOR, PICTURE_SKY, PICTURE_LANTERN, PICTURE_COUNT };

#define FLOOR_RADIUS 24.0f
#define SKY_RADIUS 160.0f

/* ---- paintings ---- */

/* Waves like scales: rows of arcs, each row shifted by half a scale.  Returns 0..1, 1 on a line. */
static float waves(float x, float y)
{
    for (int row = 0; row < 3; row++) { /* rows further down cover those above */
        const float at = floorf(y * 2.0f) - (float)row + 2.0f;
        const float shift = fmodf(fabsf(at), 2.0f) * 0.5f;
        const float dx = x + shift - floorf(x + shift) - 0.5f, dy = y - 0.5f * at;
        const float r = sqrtf(dx * dx + dy * dy);
        if (dy <= 0.0f && r < 0.5f)
            return paint_band(r, 0.43f, 0.5f, 0.012f) + paint_band(r, 0.27f, 0.31f, 0.012f) +
                   paint_band(r, 0.10f, 0.14f, 0.012f);
    }
    return 0.0f;
}

static vec4s floor_paint(float u, float v)
{
    const float x = 2.0f * u - 1.0f, y = 2.0f * v - 1.0f, r = sqrtf(x * x + y * y);
    vec4s color = paint_mix(0x9fb2ea, 0x6f7fca, smooth(0.1f, 1.0f, r));
    const float line = fminf(waves(x * 11.0f, y * 11.0f), 1.0f) * smooth(0.93f, 0.80f, r);

    color = paint_over(color, 0xc7d3fa, 0.55f * line);
    color = paint_over(color, 0xdfe6ff, 0.75f * paint_ellipse(x, y, 0.22f, 0.22f, 0.9f));
    for (int i = 0; i < 3; i++) {
        const float at = 0.30f + 0.26f * (float)i;
        color = paint_over(color, 0xf7e3b5, 0.9f * paint_band(r, at, at + 0.008f, 0.002f));
    }
    color = paint_over(color, 0x3f4a94, paint_band(r, 0.93f, 2.0f, 0.003f));
    return paint_over(color, 0xf5c34d, paint_band(r, 0.945f, 0.965f, 0.003f));
}

static float hill(float u, float size, float phase)
{
    return size * (0.5f + 0.3f * sinf(2.0f * GLM_PIf * (3.0f * u) + phase) +
                   0.2f * sinf(2.0f * GLM_PIf * (7.0f * u) + 2.1f * phase));
}

static float stars(float u, float v)
{
    const float x = u * 90.0f, y = v * 45.0f;
    const int cx = (int)floorf(x), cy = (int)floorf(y);
    const float dx = x - (float)cx - 0.2f - 0.6f * paint_noise(cx, cy);
    const float dy = y - (float)cy - 0.2f - 0.6f * paint_noise(cx + 500, cy);
    const float size = 0.03f + 0.07f * paint_noise(cx, cy + 500);

    return paint_noise(cx + 900, cy) < 0.45f ? paint_ellipse(dx, dy, size, size, 0.6f) : 0.0f;
}

/* u around, v from the zenith to below the horizon at 0.72. */
static vec4s sky(float u, float v)
{
    vec4s color = paint_mix(0x39439a, 0x7a70c4, smooth(0.0f, 0.38f, v));

    color = paint_over(color, 0xeea6c0, smooth(0.34f, 0.58f, v));
    color = paint_over(color, 0xffd9b0, smooth(0.54f, 0.70f, v));
    color = paint_over(color, 0xffffff, stars(u, v) * (1.0f - smooth(0.3f, 0.5f, v)));
    const float mx = (u - 0.60f) * 2.0f, my = v - 0.30f; /* a large moon, behind the stage */
    color = paint_over(color, 0xffe9c9, 0.55f * paint_ellipse(mx, my, 0.13f, 0.13f, 0.6f));
    color = paint_over(color, 0xfff8e4, paint_ellipse(mx, my, 0.085f, 0.085f, 0.02f));
    color = paint_over(color, 0xb98fc4, smooth(0.0f, 0.002f, v - 0.705f + hill(u, 0.040f, 1.0f)));
    color = paint_over(color, 0x8674b8, smooth(0.0f, 0.002f, v - 0.715f + hill(u, 0.026f, 4.0f)));
    return paint_over(color, 0x5d5fa8, smooth(0.70f, 0.80f, v));
}

/* v from the top; black rims, glowing paper between thin ribs, a red band. */
static vec4s lantern(float u, float v)
{
    const float rib = paint_band(v * 11.0f - floorf(v * 11.0f), 0.44f, 0.56f, 0.1f);
    const float glow = paint_ellipse(0.0f, v - 0.52f, 1.0f, 0.40f, 0.9f);
    vec4s color = paint_mix(0xf28a4a, 0xffefb4, glow);

    color = paint_over(color, 0xe8503f, paint_band(v, 0.40f, 0.60f, 0.01f));
    const float petal = u * 8.0f - floorf(u * 8.0f) - 0.5f;
    color = paint_over(color, 0xffefb4, paint_ellipse(petal, v - 0.5f, 0.16f, 0.045f, 0.15f));
    color = paint_over(color, 0xc9623a, 0.35f * rib);
    return paint_over(color, 0x3a2338, 1.0f - paint_band(v, 0.09f, 0.91f, 0.005f));
}

static const Painting PAINTINGS[PICTURE_COUNT] = {
    [PICTURE_FLOOR] = {"floor.png", 768, 768, floor_paint},
    [PICTURE_SKY] = {"sky.png", 1536, 512, sky},
    [PICTURE_LANTERN] = {"lantern.png", 128, 128, lantern},
};

const Paintings STAGE_PAINTINGS = {PAINTINGS, PICTURE_COUNT};

/* ---- geometry ---- */

static vec3s around(float angle, float radius, float y)
{
    return vec(radius * sinf(angle), y, radius * cosf(angle));
}

static void add_floor(Shape *shape)
{
    enum { SIDES = 96 };
    static const float ring[] = {0.0f, 0.5f, 1.0f};

    shape_begin(shape);
    for (int r = 0; r < 3; r++)
        for (int s = 0; s <= SIDES; s++) {
            const float angle = 2.0f * GLM_PIf * (float)(s % SIDES) / SIDES;
            const vec3s at = around(angle, FLOOR_RADIUS * ring[r], -0.02f);
            shape_point(shape, at, 0.5f + 0.5f * at.x / FLOOR_RADIUS,
                        0.5f - 0.5f * at.z / FLOOR_RADIUS, bind_one(0));
        }
    shape_grid(shape, 3, SIDES + 1);
    shape_end_sheet(shape, vec(0, 1, 0));
}

/* The side of the floor, and a wide plain far below it. */
static void add_base(Shape *shape)
{
    static const float profile[][2] = {{-0.06f, FLOOR_RADIUS},
                                       {-1.4f, FLOOR_RADIUS + 0.6f},
                                       {-1.5f, SKY_RADIUS},
                                       {-2.5f, SKY_RADIUS}};
    Ring rings[4];

    for (int i = 0; i < 4; i++)
        rings[i] =
            ring_flat(vec(0, profile[i][0], 0), profile[i][1], profile[i][1], 0, bind_one(0));
    shape_tube(shape, rings, 4, RING_MAX_SIDES);
}

/* A dome that is seen from inside; u = 0.5 is behind the stage (+z). */
static void add_sky(Shape *shape)
{
    enum { COLUMNS = 64, ROWS = 20 };

    shape_begin(shape);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c <= COLUMNS; c++) {
            const float v = (float)r / (ROWS - 1), up = GLM_PIf * 0.5f * (1.0f - v / 0.72f);
            const float angle = 2.0f * GLM_PIf * ((float)(c % COLUMNS) / COLUMNS - 0.5f);
            shape_point(shape, around(angle, SKY_RADIUS * cosf(up), SKY_RADIUS * sinf(up) - 2.0f),
                        (float)c / COLUMNS, v, bind_one(0));
        }
    shape_grid(shape, ROWS, COLUMNS + 1);
    shape_end_sheet(shape, vec(0, -1, 0));
}

static void add_lantern(Shape *shape, vec3s top)
{
    static const float profile[][2] = {{0.0f, 0.42f},  {0.08f, 0.45f}, {0.1f, 0.62f},  {0.2f, 0.9f},
                                       {0.35f, 1.06f}, {0.5f, 1.12f},  {0.65f, 1.06f}, {0.8f, 0.9f},
                                       {0.9f, 0.62f},  {0.92f, 0.45f}, {1.0f, 0.42f}};
    enum { RINGS = sizeof profile / sizeof *profile };
    Ring rings[RINGS];

    for (int i = 0; i < RINGS; i++)
        rings[i] = ring_flat(vec(top.x, top.y - 0.3f - 2.7f * profile[i][0], top.z), profile[i][1],
                             profile[i][1], profile[i][0], bind_one(0));
    shape_tube(shape, rings, RINGS, 20);
}

/* Posts around the back of the stage, with ropes between them and lanterns on the ropes. */
enum { POSTS = 5, LANTERNS_PER_ROPE = 4 };

static vec3s post_top(int i)
{
    return around(mix(-1.55f, 1.55f, (float)i / (POSTS - 1)), FLOOR_RADIUS + 3.0f, 17.0f);
}

static vec3s rope_point(int rope, float t)
{
    vec3s at = glms_vec3_lerp(post_top(rope), post_top(rope + 1), t);

    at.y -= 4.0f * 2.6f * t * (1.0f - t);
    return at;
}

static void add_rope(Shape *shape, int rope)
{
    enum { RINGS = 17 };
    Ring rings[RINGS];

    for (int i = 0; i < RINGS; i++)
        rings[i] =
            (Ring){.center = rope_point(rope, (float)i / (RINGS - 1)),
                   .x = vec(0, 0.07f, 0),
                   .y = glms_vec3_scale(
                       glms_vec3_normalize(vec(post_top(rope).x, 0, post_top(rope).z)), 0.07f),
                   .bind = bind_one(0)};
    shape_tube(shape, rings, RINGS, 6);
}

static void add_post(Shape *shape, int i)
{
    const vec3s top = post_top(i);
    const Ring rings[] = {ring_flat(vec(top.x, -2.0f, top.z), 0.4f, 0.4f, 0, bind_one(0)),
                          ring_flat(vec(top.x, 17.6f, top.z), 0.3f, 0.3f, 0, bind_one(0))};

    shape_tube(shape, rings, 2, 12);
    shape_ball(shape, vec(top.x, 17.8f, top.z), vec(0.55f, 0.55f, 0.55f), 14, bind_one(0));
}

void stage_material(Shape *shape, const char *name, const char *name_en, int texture,
                    unsigned color, int toon)
{
    PmxMaterial material = {.name = name,
                            .name_en = name_en,
                            .memo = "",
                            .diffuse = {0, 0, 0, 1},
                            .texture = texture,
                            .sphere_texture = PMX_NONE,
                            .toon = toon};

    memcpy(material.ambient, paint_color(color).raw, sizeof material.ambient);
    shape_material(shape, &material);
}

enum { MATERIAL_POSTS = 3 }; /* as build_mesh adds them; then the lanterns */

/* All but the posts and lanterns have no outline. */
static void add_outlines(Shape *shape)
{
    static const float color[] = {0.2f, 0.13f, 0.25f, 1.0f};

    for (size_t i = 0; i < shape->materials.count; i++) {
        PmxMaterial *material = &shape->materials.items[i];
        memcpy(material->edge_color, color, sizeof color);
        material->edge_size = i >= MATERIAL_POSTS ? 0.6f : 0.0f;
        material->flags = i >= MATERIAL_POSTS ? PMX_EDGE : 0;
    }
}

static void build_mesh(Shape *shape)
{
    add_sky(shape);
    stage_material(shape, "空", "sky", PICTURE_SKY, 0xffffff, PMX_NONE);
    add_base(shape);
    stage_material(shape, "台", "base", PMX_NONE, 0x59579f, PMX_NONE);
    add_floor(shape);
    stage_material(shape, "床", "floor", PICTURE_FLOOR, 0xffffff, PMX_NONE);
    for (int i = 0; i < POSTS; i++)
        add_post(shape, i);
    for (int i = 0; i + 1 < POSTS; i++)
        add_rope(shape, i);
    stage_material(shape, "柱", "posts", PMX_NONE, 0x8d3b52, PMX_NONE);
    for (int i = 0; i + 1 < POSTS; i++)
        for (int k = 0; k < LANTERNS_PER_ROPE; k++)
            add_lantern(shape, rope_point(i, ((float)k + 0.5f) / LANTERNS_PER_ROPE));
    stage_material(shape, "提灯", "lanterns", PICTURE_LANTERN, 0xffffff, PMX_NONE);
}

PmxModel stage_model(const char *name, const char *name_en, const Shape *shape, Paintings paintings)
{
    PmxModel model = shape_model(shape, name, name_en, paintings);

    model.bones = arena_array(shape->arena, PmxBone, 1);
    model.bone_count = 1;
    model.bones[0] = (PmxBone){.name = "センター",
                               .name_en = "center",
                               .parent = PMX_NONE,
                               .flags = PMX_BONE_ROTATABLE | PMX_BONE_MOVABLE | PMX_BONE_VISIBLE |
                                        PMX_BONE_OPERABLE,
                               .tail_bone = PMX_NONE,
                               .append_source = PMX_NONE};
    return model;
}

PmxModel stage_make(Arena *arena)
{
    Shape shape = shape_init(arena);

    build_mesh(&shape);
    add_outlines(&shape);
    return stage_model("舞台", "stage", &shape, STAGE_PAINTINGS);
}
