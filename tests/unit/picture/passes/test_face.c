// SPDX-License-Identifier: MIT
/*
 * Points of a face that is made of few vertices: lids that close, a mouth that opens, brows, a nose
 * and a jaw.  The eyes are 2 units apart.
 */

#include <math.h>
#include <string.h>

#include "model_fixture.h"
#include "picture/passes/keypoints.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 1000, CAPACITY = 200, FACE = KEYPOINT_FACE };
enum { NECK, HEAD, R_EYE, L_EYE, R_ARM, L_ARM, R_LEG, L_LEG, BONE_COUNT };
enum { BLINK, OPEN, BROWS, MORPH_COUNT };

typedef struct Bench {
    RenderFixture fixture;
    PmxModel model;
    Skeleton *skeletons;
} Bench;

static uint32_t add_vertex(Bench *b, int32_t bone, float x, float y, float z)
{
    PmxVertex *v = &b->model.vertices[b->model.vertex_count];

    *v = (PmxVertex){.position = {x, y, z}, .bones = {bone}, .weights = {1}};
    for (int i = 0; i < 3; i++)
        b->model.indices[b->model.index_count++] = b->model.vertex_count;
    return b->model.vertex_count++;
}

static void add_moved(Bench *b, int morph, float x, float y, float z, float dy)
{
    PmxMorph *m = &b->model.morphs[morph];

    m->offsets.vertex[m->count++] =
        (PmxVertexOffset){.vertex = add_vertex(b, HEAD, x, y, z), .offset = {0, dy, 0}};
}

static void add_bones(Bench *b)
{
    static const struct {
        const char *name;
        float x, y, z;
    } bones[BONE_COUNT] = {
        {"首", 0, 16, 0},    {"頭", 0, 17, 0},   {"右目", -1, 20, 0}, {"左目", 1, 20, 0},
        {"右腕", -2, 15, 0}, {"左腕", 2, 15, 0}, {"右足", -1, 9, 0},  {"左足", 1, 9, 0},
    };

    b->model.bones = arena_array(b->fixture.arena, PmxBone, BONE_COUNT);
    b->model.bone_count = BONE_COUNT;
    for (int i = 0; i < BONE_COUNT; i++)
        b->model.bones[i] =
            fixture_bone(bones[i].name, PMX_NONE, bones[i].x, bones[i].y, bones[i].z);
}

static void add_morphs(Bench *b)
{
    static const char *const names[MORPH_COUNT] = {"まばたき", "あ", "上"};
    static const uint8_t panels[MORPH_COUNT] = {2, 3, 1};

    b->model.morphs = arena_array(b->fixture.arena, PmxMorph, MORPH_COUNT);
    b->model.morph_count = MORPH_COUNT;
    for (int i = 0; i < MORPH_COUNT; i++) {
        b->model.morphs[i] =
            (PmxMorph){.name = names[i], .panel = panels[i], .type = PMX_MORPH_VERTEX};
        b->model.morphs[i].offsets.vertex =
            arena_array(b->fixture.arena, PmxVertexOffset, CAPACITY);
    }
}

/* Upper lids at y 20.4 that close to 19.6, brows at 21, a mouth from -0.6 to 0.6 at 18.6. */
static void add_parts(Bench *b)
{
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < 3; i++)
            add_vertex(b, side < 0 ? R_EYE : L_EYE, (float)side, 20, -1);
        for (int i = 0; i <= 10; i++)
            add_moved(b, BLINK, (float)side + 0.12f * (float)(i - 5), 20.4f, -1.2f, -0.8f);
        for (int i = 0; i <= 4; i++)
            add_moved(b, BROWS, (float)side + 0.3f * (float)(i - 2), 21, -1.2f, 0.3f);
    }
    for (int i = -3; i <= 3; i++) {
        add_moved(b, OPEN, 0.2f * (float)i, 18.6f, -1.2f, -0.4f);
        add_vertex(b, HEAD, 0.2f * (float)i, 18.6f, -1.2f);
    }
    add_vertex(b, HEAD, -0.9f, 19, -1.1f); /* a cheek, so that this material is the skin */
    add_vertex(b, HEAD, 0, 19.2f, -1.6f);
    add_vertex(b, HEAD, 0, 17.6f, -1);   /* the chin */
    add_vertex(b, HEAD, 0, 16.8f, 0.5f); /* the neck behind it */
    add_vertex(b, HEAD, -2, 20, 0);      /* the right temple */
    add_vertex(b, HEAD, 1.6f * sqrtf(0.5f), 20 - 1.6f * sqrtf(0.5f),
               0); /* point 12, at 135 degrees */
}

static void bench_init(Bench *b)
{
    Diag diag = diag_quiet();

    *b = (Bench){.fixture.arena = arena_create()};
    b->model = fixture_quad(b->fixture.arena);
    b->model.vertices = arena_array(b->fixture.arena, PmxVertex, CAPACITY);
    b->model.indices = arena_array(b->fixture.arena, uint32_t, 3 * CAPACITY);
    b->model.vertex_count = b->model.index_count = 0;
    add_bones(b);
    add_morphs(b);
    add_parts(b);
    b->model.materials[0].index_count = b->model.index_count;
    b->model.materials[0].diffuse[3] = 1;
    render_fixture_add(&b->fixture, b->model, NULL);
    model_prepare(&b->fixture.models[0], b->fixture.arena, &diag);
    size_t count;
    b->skeletons = skeletons_find(&count, &b->fixture.scene, NULL, 0, b->fixture.arena);
    assert_int_equal(count, 1);
}

