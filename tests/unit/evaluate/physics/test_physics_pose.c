// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "evaluate/frame.h"
#include "evaluate/physics/physics.h"
#include "model_fixture.h"
#include "unit_test.h"

/*
 * A head on a center that its keys take back and forth; a lock of hair on it, moved by physics; a
 * bow at the end of the lock, without a body; and a shadow, after physics, that appends the lock's
 * turn.
 */
enum { CENTER, HEAD, LOCK, BOW, SHADOW, EAR, BONES };

typedef struct Stage {
    Arena *arena;
    Model model;
    SceneModel in_scene;
    Scene scene;
    uint32_t order[BONES];
    VmdBoneKey keys[4];
} Stage;

static void stage_motion(Stage *stage)
{
    BoneTrack *center;
    stage->in_scene.motion.bones = arena_array(stage->arena, BoneTrack, BONES);
    stage->in_scene.motion.ik = arena_array(stage->arena, SwitchTrack, BONES);
    for (int i = 0; i < BONES; i++)
        stage->in_scene.motion.bones[i].time = (TimeMap){0, 1};
    center = &stage->in_scene.motion.bones[CENTER];
    center->key_count = 4;
    center->keys = arena_array(stage->arena, const void *, 4);
    center->frames = arena_array(stage->arena, double, 4);
    for (uint32_t i = 0; i < 4; i++) {
        stage->keys[i] = (VmdBoneKey){.frame = 25 * i,
                                      .rotation = {0, sinf((float)i), 0, cosf((float)i)},
                                      .translation = {i % 2 ? 4.0f : 0, 0, i > 1 ? 3.0f : 0}};
        for (int c = 0; c < 4; c++)
            stage->keys[i].curves[c] = (Curve){40, 0, 90, 127};
        center->keys[i] = &stage->keys[i];
        center->frames[i] = stage->keys[i].frame;
    }
}

static void stage_init(Stage *stage, bool physics)
{
    DiagLog log;
    *stage = (Stage){.arena = arena_create()};
    PmxModel *pmx = &stage->model.pmx;
    *pmx = fixture_empty();
    pmx->bones = arena_array(stage->arena, PmxBone, BONES);
    pmx->bodies = arena_array(stage->arena, PmxBody, 2);
    pmx->joints = arena_array(stage->arena, PmxJoint, 1);
    pmx->bone_count = BONES;
    pmx->body_count = 2;
    pmx->joint_count = 1;
    pmx->bones[CENTER] = fixture_bone("center", -1, 0, 8, 0);
    pmx->bones[HEAD] = fixture_bone("head", CENTER, 0, 16, 0);
    pmx->bones[LOCK] = fixture_bone("lock", HEAD, 0, 18, 1);
    pmx->bones[BOW] = fixture_bone("bow", LOCK, 0, 15, 2);
    pmx->bones[SHADOW] = fixture_bone("shadow", HEAD, 5, 16, 0);
    pmx->bones[SHADOW].flags |=
        PMX_BONE_AFTER_PHYSICS | PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_TRANSLATION;
    pmx->bones[SHADOW].append_source = LOCK;
    pmx->bones[SHADOW].append_ratio = 1;
    pmx->bones[EAR] = fixture_bone("ear", HEAD, 1, 17, 0);
    pmx->bodies[0] = (PmxBody){.bone = HEAD, .mask = 0xffff, .size = {1}, .position = {0, 17, 0}};
    pmx->bodies[1] = (PmxBody){.bone = LOCK,
                               .mask = 0xffff,
                               .shape = PMX_CAPSULE,
                               .size = {0.2f, 2},
                               .position = {0, 16.5f, 1.5f},
                               .mass = 1,
                               .linear_damping = 0.3f,
                               .angular_damping = 0.3f,
                               .mode = PMX_PHYSICS};
    pmx->joints[0] = (PmxJoint){.body_a = 0,
                                .body_b = 1,
                                .position = {0, 18, 1},
                                .angular_lower = {-1, -1, -1},
                                .angular_upper = {1, 1, 1}};
    for (uint32_t i = 0; i < BONES; i++)
        stage->order[i] = i == SHADOW ? EAR : i == EAR ? SHADOW : i;
    stage->model.parents_first = stage->model.order = stage->order;
    stage->model.before_physics = BONES - 1;
    diag_log_init(&log);
    dynamics_plan(&stage->model.dynamics, pmx, stage->order, stage->arena, &log.diag);
    stage->in_scene = (SceneModel){.model = &stage->model,
                                   .placement = PLACEMENT_NONE,
                                   .attach_model = -1,
                                   .attach_bone = -1,
                                   .spec.physics = physics};
    stage_motion(stage);
    stage->scene = (Scene){.models = &stage->in_scene,
                           .model_count = 1,
                           .compat = COMPAT_DEFAULT,
                           .attach_order = arena_array(stage->arena, uint32_t, 1),
                           .physics = PHYSICS_DEFAULT};
    stage->in_scene.placement.position[1] = 2;
    stage->in_scene.placement.scale = 1.5f;
}

