// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "asset_check.h"
#include "base/text.h"
#include "diag_log.h"
#include "format/model/vrm.h"
#include "gltf_fixture.h"
#include "math/rotation.h"
#include "shared_data.h"
#include "unit_test.h"

static bool load(PmxModel *model, bool older, const char *from, const char *to, Arena *arena,
                 DiagLog *log)
{
    diag_log_init(log);
    return vrm_load(model, vrm_fixture(older, from, to, arena), &(SideFiles){0}, arena, &log->diag);
}

static const PmxBone *bone(const PmxModel *m, const char *name)
{
    const int32_t found = text_find(TEXT_NAMES(PmxBone, name, m->bones, m->bone_count), name);
    if (found < 0)
        fail_msg("no bone '%s'", name);
    return &m->bones[found];
}

static void expect3(const char *what, const float got[3], double x, double y, double z)
{
    const double expected[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        if (fabs((double)got[k] - expected[k]) > 1e-3)
            fail_msg("%s: %g %g %g, not %g %g %g", what, (double)got[0], (double)got[1],
                     (double)got[2], x, y, z);
}

static void expect_parent(const PmxModel *m, const char *name, const char *parent)
{
    assert_string_equal(m->bones[bone(m, name)->parent].name, parent);
}

static void expect_append(const PmxModel *m, const char *name, const char *source, float ratio)
{
    const PmxBone *b = bone(m, name);
    assert_true(b->flags & PMX_BONE_APPEND_ROTATION && b->append_ratio == ratio);
    assert_string_equal(m->bones[b->append_source].name, source);
}

/* By hand: the arm is 0.5 m long and horizontal, so the wrist is at 6.25 (cos 38, -sin 38) of its
 * first joint. A figure of VRM 0.x faces the other way, which mirrors x and z. */
static void test_bones(void **state)
{
    (void)state;
    for (int older = 0; older < 2; older++) {
        Arena *arena = arena_create();
        PmxModel m;
        DiagLog log;
        const double s = older ? -1 : 1, x = 6.25 * 0.788011, y = 6.25 * 0.615661;
        assert_true(load(&m, older, NULL, NULL, arena, &log));
        assert_true(pmx_check(&m, &log.diag) && !m.accessory);
        expect3("the arm", bone(&m, "左腕")->position, s * 2.5, 17.5, 0);
        expect3("the wrist", bone(&m, "左手首")->position, s * (2.5 + x), 17.5 - y, 0);
        expect3("its mesh", m.vertices[0].position, s * (2.5 + x), 17.5 - y, 0);
        expect3("the lower half", bone(&m, "下半身")->position, 0, 15, 0);
        expect3("leg IK", bone(&m, "左足ＩＫ")->position, s * 1.25, 1.25, 0);
        expect3("toes", bone(&m, "左つま先")->position, s * 1.25, 0, -1.5);
        expect3("the waist", bone(&m, "腰")->position, 0, 12.5, 0);
        expect_parent(&m, "上半身", "腰");
        expect_parent(&m, "下半身", "腰");
        expect_parent(&m, "腰", "グルーブ");
        expect_parent(&m, "グルーブ", "センター");
        expect_parent(&m, "センター", "全ての親");
        expect_parent(&m, "左手首", "左手捩");
        expect_parent(&m, "左手捩", "左腕");
        expect_parent(&m, "左足", "腰キャンセル左");
        expect_parent(&m, "左足D", "腰キャンセル左");
        expect_parent(&m, "左ひざD", "左足D");
        expect_parent(&m, "腰キャンセル左", "下半身");
        expect_append(&m, "腰キャンセル左", "腰", -1);
        expect_append(&m, "左ひざD", "左ひざ", 1);
        expect_append(&m, "左手捩1", "左手捩", 0.25f);
        assert_true(bone(&m, "左ひざD")->layer > bone(&m, "左足ＩＫ")->layer);
        expect_parent(&m, "左足ＩＫ", "左足IK親");
        expect3("its parent", bone(&m, "左足IK親")->position, s * 1.25, 0, 0);
        expect_parent(&m, "左つま先ＩＫ", "左足ＩＫ");
        expect_parent(&m, "ring", "左手首");
        const PmxIk *ik = &bone(&m, "左足ＩＫ")->ik;
        assert_int_equal(ik->link_count, 2);
        assert_string_equal(m.bones[ik->effector].name, "左足首");
        assert_string_equal(m.bones[ik->links[0].bone].name, "左ひざ");
        assert_string_equal(m.bones[ik->links[1].bone].name, "左足");
        assert_true(ik->links[0].limited && !ik->links[1].limited);
        assert_int_equal(m.vertex_count, 3); /* the mesh of the first person is omitted */
        assert_string_equal(m.bones[m.vertices[0].bones[0]].name, "左手首");
        arena_destroy(arena);
    }
}

static void expect_weight(const PmxModel *m, const PmxVertex *v, const char *name, float weight)
{
    float sum = 0;
    for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
        if (!strcmp(m->bones[v->bones[k]].name, name))
            sum += v->weights[k];
    assert_float_equal(sum, weight, 1e-5f);
}

/* A vertex at 1 m of an arm of 1.6 m has 62.5 % of its twist: half of it with the bone that turns
 * by a half, half with that of three quarters. */
static void test_twist(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    assert_true(
        load(&m, false,
             "[0.2,0.2,0],\"children\":[4]},\n{\"name\":\"w\",\"translation\":[0.5,0,0],\"mesh\":0",
             "[0.2,0.2,0],\"mesh\":0,\"children\":[4]},\n{\"name\":\"w\",\"translation\":[1.6,0,0]",
             arena, &log));
    assert_true(pmx_check(&m, &log.diag));
    expect_weight(&m, &m.vertices[0], "左腕", 1);
    expect_weight(&m, &m.vertices[1], "左手捩2", 0.5f);
    expect_weight(&m, &m.vertices[1], "左手捩3", 0.5f);
    expect_weight(&m, &m.vertices[2], "左腕", 1);
    arena_destroy(arena);
}

/* Keys of the eyes move expressions, also where the file has no eye bones. */
static void test_eyes(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    assert_true(load(&m, false, "\"humanoid\":{\"humanBones\":{",
                     "\"lookAt\":{\"type\":\"expression\",\"offsetFromHeadBone\":[0,0.1,0.2]},"
                     "\"humanoid\":{\"humanBones\":{"
                     "\"head\":{\"node\":9},",
                     arena, &log));
    expect_parent(&m, "両目", "頭");
    expect_parent(&m, "左目", "頭");
    expect_append(&m, "右目", "両目", 1);
    expect3("an eye", bone(&m, "左目")->position, 12.5 * (0.7 + 0.03), 16.25, -2.5);
    arena_destroy(arena);
}

static void test_expressions(void **state)
{
    (void)state;
    for (int older = 0; older < 2; older++) {
        Arena *arena = arena_create();
        PmxModel m;
        DiagLog log;
        const double s = older ? 1 : -1;
        assert_true(load(&m, older, NULL, NULL, arena, &log));
        assert_int_equal(m.morph_count, 2);
        assert_string_equal(m.morphs[0].name, "あ");
        assert_string_equal(m.morphs[0].name_en, older ? "A" : "aa");
        assert_string_equal(m.morphs[1].name, "grin");
        assert_int_equal(m.morphs[0].count, 1);
        assert_int_equal(m.morphs[0].offsets.vertex[0].vertex, 0);
        expect3("a target", m.morphs[0].offsets.vertex[0].offset, 0, 0, s * 12.5);
        expect3("half of it", m.morphs[1].offsets.vertex[0].offset, 0, 0, s * 6.25);
        if (older)
            assert_null(m.ignored);
        else
            assert_string_equal(m.ignored, "materials in 1 expression");
        const VrmExpression *rules = m.rig->expressions;
        assert_int_equal(m.rig->expression_count, 2);
        assert_int_equal(rules[0].part, VRM_MOUTH);
        assert_int_equal(rules[1].part, VRM_OTHER);
        assert_int_equal(rules[0].overrides[VRM_BLINK], older ? VRM_KEEP : VRM_BLEND);
        assert_int_equal(rules[1].is_binary, !older);
        assert_true(load(&m, older, "\"name\":\"grin\"", "\"name\":\"Surprised\"", arena, &log));
        assert_string_equal(m.morphs[1].name, older ? "びっくり" : "grin");
        arena_destroy(arena);
    }
}

static void test_materials(void **state)
{
    (void)state;
    for (int older = 0; older < 2; older++) {
        Arena *arena = arena_create();
        PmxModel m;
        DiagLog log;
        assert_true(load(&m, older, NULL, NULL, arena, &log));
        const PmxMaterial *skin = &m.materials[0];
        assert_int_equal(m.material_count, 1);
        expect3("the color", skin->diffuse, 1, 1, 1);
        expect3("in the shade", skin->ambient, 101.0 / 255, 101.0 / 255, 101.0 / 255);
        assert_true(skin->flags & PMX_EDGE && fabsf(skin->edge_size - 1) < 1e-5f);
        expect3("the outline", skin->edge_color, 1, 0, 0);
        const PmxTexture *toon = &m.texture_sources[skin->toon];
        assert_memory_equal(toon->embedded.data, "BM", 2);
        static const uint8_t shade[] = {255, 0, 137}, lit[] = {255, 255, 255};
        assert_memory_equal(toon->embedded.data + 54, shade, 3);
        assert_memory_equal(toon->embedded.data + 54 + 31 * 4, lit, 3);
        arena_destroy(arena);
    }
}

/* Neither MToon nor unlit: 0.6 of the color up to N.L = 0, in row 15; then 0.6 + 0.4 (2 * 23 / 31 -
 * 1). */
static void test_standard_material(void **state)
{
    (void)state;
    static const uint8_t rows[][2] = {{0, 153}, {15, 153}, {23, 202}, {31, 255}};
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    assert_true(load(&m, false, "\"KHR_materials_unlit\":{},\"VRMC_materials_mtoon\"",
                     "\"KHR_a\":{},\"KHR_b\"", arena, &log));
    assert_null(m.materials[0].mtoon);
    const PmxTexture *toon = &m.texture_sources[m.materials[0].toon];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(toon->embedded.data[54 + 4 * rows[i][0]], rows[i][1]);
    arena_destroy(arena);
}

static void test_meta(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    assert_true(load(&m, false, NULL, NULL, arena, &log));
    assert_string_equal(m.name, "Figure");
    assert_string_equal(m.comment, "author: me\nauthor: you\nredistribution: yes\n");
    assert_true(load(&m, true, NULL, NULL, arena, &log));
    assert_string_equal(m.comment, "author: me\nlicence: CC0\n");
    arena_destroy(arena);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *message;
    } rows[] = {
        {"VRMC_vrm\"", "VRMC_other\"", "neither VRMC_vrm nor VRM"},
        {"\"hips\"", "\"chest\"", "no humanoid bone 'hips'"},
        {"\"hips\":{\"node\":1}", "\"hips\":{\"node\":70}", "'hips': node 70 does not exist"},
        {"\"targets\":[{\"POSITION\":1}]", "\"targets\":[{\"POSITION\":4}]", "accessor 4"},
        {"\"count\":3,\"type\":\"VEC3\"}]", "\"count\":2,\"type\":\"VEC3\"}]", "does not fit"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel m;
        DiagLog log;
        if (load(&m, false, rows[i].from, rows[i].to, arena, &log) ||
            !strstr(log.text, rows[i].message))
            fail_msg("%s: %s", rows[i].to, log.text);
        arena_destroy(arena);
    }
}

/* The ring is a child of the wrist, which the A-pose turns: by hand as in test_bones.  A leaf of
 * VRM 0.x is 7 cm long. */
static void test_springs(void **state)
{
    (void)state;
    for (int older = 0; older < 2; older++) {
        Arena *arena = arena_create();
        PmxModel m;
        DiagLog log;
        const double s = older ? -1 : 1, down = 0.788011, side = 0.615661;
        assert_true(load(&m, older, NULL, NULL, arena, &log));
        const VrmRig *rig = m.rig;
        const VrmJoint *ring = &rig->joints[0];
        assert_int_equal(rig->joint_count, older ? 2 : 1);
        assert_string_equal(m.bones[ring->bone].name, "ring");
        expect3("the end", ring->tail, -s * 1.25 * side, -1.25 * down, 0);
        expect3("gravity", ring->gravity, 0, -5, 0);
        assert_true(fabsf(ring->stiffness - 25) < 1e-5f && fabsf(ring->radius - 0.25f) < 1e-5f);
        assert_int_equal(ring->center, older ? -1 : bone(&m, "下半身") - m.bones);
        assert_int_equal(ring->collider_count, older ? 1 : 3);
        const VrmCollider *hips = &rig->colliders[0];
        assert_int_equal(rig->collider_count, older ? 1 : 3);
        assert_int_equal(hips->shape, VRM_SPHERE);
        expect3("a sphere, seen from the upper half", hips->offset, 0, -1.25, older ? 2.5 : -2.5);
        assert_int_equal(rig->constraint_count, !older);
        if (older) {
            expect3("a leaf, turned by itself", rig->joints[1].tail,
                    0.875 * (0.28 * side - 0.96 * down), -0.875 * (0.96 * side + 0.28 * down), 0);
            arena_destroy(arena);
            continue;
        }
        assert_int_equal(ring->colliders[0], 1);
        assert_int_equal(ring->colliders[1], 0);
        expect3("a capsule", rig->colliders[1].end, 6.25 * down, -6.25 * side, 0);
        expect3("a plane", rig->colliders[2].end, 0, 0, -1);
        assert_string_equal(m.bones[rig->constraints[0].node.bone].name, "gem");
        assert_string_equal(m.bones[rig->constraints[0].source.bone].name, "左ひざD");
        expect3("its axis", rig->constraints[0].axis, 0, 1, 0);
        arena_destroy(arena);
    }
}

/* ---- figures that lie or face backwards ---- */

static bool load_placed(PmxModel *model, bool older, const VrmFixturePlace *place, Arena *arena,
                        DiagLog *log)
{
    diag_log_init(log);
    return vrm_load(model, vrm_fixture_placed(older, place, arena), &(SideFiles){0}, arena,
                    &log->diag);
}

static void expect_same(const char *what, const float got[3], const float wanted[3])
{
    expect3(what, got, (double)wanted[0], (double)wanted[1], (double)wanted[2]);
}

static void expect_same_model(const PmxModel *m, const PmxModel *wanted)
{
    const VrmRig *rig = m->rig, *other = wanted->rig;
    assert_int_equal(m->bone_count, wanted->bone_count);
    for (uint32_t i = 0; i < m->bone_count; i++)
        expect_same(m->bones[i].name, m->bones[i].position, wanted->bones[i].position);
    for (uint32_t i = 0; i < m->vertex_count; i++) {
        expect_same("a vertex", m->vertices[i].position, wanted->vertices[i].position);
        expect_same("a normal", m->vertices[i].normal, wanted->vertices[i].normal);
    }
    expect_same("a morph", m->morphs[0].offsets.vertex[0].offset,
                wanted->morphs[0].offsets.vertex[0].offset);
    for (uint32_t i = 0; i < rig->joint_count; i++) {
        expect_same("a spring", rig->joints[i].tail, other->joints[i].tail);
        expect_same("gravity", rig->joints[i].gravity, other->joints[i].gravity);
    }
    for (uint32_t i = 0; i < rig->collider_count; i++) {
        expect_same("a collider", rig->colliders[i].offset, other->colliders[i].offset);
        expect_same("its end", rig->colliders[i].end, other->colliders[i].end);
    }
    for (uint32_t i = 0; i < rig->constraint_count; i++) {
        const Quat a = quat_load(rig->constraints[i].node.world);
        assert_true(fabs(quat_dot(a, quat_load(other->constraints[i].node.world))) > 1 - 1e-6);
    }
}

/* Law: a figure is loaded alike however its file turns it.  Gravity is not a part of it. */
static void test_facing(void **state)
{
    (void)state;
    static const double h = 0.70710678118654752, e = 0.38268343236508977, d = 0.92387953251128674;
    const struct {
        const char *what;
        double turn[4]; /* x y z w */
        const char *note;
    } rows[] = {
        {"as its version demands", {0, 0, 0, 1}, NULL},
        {"backwards", {0, 1, 0, 0}, "bones are turned by 180 degrees"},
        {"to its left", {0, h, 0, h}, "turned by 90 degrees"},
        {"to its right", {0, -h, 0, h}, "turned by 90 degrees"},
        {"between two axes", {0, e, 0, d}, "turned by 45 degrees"},
        {"on its back", {-h, 0, 0, h}, "bones are tilted by 90 degrees;"},
        {"on its face", {h, 0, 0, h}, "tilted by 90 degrees"},
        {"on its side", {0, 0, h, h}, "tilted by 90 degrees"},
        {"on its head", {1, 0, 0, 0}, "tilted by 180 degrees"},
        {"on its back, backwards", {0, h, h, 0}, "tilted by 90 degrees"},
        {"half way to the floor", {e, 0, 0, d}, "tilted by 45 degrees"},
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const bool older = i % 2;
        const VrmFixturePlace upright = {.turn = {0, 0, 0, 1}};
        VrmFixturePlace place = {0};
        Arena *arena = arena_create();
        PmxModel m, wanted;
        DiagLog log;
        memcpy(place.turn, rows[i / 2].turn, sizeof place.turn);
        assert_true(load_placed(&wanted, older, &upright, arena, &log));
        assert_null(strstr(log.text, "note"));
        expect3("the left arm", bone(&wanted, "左腕")->position, 2.5, 17.5, 0);
        assert_true(load_placed(&m, older, &place, arena, &log));
        if (rows[i / 2].note ? !strstr(log.text, rows[i / 2].note)
                             : strstr(log.text, "note") != NULL)
            fail_msg("%s: '%s'", rows[i / 2].what, log.text);
        expect_same_model(&m, &wanted);
        arena_destroy(arena);
    }
}

/* By hand: the lowest humanoid bone is the foot, 0.1 m above the origin of the figure, and the head
 * is 1.6 m above it.  A figure that leans by 10 degrees stays as it is. */
static void test_facing_place(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    const VrmFixturePlace raised = {.turn = {-0.70710678118654752, 0, 0, 0.70710678118654752},
                                    .move = {0, 0, 5}},
                          leaning = {.turn = {0.08715574274765817, 0, 0, 0.99619469809174555}},
                          exchanged = {.turn = {0, 1, 0, 0}, .exchanged = true};
    assert_true(load_placed(&m, false, &raised, arena, &log));
    assert_true(fabsf(bone(&m, "左足首")->position[1] - 12.5f * 0.05f * 1.6f) < 1e-3f);
    assert_true(load_placed(&m, false, &leaning, arena, &log));
    assert_null(strstr(log.text, "note"));
    assert_true(load_placed(&m, false, &exchanged, arena, &log));
    assert_non_null(strstr(log.text, "are exchanged"));
    expect3("an arm on the other side", bone(&m, "左腕")->position, -2.5, 17.5, 0);
    arena_destroy(arena);
}

/* Published avatars of both versions. */
static void test_samples(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        uint32_t vertices, morphs;
    } rows[] = {{"vrm/cryptovoxels.vrm", 2727, 0},
                {"vrm/VRMC_materials_mtoon_UV_Animation_Test.vrm", 12, 0},
                {"vrm/VRMC_vrm_expressions_isBinary_Overridden.vrm", 16, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Bytes bytes;
        if (!shared_data_load(&bytes, rows[i].file, arena)) {
            arena_destroy(arena);
            skip();
        }
        PmxModel m;
        DiagLog log;
        diag_log_init(&log);
        assert_true(vrm_load(&m, bytes, &(SideFiles){0}, arena, &log.diag));
        assert_true(pmx_check(&m, &log.diag));
        assert_int_equal(m.vertex_count, rows[i].vertices);
        assert_int_equal(m.morph_count, rows[i].morphs);
        bone(&m, "右足ＩＫ");
        bone(&m, "頭");
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bones),        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_materials),    cmocka_unit_test(test_standard_material),
        cmocka_unit_test(test_meta),         cmocka_unit_test(test_springs),
        cmocka_unit_test(test_errors),       cmocka_unit_test(test_twist),
        cmocka_unit_test(test_eyes),         cmocka_unit_test(test_facing),
        cmocka_unit_test(test_facing_place), cmocka_unit_test(test_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