static void expect(const Bench *b, const char *what, int point, float x, float y)
{
    const SkeletonPoint *p = &b->skeletons[0].points[FACE + point];

    if (p->bone < 0 || fabsf(p->rest[0] - x) > 1e-3f || fabsf(p->rest[1] - y) > 1e-3f)
        fail_msg("%s: bone %d, %g, %g, expected %g, %g", what, p->bone, (double)p->rest[0],
                 (double)p->rest[1], (double)x, (double)y);
}

static void test_rest(void **unused)
{
    Bench b;
    (void)unused;

    bench_init(&b);
    expect(&b, "right temple", 0, -2, 20);
    expect(&b, "chin", 8, 0, 17.6f);
    expect(&b, "jaw", 12, 1.1313708f, 18.8686292f);
    expect(&b, "right brow, outer end", 17, -1.6f, 21);
    expect(&b, "left brow, outer end", 26, 1.6f, 21);
    expect(&b, "nose", 30, 0, 19.2f);
    expect(&b, "right eye, outer corner", 36, -1.6f, 20.4f);
    expect(&b, "right eye, upper lid", 37, -1.24f, 20.4f);
    expect(&b, "right eye, inner corner", 39, -0.4f, 20.4f);
    expect(&b, "right eye, lower lid", 40, -0.76f, 19.6f);
    expect(&b, "left eye, inner corner", 42, 0.4f, 20.4f);
    expect(&b, "left eye, outer corner", 45, 1.6f, 20.4f);
    expect(&b, "mouth, right corner", 48, -0.6f, 18.6f);
    expect(&b, "mouth, left corner", 54, 0.6f, 18.6f);
    expect(&b, "upper lip", 51, 0, 18.6f);
    expect(&b, "right pupil", 68, -1, 20);
    arena_destroy(b.fixture.arena);
}

/* Height in the image of a point, with the weights of the morphs: 20 pixels a unit at distance 50,
 * and these points are at 48.8. */
static double height_of(Bench *b, int point, float blink, float open)
{
    FrameState *state = render_fixture_rest(&b->fixture);
    Person person;

    state->camera = (CameraState){.target = {0, 10, 0}, .distance = -50, .fov_deg = 53.130102f};
    state->models[0].leaf_weights[BLINK] = blink;
    state->models[0].leaf_weights[OPEN] = open;
    assert_true(
        keypoints_project(&person, &b->skeletons[0], &b->fixture.scene, state, SIDE, SIDE, NULL));
    return (500 - (double)person.points[FACE + point].y) / 20 * 48.8 / 50 + 10;
}

static void test_morphs(void **unused)
{
    Bench b;
    (void)unused;

    bench_init(&b);
    assert_float_equal(height_of(&b, 37, 0, 0), 20.4, 1e-3);
    assert_float_equal(height_of(&b, 37, 0.5f, 0), 20.0, 1e-3); /* the upper lid goes down */
    assert_float_equal(height_of(&b, 41, 1, 0), 19.6, 1e-3);    /* the lower one stays */
    assert_float_equal(height_of(&b, 57, 0, 1), 18.2, 1e-3);    /* the lower lip */
    assert_float_equal(height_of(&b, 51, 0, 1), 18.6, 1e-3);
    arena_destroy(b.fixture.arena);
}

static void expect_eyes(const Bench *b, const char *what, float x, float y, float z)
{
    SkeletonPoint eyes[2];

    assert_true(skeleton_find_eyes(eyes, &b->fixture.models[0], b->fixture.arena));
    for (int i = 0; i < 2; i++) {
        const float *at = eyes[i].rest;
        if (fabsf(at[0] - (i ? x : -x)) > 1e-3f || fabsf(at[1] - y) > 1e-3f ||
            fabsf(at[2] - z) > 1e-3f)
            fail_msg("%s: eye %d at %g, %g, %g, expected %g, %g, %g", what, i, (double)at[0],
                     (double)at[1], (double)at[2], (double)x, (double)y, (double)z);
    }
}

/* Eyes are seen on their surfaces, 1 in front of their bones. */
static void test_eyes(void **unused)
{
    Bench b;
    SkeletonPoint eyes[2];
    (void)unused;

    bench_init(&b);
    expect_eyes(&b, "a person: between iris and lids", 1, 20, -1.1f);
    PmxModel *pmx = &b.fixture.models[0].pmx;
    pmx->bones[NECK].name = "x";
    model_prepare(&b.fixture.models[0], b.fixture.arena, &(Diag){0});
    expect_eyes(&b, "not a person", 1, 20, -1);
    for (uint32_t v = 0; v < pmx->vertex_count; v++)
        if (pmx->vertices[v].bones[0] == R_EYE || pmx->vertices[v].bones[0] == L_EYE)
            pmx->vertices[v].bones[0] = HEAD;
    expect_eyes(&b, "no vertex and no lids: the bones", 1, 20, 0);
    pmx->bones[NECK].name = "首";
    model_prepare(&b.fixture.models[0], b.fixture.arena, &(Diag){0});
    expect_eyes(&b, "no vertex: the lids", 1, 20, -1.2f);
    pmx->bones[R_EYE].name = "x";
    pmx->bones[NECK].name = "x";
    model_prepare(&b.fixture.models[0], b.fixture.arena, &(Diag){0});
    assert_false(skeleton_find_eyes(eyes, &b.fixture.models[0], b.fixture.arena));
    arena_destroy(b.fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_morphs),
        cmocka_unit_test(test_eyes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