/* The bones at `frame`, after all frames of `before` were evaluated. */
static void bones_at(BonePose out[BONES], const Stage *stage, double frame, const double *before,
                     size_t count)
{
    Evaluator *evaluator = evaluator_create(&stage->scene);
    FrameState *state = frame_state_create(&stage->scene, stage->arena);
    for (size_t i = 0; i < count; i++)
        evaluate_frame(state, evaluator, &stage->scene, before[i]);
    evaluate_frame(state, evaluator, &stage->scene, frame);
    memcpy(out, state->models[0].bones, BONES * sizeof *out);
    evaluator_destroy(evaluator);
}

static void test_same_bits_in_any_order(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double step; /* frames */
        size_t count;
        double frame;
    } rows[] = {
        {"30 fps", 1, 60, 60},
        {"60 fps", 0.5, 120, 60},
        {"24 fps", 1.25, 48, 60},
        {"25 fps", 1.2, 50, 60},
        {"240 fps", 0.125, 480, 60},
        {"backwards", -1, 50, 60},
        {"back by less than two ticks", 60.4, 2, 60},
        {"back by less than a tick", 60.2, 2, 60},
        {"back and forth", 37, 50, 60},
        {"between ticks", 1, 60, 60.1},
        {"between, at 24", 1.25, 48, 60.1},
    };
    Stage stage;
    BonePose once[BONES], then[BONES];
    stage_init(&stage, true);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        double before[480];
        for (size_t i = 0; i < rows[row].count; i++)
            before[i] = fmod(100 + rows[row].step * (double)i, 100);
        bones_at(once, &stage, rows[row].frame, NULL, 0);
        bones_at(then, &stage, rows[row].frame, before, rows[row].count);
        if (memcmp(once, then, sizeof once))
            fail_msg("%s", rows[row].what);
    }
    arena_destroy(stage.arena);
}

static bool same_turn(const BonePose *a, const BonePose *b)
{
    float dot = 0;
    for (int i = 0; i < 4; i++)
        dot += a->rotation[i] * b->rotation[i];
    return fabsf(dot) > 1 - 1e-6f;
}

