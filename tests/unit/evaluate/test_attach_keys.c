// SPDX-License-Identifier: MIT
/* Models and bones that other models carry over time, keys of models, and a camera that is carried.
 */

#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "evaluate/frame.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

typedef struct Bench {
    Arena *arena;
    Scene *scene;
    FrameState *frame;
    Evaluator *evaluator;
} Bench;

/* Two strips, bones at (0, 0, 0) and (0, 2, 0).  "a" is at (10, 0, 0), twice as large, with its
 * upper bone rotated by 90 degrees about z; "b" is moved by its own lower key (1, 0, 0). */
static void set_up(Bench *bench)
{
    static const float Z[3] = {0, 0, 1};
    Arena *arena = arena_create();
    VmdBoneKey *turned = arena_array(arena, VmdBoneKey, 1);
    VmdBoneKey *moved = arena_array(arena, VmdBoneKey, 1);
    VmdMotion *motions = arena_array(arena, VmdMotion, 2);
    *turned = fixture_turn_key("upper", 0, Z, 90);
    *moved = fixture_key("lower", 0, 1, 0, 0);
    motions[0] = fixture_motion_of(turned, 1);
    motions[1] = fixture_motion_of(moved, 1);
    const Scene *a = fixture_scene(fixture_strip(arena), &motions[0], COMPAT_DEFAULT, arena);
    const Scene *b = fixture_scene(fixture_strip(arena), &motions[1], COMPAT_DEFAULT, arena);
    Scene *scene = arena_copy(arena, a, sizeof *a);
    scene->models = arena_array(arena, SceneModel, 2);
    scene->model_count = 2;
    scene->models[0] = b->models[0];
    scene->models[1] = a->models[0];
    scene->models[0].id = "b";
    scene->models[1].id = "a";
    scene->models[1].placement =
        (Placement){.position = {10, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = 2};
    scene->attach_order = arena_array(arena, uint32_t, 2);
    scene->attach_order[1] = 1;
    *bench = (Bench){.arena = arena, .scene = scene};
}

/* Binds the keys to "b", and evaluates. */
static void carry(Bench *bench, const AttachKeySpec *keys, size_t count)
{
    DiagLog log;
    SceneModel *b = &bench->scene->models[0];
    diag_log_init(&log);
    assert_true(attach_bind(&b->attach, &b->attach_count, keys, count, "", bench->scene, 0,
                            bench->arena, &log.diag));
    bench->scene->attach_changes = true;
    assert_true(attach_check(bench->scene, bench->arena, &log.diag));
    bench->frame = frame_state_create(bench->scene, bench->arena);
    bench->evaluator = evaluator_create(bench->scene);
}

static void tear_down(Bench *bench)
{
    evaluator_destroy(bench->evaluator);
    arena_destroy(bench->arena);
}

/* The world position of a bone of "b" at a frame. */
static Vec3 place_of(Bench *bench, uint32_t bone, double frame)
{
    const ModelState *b = &bench->frame->models[0];
    assert_true(evaluate_frame(bench->frame, bench->evaluator, bench->scene, frame));
    return placement_point(&b->placement, vec3_load(b->bones[bone].position));
}

static void expect(const char *what, Vec3 got, double x, double y, double z)
{
    if (fabs(got.x - x) > 1e-5 || fabs(got.y - y) > 1e-5 || fabs(got.z - z) > 1e-5)
        fail_msg("%s: (%g %g %g), not (%g %g %g)", what, got.x, got.y, got.z, x, y, z);
}

/* The upper bone of "a" is at (10, 4, 0) in the world, and its x axis is (0, 1, 0), 2 units long.
 */
static void whole_models_change_hands(void **state)
{
    static const AttachKeySpec keys[] = {{.frame = 0},
                                         {.frame = 10, .model = "a", .bone = "upper"},
                                         {.frame = 20, .model = "a", .bone = "lower"},
                                         {.frame = 30}};
    Bench bench;
    (void)state;
    set_up(&bench);
    carry(&bench, keys, 4);
    expect("free", place_of(&bench, 0, 9.9), 1, 0, 0);
    expect("lower bone of b at x = 1", place_of(&bench, 0, 10), 10, 6, 0);
    expect("upper bone of b", place_of(&bench, 1, 15), 6, 6, 0);
    expect("on the lower bone", place_of(&bench, 1, 25), 12, 4, 0);
    expect("free again", place_of(&bench, 1, 31), 1, 2, 0);
    expect("back in time", place_of(&bench, 0, 12), 10, 6, 0);
    tear_down(&bench);
}

/* A carried bone is at the bone that carries it plus its own offset, without its rest offset. */
static void single_bones_are_carried(void **state)
{
    static const AttachKeySpec keys[] = {
        {.frame = 5, .own_bone = "upper", .model = "a", .bone = "lower"},
        {.frame = 10, .own_bone = "upper"},
        {.frame = 10, .own_bone = "lower", .model = "a", .bone = "upper"}};
    Bench bench;
    (void)state;
    set_up(&bench);
    bench.scene->models[0].placement =
        (Placement){.position = {0, 0, -3}, .rotation = {0, 1, 0, 0}, .scale = 4};
    carry(&bench, keys, 3);
    assert_int_equal(bench.scene->models[0].attach_count, 2);
    expect("upper", place_of(&bench, 1, 7), 10, 0, 0);
    /* The key of "lower" holds before its frame, too: its offset of 1 is 4 units of the world,
     * along the x axis of the bone. */
    expect("lower", place_of(&bench, 0, 7), 10, 8, 0);
    expect("upper on lower", place_of(&bench, 1, 12), 2, 8, 0);
    tear_down(&bench);
}

static void keys_of_a_model_by_hand(void **state)
{
    static const ModelKey keys[] = {
        {.frame = 0, .scale = 1, .opacity = 1, .shadow = true, .visible = true},
        {.frame = 10,
         .position = {4, 0, 0},
         .rotation = {0, 0, 6.283185307179586},
         .scale = 3,
         .visible = true},
        {.frame = 11, .scale = 1, .opacity = 1}};
    Bench bench;
    (void)state;
    set_up(&bench);
    bench.scene->models[0].keys = (ModelKeys){keys, 3};
    carry(&bench, NULL, 0);
    /* half way: turned by 180 degrees, twice as large; lower is at (1, 0, 0) of the model */
    expect("half way", place_of(&bench, 0, 5), 0, 0, 0);
    const ModelState *b = &bench.frame->models[0];
    assert_true(b->visible && !b->casts_nothing);
    assert_true(fabsf(b->materials[0].diffuse[3] - 0.5f) < 1e-6f);
    assert_true(fabsf(b->placement.scale - 2) < 1e-6f);
    expect("a cut", place_of(&bench, 0, 10.9), 7, 0, 0);
    assert_true(b->visible && b->casts_nothing && b->materials[0].diffuse[3] == 0);
    (void)place_of(&bench, 0, 11);
    assert_false(b->visible);

    void *packed = arena_alloc(bench.arena, frame_state_size(bench.scene));
    FrameState *copy = frame_state_create(bench.scene, bench.arena);
    frame_state_pack(packed, bench.frame, bench.scene);
    frame_state_unpack(copy, packed, bench.scene);
    assert_true(copy->models[0].casts_nothing && !copy->models[1].casts_nothing);
    tear_down(&bench);
}

static void colors_of_edges_and_opacity(void **state)
{
    Bench bench;
    (void)state;
    set_up(&bench);
    SceneModel *b = &bench.scene->models[0];
    b->spec.opacity = 0.25;
    b->spec.edge_color[0] = b->spec.edge_color[2] = 0;
    b->spec.edge_color[1] = 0.5;
    carry(&bench, NULL, 0);
    (void)place_of(&bench, 0, 0);
    const MaterialState *material = &bench.frame->models[0].materials[0];
    const float alpha = bench.frame->models[1].materials[0].edge_color[3];
    assert_true(material->diffuse[3] == 0.25f && material->edge_color[1] == 0.5f &&
                material->edge_color[0] == 0 && material->edge_color[3] == 0.25f * alpha);
    tear_down(&bench);
}

static void the_camera_is_carried(void **state)
{
    static const AttachKeySpec keys[] = {{.frame = 0, .model = "a", .bone = "upper"},
                                         {.frame = 10}};
    DiagLog log;
    uint32_t count;
    Bench bench;
    (void)state;
    set_up(&bench);
    diag_log_init(&log);
    assert_true(attach_bind(&bench.scene->camera_attach, &count, keys, 2, "", bench.scene, -1,
                            bench.arena, &log.diag));
    bench.scene->camera = (CameraState){.target = {1, 2, 3}, .rotation = {0.5f, 0, 0}};
    carry(&bench, NULL, 0);
    (void)place_of(&bench, 0, 3);
    expect("target", vec3_load(bench.frame->camera.target), 11, 6, 3);
    assert_true(bench.frame->camera.rotation[0] == 0.5f);
    (void)place_of(&bench, 0, 10);
    expect("free", vec3_load(bench.frame->camera.target), 1, 2, 3);
    tear_down(&bench);
}

/* Each may carry the other at another time, never both at once. */
static void cycles_are_found(void **state)
{
    static const AttachKeySpec of_b[] = {{.frame = 0, .model = "a", .bone = "upper"},
                                         {.frame = 10}};
    AttachKeySpec of_a[] = {{.frame = 0}, {.frame = 10, .model = "b", .bone = "lower"}};
    DiagLog log;
    Bench bench;
    (void)state;
    set_up(&bench);
    diag_log_init(&log);
    SceneModel *a = &bench.scene->models[1];
    assert_true(attach_bind(&a->attach, &a->attach_count, of_a, 2, "", bench.scene, 1, bench.arena,
                            &log.diag));
    carry(&bench, of_b, 2);
    bool marked[2] = {false};
    attach_mark(marked, bench.scene, 0);
    assert_true(marked[0] && marked[1]);
    of_a[1].frame = 9;
    assert_true(attach_bind(&a->attach, &a->attach_count, of_a, 2, "", bench.scene, 1, bench.arena,
                            &log.diag));
    assert_false(attach_check(bench.scene, bench.arena, &log.diag));
    if (!strstr(log.text, "model 'b' is part of an attachment cycle at frame 9"))
        fail_msg("%s", log.text);
    tear_down(&bench);
}

static void unknown_names_are_reported(void **state)
{
    static const struct {
        AttachKeySpec key;
        const char *message;
    } rows[] = {
        {{.model = "c", .bone = "upper"}, "no model has the id 'c'"},
        {{.model = "a", .bone = "uper"}, "no bone 'uper' in "},
        {{.own_bone = "lowr"}, "no bone 'lowr' in "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        Bench bench;
        set_up(&bench);
        diag_log_init(&log);
        SceneModel *b = &bench.scene->models[0];
        assert_false(attach_bind(&b->attach, &b->attach_count, &rows[i].key, 1, "", bench.scene, 0,
                                 bench.arena, &log.diag));
        if (!strstr(log.text, rows[i].message))
            fail_msg("%s", log.text);
        tear_down(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_models_change_hands),  cmocka_unit_test(single_bones_are_carried),
        cmocka_unit_test(keys_of_a_model_by_hand),    cmocka_unit_test(colors_of_edges_and_opacity),
        cmocka_unit_test(the_camera_is_carried),      cmocka_unit_test(cycles_are_found),
        cmocka_unit_test(unknown_names_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
