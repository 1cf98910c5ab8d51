// SPDX-License-Identifier: MIT
#include "demo/shape.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/weld.h"

Shape shape_init(Arena *arena)
{
    return (Shape){.arena = arena};
}

Bind bind_one(int bone)
{
    return (Bind){.deform = PMX_BDEF1, .bones = {bone}, .weights = {1.0f}};
}

Bind bind_two(int a, int b, float weight_a)
{
    if (weight_a >= 1.0f)
        return bind_one(a);
    if (weight_a <= 0.0f)
        return bind_one(b);
    return (Bind){.deform = PMX_BDEF2, .bones = {a, b}, .weights = {weight_a, 1.0f - weight_a}};
}

Ring ring_flat(vec3s center, float wide, float deep, float v, Bind bind)
{
    return (Ring){center, vec(wide, 0, 0), vec(0, 0, deep), .v = v, .bind = bind};
}

void shape_begin(Shape *shape)
{
    shape->part_vertex = shape->vertices.count;
    shape->part_index = shape->indices.count;
}

static void put(float out[3], vec3s value)
{
    memcpy(out, value.raw, sizeof value.raw);
}

uint32_t shape_point(Shape *shape, vec3s at, float u, float v, Bind bind)
{
    assert(isfinite(at.x) && isfinite(at.y) && isfinite(at.z));
    PmxVertex *vertex = arena_push(shape->arena, &shape->vertices);

    *vertex = (PmxVertex){.uv = {u, v}, .edge_scale = 1.0f, .deform = (uint8_t)bind.deform};
    put(vertex->position, at);
    for (int i = 0; i < PMX_MAX_WEIGHTS; i++) {
        vertex->bones[i] = bind.bones[i];
        vertex->weights[i] = bind.weights[i];
    }
    if (bind.deform == PMX_SDEF) {
        /* R0 and R1 are on both sides of C along the limb; equal ones would act as BDEF2. */
        const vec3s step = glms_vec3_scale(bind.sdef_axis, 0.1f);
        put(vertex->sdef_c, bind.sdef_center);
        put(vertex->sdef_r0, glms_vec3_add(bind.sdef_center, step));
        put(vertex->sdef_r1, glms_vec3_sub(bind.sdef_center, step));
    }
    return (uint32_t)(shape->vertices.count - 1);
}

static void add_triangle(Shape *shape, uint32_t a, uint32_t b, uint32_t c)
{
    *arena_push(shape->arena, &shape->indices) = a;
    *arena_push(shape->arena, &shape->indices) = b;
    *arena_push(shape->arena, &shape->indices) = c;
}

void shape_quad(Shape *shape, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    add_triangle(shape, a, b, c);
    add_triangle(shape, a, c, d);
}

void shape_grid(Shape *shape, int rows, int columns)
{
    for (int r = 0; r + 1 < rows; r++)
        for (int c = 0; c + 1 < columns; c++) {
            const uint32_t a = (uint32_t)shape->part_vertex + (uint32_t)(r * columns + c);
            const uint32_t d = a + (uint32_t)columns;
            shape_quad(shape, a, a + 1, d + 1, d);
        }
}

/* sign(x) |x|^e: the superellipse's cosine and sine */
static float bend(float x, float e)
{
    return copysignf(powf(fabsf(x), e), x);
}

static vec3s ring_point(const Ring *ring, int side, int sides)
{
    const float angle = 2.0f * GLM_PIf * (float)(side % sides) / (float)sides;
    const float e = ring->power > 0.0f ? 2.0f / ring->power : 1.0f;
    const vec3s x = glms_vec3_scale(ring->x, bend(cosf(angle), e));
    const vec3s y = glms_vec3_scale(ring->y, bend(sinf(angle), e));

    return glms_vec3_add(ring->center, glms_vec3_add(x, y));
}

/* The SDEF center of a ring is its own center. */
static Bind ring_bind(const Ring *ring)
{
    Bind bind = ring->bind;

    if (bind.deform == PMX_SDEF)
        bind.sdef_center = ring->center;
    return bind;
}

