// SPDX-License-Identifier: MIT
/* How simulated transforms enter a pose, with a world that returns given values instead of
 * simulating. */
#include <math.h>
#include <string.h>

#include "evaluate/pose_solve.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

enum { ROOT, CHILD, APPENDED, OTHER, LEAF, BONES };

struct World {
    const uint8_t *roles;       /* [BONES] BodyRole */
    const BonePose *transforms; /* [BONES] */
};

BodyRole world_bone(BonePose *out, const World *world, size_t model, uint32_t bone, float blend)
{
    assert_int_equal(model, 7);
    assert_true(blend == 0.25f);
    if (world->roles[bone] != BODY_FOLLOWS)
        *out = world->transforms[bone];
    return (BodyRole)world->roles[bone];
}

/* Root, child and appended bone are a chain, at rest at y = 1, 3 and 5; the appended one has half
 * of the root's rotation and translation, and a leaf. */
static Scene *chain_scene(Arena *arena)
{
    static const float Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1};
    PmxModel pmx = fixture_empty();
    pmx.bones = arena_array(arena, PmxBone, BONES);
    pmx.bone_count = BONES;
    pmx.bones[ROOT] = fixture_bone("root", -1, 0, 1, 0);
    pmx.bones[CHILD] = fixture_bone("child", ROOT, 0, 3, 0);
    pmx.bones[APPENDED] = fixture_bone("appended", CHILD, 1, 5, 0);
    pmx.bones[OTHER] = fixture_bone("other", -1, 5, 0, 0);
    pmx.bones[LEAF] = fixture_bone("leaf", APPENDED, 1, 7, 2);
    pmx.bones[APPENDED].flags |= PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_TRANSLATION;
    pmx.bones[APPENDED].append_source = ROOT;
    pmx.bones[APPENDED].append_ratio = 0.5f;
    VmdBoneKey keys[] = {fixture_turn_key("root", 0, Z, 60), fixture_turn_key("child", 0, Y, 40),
                         fixture_key("leaf", 0, 1, 2, 3)};
    keys[0].translation[0] = 2;
    const VmdMotion motion = fixture_motion_of(arena_copy(arena, keys, sizeof keys), 3);
    return fixture_scene(pmx, &motion, COMPAT_DEFAULT, arena);
}

static double bone_distance(const PoseBone *a, const PoseBone *b)
{
    return vec3_length(vec3_sub(a->position, b->position)) + 1 -
           fabs(quat_dot(a->rotation, b->rotation));
}

/* The placement rotates by 90 degrees about y, (x, y, z) to (z, y, -x), scales by 2 and moves by
 * (10, 0, 0): the way back from the world is (z, y, 10 - x) / 2. */
static void simulated_bones_replace_the_keys(void **state)
{
    (void)state;
    enum { F = BODY_FOLLOWS, M = BODY_MOVES, T = BODY_TURNS };
    static const struct {
        const char *what;
        uint8_t roles[BONES]; /* BodyRole */
        bool moved[BONES];
    } rows[] = {
        {"no bone", {F, F, F, F, F}, {false, false, false, false, false}},
        {"the root", {M, F, F, F, F}, {true, true, true, false, true}},
        {"the rotation of the root", {T, F, F, F, F}, {true, true, true, false, true}},
        {"a child", {F, M, F, F, F}, {false, true, true, false, true}},
        {"the rotation of a child", {F, T, F, F, F}, {false, true, true, false, true}},
        {"a bone with append", {F, F, M, F, F}, {false, false, true, false, true}},
        {"the rotation of a bone with append", {F, F, T, F, F}, {false, false, true, false, true}},
        {"separate bones", {F, F, F, M, T}, {false, false, false, true, true}},
        {"all bones", {M, M, M, M, M}, {true, true, true, true, true}},
    };
    static const double h = 0.70710678118654752;
    static const Placement placement = {
        .position = {10, 0, 0}, .rotation = {0, 0.70710678f, 0, 0.70710678f}, .scale = 2};
    BonePose transforms[BONES];
    for (int i = 0; i < BONES; i++) {
        transforms[i] = (BonePose){.position = {(float)i + 1, (float)(2 * i), (float)-i}};
        quat_store(transforms[i].rotation, quat_normalize((Quat){i + 1, 2, -i, 3}));
    }
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        const Scene *scene = chain_scene(arena);
        const World world = {rows[r].roles, transforms};
        const uint8_t *roles = rows[r].roles;
        Pose pose;
        PoseBone before[BONES];
        pose_solve_create(&pose, &scene->models[0], &scene->compat, arena);
        const BoneSubset all = bone_subset_all(scene->models[0].model);
        pose_solve_begin(&pose, &all, NULL, 0);
        pose_solve_before_physics(&pose, &all);
        memcpy(before, pose.bones, sizeof before);
        pose_solve_physics(&pose, &world, 7, &placement, 0.25f);
        for (uint32_t i = 0; i < BONES; i++) {
            const PoseBone *bone = &pose.bones[i];
            const float *p = transforms[i].position, *q = transforms[i].rotation;
            PoseBone expected = *bone;
            if (roles[i] != F)
                expected.rotation = quat_mul((Quat){0, -h, 0, h}, quat_load(q));
            if (roles[i] == M)
                expected.position =
                    (Vec3){-(double)p[2] / 2, (double)p[1] / 2, ((double)p[0] - 10) / 2};
            if (bone_distance(bone, &expected) > 1e-6)
                fail_msg("%s: bone %u at (%g %g %g)", rows[r].what, i, bone->position.x,
                         bone->position.y, bone->position.z);
            if (bone->moved != rows[r].moved[i])
                fail_msg("%s: bone %u %s", rows[r].what, i, bone->moved ? "moved" : "did not move");
            if (!bone->moved && (memcmp(&bone->position, &before[i].position, sizeof(Vec3)) ||
                                 memcmp(&bone->rotation, &before[i].rotation, sizeof(Quat))))
                fail_msg("%s: bone %u changed", rows[r].what, i);
        }
        /* the local parts give the same pose again, and later appends see them */
        for (uint32_t i = 0; i < BONES; i++) {
            const PoseBone solved = pose.bones[i];
            pose_update_bone(&pose, i);
            if (bone_distance(&pose.bones[i], &solved) > 1e-12)
                fail_msg("%s: the local parts of bone %u differ", rows[r].what, i);
            if (roles[i] != F && (vec3_length(solved.append_offset) > 0 || solved.ik_link ||
                                  solved.append_rotation.w != 1 || solved.ik.w != 1))
                fail_msg("%s: bone %u keeps its append", rows[r].what, i);
        }
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulated_bones_replace_the_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
