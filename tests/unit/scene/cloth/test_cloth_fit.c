// SPDX-License-Identifier: MIT
/* Capsules fitted to meshes of known shape. */

#include <math.h>

#include "cloth_tuning.h"
#include "diag_log.h"
#include "model_fixture.h"
#include "scene/cloth/cloth.h"
#include "unit_test.h"

enum { AROUND = 24, RINGS = 25 };

/* A tube along y from 0 to `length` on bone 0, its radii at both ends, flattened along z. */
static PmxModel tube(double length, double lower, double upper, double depth, Arena *arena)
{
    PmxModel m = fixture_bone_only(arena);
    const uint32_t count = AROUND * RINGS;

    m.vertices = arena_array(arena, PmxVertex, count);
    m.indices = arena_array(arena, uint32_t, count);
    m.materials = arena_array(arena, PmxMaterial, 1);
    m.vertex_count = m.index_count = count;
    m.material_count = 1;
    m.materials[0] = fixture_material("tube", 0, count);
    m.materials[0].diffuse[3] = 1;
    for (uint32_t i = 0; i < count; i++) {
        const double up = (double)(i / AROUND) / (RINGS - 1),
                     turn = 6.283185307 * (i % AROUND) / AROUND;
        const double r = lower + (upper - lower) * up;

        m.vertices[i] = fixture_vertex((float)(r * cos(turn)), (float)(length * up),
                                       (float)(depth * r * sin(turn)), 0);
        m.indices[i] = i;
    }
    return m;
}

static ClothCollider list[CLOTH_FIT_MAX];

static uint32_t fit(const PmxModel *m, const ClothSpec *spec, double scale)
{
    return cloth_fit_capsules(list, spec, m, scale);
}

/* Its ends are half a radius inside; quantiles leave out 3 % of the length and a tenth of the
 * radii.
 */
static void test_limb(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const ClothSpec spec = {0};
    const PmxModel m = tube(8, 1, 0.5, 1, arena);

    assert_int_equal(fit(&m, &spec, 2), 1);
    const int low = list[0].ends[0].y < list[0].ends[1].y ? 0 : 1;
    const double radii[2] = {list[0].radius, list[0].radius + list[0].taper};
    assert_float_equal(list[0].ends[low].y, 0.5, 0.35);
    assert_float_equal(list[0].ends[1 - low].y, 7.75, 0.35);
    assert_true(fabs(radii[low] - 2 * 0.95) < 0.12); /* of the scale 2 */
    assert_true(fabs(radii[1 - low] - 2 * 0.7) < 0.12);
    assert_true(fabs(list[0].ends[0].x) + fabs(list[0].ends[1].z) < 0.05);
    assert_int_equal(list[0].bones[0], 0);
    arena_destroy(arena);
}

/* Twice as wide as deep: two capsules beside each other, which cover both sides and no more depth.
 */
static void test_torso(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const ClothSpec spec = {0};
    const PmxModel m = tube(8, 2, 2, 0.5, arena);
    double left = 0, right = 0;

    assert_int_equal(fit(&m, &spec, 1), 2);
    for (int i = 0; i < 2; i++) {
        left = fmin(left, list[i].ends[0].x - list[i].radius);
        right = fmax(right, list[i].ends[0].x + list[i].radius);
        assert_true(list[i].radius < 1.25);
    }
    assert_float_equal(left, -2, 0.25);
    assert_float_equal(right, 2, 0.25);
    arena_destroy(arena);
}

static void test_what_counts(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const bool hidden[1] = {true};
    const ClothSpec own = {.material = "tube"}, behind = {.hidden = hidden},
                    other = {.material = "x"};
    PmxModel m = tube(8, 1, 1, 1, arena);

    assert_int_equal(fit(&m, &own, 1), 0);
    assert_int_equal(fit(&m, &behind, 1), 0);
    assert_int_equal(fit(&m, &other, 1), 1);
    m.materials[0].diffuse[3] = 0;
    assert_int_equal(fit(&m, &other, 1), 0);
    m = tube(8, 0.05, 0.05, 1, arena); /* as thin as a lash */
    assert_int_equal(fit(&m, &other, 1), 0);
    arena_destroy(arena);
}

/* A ribbon beside a cone whose radius is 1.5 at its middle: outside of a skirt it does not count if
 * physics moves it, or if it is thinner than the distance that cloth keeps, since it would hold
 * what a knee lifts onto it. */
