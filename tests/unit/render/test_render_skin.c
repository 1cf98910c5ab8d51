// SPDX-License-Identifier: MIT
/* Skinning on the GL against skin_model, for every kind of deformation, with more than 64 bones. */

#include <math.h>
#include <string.h>

#include "model_fixture.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "skin_model.h"
#include "unit_test.h"

enum { BONES = 500, VERTICES = 2000, MORPHS = 3, MORPHED = 40, DEFORMS = 5 };
static const float TOLERANCE = 1e-4f; /* model units */

/* xorshift: the same numbers on every machine; 0..1 */
static float random_unit(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return (float)(*seed >> 8) / (float)(1 << 24);
}

static float random_in(uint32_t *seed, float low, float high)
{
    return low + (high - low) * random_unit(seed);
}

static uint32_t random_index(uint32_t *seed, uint32_t count)
{
    return (uint32_t)(random_unit(seed) * (float)count) % count;
}

static void random_point(float out[3], uint32_t *seed, float size)
{
    for (int i = 0; i < 3; i++)
        out[i] = random_in(seed, -size, size);
}

static void random_rotation(float out[4], uint32_t *seed)
{
    float length = 0;

    for (int i = 0; i < 4; i++) {
        out[i] = random_in(seed, -1, 1);
        length += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] /= sqrtf(length);
}

static PmxVertex random_vertex(uint32_t *seed, PmxDeform deform)
{
    static const int slots[DEFORMS] = {1, 2, 4, 2, 4};
    PmxVertex v = fixture_vertex(0, 0, 0, 0);
    float sum = 0;

    random_point(v.position, seed, 10);
    v.deform = (uint8_t)deform;
    for (int i = 0; i < slots[deform]; i++) {
        v.bones[i] = (int32_t)random_index(seed, BONES);
        v.weights[i] = random_unit(seed) + 0.01f;
        sum += v.weights[i];
    }
    for (int i = 0; i < slots[deform]; i++)
        v.weights[i] /= sum;
    random_point(v.sdef_c, seed, 10);
    random_point(v.sdef_r0, seed, 10);
    random_point(v.sdef_r1, seed, 10);
    return v;
}

static void add_morphs(PmxModel *m, uint32_t *seed, Arena *arena)
{
    m->morphs = arena_array(arena, PmxMorph, MORPHS);
    m->morph_count = MORPHS;
    for (int i = 0; i < MORPHS; i++) {
        PmxVertexOffset *offsets = arena_array(arena, PmxVertexOffset, MORPHED);

        for (int k = 0; k < MORPHED; k++) {
            offsets[k].vertex = random_index(seed, VERTICES);
            random_point(offsets[k].offset, seed, 1);
        }
        m->morphs[i] = (PmxMorph){.name = "",
                                  .name_en = "",
                                  .type = PMX_MORPH_VERTEX,
                                  .count = MORPHED,
                                  .offsets.vertex = offsets};
    }
}

/* deform DEFORMS: all kinds mixed */
static PmxModel random_model(uint32_t *seed, int deform, Arena *arena)
{
    PmxModel m = fixture_empty();

    m.bones = arena_array(arena, PmxBone, BONES);
    m.bone_count = BONES;
    for (int i = 0; i < BONES; i++)
        m.bones[i] = fixture_bone("", PMX_NONE, random_in(seed, -10, 10), random_in(seed, 0, 20),
                                  random_in(seed, -10, 10));
    m.vertices = arena_array(arena, PmxVertex, VERTICES);
    m.vertex_count = VERTICES;
    for (uint32_t i = 0; i < VERTICES; i++)
        m.vertices[i] = random_vertex(seed, deform == DEFORMS ? random_index(seed, DEFORMS)
                                                              : (PmxDeform)deform);
    m.indices = arena_array(arena, uint32_t, VERTICES);
    m.index_count = VERTICES;
    for (uint32_t i = 0; i < VERTICES; i++)
        m.indices[i] = random_index(seed, VERTICES);
    m.materials = arena_array(arena, PmxMaterial, 1);
    m.materials[0] = fixture_material("all", 0, VERTICES);
    m.material_count = 1;
    add_morphs(&m, seed, arena);
    return m;
}

