// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "evaluate/frame.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "skin_model.h"
#include "unit_test.h"

enum { STRIP_VERTICES = 10, MIDDLE = 5 /* at (0.5, 2, 0), half of each bone */, TOP = 9 };

static const float Z[3] = {0, 0, 1};
static const char *const deform_names[] = {"BDEF1", "BDEF2", "BDEF4", "SDEF", "QDEF"};

typedef struct Skinned {
    float positions[STRIP_VERTICES][3], normals[STRIP_VERTICES][3];
} Skinned;

/* The strip with its upper bone turned about z, and all of it moved. */
static Skinned skin(PmxModel pmx, float degrees, float x, float weight)
{
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_turn_key("upper", 0, Z, degrees),
                         fixture_key("lower", 0, x, 0, 0)};
    const VmdMotion vmd = fixture_motion_of(keys, 2);
    Scene *scene = fixture_scene(pmx, &vmd, COMPAT_DEFAULT, arena);
    if (pmx.morph_count)
        scene->models[0].morph_constants[0] = weight;
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    evaluate_frame(state, evaluator, scene, 0);
    Skinned s;
    skin_model(s.positions, s.normals, scene->models[0].model, &state->models[0]);
    evaluator_destroy(evaluator);
    arena_destroy(arena);
    return s;
}

static void check_point(const char *what, const float *got, float x, float y, float z)
{
    if (!(fabsf(got[0] - x) < 1e-5f && fabsf(got[1] - y) < 1e-5f && fabsf(got[2] - z) < 1e-5f))
        fail_msg("%s: (%.7g %.7g %.7g), not (%.7g %.7g %.7g)", what, (double)got[0], (double)got[1],
                 (double)got[2], (double)x, (double)y, (double)z);
}

static void rest_is_the_file(void **state)
{
    (void)state;
    for (int deform = PMX_BDEF1; deform <= PMX_QDEF; deform++) {
        Arena *arena = arena_create();
        PmxModel pmx = fixture_strip_of((PmxDeform)deform, arena);
        for (int i = 0; deform == PMX_BDEF1 && i < STRIP_VERTICES; i++)
            pmx.vertices[i].weights[0] = 1;
        const Skinned s = skin(pmx, 0, 0, 0);
        for (int i = 0; i < STRIP_VERTICES; i++) {
            const float *p = pmx.vertices[i].position;
            check_point(deform_names[deform], s.positions[i], p[0], p[1], p[2]);
            check_point(deform_names[deform], s.normals[i], 0, 0, -1);
        }
        arena_destroy(arena);
    }
}

/*
 * The upper bone turns by 90 degrees about (0, 2, 0).  The middle vertex (0.5, 2, 0) stays with the
 * lower bone and moves to (0, 2.5, 0) with the upper one.
 *   linear  the mean of the two
 *   SDEF    C = (0, 2, 0); the center goes to (0, 1.5, 0)/2 + (-0.5, 2, 0)/2 and p - C turns by 45
 *   QDEF    half of a turn about a point is half the angle about that point
 */
static void joint_by_hand(void **state)
{
    (void)state;
    const float h = 0.5f * sqrtf(0.5f);
    const struct {
        PmxDeform deform;
        float middle[3];
    } rows[] = {
        {PMX_BDEF2, {0.25f, 2.25f, 0}},
        {PMX_BDEF4, {0.25f, 2.25f, 0}},
        {PMX_SDEF, {h - 0.25f, 1.75f + h, 0}},
        {PMX_QDEF, {h, 2 + h, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        const char *name = deform_names[rows[i].deform];
        const Skinned s = skin(fixture_strip_of(rows[i].deform, arena), 90, 3, 0);
        check_point(name, s.positions[MIDDLE], rows[i].middle[0] + 3, rows[i].middle[1],
                    rows[i].middle[2]);
        check_point(name, s.positions[TOP], 3 - 2, 2.5f,
                    0); /* (0.5, 4, 0) follows the upper bone */
        check_point(name, s.positions[1], 3.5f, 0, 0);
        check_point(name, s.normals[MIDDLE], 0, 0, -1);
        arena_destroy(arena);
    }
}

/* A turn of 200 degrees is one of -160: the middle turns by half of it, although the quaternions
 * are on opposite sides of the sphere; with weights of 1/4 and 3/4 by the angle of their sum. */
static void dual_quaternions_take_the_short_way(void **state)
{
    (void)state;
    for (int uneven = 0; uneven < 2; uneven++) {
        Arena *arena = arena_create();
        PmxModel pmx = fixture_strip_of(PMX_QDEF, arena);
        const double upper = uneven ? 0.75 : 0.5, half = -80 * M_PI / 180;
        pmx.vertices[MIDDLE].weights[0] = (float)(1 - upper);
        pmx.vertices[MIDDLE].weights[1] = (float)upper;
        const double angle = 2 * atan2(upper * sin(half), 1 - upper + upper * cos(half));
        const Skinned s = skin(pmx, 200, 0, 0);
        check_point("middle", s.positions[MIDDLE], 0.5f * (float)cos(angle),
                    2 + 0.5f * (float)sin(angle), 0);
        arena_destroy(arena);
    }
}

static void vertex_morphs_come_first(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel pmx = fixture_strip(arena);
    PmxVertexOffset offsets[] = {{TOP, {1, 0, 0}}};
    PmxMorph morph = {.name = "m",
                      .name_en = "",
                      .type = PMX_MORPH_VERTEX,
                      .count = 1,
                      .offsets.vertex = offsets};
    pmx.morphs = &morph;
    pmx.morph_count = 1;
    const Skinned s = skin(pmx, 90, 0, 0.5f); /* (1, 4, 0) about (0, 2, 0) */
    check_point("top", s.positions[TOP], -2, 3, 0);
    arena_destroy(arena);
}

/* Without bones, or with a QDEF of weights 0, a vertex keeps its position and normal. */
static void vertices_without_bones_keep_their_positions(void **state)
{
    (void)state;
    for (int deform = PMX_BDEF1; deform <= PMX_QDEF; deform++)
        for (int bones = 0; bones < 3; bones += 2) {
            if (bones && deform != PMX_QDEF)
                continue;
            Arena *arena = arena_create();
            PmxModel pmx = fixture_strip_of((PmxDeform)deform, arena);
            pmx.bone_count = (uint32_t)bones;
            for (int i = 0; i < STRIP_VERTICES; i++) {
                if (bones)
                    memset(pmx.vertices[i].weights, 0, sizeof pmx.vertices[i].weights);
                else if (deform == PMX_BDEF1)
                    pmx.vertices[i].weights[0] = 1;
            }
            const Skinned s = skin(pmx, 90, 3, 0);
            for (int i = 0; i < STRIP_VERTICES; i++) {
                const float *p = pmx.vertices[i].position;
                check_point(deform_names[deform], s.positions[i], p[0], p[1], p[2]);
                check_point(deform_names[deform], s.normals[i], 0, 0, -1);
            }
            arena_destroy(arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_is_the_file),
        cmocka_unit_test(joint_by_hand),
        cmocka_unit_test(dual_quaternions_take_the_short_way),
        cmocka_unit_test(vertex_morphs_come_first),
        cmocka_unit_test(vertices_without_bones_keep_their_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