static void cap(Shape *shape, const Ring *ring, uint32_t first, int sides, bool flip)
{
    const uint32_t middle = shape_point(shape, ring->center, 0.5f, ring->v, ring_bind(ring));

    for (int s = 0; s < sides; s++) {
        const uint32_t a = first + (uint32_t)s;
        if (flip)
            add_triangle(shape, middle, a + 1, a);
        else
            add_triangle(shape, middle, a, a + 1);
    }
}

static vec3s position(const Shape *shape, uint32_t index)
{
    const float *p = shape->vertices.items[index].position;
    return vec(p[0], p[1], p[2]);
}

/* Twice the area, along the normal. */
static vec3s triangle_normal(const Shape *shape, const uint32_t *corner)
{
    const vec3s a = position(shape, corner[0]);

    return glms_vec3_cross(glms_vec3_sub(position(shape, corner[1]), a),
                           glms_vec3_sub(position(shape, corner[2]), a));
}

static void turn_part(Shape *shape)
{
    for (size_t i = shape->part_index; i < shape->indices.count; i += 3) {
        const uint32_t b = shape->indices.items[i + 1];
        shape->indices.items[i + 1] = shape->indices.items[i + 2];
        shape->indices.items[i + 2] = b;
    }
}

/* Points at the same position share the sum of their normals; a point without triangles gets +y. */
static void smooth_part(Shape *shape)
{
    enum { WORDS = 2 };
    PmxVertex *vertices = shape->vertices.items + shape->part_vertex;
    const size_t count = shape->vertices.count - shape->part_vertex;
    uint64_t(*keys)[WORDS] = arena_calloc(shape->arena, count, sizeof *keys);
    vec3s *sums = arena_array(shape->arena, vec3s, count);

    for (size_t i = shape->part_index; i < shape->indices.count; i += 3)
        for (int k = 0; k < 3; k++) {
            float *n = shape->vertices.items[shape->indices.items[i + (size_t)k]].normal;
            put(n, glms_vec3_add(vec(n[0], n[1], n[2]),
                                 triangle_normal(shape, &shape->indices.items[i])));
        }
    for (size_t i = 0; i < count; i++) {
        const float *p = vertices[i].position;
        const vec3s at = vec(p[0] + 0.0f, p[1] + 0.0f, p[2] + 0.0f); /* no -0 */
        memcpy(keys[i], at.raw, sizeof at.raw);
    }
    const uint32_t *first = weld_keys(keys[0], WORDS, (uint32_t)count, shape->arena);
    for (size_t i = 0; i < count; i++) {
        const float *n = vertices[i].normal;
        sums[first[i]] = glms_vec3_add(sums[first[i]], vec(n[0], n[1], n[2]));
    }
    for (size_t i = 0; i < count; i++) {
        const vec3s sum = sums[first[i]];
        put(vertices[i].normal,
            glms_vec3_norm2(sum) > 0.0f ? glms_vec3_normalize(sum) : vec(0.0f, 1.0f, 0.0f));
    }
}

/* Six times the volume between the part's triangles and a point: above 0 when they face away from
 * it. */
static float volume_around(const Shape *shape, vec3s point)
{
    float volume = 0.0f;

    for (size_t i = shape->part_index; i < shape->indices.count; i += 3) {
        const uint32_t *corner = &shape->indices.items[i];
        volume += glms_vec3_dot(glms_vec3_sub(position(shape, corner[0]), point),
                                triangle_normal(shape, corner));
    }
    return volume;
}

void shape_end_closed(Shape *shape)
{
    if (volume_around(shape, vec(0.0f, 0.0f, 0.0f)) < 0.0f)
        turn_part(shape);
    smooth_part(shape);
}

void shape_end_sheet(Shape *shape, vec3s towards)
{
    float facing = 0.0f;

    for (size_t i = shape->part_index; i < shape->indices.count; i += 3)
        facing += glms_vec3_dot(towards, triangle_normal(shape, &shape->indices.items[i]));
    if (facing < 0.0f)
        turn_part(shape);
    smooth_part(shape);
}

void shape_end_wall(Shape *shape, vec3s inside)
{
    if (volume_around(shape, inside) > 0.0f)
        turn_part(shape);
    smooth_part(shape);
}