static void random_pose(ModelState *state, uint32_t *seed)
{
    for (int i = 0; i < BONES; i++) {
        random_point(state->bones[i].position, seed, 20);
        random_rotation(state->bones[i].rotation, seed);
    }
    if (random_unit(seed) < 0.5f) /* nearly equal rotations, for which slerp is linear */
        state->bones[1] = state->bones[0];
    for (int i = 0; i < MORPHS; i++)
        state->leaf_weights[i] = random_unit(seed) < 0.5f ? 0.0f : random_in(seed, -1, 2);
}

static float largest_difference(const float (*a)[3], const float (*b)[3])
{
    float largest = 0;

    for (int i = 0; i < VERTICES; i++)
        for (int k = 0; k < 3; k++) {
            const float difference = fabsf(a[i][k] - b[i][k]);

            largest = difference >= largest || isnan(difference) ? difference : largest;
        }
    return largest;
}

static Renderer *make_sized_renderer(const Scene *scene, int side)
{
    const RenderOptions options = {.width = side, .height = side, .samples = 1, .supersample = 1};
    Diag diag;

    diag_init(&diag, NULL, NULL);
    Renderer *renderer = renderer_create(scene, &options, &diag);
    assert_non_null(renderer);
    return renderer;
}

static Renderer *make_renderer(const Scene *scene)
{
    return make_sized_renderer(scene, 8);
}

static void test_gl_equals_cpu(void **unused)
{
    static const char *const names[] = {"BDEF1", "BDEF2", "BDEF4", "SDEF", "QDEF", "mixed"};
    static float gpu[VERTICES][3], cpu[VERTICES][3];
    (void)unused;
    Diag diag;

    diag_init(&diag, NULL, NULL);
    for (int deform = 0; deform <= DEFORMS; deform++) {
        RenderFixture fixture = {.arena = arena_create()};
        uint32_t seed = 1 + (uint32_t)deform;

        render_fixture_add(&fixture, random_model(&seed, deform, fixture.arena), NULL);
        FrameState *state = render_fixture_rest(&fixture);
        Renderer *renderer = make_renderer(&fixture.scene);
        for (int pose = 0; pose < 4; pose++) {
            random_pose(&state->models[0], &seed);
            skin_model(cpu, NULL, &fixture.models[0], &state->models[0]);
            assert_true(renderer_skin_positions(gpu, renderer, state, 0, &diag));

            const float difference = largest_difference(gpu, cpu);
            if (!(difference <= TOLERANCE))
                fail_msg("%s, pose %d: %g units", names[deform], pose, (double)difference);
        }
        renderer_destroy(renderer);
        arena_destroy(fixture.arena);
    }
}

enum { FRAMES = 6, SIDE = 32 };

/* Depth and motion of a frame, bytes of one image after the other. */
typedef struct Vectors {
    float depth[SIDE * SIDE], motion[SIDE * SIDE][4];
} Vectors;

static void draw_vectors(Vectors *out, Renderer *renderer, FrameState *const frames[], int number)
{
    GeometryImage image = {.depth = out->depth, .motion = out->motion};
    Diag diag;

    diag_init(&diag, NULL, NULL);
    memset(out, 0, sizeof *out);
    render_prepare(renderer, frames[number]);
    render_set_moments(renderer, frames[number > 0 ? number - 1 : 0],
                       frames[number < FRAMES - 1 ? number + 1 : number]);
    assert_true(render_geometry(&image, renderer, GEOMETRY_DEPTH | GEOMETRY_MOTION, &diag));
}

/* Two models in random poses; in some frames one stays as it was before, or is hidden. */
static void make_frames(FrameState *frames[FRAMES], RenderFixture *fixture, uint32_t *seed)
{
    for (int i = 0; i < FRAMES; i++) {
        frames[i] = render_fixture_rest(fixture);
        frames[i]->camera =
            (CameraState){.distance = -90 + (float)i, .fov_deg = 40, .rotation = {0, 0.1f, 0}};
        for (int model = 0; model < 2; model++)
            random_pose(&frames[i]->models[model], seed);
    }
    frames[2]->models[0] = frames[1]->models[0];
    frames[4]->models[1].visible = false;
    frames[5]->models[0] = frames[0]->models[0];
}

