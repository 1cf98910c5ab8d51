// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "diag_log.h"
#include "evaluate/frame.h"
#include "evaluate/physics/physics.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

static const float Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1};

/* A strip, at index `base`, and a full model that is attached to its "upper" bone. */
static Scene *two_models(const VmdMotion *vmd, uint32_t base, Arena *arena)
{
    const uint32_t attached = 1 - base;
    const Scene *first = fixture_scene(fixture_strip(arena), vmd, COMPAT_DEFAULT, arena);
    const Scene *second = fixture_scene(fixture_full(arena), NULL, COMPAT_DEFAULT, arena);
    Scene *scene = arena_copy(arena, first, sizeof *first);
    scene->model_count = 2;
    scene->models = arena_array(arena, SceneModel, 2);
    scene->models[attached] = second->models[0];
    scene->models[base] = first->models[0];
    scene->models[attached].attach_model = (int32_t)base;
    scene->models[attached].attach_bone = 1;
    scene->attach_order = arena_array(arena, uint32_t, 2);
    scene->attach_order[0] = base;
    scene->attach_order[1] = attached;
    return scene;
}

static void packing_keeps_every_bit(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_turn_key("upper", 0, Z, 33), fixture_turn_key("lower", 9, Y, 71)};
    const VmdMotion vmd = fixture_motion_of(keys, 2);
    const Scene *scene = two_models(&vmd, 1, arena);
    FrameState *a = frame_state_create(scene, arena), *b = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    evaluate_frame(a, evaluator, scene, 4.75);
    a->models[1].visible = false;
    a->camera.orthographic = true;

    const size_t size = frame_state_size(scene);
    uint8_t *packed = malloc(size + 1), *again = malloc(size);
    assert_non_null(packed);
    assert_non_null(again);
    packed[size] = 0xA5;
    frame_state_pack(packed, a, scene);
    assert_int_equal(packed[size], 0xA5);
    frame_state_unpack(b, packed, scene);
    frame_state_pack(again, b, scene);
    assert_memory_equal(packed, again, size);

    assert_true(b->frame == 4.75 && b->camera.orthographic && !b->models[1].visible);
    assert_true(b->models[0].visible && b->camera.fov_deg == a->camera.fov_deg);
    for (int m = 0; m < 2; m++) {
        const PmxModel *pmx = &scene->models[m].model->pmx;
        assert_memory_equal(a->models[m].bones, b->models[m].bones,
                            pmx->bone_count * sizeof(BonePose));
        assert_memory_equal(a->models[m].materials, b->models[m].materials,
                            pmx->material_count * sizeof(MaterialState));
        assert_memory_equal(&a->models[m].placement, &b->models[m].placement, sizeof(Placement));
    }
    free(packed);
    free(again);
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/* Another camera in a packed state changes nothing else. */
static void cameras_are_exchanged(void **state)
{
    (void)state;
    static const CameraState cameras[] = {
        {.target = {1, 2, 3},
         .distance = -4,
         .rotation = {5, 6, 7},
         .fov_deg = 8,
         .orthographic = true},
        {.target = {-1, 0, 9}, .distance = 0, .rotation = {0, 0.5f, 0}, .fov_deg = 100},
    };
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_turn_key("upper", 0, Z, 33)};
    const VmdMotion vmd = fixture_motion_of(keys, 1);
    const Scene *scene = two_models(&vmd, 1, arena);
    FrameState *a = frame_state_create(scene, arena), *b = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    evaluate_frame(a, evaluator, scene, 4.75);
    const size_t size = frame_state_size(scene);
    uint8_t *expected = arena_alloc(arena, size), *packed = arena_alloc(arena, size);
    for (size_t i = 0; i < sizeof cameras / sizeof *cameras; i++) {
        frame_state_pack(packed, a, scene);
        a->camera = cameras[i];
        frame_state_pack(expected, a, scene);
        frame_state_pack_camera(packed, &cameras[i]);
        assert_memory_equal(packed, expected, size);
        frame_state_unpack(b, packed, scene);
        assert_memory_equal(&b->camera, &cameras[i], sizeof b->camera);
        assert_true(b->frame == 4.75);
    }
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/* Any frame in any order gives the same bits. */
static void frames_are_independent_of_order(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("左足ＩＫ", 0, 0, 1, 0),
                         fixture_key("左足ＩＫ", 10, 0, 4, -1)};
    const VmdMotion vmd = fixture_motion_of(keys, 2);
    const Scene *scene = fixture_scene(fixture_leg(arena), &vmd, COMPAT_DEFAULT, arena);
    FrameState *a = frame_state_create(scene, arena), *b = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    evaluate_frame(a, evaluator, scene, 3.5);
    evaluate_frame(b, evaluator, scene, 9);
    evaluate_frame(b, evaluator, scene, 3.5);
    assert_memory_equal(a->models[0].bones, b->models[0].bones, 5 * sizeof(BonePose));
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/*
 * The strip is at (10, 0, 0), twice as large; its upper bone, at (0, 2, 0), is rotated by 90
 * degrees about z.  A model that is attached there at (1, 0, 0) is at (10, 4, 0) + 2 * (0, 1, 0).
 */