static void test_what_is_over_a_skirt(void **state)
{
    (void)state;
    static const struct {
        ClothForm form;
        float x;
        PmxBodyMode mode;
        double radius;
        uint32_t count;
        ClothYield yields;
    } rows[] = {{CLOTH_SKIRT, 1.2f, PMX_PHYSICS, 0.3, 1, CLOTH_YIELDS},
                {CLOTH_SKIRT, 1.9f, PMX_PHYSICS, 0.3, 0, CLOTH_YIELDS},
                {CLOTH_SKIRT, 1.9f, PMX_FOLLOW_BONE, 0.3, 1, CLOTH_FIRM},
                {CLOTH_SKIRT, 1.2f, PMX_FOLLOW_BONE, 0.12, 1, CLOTH_YIELDS},
                {CLOTH_SKIRT, 1.9f, PMX_FOLLOW_BONE, 0.12, 0, CLOTH_YIELDS},
                {CLOTH_CAPE, 1.9f, PMX_PHYSICS, 0.3, 1, CLOTH_YIELDS},
                {CLOTH_CAPE, 1.9f, PMX_FOLLOW_BONE, 0.12, 1, CLOTH_YIELDS}};

    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        DiagLog log;
        Model owner = {.file = "m.pmx", .pmx = tube(2, rows[r].radius, rows[r].radius, 1, arena)},
              made = {0};
        PmxBody body = {.name = "", .name_en = "", .mass = 1, .mode = (uint8_t)rows[r].mode};
        PmxBone bones[] = {fixture_bone("ribbon", PMX_NONE, rows[r].x, 1, 0),
                           fixture_bone("pin", PMX_NONE, 0, 2.5f, 0)};
        ClothPlan plan;

        diag_log_init(&log);
        owner.pmx.bones = bones;
        owner.pmx.bone_count = 2;
        owner.pmx.bodies = &body;
        owner.pmx.body_count = 1;
        for (uint32_t i = 0; i < owner.pmx.vertex_count; i++)
            owner.pmx.vertices[i].position[0] += rows[r].x;
        model_prepare(&owner, arena, &log.diag);
        const ClothSpec spec = {.shape = &(ClothShapeSpec){.form = rows[r].form,
                                                           .columns = 15,
                                                           .rows = 4,
                                                           .radius = {1, 2},
                                                           .depth = 1,
                                                           .length = 3},
                                .pin.bone = "pin",
                                .capsules = &(NamedCapsule){0},
                                .capsule_count = 1,
                                .tuning = CLOTH_TUNING_DEFAULT};
        assert_true(cloth_plan(&plan, &made, &spec, &owner, 1, arena, &log.diag));
        if (plan.collider_count != rows[r].count)
            fail_msg("row %zu: %d colliders, expected %d", r, (int)plan.collider_count,
                     (int)rows[r].count);
        if (plan.collider_count > 0 && plan.colliders[0].yields != rows[r].yields)
            fail_msg("row %zu: yields %d", r, (int)plan.colliders[0].yields);
        arena_destroy(arena);
    }
}

/* A limb of radius 1 from 0 to 8 without vertices between 3 and 5, at scale 2: the line of its
 * joints lies everywhere in capsules, which do not stand out of the skin.  Bones may have English
 * names; without them, and for a material, there is a gap. */
static void test_gaps(void **state)
{
    (void)state;
    static const struct {
        const char *names[3], *names_en[3], *material;
        uint32_t closed;
    } rows[] = {{{"左腕", "左ひじ", "左手首"}, {"", "", ""}, NULL, 2},
                {{"a", "b", "c"}, {"leg_R", "knee_R", "ankle_R"}, NULL, 2},
                {{"左腕", "左ひじ", "c"}, {"", "", ""}, NULL, 1},
                {{"a", "b", "c"}, {"", "", ""}, NULL, 0},
                {{"左腕", "左ひじ", "左手首"}, {"", "", ""}, "x", 0}};

    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        const ClothSpec spec = {.material = rows[r].material};
        PmxModel m = tube(6, 1, 1, 1, arena);
        PmxBone bones[3];
        for (int i = 0; i < 3; i++) {
            bones[i] = fixture_bone(rows[r].names[i], i - 1, 0, (float)(4 * i), 0);
            bones[i].name_en = rows[r].names_en[i];
        }
        m.bones = bones;
        m.bone_count = 3;
        for (uint32_t i = 0; i < m.vertex_count; i++)
            if (m.vertices[i].position[1] > 3) {
                m.vertices[i].position[1] += 2;
                m.vertices[i].bones[0] = 1;
            }
        const uint32_t count = fit(&m, &spec, 2);
        assert_int_equal(count, 2 + rows[r].closed);
        for (double y = 0.2; y < 7.9; y += 0.1) {
            double depth = 0;
            for (uint32_t k = 0; k < count; k++)
                depth = fmax(depth, -cloth_capsule_distance(&list[k], (Vec3){0, y, 0}, 2));
            if (rows[r].closed == 2 && depth < 0.1)
                fail_msg("row %zu: %g deep at %g", r, depth, y);
        }
        for (uint32_t k = 2; k < count; k++) {
            assert_int_equal(list[k].bones[0], k - 2);
            assert_true(list[k].radius <= 2 && list[k].taper == 0);
            assert_true(list[k].ends[0].y > 3 && list[k].ends[1].y < 5);
        }
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limb), cmocka_unit_test(test_torso),
                                       cmocka_unit_test(test_what_counts),
                                       cmocka_unit_test(test_gaps),
                                       cmocka_unit_test(test_what_is_over_a_skirt)};
    return cmocka_run_group_tests_name("cloth_fit", tests, NULL, NULL);
}