/* What is left of other moments does not change a bit, in whatever order frames are drawn. */
static void test_motion_in_any_order(void **unused)
{
    static const int order[] = {0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0, 2, 4, 1, 3, 5, 0, 5, 1, 1, 4, 2};
    static Vectors fresh[FRAMES], vectors;
    (void)unused;
    RenderFixture fixture = {.arena = arena_create()};
    FrameState *frames[FRAMES];
    uint32_t seed = 5;

    for (int i = 0; i < 2; i++)
        render_fixture_add(&fixture, random_model(&seed, DEFORMS, fixture.arena), NULL);
    make_frames(frames, &fixture, &seed);
    for (int i = 0; i < FRAMES; i++) {
        Renderer *renderer = make_sized_renderer(&fixture.scene, SIDE);
        draw_vectors(&fresh[i], renderer, frames, i);
        renderer_destroy(renderer);
    }
    for (int i = 1; i < FRAMES; i++)
        assert_memory_not_equal(&fresh[i], &fresh[i - 1], sizeof *fresh);
    Renderer *renderer = make_sized_renderer(&fixture.scene, SIDE);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        draw_vectors(&vectors, renderer, frames, order[i]);
        if (memcmp(&vectors, &fresh[order[i]], sizeof vectors) != 0)
            fail_msg("frame %d, drawn as number %zu, differs", order[i], i);
    }
    renderer_destroy(renderer);
    arena_destroy(fixture.arena);
}

/* At rest every kind of deformation returns the positions of the file. */
static void test_rest(void **unused)
{
    static float gpu[VERTICES][3];
    (void)unused;
    RenderFixture fixture = {.arena = arena_create()};
    uint32_t seed = 77;
    Diag diag;

    diag_init(&diag, NULL, NULL);
    render_fixture_add(&fixture, random_model(&seed, DEFORMS, fixture.arena), NULL);
    FrameState *state = render_fixture_rest(&fixture);
    Renderer *renderer = make_renderer(&fixture.scene);

    assert_true(renderer_skin_positions(gpu, renderer, state, 0, &diag));
    for (int i = 0; i < VERTICES; i++)
        for (int k = 0; k < 3; k++)
            assert_float_equal(gpu[i][k], fixture.models[0].pmx.vertices[i].position[k], 2e-5f);
    renderer_destroy(renderer);
    arena_destroy(fixture.arena);
}

/* Morphs of one frame leave no trace in the next. */
static void test_morphs_leave_no_trace(void **unused)
{
    static float first[VERTICES][3], other[VERTICES][3], again[VERTICES][3];
    (void)unused;
    RenderFixture fixture = {.arena = arena_create()};
    uint32_t seed = 5;
    Diag diag;

    diag_init(&diag, NULL, NULL);
    render_fixture_add(&fixture, random_model(&seed, DEFORMS, fixture.arena), NULL);
    FrameState *state = render_fixture_rest(&fixture);
    FrameState *moved = render_fixture_rest(&fixture);
    Renderer *renderer = make_renderer(&fixture.scene);

    random_pose(&moved->models[0], &seed);
    moved->models[0].leaf_weights[0] = 0.3f;
    moved->models[0].leaf_weights[2] = -1.7f;
    state->models[0].leaf_weights[1] = 0.1f;
    assert_true(renderer_skin_positions(first, renderer, state, 0, &diag));
    assert_true(renderer_skin_positions(other, renderer, moved, 0, &diag));
    assert_true(renderer_skin_positions(again, renderer, state, 0, &diag));
    assert_memory_not_equal(first, other, sizeof first);
    assert_memory_equal(first, again, sizeof first);
    renderer_destroy(renderer);
    arena_destroy(fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gl_equals_cpu), cmocka_unit_test(test_rest),
        cmocka_unit_test(test_motion_in_any_order), cmocka_unit_test(test_morphs_leave_no_trace)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
