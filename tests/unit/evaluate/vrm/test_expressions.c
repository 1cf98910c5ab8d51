// SPDX-License-Identifier: MIT
#include <math.h>

#include "evaluate/vrm/expressions.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

static void limits(void **state)
{
    (void)state;
    const VrmExpression list[] = {
        {.part = VRM_MOUTH},
        {.part = VRM_BLINK},
        {.part = VRM_BLINK, .is_binary = true},
        {.part = VRM_OTHER, .overrides = {VRM_BLOCK, VRM_KEEP, VRM_BLEND}},
        {.part = VRM_OTHER, .is_binary = true, .overrides = {VRM_BLEND, VRM_KEEP, VRM_KEEP}},
        {.part = VRM_OTHER, .overrides = {VRM_BLEND, VRM_KEEP, VRM_KEEP}}};
    const VrmRig rig = {.expressions = list, .expression_count = 6};
    static const struct {
        float in[6], out[6];
    } rows[] = {{{0.5f, 0.25f, 0.5f, 0, 0, 0}, {0.5f, 0.25f, 0, 0, 0, 0}},
                {{2, -1, 0.75f, 0, 0, 0}, {1, 0, 1, 0, 0, 0}},
                {{1, 0.5f, 1, 0.25f, 0, 0}, {0.75f, 0, 0, 0.25f, 0, 0}},
                {{1, 0.5f, 1, 0, 0.5f, 0}, {1, 0.5f, 1, 0, 0, 0}},
                {{1, 0.5f, 1, 0, 0.75f, 0}, {1, 0, 0, 0, 1, 0}},
                {{1, 0.5f, 1, 0, 0, 0.5f}, {1, 0.25f, 0, 0, 0, 0.5f}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float weights[6];
        for (int k = 0; k < 6; k++)
            weights[k] = rows[i].in[k];
        expressions_limit(weights, &rig);
        for (int k = 0; k < 6; k++)
            if (fabsf(weights[k] - rows[i].out[k]) > 1e-6f)
                fail_msg("row %zu: weight %d is %g", i, k, (double)weights[k]);
    }
}

/* Both eyes look 15 degrees to the left of the figure (+x), and the left one 10 more: 20. */
static void looks(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const float up[] = {0, 1, 0};
    VmdBoneKey keys[] = {fixture_turn_key("両目", 0, up, -15),
                         fixture_turn_key("左目", 0, up, -10)};
    const VmdMotion motion = fixture_motion_of(keys, 2);
    PmxBone bones[] = {fixture_bone("両目", PMX_NONE, 0, 0, 0),
                       fixture_bone("左目", PMX_NONE, 0, 0, 0)};
    VrmRig rig = {.look_at = {.both = 0, .eye = {1, -1}, .morph = {0, 1, 2, 3}}};
    for (int k = 0; k < VRM_DIRECTIONS; k++) {
        rig.look_at.range[k] = (float)(40 * M_PI / 180);
        rig.look_at.most[k] = 0.5f;
    }
    PmxModel pmx = fixture_empty();
    pmx.bones = bones;
    pmx.bone_count = 2;
    pmx.rig = &rig;
    const Scene *scene = fixture_scene(pmx, &motion, COMPAT_DEFAULT, arena);
    float weights[4] = {0.125f, 0, 0, 0};
    expressions_look(weights, &scene->models[0], 0, CURVE_HALVINGS);
    assert_true(fabsf(weights[0] - 0.375f) < 1e-5f && weights[1] == 0);
    assert_true(fabsf(weights[2]) < 1e-5f && fabsf(weights[3]) < 1e-5f);
    for (int k = 0; k < VRM_DIRECTIONS; k++)
        rig.look_at.morph[k] = -1; /* by bones */
    expressions_look(weights, &scene->models[0], 0, CURVE_HALVINGS);
    assert_true(fabsf(weights[0] - 0.375f) < 1e-5f);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(limits), cmocka_unit_test(looks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
