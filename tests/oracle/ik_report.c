// SPDX-License-Identifier: MIT
#include "ik_report.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "evaluate/frame.h"
#include "math/rotation.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "table.h"

static const char *const family_names[] = {"plane", "pmxe"};

/* ---- over a dance ---- */

static void report_dance(const char *model_name, const char *motion_name, const Assets *assets,
                         IkFamily family)
{
    const char *file = assets_find(assets, model_name), *dance = assets_find(assets, motion_name);
    if (!file || !dance)
        return;
    Arena *arena = arena_create();
    Diag diag = diag_quiet();
    MotionSpec motion = {.file = dance, MOTION_DEFAULT};
    const ModelSpec model = {
        .id = "m", .file = file, .motions = &motion, .motion_count = 1, MODEL_DEFAULT};
    SceneSpec spec = {.models = &model, .model_count = 1, .compat = COMPAT_DEFAULT};
    spec.compat.ik = family;
    Scene scene;
    if (scene_load(&scene, &spec, arena, &diag)) {
        const Model *m = scene.models[0].model;
        FrameState *state = frame_state_create(&scene, arena);
        Evaluator *evaluator = evaluator_create(&scene);
        Errors *errors = arena_array(arena, Errors, m->ik_count);
        for (int frame = 0; frame <= (int)scene.last_frame; frame++) {
            evaluate_frame(state, evaluator, &scene, frame);
            for (uint32_t i = 0; i < m->ik_count; i++)
                *arena_push(arena, &errors[i]) = (Sample){
                    (double)evaluator_ik_residual(evaluator, 0, m->ik_bones[i]), 0, frame, i};
        }
        for (uint32_t i = 0; i < m->ik_count; i++) {
            const Statistics s = errors_statistics(&errors[i], arena);
            printf("%-20s %-6s %5zu frames  median %.5f  worst %.4f at %5.0f  %s\n", model_name,
                   family_names[family], errors[i].count, s.median_units, s.units, s.worst.frame,
                   m->pmx.bones[m->ik_bones[i]].name);
        }
        evaluator_destroy(evaluator);
    }
    arena_destroy(arena);
}

/* ---- stretched legs ---- */

enum { HIP = 1, KNEE = 2, ANKLE = 3, GOAL = 4, STEPS = 300 };

/* The goal starts at `from` and creeps by `step` a frame, both from its rest. */
typedef struct LegCase {
    const char *what;
    float from[3], step[3];
    float knee_degrees; /* keyed about x */
    bool one_link;
} LegCase;

static const LegCase leg_cases[] = {
    {"straight, at full extension", {0, 1.073374f, -3.999089f}, {0, 0.0005f, -0.0003f}, 0, false},
    {"beyond full extension", {0, -2, -1}, {0.001f, 0, 0.002f}, 0, false},
    {"slowly through extension", {0, 0.5f, -0.5f}, {0, -0.003f, 0}, 0, false},
    {"back from extension", {0, -0.4f, 0.2f}, {0, 0.003f, 0}, 0, false},
    {"above the hip", {0.5f, 11, -3}, {0.002f, 0.002f, 0}, 0, false},
    {"knee keyed", {0, 2, 0}, {0, 0.002f, 0.002f}, -50, false},
    {"knee keyed the wrong way", {0, 2, 0}, {0, 0.002f, 0.002f}, 30, false},
    {"one link", {3, 1, -5}, {0.002f, 0.002f, 0}, 0, true},
};

typedef struct Shake {
    double residual;    /* the largest that the length of the leg does not explain */
    double ankle, knee; /* the largest step, per step of the goal */
    double turn;        /* the largest change of the knee's step, per step of the goal */
} Shake;

static Vec3 place(const FrameState *state, int bone)
{
    return vec3_load(state->models[0].bones[bone].position);
}

