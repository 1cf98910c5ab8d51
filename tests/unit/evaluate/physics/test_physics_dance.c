// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "diag_log.h"
#include "evaluate/frame.h"
#include "evaluate/physics/physics.h"
#include "shared_data.h"
#include "unit_test.h"

/* Laws on real models: finite numbers, chains no longer than they are, and rest without motion. */

enum { FRAMES = 60, REST_FROM = 300, REST_FRAMES = 315 };

static const char *const models[] = {"gene/Gene_light.pmx", "gene/Gene_light.pmd",
                                     "miu-trace-model/v4_trace_model.pmx"};
static const char dance[] = "miu-mmd-base/dance_7403frames.vmd";

/* start: a frame of the dance, or -1 for no motion */
static Scene load(const char *model, double start, Arena *arena)
{
    MotionSpec motion = {.file = path_join(shared_data_directory(), dance, arena),
                         .time = {-start, 1},
                         .only = MOTION_ALL,
                         .to = -1,
                         .at = -1};
    const ModelSpec figure = {.id = "figure",
                              .file = path_join(shared_data_directory(), model, arena),
                              .motions = &motion,
                              .motion_count = start >= 0,
                              MODEL_DEFAULT,
                              .physics = true};
    const SceneSpec spec = {
        .models = &figure, .model_count = 1, .compat = COMPAT_DEFAULT, .physics = PHYSICS_DEFAULT};
    DiagLog log;
    Scene scene;
    diag_log_init(&log);
    assert_true(scene_load(&scene, &spec, arena, &log.diag));
    return scene;
}

static bool is_whole(const ModelState *state, uint32_t bones)
{
    for (uint32_t b = 0; b < bones; b++)
        for (int i = 0; i < 3; i++)
            if (!isfinite(state->bones[b].position[i]) || !isfinite(state->bones[b].rotation[i]))
                return false;
    return true;
}

static void test_chains_keep_their_length(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        Arena *arena = arena_create();
        Bytes unused;
        if (!shared_data_load(&unused, models[m], arena) ||
            !shared_data_load(&unused, dance, arena)) {
            arena_destroy(arena);
            skip();
        }
        const Scene scene = load(models[m], 450, arena); /* where the dance is quick */
        Evaluator *evaluator = evaluator_create(&scene);
        FrameState *frame = frame_state_create(&scene, arena);
        for (int f = 0; f < FRAMES; f++) {
            evaluate_frame(frame, evaluator, &scene, f);
            const float strain = world_strain(evaluator_world(evaluator));
            if (strain > 1.1f ||
                !is_whole(&frame->models[0], scene.models[0].model->pmx.bone_count))
                fail_msg("%s, frame %d: strain %g", models[m], f, (double)strain);
        }
        evaluator_destroy(evaluator);
        arena_destroy(arena);
    }
}

/* Half the angle between two rotations is the arc sine of this; exact for small ones. */
static float half_turn(const float a[4], const float b[4])
{
    float plus = 0, minus = 0;

    for (int i = 0; i < 4; i++) {
        plus += (a[i] + b[i]) * (a[i] + b[i]);
        minus += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrtf(fminf(plus, minus));
}

static void test_rest(void **state)
{
    static const float limit = 0.05f * 3.14159265f / 180 / 2;
    (void)state;

    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        Arena *arena = arena_create();
        Bytes unused;
        if (!shared_data_load(&unused, models[m], arena)) {
            arena_destroy(arena);
            skip();
        }
        const Scene scene = load(models[m], -1, arena);
        const uint32_t bones = scene.models[0].model->pmx.bone_count;
        Evaluator *evaluator = evaluator_create(&scene);
        FrameState *frames[2] = {frame_state_create(&scene, arena),
                                 frame_state_create(&scene, arena)};
        for (int f = 0; f < REST_FRAMES; f++) {
            const BonePose *now = frames[f % 2]->models[0].bones;
            const BonePose *before = frames[1 - f % 2]->models[0].bones;

            evaluate_frame(frames[f % 2], evaluator, &scene, f);
            for (uint32_t b = 0; b < bones && f > REST_FROM; b++)
                if (half_turn(now[b].rotation, before[b].rotation) > limit)
                    fail_msg("%s, frame %d, bone %u: more than 0.05 degrees", models[m], f, b);
        }
        evaluator_destroy(evaluator);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains_keep_their_length),
        cmocka_unit_test(test_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
