// SPDX-License-Identifier: MIT
/* Generated cloth: closed surfaces, folds, edges that are held, and the toon of its owner. */

#include <math.h>
#include <string.h>

#include "cloth_tuning.h"
#include "diag_log.h"
#include "model_fixture.h"
#include "scene/cloth/cloth.h"
#include "unit_test.h"

enum { COLUMNS = 15, ROWS = 4 };

typedef struct Made {
    Arena *arena;
    Model owner, cloth;
    ClothPlan plan;
} Made;

static void make(Made *made, ClothForm form, double thickness)
{
    static const char *pins[] = {"bone"};
    const ClothSpec spec = {.shape = &(ClothShapeSpec){.form = form,
                                                       .columns = COLUMNS,
                                                       .rows = ROWS,
                                                       .radius = {1, 2},
                                                       .depth = 1,
                                                       .width = 3,
                                                       .length = 4,
                                                       .thickness = thickness},
                            .pin = {.bones = pins, .bone_count = 1},
                            .tuning = CLOTH_TUNING_DEFAULT};
    DiagLog log;

    diag_log_init(&log);
    made->arena = arena_create();
    made->owner = (Model){.file = "m.pmx", .pmx = fixture_quad(made->arena)};
    made->owner.pmx.bones[0].name = "bone";
    made->owner.pmx.materials[0].shared_toon = true;
    made->owner.pmx.materials[0].toon = 3;
    made->cloth = (Model){0};
    model_prepare(&made->owner, made->arena, &log.diag);
    assert_true(
        cloth_plan(&made->plan, &made->cloth, &spec, &made->owner, 1, made->arena, &log.diag));
}

/* Edges by mass and layer, so that the seam of a closed form is no edge. */
static int count_edges(const Made *made, uint32_t from, uint32_t to)
{
    const PmxModel *pmx = &made->cloth.pmx;
    int count = 0;

    for (uint32_t i = 0; i < pmx->index_count; i++) {
        const uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
        count +=
            made->plan.sides[pmx->indices[i]] == from && made->plan.sides[pmx->indices[next]] == to;
    }
    return count;
}

static const ClothForm FORMS[] = {CLOTH_CONE,  CLOTH_TUBE, CLOTH_SHEET,
                                  CLOTH_SKIRT, CLOTH_CAPE, CLOTH_FLAG};

/* With a thickness each edge belongs to two triangles, in opposite directions. */
static void test_closed(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof FORMS / sizeof *FORMS; f++) {
        Made made;

        make(&made, FORMS[f], 0.5);
        const PmxModel *pmx = &made.cloth.pmx;
        for (uint32_t i = 0; i < pmx->index_count; i++) {
            const uint32_t a = made.plan.sides[pmx->indices[i]];
            const uint32_t b = made.plan.sides[pmx->indices[i % 3 == 2 ? i - 2 : i + 1]];
            if (count_edges(&made, a, b) != 1 || count_edges(&made, b, a) != 1)
                fail_msg("form %d: edge %u to %u: %d triangles, %d on the other side", FORMS[f], a,
                         b, count_edges(&made, a, b), count_edges(&made, b, a));
        }
        assert_int_equal(pmx->materials[0].flags & PMX_DOUBLE_SIDED, 0);
        for (uint32_t v = 0; v < pmx->vertex_count; v++)
            assert_true(fabs(made.plan.offsets[v] - 0.25) < 1e-12);
        arena_destroy(made.arena);
    }
}

/* The outer layer's triangles are clockwise as seen from outside: (b - a) x (c - a) points out. */
static void test_faces_outwards(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof FORMS / sizeof *FORMS; f++) {
        Made made;

        make(&made, FORMS[f], 0);
        assert_null(made.plan.offsets);
        assert_true(made.cloth.pmx.materials[0].flags & PMX_DOUBLE_SIDED);
        for (uint32_t i = 0; i < made.plan.triangle_count; i++) {
            const Vec3 *x = made.plan.topology.rest;
            const uint32_t *c = made.plan.corners[i];
            const Vec3 n = vec3_cross(vec3_sub(x[c[1]], x[c[0]]), vec3_sub(x[c[2]], x[c[0]]));
            const bool flat = FORMS[f] == CLOTH_SHEET || FORMS[f] == CLOTH_FLAG;
            const Vec3 out = flat ? (Vec3){0, 0, -1} : (Vec3){x[c[0]].x, 0, x[c[0]].z};
            assert_true(vec3_dot(n, out) > 0);
        }
        arena_destroy(made.arena);
    }
}