static void test_moved_bones(void **state)
{
    (void)state;
    Stage moving, still;
    stage_init(&moving, true);
    stage_init(&still, false);
    for (double frame = 0; frame < 80; frame += 7.3) {
        BonePose with[BONES], without[BONES];
        bones_at(with, &moving, frame, NULL, 0);
        bones_at(without, &still, frame, NULL, 0);
        assert_memory_equal(&with[CENTER], &without[CENTER], sizeof *with);
        assert_memory_equal(&with[HEAD], &without[HEAD], sizeof *with);
        assert_memory_equal(&with[EAR], &without[EAR], sizeof *with);

        /* the joint is at the lock's position, where it stays within the error of the solver
         */
        const float *a = with[LOCK].position, *b = without[LOCK].position;
        assert_true(hypotf(hypotf(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) < 0.1f);
        assert_memory_not_equal(&with[LOCK], &without[LOCK], sizeof *with);

        /* the bow is sqrt(10) from the lock, turned as the lock is */
        const float *c = with[BOW].position;
        assert_float_equal(hypotf(hypotf(a[0] - c[0], a[1] - c[1]), a[2] - c[2]), 3.162278f, 1e-4f);
        assert_true(same_turn(&with[BOW], &with[LOCK]));
        assert_true(same_turn(&with[SHADOW], &with[LOCK]));

        /* the shadow has the lock's offset from its own rest position, as both are children of the
         * head */
        const Quat head = quat_load(with[HEAD].rotation);
        const Vec3 lock_offset = vec3_sub(vec3_load(a), quat_rotate(head, (Vec3){0, 2, 1}));
        const Vec3 shadow_offset =
            vec3_sub(vec3_load(with[SHADOW].position), quat_rotate(head, (Vec3){5, 0, 0}));
        assert_true(vec3_length(vec3_sub(lock_offset, shadow_offset)) < 1e-5);
    }
    arena_destroy(moving.arena);
    arena_destroy(still.arena);
}

/* A body of mode 2 gives its bone a rotation only; descendants follow it. */
static void test_mode_2_keeps_positions(void **state)
{
    (void)state;
    DiagLog log;
    Stage moving, still;
    stage_init(&moving, true);
    stage_init(&still, false);
    diag_log_init(&log);
    moving.model.pmx.bodies[1].mode = PMX_PHYSICS_WITH_BONE;
    dynamics_plan(&moving.model.dynamics, &moving.model.pmx, moving.order, moving.arena, &log.diag);
    for (double frame = 3; frame < 80; frame += 7.3) {
        BonePose with[BONES], without[BONES];
        bones_at(with, &moving, frame, NULL, 0);
        bones_at(without, &still, frame, NULL, 0);
        assert_memory_equal(with[LOCK].position, without[LOCK].position,
                            sizeof with[LOCK].position);
        assert_false(same_turn(&with[LOCK], &without[LOCK]));
        const Vec3 bow = vec3_add(vec3_load(with[LOCK].position),
                                  quat_rotate(quat_load(with[LOCK].rotation), (Vec3){0, -3, 1}));
        assert_true(vec3_length(vec3_sub(vec3_load(with[BOW].position), bow)) < 1e-5);
    }
    arena_destroy(moving.arena);
    arena_destroy(still.arena);
}

/* A key that switches the lock's physics off leaves it where the keys have it; one later switches
 * it on. */
static void test_switched_off_by_a_key(void **state)
{
    (void)state;
    Stage moving, still;
    BonePose with[BONES], without[BONES];
    VmdBoneKey off = {.frame = 0, .rotation = {0, 0, 0, 1}, .physics = VMD_PHYSICS_OFF};
    VmdBoneKey on = {.frame = 30, .rotation = {0, 0, 0, 1}, .physics = VMD_PHYSICS_ON};
    const void *keys[] = {&off, &on};
    double frames[] = {0, 30};
    stage_init(&moving, true);
    stage_init(&still, false);
    moving.in_scene.motion.bones[LOCK] =
        (BoneTrack){.time = {0, 1}, .keys = keys, .frames = frames, .key_count = 2};
    for (double frame = 0; frame < 30; frame += 7) {
        bones_at(with, &moving, frame, NULL, 0);
        bones_at(without, &still, frame, NULL, 0);
        assert_memory_equal(with, without, sizeof with);
    }
    bones_at(with, &moving, 40, NULL, 0);
    bones_at(without, &still, 40, NULL, 0);
    assert_memory_not_equal(&with[LOCK], &without[LOCK], sizeof *with);
    arena_destroy(moving.arena);
    arena_destroy(still.arena);
}

/* A second model is attached to the bow of the first: its own lock is where its head is, and all is
 * repeatable. */
static void test_attached_to_a_moved_bone(void **state)
{
    (void)state;
    Stage stage;
    stage_init(&stage, true);
    SceneModel both[2] = {stage.in_scene, stage.in_scene};
    uint32_t order[2] = {0, 1};
    both[1].attach_model = 0;
    both[1].attach_bone = BOW;
    both[1].placement = PLACEMENT_NONE;
    both[1].placement.scale = 0.5f;
    stage.scene.models = both;
    stage.scene.model_count = 2;
    stage.scene.attach_order = order;

    Evaluator *evaluator = evaluator_create(&stage.scene);
    FrameState *frame = frame_state_create(&stage.scene, stage.arena);
    BonePose first[BONES];
    for (int round = 0; round < 2; round++)
        for (int f = 0; f <= 60; f++) {
            evaluate_frame(frame, evaluator, &stage.scene, f);
            const BonePose *bones = frame->models[1].bones;
            const float *a = bones[HEAD].position, *b = bones[LOCK].position;
            const float apart = hypotf(hypotf(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
            if (fabsf(apart - sqrtf(5)) > 1) /* (0, 2, 1) at rest; the head is one tick ahead */
                fail_msg("frame %d: %g apart", f, (double)apart);
            if (f == 45 && round == 0)
                memcpy(first, bones, sizeof first);
            else if (f == 45)
                assert_memory_equal(first, bones, sizeof first);
        }
    evaluator_destroy(evaluator);
    arena_destroy(stage.arena);
}

/* Half-way between two ticks is the mean of both, but for the turn of the way from body to bone. */
static void test_between_ticks(void **state)
{
    (void)state;
    Stage stage;
    BonePose first[BONES], middle[BONES], second[BONES];
    stage_init(&stage, true);
    bones_at(first, &stage, 20, NULL, 0);
    bones_at(middle, &stage, 20.125, NULL, 0);
    bones_at(second, &stage, 20.25, NULL, 0);
    for (int i = 0; i < 3; i++)
        assert_float_equal(middle[LOCK].position[i],
                           (first[LOCK].position[i] + second[LOCK].position[i]) / 2, 2e-3f);
    arena_destroy(stage.arena);
}

/* A kinematic body is where its bone is at the last tick: 120 a second, 4 a frame.  Its center is
 * 1 above the head at rest, which is scaled by 1.5. */
static void test_inputs_of_a_tick(void **state)
{
    (void)state;
    static const struct {
        double frame, tick_frame;
    } rows[] = {{0, 0}, {0.1, 0.25}, {0.25, 0.25}, {13.5, 13.5}, {40, 40}, {40.01, 40.25}};
    Stage stage;
    stage_init(&stage, true);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FrameState *frame = frame_state_create(&stage.scene, stage.arena);
        Evaluator *evaluator = evaluator_create(&stage.scene);
        evaluate_frame(frame, evaluator, &stage.scene, rows[i].frame);
        BonePose body, bones[BONES];
        assert_true(world_body(&body, evaluator_world(evaluator), 0, 0, 1));
        bones_at(bones, &stage, rows[i].tick_frame, NULL, 0);
        const Quat rotation = quat_load(bones[HEAD].rotation);
        const Vec3 center =
            vec3_add(vec3_load(bones[HEAD].position), quat_rotate(rotation, (Vec3){0, 1, 0}));
        const Vec3 expected = placement_point(&frame->models[0].placement, center);
        if (vec3_length(vec3_sub(vec3_load(body.position), expected)) > 1e-4)
            fail_msg("frame %g: (%g %g %g)", rows[i].frame, (double)body.position[0],
                     (double)body.position[1], (double)body.position[2]);
        evaluator_destroy(evaluator);
    }
    arena_destroy(stage.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits_in_any_order),
        cmocka_unit_test(test_moved_bones),
        cmocka_unit_test(test_mode_2_keeps_positions),
        cmocka_unit_test(test_switched_off_by_a_key),
        cmocka_unit_test(test_attached_to_a_moved_bone),
        cmocka_unit_test(test_between_ticks),
        cmocka_unit_test(test_inputs_of_a_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