static void attached_models_follow_the_bone(void **state)
{
    (void)state;
    for (uint32_t base = 0; base < 2; base++) {
        Arena *arena = arena_create();
        VmdBoneKey keys[] = {fixture_turn_key("upper", 0, Z, 90)};
        const VmdMotion vmd = fixture_motion_of(keys, 1);
        Scene *scene = two_models(&vmd, base, arena);
        scene->models[base].placement =
            (Placement){.position = {10, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = 2};
        scene->models[1 - base].placement =
            (Placement){.position = {1, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = 0.5f};
        FrameState *frame = frame_state_create(scene, arena);
        Evaluator *evaluator = evaluator_create(scene);
        evaluate_frame(frame, evaluator, scene, 0);
        const Placement *p = &frame->models[1 - base].placement;
        const float expected[] = {10, 6, 0, 0, 0, sqrtf(0.5f), sqrtf(0.5f), 1};
        const float got[] = {p->position[0], p->position[1], p->position[2], p->rotation[0],
                             p->rotation[1], p->rotation[2], p->rotation[3], p->scale};
        for (int i = 0; i < 8; i++)
            if (fabsf(got[i] - expected[i]) > 1e-6f)
                fail_msg("base %u, value %d: %g, not %g", base, i, (double)got[i],
                         (double)expected[i]);
        evaluator_destroy(evaluator);
        arena_destroy(arena);
    }
}

static void models_are_switched_off(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdPropertyKey keys[] = {{0, true, NULL, 0}, {10, false, NULL, 0}};
    VmdMotion vmd = fixture_motion_of(NULL, 0);
    vmd.property_keys = keys;
    vmd.property_key_count = 2;
    const Scene *scene = fixture_scene(fixture_strip(arena), &vmd, COMPAT_DEFAULT, arena);
    FrameState *frame = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    evaluate_frame(frame, evaluator, scene, 9.5);
    assert_true(frame->models[0].visible);
    evaluate_frame(frame, evaluator, scene, 10);
    assert_false(frame->models[0].visible);
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/* ---- limits ---- */

/* The strip with one rigid body, so that there is a world. */
static Scene *simulated_scene(int step_hz, Arena *arena)
{
    PmxModel pmx = fixture_strip(arena);
    pmx.bodies = arena_array(arena, PmxBody, 1);
    pmx.body_count = 1;
    pmx.bodies[0] = (PmxBody){.name = "b",
                              .name_en = "",
                              .bone = 1,
                              .shape = PMX_SPHERE,
                              .size = {0.1f},
                              .position = {0, 2, 0},
                              .mass = 1,
                              .mode = PMX_PHYSICS};
    Scene *scene = fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena);
    scene->models[0].spec.physics = true;
    scene->physics.step_hz = step_hz;
    return scene;
}

/* A frame that does not fit its time, or a stop, ends the evaluation; enough time does not. */
static void limits_end_the_evaluation(void **state)
{
    (void)state;
    static const volatile sig_atomic_t stop = 1;
    static const struct {
        const char *what;
        const volatile sig_atomic_t *stop;
        double frame_s;
        bool ok;
        const char *text;
    } rows[] = {
        {"no limit", NULL, 0, true, NULL},
        {"enough time", NULL, 3000, true, NULL},
        {"too little time", NULL, 1e-12, false,
         "error: frame 60: not evaluated within 1e-12 s (job.yaml)\n"},
        {"a stop", &stop, 0, false, ""},
        {"a stop in time", &stop, 3000, false, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        const Scene *scene = simulated_scene(60, arena);
        FrameState *frame = frame_state_create(scene, arena);
        Evaluator *evaluator = evaluator_create(scene);
        diag_log_init(&log);
        evaluator_set_limits(evaluator, rows[i].stop, rows[i].frame_s, "job.yaml");
        if (evaluate_frame(frame, evaluator, scene, 60) != rows[i].ok)
            fail_msg("%s", rows[i].what);
        if (rows[i].text) {
            assert_false(evaluator_report(evaluator, 60, &log.diag));
            assert_string_equal(log.text, rows[i].text);
        }
        evaluator_destroy(evaluator);
        arena_destroy(arena);
    }
}

/* Replaces that of the C library: with a cost, each look at the CPU clock of the thread takes it.
 */
static struct {
    bool on;
    int reads;
    double now_s, cost_s;
} cpu;

int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!cpu.on || clock != CLOCK_THREAD_CPUTIME_ID)
        return (int)syscall(SYS_clock_gettime, clock, time);
    cpu.reads++;
    cpu.now_s += cpu.cost_s;
    time->tv_sec = (time_t)cpu.now_s;
    time->tv_nsec = (long)((cpu.now_s - (double)time->tv_sec) * 1e9);
    return 0;
}

/* Evaluates a frame within 1 s for each frame that it needs; `before` is evaluated before it. */
static bool evaluate_in_time(const Scene *scene, double before, double frame, double cost_s)
{
    Arena *arena = arena_create();
    FrameState *out = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    if (before >= 0)
        evaluate_frame(out, evaluator, scene, before);
    evaluator_set_limits(evaluator, NULL, 1, "job.yaml");
    cpu.on = true;
    cpu.reads = 0;
    cpu.now_s = 1000;
    cpu.cost_s = cost_s;
    const bool ok = evaluate_frame(out, evaluator, scene, frame);
    cpu.on = false;
    evaluator_destroy(evaluator);
    arena_destroy(arena);
    return ok;
}

/* The time of a frame counts for each frame that is simulated to reach it: from the last tick, or
 * from the start with its warm-up; at least once. */
static void time_for_frames_that_are_simulated(void **state)
{
    (void)state;
    static const struct {
        double before, frame, frames; /* before: -1 for none; frames: 1 s each */
    } rows[] = {{-1, 60, 60 + 45}, {-1, 0, 45},   {60, 61, 1},       {60, 70, 10}, {60, 60.25, 1},
                {60, 60, 1},       {60, 59.5, 1}, {60, 20, 20 + 45}, {10, 90, 80}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Scene *scene = simulated_scene(60, arena);
        scene->physics.warmup_s = 1.5f;
        assert_true(evaluate_in_time(scene, rows[i].before, rows[i].frame, 0));
        const double each = rows[i].frames / (cpu.reads - 1); /* the first one starts the clock */
        assert_true(cpu.reads > 1);
        if (!evaluate_in_time(scene, rows[i].before, rows[i].frame, 0.98 * each))
            fail_msg("row %zu: not within %g s", i, rows[i].frames);
        if (evaluate_in_time(scene, rows[i].before, rows[i].frame, 1.02 * each))
            fail_msg("row %zu: more than %g s", i, rows[i].frames);
        arena_destroy(arena);
    }
}

/* A frame that is the time of a tick, which is not exact in binary, needs that tick and no more; a
 * frame between two ticks needs the later one. */
static void frames_at_ticks_need_no_further_tick(void **state)
{
    (void)state;
    static const int rates[] = {60, 65, 77, 120};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        Arena *arena = arena_create();
        const Scene *scene = simulated_scene(rates[i], arena);
        FrameState *frame = frame_state_create(scene, arena);
        Evaluator *evaluator = evaluator_create(scene);
        for (int tick = 0; tick < 100; tick++) {
            evaluate_frame(frame, evaluator, scene, tick * (30.0 / rates[i]));
            assert_int_equal(world_tick(evaluator_world(evaluator)), tick);
        }
        evaluate_frame(frame, evaluator, scene, 99.01 * 30 / rates[i]);
        assert_int_equal(world_tick(evaluator_world(evaluator)), 100);
        evaluate_frame(frame, evaluator, scene, 99.01 * 30 / rates[i]); /* the same again */
        assert_int_equal(world_tick(evaluator_world(evaluator)), 100);
        evaluate_frame(frame, evaluator, scene, 98.99 * 30 / rates[i]); /* back: from the start */
        assert_int_equal(world_tick(evaluator_world(evaluator)), 99);
        evaluator_destroy(evaluator);
        arena_destroy(arena);
    }
}

