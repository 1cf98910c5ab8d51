// SPDX-License-Identifier: MIT
/*
 * A model and a motion, loaded and evaluated for ten frames with physics, soft bodies and cloth: an
 * error message, or states without a NaN.
 *
 * The input is HEADER bytes of settings (bit 7 of the first: only three frames), a PMX file, and a
 * VMD file from its signature on.
 */
#include <math.h>
#include <string.h>

#include "cloth_tuning.h"
#include "evaluate/frame.h"
#include "format/model/pmx.h"
#include "fuzz.h"
#include "fuzz_memory_file.h"
#include "math/integrator.h"

enum { HEADER = 8, FRAMES = 10 };

typedef struct Input {
    const uint8_t *settings;
    Bytes model, motion;
} Input;

static Input split(const uint8_t *data, size_t size)
{
    static const char signature[] = "Vocaloid Motion Data";
    const uint8_t *start = data + HEADER, *end = data + size;
    const uint8_t *motion = memmem(start, (size_t)(end - start), signature, sizeof signature - 1);
    motion = motion ? motion : end;
    return (Input){data, {start, (size_t)(motion - start)}, {motion, (size_t)(end - motion)}};
}

/* ---- the scene ---- */

static ClothTuning tuning_of(const uint8_t *settings)
{
    ClothTuning tuning = CLOTH_TUNING_DEFAULT;
    tuning.integrator = settings[1] % INTEGRATOR_COUNT;
    tuning.step_hz = 60;
    tuning.stiffness = 2000;
    tuning.gust = 0.5;
    tuning.wind.x = 10;
    return tuning;
}

/* A cloth made from a material, and one made from a shape. */
static size_t add_cloths(ClothSpec specs[2], ClothShapeSpec *shapes, const char **pin,
                         const PmxModel *pmx, const uint8_t *settings)
{
    size_t count = 0;
    const ClothSpec common = {.model = "m",
                              .lining = 0.1,
                              .pin = {.bones = pin, .bone_count = 1},
                              .bodies = (settings[0] & 32) != 0,
                              .floor = (settings[0] & 2) != 0,
                              .tuning = tuning_of(settings)};
    if (!pmx->bone_count)
        return 0;
    *pin = pmx->bones[settings[4] % pmx->bone_count].name;
    if ((settings[0] & 8) && pmx->material_count) {
        specs[count] = common;
        specs[count++].material = pmx->materials[settings[3] % pmx->material_count].name;
    }
    if (settings[0] & 16) {
        specs[count] = common;
        shapes[0] = (ClothShapeSpec){.form = settings[5] % 3,
                                     .columns = 4,
                                     .rows = 4,
                                     .radius = {1, 2},
                                     .depth = 1,
                                     .width = 2,
                                     .length = 3,

                                     .color = {1, 1, 1}};
        specs[count++].shape = shapes;
    }
    return count;
}

static bool load(Scene *scene, const Input *in, Arena *arena, Diag *diag)
{
    PmxModel pmx;
    if (!pmx_load(&pmx, in->model, arena, diag))
        return false;
    MemoryFile model, motion;
    memory_file_open(&model, in->model.data, in->model.size);
    memory_file_open(&motion, in->motion.data, in->motion.size);
    ClothSpec cloths[2];
    const char *pin;
    MotionSpec motions[] = {{.file = motion.path,
                             .time = {in->settings[6], 1 + in->settings[7]},
                             .only = MOTION_ALL,
                             .to = -1,
                             .at = -1}};
    const ModelSpec models[] = {{.id = "m",
                                 .file = model.path,
                                 .motions = motions,
                                 .motion_count = in->motion.size > 0,
                                 MODEL_DEFAULT,
                                 .physics = true}};
    ClothShapeSpec shape;
    SceneSpec spec = {.models = models,
                      .model_count = 1,
                      .cloths = cloths,
                      .cloth_count = add_cloths(cloths, &shape, &pin, &pmx, in->settings),
                      .compat = COMPAT_DEFAULT,
                      .physics = PHYSICS_DEFAULT};
    spec.compat.ik = in->settings[0] & 1 ? IK_PMXE : IK_PLANE;
    spec.compat.append_chain = in->settings[0] & 64 ? APPEND_OWN : APPEND_APPENDED;
    spec.physics.step_hz = 60;
    spec.physics.warmup_s = 0.1f;
    spec.physics.floor = (in->settings[0] & 2) != 0;
    spec.physics.teleport_reset = (in->settings[0] & 4) != 0;
    const bool ok = scene_load(scene, &spec, arena, diag);
    memory_file_close(&model);
    memory_file_close(&motion);
    return ok;
}

/* ---- evaluation ---- */

static void check_floats(const void *floats, size_t count)
{
    const float *values = floats;
    for (size_t i = 0; i < count; i++)
        fuzz_require(isfinite(values[i]));
}

static void check(const FrameState *state, const Scene *scene)
{
    for (size_t i = 0; i < scene->model_count; i++) {
        const ModelState *m = &state->models[i];
        const PmxModel *pmx = &scene->models[i].model->pmx;
        check_floats(&m->placement, sizeof m->placement / sizeof(float));
        check_floats(m->bones, pmx->bone_count * sizeof *m->bones / sizeof(float));
        check_floats(m->cloth, m->cloth_count * sizeof *m->cloth / sizeof(float));
        check_floats(m->key_weights, pmx->morph_count);
        check_floats(m->leaf_weights, pmx->morph_count);
        check_floats(m->materials, pmx->material_count * sizeof *m->materials / sizeof(float));
    }
    check_floats(state->camera.target, 3);
    check_floats(state->camera.rotation, 3);
    check_floats(&state->camera.distance, 1);
    check_floats(&state->camera.fov_deg, 1);
    check_floats(&state->light, sizeof state->light / sizeof(float));
    check_floats(&state->shadow.distance, 1);
}

static void evaluate(const Scene *scene, const uint8_t *settings, Arena *arena)
{
    static const double steps[] = {1, 0.5, 3, 10};
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    for (int i = 0; i < (settings[0] & 128 ? 3 : FRAMES); i++) {
        evaluate_frame(state, evaluator, scene, i * steps[settings[2] % 4]);
        check(state, scene);
    }
    evaluator_destroy(evaluator);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEADER)
        return 0;
    const Input in = split(data, size);
    Arena *arena = arena_create();
    Diag diag = fuzz_diag();
    Scene scene;
    const bool loaded = load(&scene, &in, arena, &diag);
    fuzz_require(loaded == (diag.errors == 0));
    if (loaded)
        evaluate(&scene, in.settings, arena);
    arena_destroy(arena);
    return 0;
}
