// SPDX-License-Identifier: MIT
#include <math.h>

#include "evaluate/frame.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

static const VrmNodeRest REST = {
    .parent = -1, .world = {0, 0, 0, 1}, .parent_world = {0, 0, 0, 1}, .local = {0, 0, 0, 1}};

static VrmConstraint of(uint8_t kind, int32_t bone, int32_t source, float weight)
{
    VrmConstraint c = {.kind = kind, .node = REST, .source = REST, .weight = weight};
    c.node.bone = bone;
    c.source.bone = source;
    return c;
}

/* Bones "source" at (0, 0, 0), "own" at (0, 2, 0) with a child at (0, 3, 0), and "second" at (4, 2,
 * 0). The source is rotated by 60 degrees about z and moves by (0, 4, 0). */
static const BonePose *solve(const VrmConstraint *list, uint32_t count, Arena *arena)
{
    PmxBone *bones = arena_array(arena, PmxBone, 4);
    bones[0] = fixture_bone("source", PMX_NONE, 0, 0, 0);
    bones[0].flags |= PMX_BONE_MOVABLE;
    bones[1] = fixture_bone("child", 2, 0, 3, 0);
    bones[2] = fixture_bone("own", PMX_NONE, 0, 2, 0);
    bones[3] = fixture_bone("second", PMX_NONE, 4, 2, 0);
    VmdBoneKey key = fixture_turn_key("source", 0, (float[]){0, 0, 1}, 60);
    key.translation[1] = 4;
    const VmdMotion motion = fixture_motion_of(&key, 1);
    VrmRig *rig = arena_array(arena, VrmRig, 1);
    *rig = (VrmRig){.constraints = list, .constraint_count = count};
    PmxModel pmx = fixture_empty();
    pmx.bones = bones;
    pmx.bone_count = 4;
    pmx.rig = rig;
    Scene *scene = fixture_scene(pmx, &motion, COMPAT_DEFAULT, arena);
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    assert_true(evaluate_frame(state, evaluator, scene, 0));
    evaluator_destroy(evaluator);
    return state->models[0].bones;
}

/* About z, degrees. */
static void expect_turn(const BonePose *bone, double degrees)
{
    const float *q = bone->rotation;
    const double half = degrees * M_PI / 360, sign = q[3] < 0 ? -1 : 1;
    if (fabs(sign * (double)q[2] - sin(half)) + fabs(sign * (double)q[3] - cos(half)) +
            fabs((double)q[0]) + fabs((double)q[1]) >
        1e-6)
        fail_msg("%g %g %g %g, not %g degrees about z", (double)q[0], (double)q[1], (double)q[2],
                 (double)q[3], degrees);
}

static void kinds(void **state)
{
    (void)state;
    static const struct {
        uint8_t kind;
        float axis[3], weight;
        double degrees;
    } rows[] = {
        {VRM_ROTATION, {0, 0, 0}, 1, 60},
        {VRM_ROTATION, {0, 0, 0}, 0.5f, 30},
        {VRM_ROLL, {0, 0, 1}, 0.25f, 15},
        {VRM_ROLL, {1, 0, 0}, 1, 0}, /* swings about another axis only */
        {VRM_AIM, {0, 1, 0}, 1, 0},  /* the source is above */
        {VRM_AIM, {1, 0, 0}, 1, 90},
        {VRM_AIM, {-1, 0, 0}, 0.5f, -45},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        VrmConstraint c = of(rows[i].kind, 2, 0, rows[i].weight);
        vec3_store(c.axis, vec3_load(rows[i].axis));
        const BonePose *bones = solve(&c, 1, arena);
        expect_turn(&bones[2], rows[i].degrees);
        expect_turn(&bones[1], rows[i].degrees); /* its child moves with it */
        const double angle = rows[i].degrees * M_PI / 180;
        assert_true(fabs((double)bones[1].position[0] + sin(angle)) < 1e-6 &&
                    fabs((double)bones[1].position[1] - 2 - cos(angle)) < 1e-6);
        arena_destroy(arena);
    }
}

/* A node whose own axes are rotated by 90 degrees about z: its x is the y of the model. */
static void rest(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VrmConstraint c = of(VRM_AIM, 2, 0, 1);
    c.axis[0] = 1;
    quat_store(c.node.local, quat_from_axis_angle((Vec3){0, 0, 1}, M_PI / 2));
    quat_store(c.node.world, quat_load(c.node.local));
    expect_turn(&solve(&c, 1, arena)[2], 0);
    arena_destroy(arena);
}

/* The second reads the first, which comes later in the file; then each the other. */
static void order(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VrmConstraint list[] = {of(VRM_ROTATION, 2, 3, 1), of(VRM_ROTATION, 3, 0, 0.5f)};
    const BonePose *bones = solve(list, 2, arena);
    expect_turn(&bones[3], 30);
    expect_turn(&bones[2], 30);
    list[1] = of(VRM_ROTATION, 3, 2, 1);
    bones = solve(list, 2, arena);
    expect_turn(&bones[2], 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds), cmocka_unit_test(rest),
                                       cmocka_unit_test(order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
