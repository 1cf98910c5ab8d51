// SPDX-License-Identifier: MIT
/* The bones that others depend on: worked out by hand, and by the law that a pose which is solved
 * for a subset only has the bits of one that is solved for all bones. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "evaluate/pose_solve.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

enum { MODELS = 40, BONES = 30, KEYS = BONES };

static BoneSubset subset_of_bone(Pose *pose, const Scene *scene, uint32_t bone, Arena *arena)
{
    bool *wanted = arena_array(arena, bool, scene->models[0].model->pmx.bone_count);
    pose_solve_create(pose, &scene->models[0], &scene->compat, arena);
    wanted[bone] = true;
    return bone_subset_of(pose, wanted, arena);
}

static uint32_t bits_of(const BoneSubset *subset)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < subset->count; i++)
        bits |= 1u << subset->parents_first[i];
    return bits;
}

static void dependencies_are_included(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        PmxModel (*model)(Arena *arena);
        uint32_t bone, expected; /* a bit per bone */
    } rows[] = {
        {"a parent of links", fixture_leg, 0, 0x01},
        {"the goal", fixture_leg, 4, 0x10},
        {"a link: goal, effector and their parents", fixture_leg, 1, 0x1f},
        {"the effector", fixture_leg, 3, 0x1f},
        {"a source", fixture_append_chain, 0, 0x1},
        {"an append of an append", fixture_append_chain, 2, 0x7},
        {"a local append", fixture_append_chain, 3, 0x9},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        const Scene *scene = fixture_scene(rows[r].model(arena), NULL, COMPAT_DEFAULT, arena);
        Pose pose;
        const BoneSubset subset = subset_of_bone(&pose, scene, rows[r].bone, arena);
        if (bits_of(&subset) != rows[r].expected)
            fail_msg("%s: bones %#x instead of %#x", rows[r].what, bits_of(&subset),
                     rows[r].expected);
        arena_destroy(arena);
    }
}

static void bodies_need_their_bones(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel pmx = fixture_leg(arena);
    PmxBody body = {.bone = 0, .shape = PMX_SPHERE, .size = {1}, .mass = 1};
    Pose pose;

    pmx.bodies = &body;
    pmx.body_count = 1;
    const Scene *scene = fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena);
    pose_solve_create(&pose, &scene->models[0], &scene->compat, arena);
    const BoneSubset subset = bone_subset_of_bodies(&pose, arena);
    assert_int_equal(bits_of(&subset), 0x01);
    assert_int_equal(subset.before_physics, 1);
    arena_destroy(arena);
}

/* ---- the law ---- */

static uint32_t random_below(uint32_t *seed, uint32_t end)
{
    *seed = *seed * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)*seed * end) >> 32);
}

static float random_float(uint32_t *seed)
{
    return (float)random_below(seed, 2001) / 1000 - 1;
}

/* Its links are the parent of the effector and the parent of that, if there are any. */
static void add_ik(PmxModel *pmx, uint32_t bone, uint32_t *seed, Arena *arena)
{
    const uint32_t effector = random_below(seed, BONES);
    PmxIk *ik = &pmx->bones[bone].ik;

    *ik = (PmxIk){.effector = (int32_t)effector,
                  .loops = 10,
                  .unit_angle = 1,
                  .links = arena_array(arena, PmxIkLink, 2)};
    for (int32_t at = pmx->bones[effector].parent; at >= 0 && ik->link_count < 2;
         at = pmx->bones[at].parent)
        ik->links[ik->link_count++].bone = at;
    pmx->bones[bone].flags |= PMX_BONE_IK;
}

static PmxModel random_model(VmdBoneKey *keys, uint32_t *seed, Arena *arena)
{
    PmxModel pmx = fixture_empty();

    pmx.bones = arena_array(arena, PmxBone, BONES);
    pmx.bone_count = BONES;
    for (uint32_t i = 0; i < BONES; i++) {
        char name[8];
        snprintf(name, sizeof name, "b%u", (unsigned)i);
        const int32_t parent = i > 0 ? (int32_t)random_below(seed, i + 1) - 1 : -1;
        const float axis[3] = {random_float(seed), 1, random_float(seed)};
        const char *text = arena_copy(arena, name, sizeof name);
        pmx.bones[i] = fixture_bone(text, parent, random_float(seed), (float)i, 0);
        pmx.bones[i].layer = (int32_t)random_below(seed, 3);
        if (random_below(seed, 4) == 0) {
            pmx.bones[i].flags |= PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_TRANSLATION;
            pmx.bones[i].append_source = (int32_t)random_below(seed, BONES);
            pmx.bones[i].append_ratio = random_float(seed);
        }
        keys[i] = fixture_turn_key(text, 0, axis, 90 * random_float(seed));
        keys[i].translation[0] = random_float(seed);
    }
    for (int i = 0; i < 4; i++)
        add_ik(&pmx, random_below(seed, BONES), seed, arena);
    return pmx;
}

/* The bones before physics, of which those that are not in the subset are not valid. */
static void solve(Pose *pose, const BoneSubset *bones)
{
    for (uint32_t i = 0; i < BONES; i++)
        pose->bones[i].position.x = pose->bones[i].rotation.w = pose->bones[i].local_offset.x =
            pose->bones[i].local_rotation.w = (double)NAN;
    pose_solve_begin(pose, bones, NULL, 0);
    pose_solve_before_physics(pose, bones);
}

static void other_bones_make_no_difference(void **state)
{
    (void)state;
    uint32_t seed = 1, left_out = 0;

    for (int m = 0; m < MODELS; m++) {
        Arena *arena = arena_create();
        VmdBoneKey keys[KEYS];
        const PmxModel pmx = random_model(keys, &seed, arena);
        const VmdMotion motion = fixture_motion_of(arena_copy(arena, keys, sizeof keys), KEYS);
        const Scene *scene = fixture_scene(pmx, &motion, COMPAT_DEFAULT, arena);
        for (uint32_t bone = 0; bone < BONES; bone++) {
            Pose whole, part;
            const BoneSubset all = bone_subset_all(scene->models[0].model);
            const BoneSubset subset = subset_of_bone(&part, scene, bone, arena);
            pose_solve_create(&whole, &scene->models[0], &scene->compat, arena);
            solve(&whole, &all);
            solve(&part, &subset);
            assert_true(isfinite(whole.bones[bone].position.x));
            assert_memory_equal(&part.bones[bone].position, &whole.bones[bone].position,
                                sizeof(Vec3));
            assert_memory_equal(&part.bones[bone].rotation, &whole.bones[bone].rotation,
                                sizeof(Quat));
            left_out += BONES - subset.count;
        }
        arena_destroy(arena);
    }
    assert_true(left_out > MODELS * BONES * BONES / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependencies_are_included),
        cmocka_unit_test(bodies_need_their_bones),
        cmocka_unit_test(other_bones_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
