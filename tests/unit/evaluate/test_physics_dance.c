#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "evaluate/frame.h"
#include "evaluate/physics.h"
#include "diag_log.h"
#include "shared_data.h"

/* Laws on real models that dance: finite numbers, and chains no longer than they are. */

enum { FRAMES = 60 };

static const char *const models[] = {"gene/Gene_light.pmx", "gene/Gene_light.pmd",
                                     "miu-trace-model/v4_trace_model.pmx"};
static const char dance[] = "miu-mmd-base/dance_7403frames.vmd";

static Scene load(const char *model, double start, Arena *arena)
{
    const MotionSpec motion = {.file = path_join(shared_data_folder(), dance, arena),
                               .time = {-start, 1},
                               .parts = MOTION_ALL};
    const ModelSpec figure = {.id = "figure",
                              .file = path_join(shared_data_folder(), model, arena),
                              .motions = &motion,
                              .motion_count = 1,
                              .placement = PLACEMENT_NONE,
                              .physics = true};
    const SceneSpec spec = {.models = &figure,
                            .model_count = 1,
                            .camera_kind = CAMERA_FIXED,
                            .compat = COMPAT_DEFAULT,
                            .physics = PHYSICS_DEFAULT};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains_keep_their_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