/* A tick knows the bones of another model only as they were one tick before, so a frame must not
 * take over the pose of an attached model from it. */
static void frames_at_ticks_are_the_same_again(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxBody bodies[] = {{.bone = 1, .shape = PMX_SPHERE, .size = {0.1f}, .position = {0, 2, 0}}};
    VmdBoneKey keys[] = {fixture_turn_key("lower", 0, Z, 0), fixture_turn_key("lower", 30, Z, 90)};
    const VmdMotion vmd = fixture_motion_of(keys, 2);
    Scene *scene = two_models(&vmd, 0, arena);
    PmxModel pmx = scene->models[0].model->pmx;
    bodies[0].mass = 1;
    bodies[0].mode = PMX_PHYSICS;
    pmx.bodies = arena_copy(arena, bodies, sizeof bodies);
    pmx.body_count = 1;
    scene->models[0].model = fixture_scene(pmx, &vmd, COMPAT_DEFAULT, arena)->models[0].model;
    scene->models[0].spec.physics = true;
    scene->physics = (PhysicsSpec){.gravity = {0, -98, 0}, .step_hz = 120};
    const size_t size = frame_state_size(scene);
    uint8_t *first = arena_alloc(arena, size), *again = arena_alloc(arena, size);
    FrameState *frame = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    assert_non_null(evaluator_world(evaluator));
    for (int at = 0; at < 60; at += 7) {
        assert_true(evaluate_frame(frame, evaluator, scene, at / 4.0));
        frame_state_pack(first, frame, scene);
        assert_true(evaluate_frame(frame, evaluator, scene, at / 4.0));
        frame_state_pack(again, frame, scene);
        assert_memory_equal(first, again, size);
    }
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/* The strip's lower bone swings from a frame on; before it, it is at rest. */
static Scene *swinging_scene(uint32_t from, Arena *arena)
{
    VmdBoneKey *keys = arena_array(arena, VmdBoneKey, 3);
    keys[0] = fixture_turn_key("lower", from, Z, 0);
    keys[1] = fixture_turn_key("lower", from + 8, Z, 80);
    keys[2] = fixture_turn_key("lower", from + 16, Z, -40);
    const VmdMotion vmd = fixture_motion_of(keys, 3);
    Scene *scene = simulated_scene(100, arena), *moved = arena_array(arena, Scene, 1);
    *moved = *fixture_scene(scene->models[0].model->pmx, &vmd, COMPAT_DEFAULT, arena);
    moved->models[0].spec.physics = true;
    moved->physics = scene->physics;
    return moved;
}

/* A motion that comes 61 frames later gives the same bits 61 frames later if the simulation begins
 * there, in any order of frames and starts; where it begins at frame 0, it does not. */
static void simulation_begins_at_its_start(void **state)
{
    (void)state;
    enum { LATER = 61, BONES = 2 };
    static const double frames[] = {0, 3.25, 12, 20, 7};
    Arena *arena = arena_create();
    const Scene *scene = swinging_scene(0, arena), *later = swinging_scene(LATER, arena);
    FrameState *a = frame_state_create(scene, arena), *b = frame_state_create(later, arena);
    Evaluator *first = evaluator_create(scene), *second = evaluator_create(later);
    assert_int_equal(scene->models[0].model->pmx.bone_count, BONES);
    for (size_t i = 0; i < 2 * sizeof frames / sizeof *frames; i++) {
        const double frame = frames[i / 2];
        evaluator_set_start(second, i % 2 ? LATER : 0);
        assert_true(evaluate_frame(a, first, scene, frame));
        assert_true(evaluate_frame(b, second, later, LATER + frame));
        assert_int_equal(world_tick(evaluator_world(second)) == world_tick(evaluator_world(first)),
                         i % 2);
        if (i % 2)
            assert_memory_equal(a->models[0].bones, b->models[0].bones, BONES * sizeof(BonePose));
    }
    assert_true(evaluate_frame(b, second, later, LATER - 20)); /* physics is that of the start */
    assert_int_equal(world_tick(evaluator_world(second)), 0);
    evaluator_destroy(first);
    evaluator_destroy(second);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packing_keeps_every_bit),
        cmocka_unit_test(cameras_are_exchanged),
        cmocka_unit_test(frames_are_independent_of_order),
        cmocka_unit_test(attached_models_follow_the_bone),
        cmocka_unit_test(models_are_switched_off),
        cmocka_unit_test(limits_end_the_evaluation),
        cmocka_unit_test(time_for_frames_that_are_simulated),
        cmocka_unit_test(frames_at_ticks_need_no_further_tick),
        cmocka_unit_test(frames_at_ticks_are_the_same_again),
        cmocka_unit_test(simulation_begins_at_its_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