static void test_held_edges(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof FORMS / sizeof *FORMS; f++) {
        Made made;

        make(&made, FORMS[f], 0);
        for (uint32_t i = 0; i < COLUMNS * ROWS; i++) {
            const bool left = FORMS[f] == CLOTH_FLAG && i % COLUMNS == 0;
            const bool top = FORMS[f] != CLOTH_FLAG && i < COLUMNS;
            assert_int_equal(made.plan.topology.pins[i] > 0, left || top);
        }
        arena_destroy(made.arena);
    }
}

/* Three folds of five columns: at the hem the radius is 2 + 0.22 * 2 pi 2 / 3 cos(fold), at the
 * waist it is 1. */
static void test_folds(void **state)
{
    (void)state;
    const double turn = 6.283185307179586, wave = 0.22 * turn * 2 / 3;
    Made made;

    make(&made, CLOTH_SKIRT, 0);
    for (uint32_t column = 0; column < COLUMNS; column++) {
        const Vec3 top = made.plan.topology.rest[column];
        const Vec3 hem = made.plan.topology.rest[(ROWS - 1) * COLUMNS + column];
        const double expected = 2 + wave * cos(turn * column / 5);
        assert_true(fabs(hypot(top.x, top.z) - 1) < 1e-9);
        assert_true(fabs(hypot(hem.x, hem.z) - expected) < 1e-9);
        assert_true(fabs(hem.y + 4) < 1e-9);
    }
    arena_destroy(made.arena);
}

static void test_toon(void **state)
{
    (void)state;
    Made made;

    make(&made, CLOTH_CAPE, 0);
    assert_int_equal(made.plan.toon_material, 0);
    assert_true(made.cloth.pmx.materials[0].shared_toon);
    assert_int_equal(made.cloth.pmx.materials[0].toon, 3);
    arena_destroy(made.arena);
}

/* A capsule at the pin bone, wider than the upper edge or not: the edge is outside of it, by half
 * of the thickness or by a quarter of the radius at most; the capsule is thinned by what is left.
 * The lower edge stays where it was. */
static void test_edge_is_outside_of_capsules(void **state)
{
    (void)state;
    static const struct {
        double capsule, edge, thinned;
    } rows[] = {{0.5, 1, 0.5}, {1.1, 1.175, 1.1}, {1.6, 1.25, 1.25}};
    static const char *pins[] = {"bone"};

    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int form = 0; form < 2; form++) {
            NamedCapsule capsule = {"bone", "bone", rows[r].capsule};
            const ClothSpec spec = {.shape =
                                        &(ClothShapeSpec){.form = form ? CLOTH_CAPE : CLOTH_CONE,
                                                          .columns = COLUMNS,
                                                          .rows = ROWS,
                                                          .radius = {1, 4},
                                                          .depth = 1,
                                                          .length = 4},
                                    .pin = {.bones = pins, .bone_count = 1},
                                    .capsules = &capsule,
                                    .capsule_count = 1,
                                    .tuning = CLOTH_TUNING_DEFAULT};
            Arena *arena = arena_create();
            DiagLog log;
            Model owner = {.file = "m.pmx", .pmx = fixture_quad(arena)}, cloth = {0};
            ClothPlan plan;
            diag_log_init(&log);
            owner.pmx.bones[0].name = "bone";
            model_prepare(&owner, arena, &log.diag);
            assert_true(cloth_plan(&plan, &cloth, &spec, &owner, 1, arena, &log.diag));
            const Vec3 center = vec3_load(owner.pmx.bones[0].position);
            for (uint32_t i = 0; i < COLUMNS; i++)
                assert_true(fabs(vec3_length(vec3_sub(plan.topology.rest[i], center)) -
                                 rows[r].edge) < 1e-6);
            for (uint32_t i = (ROWS - 1) * COLUMNS; !form && i < ROWS * COLUMNS; i++) {
                const Vec3 d = vec3_sub(plan.topology.rest[i], center);
                assert_true(fabs(hypot(d.x, d.z) - 4) < 1e-6);
            }
            assert_true(fabs(plan.colliders[0].radius - rows[r].thinned) < 1e-6);
            arena_destroy(arena);
        }
}