void shape_tube(Shape *shape, const Ring *rings, int ring_count, int sides)
{
    assert(sides >= 3 && sides <= RING_MAX_SIDES && ring_count >= 2);
    const uint32_t first = (uint32_t)shape->vertices.count;

    shape_begin(shape);
    for (int r = 0; r < ring_count; r++)
        for (int s = 0; s <= sides; s++)
            shape_point(shape, ring_point(&rings[r], s, sides), (float)s / (float)sides, rings[r].v,
                        ring_bind(&rings[r]));
    shape_grid(shape, ring_count, sides + 1);
    cap(shape, &rings[0], first, sides, true);
    cap(shape, &rings[ring_count - 1], first + (uint32_t)((ring_count - 1) * (sides + 1)), sides,
        false);
    shape_end_closed(shape);
}

void shape_ball(Shape *shape, vec3s center, vec3s half, int sides, Bind bind)
{
    enum { RINGS = 11 };
    Ring rings[RINGS];

    for (int r = 0; r < RINGS; r++) {
        /* 0.05: the fans at both poles are small, and no ring is a single point */
        const float angle = GLM_PIf * mix(0.05f, 0.95f, (float)r / (RINGS - 1));
        const float across = sinf(angle);
        rings[r] = ring_flat(vec(center.x, center.y + half.y * cosf(angle), center.z),
                             half.x * across, half.z * across, (float)r / (RINGS - 1), bind);
    }
    shape_tube(shape, rings, RINGS, sides);
}

void shape_material(Shape *shape, const PmxMaterial *material)
{
    uint32_t first = 0;

    for (size_t i = 0; i < shape->materials.count; i++)
        first += shape->materials.items[i].index_count;
    PmxMaterial *added = arena_push(shape->arena, &shape->materials);
    *added = *material;
    added->first_index = first;
    added->index_count = (uint32_t)shape->indices.count - first;
}

PmxModel shape_model(const Shape *shape, const char *name, const char *name_en, Paintings paintings)
{
    const char **textures = arena_array(shape->arena, const char *, paintings.count);

    for (size_t i = 0; i < paintings.count; i++)
        textures[i] = paintings.items[i].file;
    return (PmxModel){.version = 2.0f,
                      .name = name,
                      .name_en = name_en,
                      .comment = "Made by code: the built-in demo of Odori",
                      .comment_en = "Made by code: the built-in demo of Odori",
                      .vertices = shape->vertices.items,
                      .vertex_count = (uint32_t)shape->vertices.count,
                      .indices = shape->indices.items,
                      .index_count = (uint32_t)shape->indices.count,
                      .textures = textures,
                      .texture_count = (uint32_t)paintings.count,
                      .materials = shape->materials.items,
                      .material_count = (uint32_t)shape->materials.count};
}

vec3s spline_point(const vec3s *points, int count, float s)
{
    const int at = (int)glm_clamp(floorf(s), 0.0f, (float)(count - 2));
    const float t = glm_clamp(s - (float)at, 0.0f, 1.0f);
    const vec3s p1 = points[at], p2 = points[at + 1];
    /* a straight continuation beyond the ends */
    const vec3s p0 = at > 0 ? points[at - 1] : glms_vec3_sub(glms_vec3_scale(p1, 2.0f), p2);
    const vec3s p3 = at + 2 < count ? points[at + 2] : glms_vec3_sub(glms_vec3_scale(p2, 2.0f), p1);
    const float w0 = t * (t * (2.0f - t) - 1.0f), w1 = t * t * (3.0f * t - 5.0f) + 2.0f;
    const float w2 = t * (t * (4.0f - 3.0f * t) + 1.0f), w3 = t * t * (t - 1.0f);
    const vec3s near = glms_vec3_add(glms_vec3_scale(p1, w1), glms_vec3_scale(p2, w2));
    const vec3s far = glms_vec3_add(glms_vec3_scale(p0, w0), glms_vec3_scale(p3, w3));

    return glms_vec3_scale(glms_vec3_add(near, far), 0.5f);
}
