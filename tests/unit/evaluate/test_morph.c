// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "evaluate/frame.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

static PmxMorph group(const char *name, uint8_t type, PmxGroupOffset *members, uint32_t count)
{
    return (PmxMorph){
        .name = name, .name_en = "", .type = type, .count = count, .offsets.group = members};
}

static PmxMorph leaf(const char *name)
{
    return (PmxMorph){.name = name, .name_en = "", .type = PMX_MORPH_VERTEX};
}

/* Evaluates with the weights of morphs set as the job's constants. */
static const ModelState *state_of(PmxModel pmx, const float *weights, const bool *hidden,
                                  Arena *arena)
{
    Scene *scene = fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena);
    for (uint32_t i = 0; i < pmx.morph_count; i++)
        scene->models[0].morph_constants[i] = weights[i];
    for (uint32_t i = 0; hidden && i < pmx.material_count; i++)
        scene->models[0].hidden[i] = hidden[i];
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    evaluate_frame(state, evaluator, scene, 0);
    evaluator_destroy(evaluator);
    return &state->models[0];
}

static void groups_spread_one_level(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxGroupOffset inner[] = {{0, 1}}, outer[] = {{0, 0.5f}, {1, -2}, {2, 1}, {3, 1}, {-1, 1}};
    PmxMorph morphs[] = {leaf("a"), leaf("b"), group("inner", PMX_MORPH_GROUP, inner, 1),
                         group("outer", PMX_MORPH_GROUP, outer, 5)};
    PmxModel pmx = fixture_empty();
    pmx.morphs = morphs;
    pmx.morph_count = 4;
    const struct {
        const char *what;
        float key[4], leaf[2];
    } rows[] = {
        {"nothing", {0, 0, 0, 0}, {0, 0}},
        {"leaves", {0.25f, -1, 0, 0}, {0.25f, -1}},
        {"a group adds to a leaf's own weight", {0.25f, 0, 1, 0}, {1.25f, 0}},
        {"a group in a group is ignored, and so is the group itself", {0, 0, 0, 0.5f}, {0.25f, -1}},
        {"both", {0, 1, 0.5f, 1}, {1, -1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ModelState *got = state_of(pmx, rows[i].key, NULL, arena);
        for (int m = 0; m < 4; m++) {
            if (got->key_weights[m] != rows[i].key[m])
                fail_msg("%s: key weight %d is %g", rows[i].what, m, (double)got->key_weights[m]);
            if (fabsf(got->leaf_weights[m] - (m < 2 ? rows[i].leaf[m] : 0)) > 1e-7f)
                fail_msg("%s: leaf weight %d is %g", rows[i].what, m, (double)got->leaf_weights[m]);
        }
    }
    arena_destroy(arena);
}

/* 50,000 groups, each with the one before as its member, and one with all of them and a leaf: only
 * leaves get weights, once each. */
static void long_chains_of_groups(void **state)
{
    (void)state;
    enum { COUNT = 50000 };
    Arena *arena = arena_create();
    PmxMorph *morphs = arena_array(arena, PmxMorph, COUNT);
    PmxGroupOffset *members = arena_array(arena, PmxGroupOffset, COUNT);
    float *weights = arena_array(arena, float, COUNT);
    morphs[0] = leaf("leaf");
    for (int32_t i = 1; i < COUNT; i++) {
        members[i] = (PmxGroupOffset){i - 1, 0.5f};
        morphs[i] = group("group", PMX_MORPH_GROUP, &members[i], 1);
        weights[i] = 1;
    }
    morphs[COUNT - 1] = group("all", PMX_MORPH_GROUP, &members[1], COUNT - 1);
    PmxModel pmx = fixture_empty();
    pmx.morphs = morphs;
    pmx.morph_count = COUNT;
    const ModelState *got = state_of(pmx, weights, NULL, arena);
    assert_true(got->leaf_weights[0] == 1); /* twice a half: by group 1 and by the last one */
    for (int i = 1; i < COUNT; i++)
        assert_true(got->leaf_weights[i] == 0);
    arena_destroy(arena);
}

/* Of three members the n-th part of the way shows one: (3 + 1) w - 1, cut down and held in range.
 */
static void flips_show_one(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxGroupOffset members[] = {{0, 1}, {1, 0.5f}, {2, 2}};
    PmxMorph morphs[] = {leaf("a"), leaf("b"), leaf("c"),
                         group("flip", PMX_MORPH_FLIP, members, 3)};
    PmxModel pmx = fixture_empty();
    pmx.morphs = morphs;
    pmx.morph_count = 4;
    const struct {
        float weight, wanted[3];
    } rows[] = {{0, {0, 0, 0}},     {0.24f, {0, 0, 0}},   {0.25f, {1, 0, 0}},
                {0.49f, {1, 0, 0}}, {0.5f, {0, 0.5f, 0}}, {0.75f, {0, 0, 2}},
                {1, {0, 0, 2}},     {9, {0, 0, 2}},       {-1, {0, 0, 0}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const float key[4] = {0, 0, 0, rows[i].weight};
        const ModelState *got = state_of(pmx, key, NULL, arena);
        for (int m = 0; m < 3; m++)
            if (got->leaf_weights[m] != rows[i].wanted[m])
                fail_msg("weight %g: leaf %d is %g", (double)rows[i].weight, m,
                         (double)got->leaf_weights[m]);
    }
    arena_destroy(arena);
}

/* Two morphs on one bone: moves add up, turns follow each other; half weight is half the angle. */
static void bones_are_moved(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const float s = sinf((float)M_PI / 4), half = sinf((float)M_PI / 8);
    PmxBoneOffset quarter_z[] = {{0, {2, 0, 0}, {0, 0, s, s}}};
    PmxBoneOffset quarter_x[] = {{0, {0, 4, 0}, {s, 0, 0, s}}};
    PmxMorph morphs[] = {
        {.name = "z", .name_en = "", .type = PMX_MORPH_BONE, .count = 1, .offsets.bone = quarter_z},
        {.name = "x",
         .name_en = "",
         .type = PMX_MORPH_BONE,
         .count = 1,
         .offsets.bone = quarter_x}};
    PmxModel pmx = fixture_bone_only(arena);
    pmx.morphs = morphs;
    pmx.morph_count = 2;
    const struct {
        const char *what;
        float weights[2], position[3], rotation[4];
    } rows[] = {
        {"one", {1, 0}, {2, 0, 0}, {0, 0, s, s}},
        {"half", {0.5f, 0}, {1, 0, 0}, {0, 0, half, cosf((float)M_PI / 8)}},
        {"minus", {-1, 0}, {-2, 0, 0}, {0, 0, -s, s}},
        {"double", {2, 0}, {4, 0, 0}, {0, 0, 1, 0}},
        {"both: z * x", {1, 1}, {2, 4, 0}, {0.5f, 0.5f, 0.5f, 0.5f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const BonePose *bone = &state_of(pmx, rows[i].weights, NULL, arena)->bones[0];
        for (int k = 0; k < 3; k++)
            if (fabsf(bone->position[k] - rows[i].position[k]) > 1e-6f)
                fail_msg("%s: position %d is %g", rows[i].what, k, (double)bone->position[k]);
        for (int k = 0; k < 4; k++)
            if (fabsf(bone->rotation[k] - rows[i].rotation[k]) > 1e-6f)
                fail_msg("%s: rotation %d is %g", rows[i].what, k, (double)bone->rotation[k]);
    }
    arena_destroy(arena);
}

static PmxMaterialOffset all_fields(int32_t material, uint8_t add, float value)
{
    PmxMaterialOffset o = {
        .material = material, .add = add, .specular_power = value, .edge_size = value};
    for (int i = 0; i < 4; i++)
        o.diffuse[i] = o.edge_color[i] = o.texture[i] = o.sphere[i] = o.toon[i] = value;
    for (int i = 0; i < 3; i++)
        o.specular[i] = o.ambient[i] = value;
    return o;
}

/* All fields but alpha are `value`. */
static void check_material(const char *what, const MaterialState *m, float value)
{
    const float got[] = {m->diffuse[0],    m->diffuse[1],    m->diffuse[2],     m->specular[0],
                         m->specular[1],   m->specular[2],   m->specular_power, m->ambient[0],
                         m->ambient[1],    m->ambient[2],    m->edge_color[0],  m->edge_color[1],
                         m->edge_color[2], m->edge_color[3], m->edge_size};
    for (size_t i = 0; i < sizeof got / sizeof *got; i++)
        if (got[i] != value)
            fail_msg("%s: field %zu is %g, not %g", what, i, (double)got[i], (double)value);
}

/* value * product + sum, whatever the order; the material's own values are 0.5 throughout */
static void materials_are_gathered(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxMaterialOffset add[] = {{0}}, mul[] = {{0}}, all[] = {{0}};
    add[0] = all_fields(0, 1, 0.25f);
    mul[0] = all_fields(0, 0, 0.5f);
    all[0] = all_fields(-1, 0, 0);
    PmxMorph morphs[4] = {{0}};
    PmxMaterialOffset *const offsets[] = {add, mul, all};
    for (int i = 0; i < 3; i++)
        morphs[i] = (PmxMorph){.name = "m",
                               .name_en = "",
                               .type = PMX_MORPH_MATERIAL,
                               .count = 1,
                               .offsets.material = offsets[i]};
    morphs[3] = morphs[0];
    morphs[3].type = PMX_MORPH_IMPULSE; /* of another type: changes no material */
    PmxMaterial materials[] = {fixture_material("a", 0, 0), fixture_material("b", 0, 0)};
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < 4; i++)
            materials[m].diffuse[i] = materials[m].edge_color[i] = 0.5f;
        for (int i = 0; i < 3; i++)
            materials[m].specular[i] = materials[m].ambient[i] = 0.5f;
        materials[m].specular_power = materials[m].edge_size = 0.5f;
    }
    PmxModel pmx = fixture_empty();
    pmx.morphs = morphs;
    pmx.morph_count = 4;
    pmx.materials = materials;
    pmx.material_count = 2;
    const struct {
        const char *what;
        float weights[4];
        bool hidden[2];
        float a, b;             /* all fields but alpha */
        float tex_mul, tex_add; /* of material a */
        float alpha_a;
    } rows[] = {
        {"none", {0, 0, 0}, {0}, 0.5f, 0.5f, 1, 0, 0.5f},
        {"add", {1, 0, 0}, {0}, 0.75f, 0.5f, 1, 0.25f, 0.75f},
        {"multiply", {0, 1, 0}, {0}, 0.25f, 0.5f, 0.5f, 0, 0.25f},
        {"multiply by half a weight", {0, 0.5f, 0}, {0}, 0.375f, 0.5f, 0.75f, 0, 0.375f},
        {"sum after product", {1, 1, 0}, {0}, 0.5f, 0.5f, 0.5f, 0.25f, 0.5f},
        {"all materials", {0, 0, 1}, {0}, 0, 0, 0, 0, 0},
        {"hidden", {1, 0, 0}, {true, false}, 0.75f, 0.5f, 1, 0.25f, 0},
        {"never below nothing", {-3, 0, 0}, {0}, -0.25f, 0.5f, 1, -0.75f, 0},
        {"another type", {0, 0, 0, 1}, {0}, 0.5f, 0.5f, 1, 0, 0.5f},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const MaterialState *m = state_of(pmx, rows[i].weights, rows[i].hidden, arena)->materials;
        check_material(rows[i].what, &m[0], rows[i].a);
        check_material(rows[i].what, &m[1], rows[i].b);
        for (int k = 0; k < 4; k++)
            if (m[0].texture_mul[k] != rows[i].tex_mul || m[0].sphere_mul[k] != rows[i].tex_mul ||
                m[0].toon_mul[k] != rows[i].tex_mul || m[0].texture_add[k] != rows[i].tex_add ||
                m[0].sphere_add[k] != rows[i].tex_add || m[0].toon_add[k] != rows[i].tex_add)
                fail_msg("%s: factors %g %g", rows[i].what, (double)m[0].texture_mul[k],
                         (double)m[0].texture_add[k]);
        if (m[0].diffuse[3] != rows[i].alpha_a)
            fail_msg("%s: alpha %g", rows[i].what, (double)m[0].diffuse[3]);
    }
    arena_destroy(arena);
}

static void constants_come_after_the_motion(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxMorph morphs[] = {leaf("smile"), leaf("blink")};
    PmxModel pmx = fixture_empty();
    pmx.morphs = morphs;
    pmx.morph_count = 2;
    VmdMorphKey keys[] = {{vmd_name_from_utf8("smile"), 0, 0.8f},
                          {vmd_name_from_utf8("blink"), 0, 0.6f}};
    VmdMotion vmd = fixture_motion_of(NULL, 0);
    vmd.morph_keys = keys;
    vmd.morph_key_count = 2;
    Scene *scene = fixture_scene(pmx, &vmd, COMPAT_DEFAULT, arena);
    scene->models[0].morph_constants[0] = 0;
    FrameState *frame = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    evaluate_frame(frame, evaluator, scene, 0);
    assert_true(frame->models[0].key_weights[0] == 0);
    assert_true(frame->models[0].key_weights[1] == 0.6f);
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_spread_one_level),
        cmocka_unit_test(long_chains_of_groups),
        cmocka_unit_test(flips_show_one),
        cmocka_unit_test(bones_are_moved),
        cmocka_unit_test(materials_are_gathered),
        cmocka_unit_test(constants_come_after_the_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