/* A chain of bones from the shoulder to the fingers, hips and a head; every bone has a sphere.
 * Of a VRM figure, the upper arm is the joint of a spring. */
static void test_how_colliders_give_way(void **state)
{
    (void)state;
    enum { HEAD = 5, BONES };
    static const char *const names[BONES] = {"下半身", "左肩", "左腕", "左ひじ", "左人指１", "頭"};
    static const struct {
        const char *pin;
        const char *other_pin; /* or NULL */
        ClothArms arms;
        ClothYield body, arm; /* how the hips and the shoulder give way, and the arm */
        bool is_vrm;
    } rows[] = {
        {"下半身", NULL, CLOTH_ARMS_AUTO, CLOTH_FIRM, CLOTH_SOFT, false},
        {"左肩", NULL, CLOTH_ARMS_AUTO, CLOTH_FIRM, CLOTH_SOFT, false},
        {"左ひじ", NULL, CLOTH_ARMS_AUTO, CLOTH_SECOND, CLOTH_FIRM, false},
        {"左腕", "左ひじ", CLOTH_ARMS_AUTO, CLOTH_SECOND, CLOTH_FIRM, false},
        {"左腕", "左肩", CLOTH_ARMS_AUTO, CLOTH_FIRM, CLOTH_FIRM, false},
        {"下半身", NULL, CLOTH_ARMS_FIRM, CLOTH_FIRM, CLOTH_FIRM, false},
        {"左ひじ", NULL, CLOTH_ARMS_SOFT, CLOTH_FIRM, CLOTH_SOFT, false},
        {"下半身", NULL, CLOTH_ARMS_FIRM, CLOTH_FIRM, CLOTH_YIELDS, true},
        {"頭", NULL, CLOTH_ARMS_AUTO, CLOTH_FIRM, CLOTH_SOFT, false},
    };
    static const VrmJoint upper_arm = {.bone = 2};
    static const VrmRig rig = {.joints = &upper_arm, .joint_count = 1};

    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        DiagLog log;
        Model owner = {.file = "m.pmx", .pmx = fixture_quad(arena)}, cloth = {0};
        NamedCapsule capsules[BONES];
        ClothPlan plan;
        diag_log_init(&log);
        owner.pmx.bones = arena_array(arena, PmxBone, BONES);
        owner.pmx.bone_count = BONES;
        owner.pmx.rig = rows[r].is_vrm ? &rig : NULL;
        for (int i = 0; i < BONES; i++) {
            const int parent = i > 1 && i < HEAD ? i - 1 : PMX_NONE;
            owner.pmx.bones[i] = fixture_bone(names[i], parent, 0, (float)-i, 0);
            capsules[i] = (NamedCapsule){names[i], names[i], 0.1};
        }
        model_prepare(&owner, arena, &log.diag);
        const ClothSpec spec = {
            .shape =
                &(ClothShapeSpec){
                    .form = CLOTH_SHEET, .columns = 3, .rows = 3, .width = 1, .length = 1},
            .pin = {.bones = (const char *[]){rows[r].pin, rows[r].other_pin},
                    .bone_count = rows[r].other_pin ? 2 : 1},
            .capsules = capsules,
            .capsule_count = BONES,
            .arms = rows[r].arms,
            .tuning = CLOTH_TUNING_DEFAULT};
        assert_true(cloth_plan(&plan, &cloth, &spec, &owner, 1, arena, &log.diag));
        const ClothYield head = strcmp(rows[r].pin, names[HEAD]) ? CLOTH_SOFT : CLOTH_FIRM;
        for (int i = 0; i < BONES; i++)
            if (plan.colliders[i].yields != (i < 2 ? rows[r].body : i < HEAD ? rows[r].arm : head))
                fail_msg("row %zu: %s yields %d", r, names[i], (int)plan.colliders[i].yields);
        arena_destroy(arena);
    }
}

/* A leg beside the middle of a skirt, an arm in the middle of a sleeve, a finger that turns with
 * its hand; not the hips, what is outside, or what no closed shape is around. */
