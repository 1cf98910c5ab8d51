// SPDX-License-Identifier: MIT
/* Loops of bodies: no joint comes apart however fast their ends move, at rest they are still, and
 * two runs are the same. */

#include <math.h>
#include <string.h>

#include "evaluate/frame.h"
#include "garland_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

enum { KEYS = 8, FRAMES = 60, TRACKS = 5 };

/* Every four frames: the body jumps to and fro, head and chest turn, and the arms beat. */
static VmdMotion quick_motion(Arena *arena)
{
    static const struct {
        const char *bone;
        float axis[3], degrees;
    } turns[TRACKS - 1] = {{"頭", {1, 0, 0}, 35},
                           {"上半身", {0, 1, 0}, 40},
                           {"左腕", {0, 0, 1}, 60},
                           {"右腕", {0, 0, -1}, 60}};
    VmdBoneKey *keys = arena_array(arena, VmdBoneKey, TRACKS * KEYS * 2);
    uint32_t count = 0;

    for (uint32_t k = 0; k < KEYS * 2; k++) {
        const float side = k % 2 ? 1 : -1;
        keys[count++] = fixture_key("センター", 4 * k, 2 * side, (float)(k % 3), 0);
        for (int t = 0; t < TRACKS - 1; t++)
            keys[count++] =
                fixture_turn_key(turns[t].bone, 4 * k, turns[t].axis, side * turns[t].degrees);
    }
    return fixture_motion_of(keys, count);
}

static Scene *garland_scene(GarlandSpec spec, const VmdMotion *motion, Arena *arena)
{
    Scene *scene = fixture_scene(fixture_garland(&spec, arena), motion, (Compat){0}, arena);

    scene->models[0].spec.physics = true;
    scene->physics = PHYSICS_DEFAULT;
    return scene;
}

static void test_joints_stay_closed(void **state)
{
    static const GarlandSpec specs[] = {
        {GARLAND_HEAD, 6, 10, 1.5f},      {GARLAND_HEAD, 20, 0.1f, 1.5f},
        {GARLAND_STRAP, 60, 0.01f, 1.5f}, {GARLAND_ARMS, 12, 1, 1.5f},
        {GARLAND_ARMS, 60, 0.01f, 1.5f},  {GARLAND_RING, 12, 0.1f, 0.3f},
        {GARLAND_LOCK, 30, 0.1f, 1.5f},
    };
    (void)state;

    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        Arena *arena = arena_create();
        const VmdMotion motion = quick_motion(arena);
        Scene *scene = garland_scene(specs[i], &motion, arena);
        Evaluator *evaluator = evaluator_create(scene);
        FrameState *frame = frame_state_create(scene, arena);
        for (int f = 0; f < FRAMES; f++) {
            uint32_t joint = 0;
            evaluate_frame(frame, evaluator, scene, f);
            const float gap = garland_widest_gap(evaluator_world(evaluator),
                                                 &scene->models[0].model->pmx, &joint);
            if (!(gap <= 0.2f))
                fail_msg("garland %zu, frame %d: joint %u is open by %g", i, f, joint, (double)gap);
        }
        evaluator_destroy(evaluator);
        arena_destroy(arena);
    }
}

/* Bones of the garland after 60 frames. */
static const BonePose *dance(const Scene *scene, Arena *arena)
{
    Evaluator *evaluator = evaluator_create(scene);
    FrameState *frame = frame_state_create(scene, arena);

    evaluate_frame(frame, evaluator, scene, FRAMES);
    evaluator_destroy(evaluator);
    return frame->models[0].bones;
}

static void test_runs_are_the_same(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const VmdMotion motion = quick_motion(arena);
    Scene *scene = garland_scene((GarlandSpec){GARLAND_ARMS, 20, 0.1f, 1.5f}, &motion, arena);
    const BonePose *a = dance(scene, arena), *b = dance(scene, arena);

    assert_memory_equal(a, b, scene->models[0].model->pmx.bone_count * sizeof *a);
    arena_destroy(arena);
}

/* Without motion no bone moves by more than 0.001 units a frame after ten seconds. */
static void test_rests(void **state)
{
    (void)state;
    for (int tie = 0; tie < GARLAND_TIES; tie++) {
        Arena *arena = arena_create();
        Scene *scene = garland_scene((GarlandSpec){(GarlandTie)tie, 12, 0.1f, 1.5f}, NULL, arena);
        Evaluator *evaluator = evaluator_create(scene);
        FrameState *frames[2] = {frame_state_create(scene, arena),
                                 frame_state_create(scene, arena)};
        for (int f = 300; f < 310; f++) {
            const BonePose *now = frames[f % 2]->models[0].bones;
            const BonePose *before = frames[1 - f % 2]->models[0].bones;
            evaluate_frame(frames[f % 2], evaluator, scene, f);
            for (uint32_t b = 0; b < scene->models[0].model->pmx.bone_count && f > 300; b++)
                for (int k = 0; k < 3; k++)
                    if (!(fabsf(now[b].position[k] - before[b].position[k]) < 0.001f))
                        fail_msg("garland %d, frame %d: bone %u moves", tie, f, b);
        }
        evaluator_destroy(evaluator);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_joints_stay_closed),
                                       cmocka_unit_test(test_runs_are_the_same),
                                       cmocka_unit_test(test_rests)};
    return cmocka_run_group_tests_name("loop_bullet", tests, NULL, NULL);
}