static Shake follow(const Scene *scene, double speed, Arena *arena)
{
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    Vec3 ankle = {0, 0, 0}, knee = ankle, step = ankle;
    Shake shake = {0};
    for (int frame = 0; frame <= STEPS; frame++) {
        evaluate_frame(state, evaluator, scene, frame);
        const double length = vec3_length(vec3_sub(place(state, KNEE), place(state, HIP))) +
                              vec3_length(vec3_sub(place(state, ANKLE), place(state, KNEE)));
        const double far = vec3_length(vec3_sub(place(state, GOAL), place(state, HIP))) - length;
        const double miss = vec3_length(vec3_sub(place(state, GOAL), place(state, ANKLE)));
        shake.residual = fmax(shake.residual, miss - fmax(0, far));
        if (frame > 0) {
            const Vec3 knee_step = vec3_sub(place(state, KNEE), knee);
            shake.ankle =
                fmax(shake.ankle, vec3_length(vec3_sub(place(state, ANKLE), ankle)) / speed);
            shake.knee = fmax(shake.knee, vec3_length(knee_step) / speed);
            if (frame > 1)
                shake.turn = fmax(shake.turn, vec3_length(vec3_sub(knee_step, step)) / speed);
            step = knee_step;
        }
        ankle = place(state, ANKLE);
        knee = place(state, KNEE);
    }
    evaluator_destroy(evaluator);
    return shake;
}

/* True when the ankle's and knee's steps stay in proportion to the goal's. */
static bool report_leg(const LegCase *c, IkFamily family)
{
    static const float x_axis[3] = {1, 0, 0};
    const double most_ankle = 3, most_knee = 12, most_turn = 6;
    Arena *arena = arena_create();
    PmxModel pmx = fixture_leg(arena);
    if (c->one_link) {
        pmx.bones[GOAL].ik.links[0] = (PmxIkLink){.bone = HIP};
        pmx.bones[GOAL].ik.link_count = 1;
    }
    VmdBoneKey keys[] = {fixture_turn_key("左ひざ", 0, x_axis, c->knee_degrees),
                         fixture_key("左足ＩＫ", 0, c->from[0], c->from[1], c->from[2]),
                         fixture_key("左足ＩＫ", STEPS, c->from[0] + STEPS * c->step[0],
                                     c->from[1] + STEPS * c->step[1],
                                     c->from[2] + STEPS * c->step[2])};
    const VmdMotion vmd = fixture_motion_of(keys, 3);
    Compat compat = COMPAT_DEFAULT;
    compat.ik = family;
    const Scene *scene = fixture_scene(pmx, &vmd, compat, arena);
    const double speed = vec3_length(vec3_load(c->step));
    const Shake s = follow(scene, speed, arena);
    arena_destroy(arena);
    const bool calm = s.ankle < most_ankle && s.knee < most_knee && s.turn < most_turn;
    printf("%-26s %-6s  residual %.4f  steps, the goal's being 1: ankle %6.3f  knee %6.3f  "
           "change of the knee's %6.3f  %s\n",
           c->what, family_names[family], s.residual, s.ankle, s.knee, s.turn,
           calm ? "calm" : "SHAKES");
    return calm;
}

unsigned ik_report(const Assets *assets)
{
    static const char *const models[] = {"Gene_light.pmx", "v4_trace_model.pmx"};
    unsigned shaking = 0;
    printf("\nIK: distance from effector to goal over dance_7403frames.vmd, units\n");
    for (int m = 0; m < 2; m++)
        for (int family = IK_PLANE; family <= IK_PMXE; family++)
            report_dance(models[m], "dance_7403frames.vmd", assets, (IkFamily)family);
    printf("\nIK: a goal that creeps, %d frames\n", STEPS);
    for (size_t i = 0; i < sizeof leg_cases / sizeof *leg_cases; i++)
        for (int family = IK_PLANE; family <= IK_PMXE; family++)
            shaking += !report_leg(&leg_cases[i], (IkFamily)family) && family == IK_PLANE;
    return shaking;
}