static void test_limbs(void **state)
{
    (void)state;
    enum { HIPS, LEG, KNEE, ARM, HAND, FINGER, BONES };
    static const struct {
        const char *name;
        int parent;
        float x, y;
    } bones[BONES] = {{"下半身", PMX_NONE, 0, 0}, {"左足", HIPS, 0.8f, -1},
                      {"左ひざ", LEG, 0.8f, -6},  {"左腕", PMX_NONE, 0.1f, -1},
                      {"左手首", ARM, 0, -2},     {"左人指１", HAND, 0, -3}};
    static const struct {
        ClothForm form;
        int32_t limbs[3];                     /* of the leg, the arm and the finger */
    } rows[] = {{CLOTH_SKIRT, {LEG, -1, -1}}, /* arms are soft */
                {CLOTH_CONE, {-1, ARM, HAND}},
                {CLOTH_TUBE, {-1, ARM, HAND}},
                {CLOTH_CAPE, {-1, -1, -1}},
                {CLOTH_SHEET, {-1, -1, -1}}};

    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        DiagLog log;
        Model owner = {.file = "m.pmx", .pmx = fixture_quad(arena)}, cloth = {0};
        ClothPlan plan;
        NamedCapsule capsules[] = {{"左足", "左ひざ", 0.3},
                                   {"左腕", "左手首", 0.3},
                                   {"左人指１", "左手首", 0.2},
                                   {"下半身", "下半身", 0.3},
                                   {"左ひざ", "左ひざ", 0.3}};
        diag_log_init(&log);
        owner.pmx.bones = arena_array(arena, PmxBone, BONES);
        owner.pmx.bone_count = BONES;
        for (int i = 0; i < BONES; i++)
            owner.pmx.bones[i] =
                fixture_bone(bones[i].name, bones[i].parent, bones[i].x, bones[i].y, 0);
        model_prepare(&owner, arena, &log.diag);
        const ClothSpec spec = {.shape = &(ClothShapeSpec){.form = rows[r].form,
                                                           .columns = COLUMNS,
                                                           .rows = ROWS,
                                                           .radius = {1, 2},
                                                           .depth = 1,
                                                           .width = 3,
                                                           .length = 4},
                                .pin = {.bone = rows[r].form == CLOTH_SKIRT ? "下半身" : "左腕"},
                                .capsules = capsules,
                                .capsule_count = sizeof capsules / sizeof *capsules,
                                .arms =
                                    rows[r].form == CLOTH_SKIRT ? CLOTH_ARMS_SOFT : CLOTH_ARMS_FIRM,
                                .tuning = CLOTH_TUNING_DEFAULT};
        if (!cloth_plan(&plan, &cloth, &spec, &owner, 2, arena, &log.diag))
            fail_msg("%s", log.text);
        for (int i = 0; i < 3; i++)
            if (plan.colliders[i].limb.known != (rows[r].limbs[i] >= 0) ||
                (rows[r].limbs[i] >= 0 && plan.colliders[i].limb.bone != rows[r].limbs[i]))
                fail_msg("row %zu: limb %d is %d", r, i, (int)plan.colliders[i].limb.bone);
        assert_false(plan.colliders[3].limb.known);
        assert_false(plan.colliders[4].limb.known);
        if (rows[r].limbs[0] >= 0) { /* 5 long at scale 2, and two radii more */
            assert_false(plan.colliders[0].limb.central);
            assert_true(fabs(plan.colliders[0].limb.range[0] + 1.2) < 1e-6);
            assert_true(fabs(plan.colliders[0].limb.range[1] - 11.2) < 1e-6);
        }
        if (rows[r].limbs[1] >= 0)
            assert_true(plan.colliders[1].limb.central);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edge_is_outside_of_capsules),
                                       cmocka_unit_test(test_how_colliders_give_way),
                                       cmocka_unit_test(test_limbs),
                                       cmocka_unit_test(test_closed),
                                       cmocka_unit_test(test_faces_outwards),
                                       cmocka_unit_test(test_held_edges),
                                       cmocka_unit_test(test_folds),
                                       cmocka_unit_test(test_toon)};
    return cmocka_run_group_tests_name("cloth_shape", tests, NULL, NULL);
}
