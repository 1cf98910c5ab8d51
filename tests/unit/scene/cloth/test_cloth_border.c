// SPDX-License-Identifier: MIT
/* The border by which a material hangs: found, fixed, or reported where it hangs on nothing. */
#include <math.h>
#include <string.h>

#include "cloth_tuning.h"
#include "diag_log.h"
#include "model_fixture.h"
#include "scene/cloth/cloth.h"
#include "unit_test.h"

enum { AROUND = 24, RINGS = 17, ROWS = 5, BODY_COUNT = AROUND * RINGS };
enum {
    HIPS,
    WAIST,
    HEM = 63, /* others, which hold nothing, are before it */
    BONES
}; /* 腰 is skinned to the back; a spring bone carries the rows below */

/* A garment around a body, a tube of radius 1 from y = 0 to 8. */
typedef struct Garment {
    double radius[2];  /* of its first and last row, at y = 6 and 3 */
    double tilt;       /* the height of its rows rises by this times -z */
    bool open;         /* in front, over a quarter of a turn */
    bool layers;       /* an inner side, 0.05 behind, joined by rims at both ends */
    bool first_on_hem; /* the first row is skinned to the spring bone, too */
} Garment;

static PmxModel *model;
static Arena *arena;
static DiagLog messages;

static PmxVertex ring_vertex(double radius, double height, double turn, int32_t bone, int side)
{
    const double x = cos(turn), z = sin(turn);
    PmxVertex v = fixture_vertex((float)(radius * x), (float)height, (float)(radius * z), bone);
    v.normal[0] = (float)(side * x);
    v.normal[1] = 0;
    v.normal[2] = (float)(side * z);
    return v;
}

static void add_quad(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t corners[6] = {a, b, c, c, b, d};
    memcpy(&model->indices[model->index_count], corners, sizeof corners);
    model->index_count += 6;
}

static uint32_t columns_of(const Garment *g)
{
    return g->open ? AROUND * 3 / 4 : AROUND;
}

/* Column 0 of an open one is beside the front, at -z. */
static uint32_t add_layer(const Garment *g, int side)
{
    const uint32_t first = model->vertex_count, columns = columns_of(g);

    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t c = 0; c < columns; c++) {
            const double turn =
                6.283185307179586 * (c + 0.5) / AROUND - (g->open ? 0.7853981634 : 0);
            const double down = (double)row / (ROWS - 1);
            const double r =
                g->radius[0] + (g->radius[1] - g->radius[0]) * down - (side < 0 ? 0.05 : 0);
            const double z = sin(turn);
            const int32_t bone = row > 0 || g->first_on_hem ? HEM : z > 0 ? WAIST : HIPS;
            model->vertices[model->vertex_count++] =
                ring_vertex(r, 6 - 3 * down - g->tilt * z, turn, bone, side);
        }
    for (uint32_t row = 0; row + 1 < ROWS; row++)
        for (uint32_t c = 0; c + (g->open ? 1 : 0) < columns; c++) {
            const uint32_t a = first + row * columns + c,
                           b = first + row * columns + (c + 1) % columns;
            add_quad(a, b, a + columns, b + columns);
        }
    return first;
}

static void add_garment(const Garment *g)
{
    const uint32_t columns = columns_of(g), outer = add_layer(g, 1);

    if (!g->layers)
        return;
    const uint32_t inner = add_layer(g, -1);
    for (uint32_t end = 0; end < 2; end++)
        for (uint32_t c = 0; c < columns; c++) {
            const uint32_t row = end * (ROWS - 1) * columns, next = (c + 1) % columns;
            add_quad(outer + row + c, outer + row + next, inner + row + c, inner + row + next);
        }
}

static void make_model(Model *owner, const Garment *g)
{
    static const VrmJoint joint = {.bone = HEM};
    static const VrmRig rig = {.joints = &joint, .joint_count = 1};

    *owner = (Model){.file = "m.pmx", .pmx = fixture_empty()};
    model = &owner->pmx;
    model->rig = &rig;
    model->vertices = arena_array(arena, PmxVertex, BODY_COUNT + 2 * AROUND * ROWS);
    model->indices = arena_array(arena, uint32_t, 12 * (BODY_COUNT + 2 * AROUND * (ROWS + 1)));
    model->bones = arena_array(arena, PmxBone, BONES);
    model->bone_count = BONES;
    model->bones[HIPS] = fixture_bone("下半身", PMX_NONE, 0, 6, 0);
    model->bones[WAIST] = fixture_bone("腰", HIPS, 0, 6, 0);
    for (uint32_t i = WAIST + 1; i < HEM; i++)
        model->bones[i] = fixture_bone("余", HIPS, 0, 6, 0);
    model->bones[HEM] = fixture_bone("スカート", WAIST, 0, 5, 0);
    for (uint32_t i = 0; i < BODY_COUNT; i++) {
        const uint32_t ring = i / AROUND, column = i % AROUND;
        model->vertices[model->vertex_count++] =
            ring_vertex(1, 8.0 * ring / (RINGS - 1), 6.283185307179586 * column / AROUND, HIPS, 1);
    }
    for (uint32_t i = 0; i + AROUND < BODY_COUNT; i++)
        add_quad(i, i / AROUND * AROUND + (i + 1) % AROUND, i + AROUND,
                 (i / AROUND + 1) * AROUND + (i + 1) % AROUND);
    const uint32_t body = model->index_count;
    add_garment(g);
    model->materials = arena_array(arena, PmxMaterial, 2);
    model->material_count = 2;
    model->materials[0] = fixture_material("body", 0, body);
    model->materials[1] = fixture_material("スカート", body, model->index_count - body);
    model->materials[0].diffuse[3] = model->materials[1].diffuse[3] = 1;
    model_prepare(owner, arena, &messages.diag);
}

static const char *border[] = {"auto"};

static bool plan_garment(ClothPlan *plan, const Garment *g, const ClothSpec *given)
{
    Model *owner = arena_alloc(arena, sizeof *owner), cloth = {0};
    ClothSpec spec = *given;

    diag_log_init(&messages);
    make_model(owner, g);
    spec.material = "スカート";
    spec.lining = 0.1;
    spec.tuning = CLOTH_TUNING_DEFAULT;
    return cloth_plan(plan, &cloth, &spec, owner, 1, arena, &messages.diag);
}

static int set_up(void **state)
{
    (void)state;
    arena = arena_create();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(arena);
    return 0;
}

/*
 * `auto` fixes the first row, or the last of a standing collar: the row that lies on the body, all
 * around it although it is tilted, of one layer or two, in one ring or open in front.
 */
static void test_border_on_the_body(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        Garment garment;
        bool lower;
    } rows[] = {
        {"a skirt", {.radius = {1.1, 3}}, false},
        {"a tilted skirt", {.radius = {1.1, 3}, .tilt = 1.5}, false},
        {"a tight skirt", {.radius = {1.1, 1.15}}, false},
        {"a standing collar", {.radius = {2, 1.05}}, true},
        {"a wrap", {.radius = {1.1, 3}, .open = true}, false},
        {"a tilted wrap", {.radius = {1.1, 3}, .open = true, .tilt = 0.6}, false},
        {"a lined skirt", {.radius = {1.15, 3}, .layers = true}, false},
        {"a lined, tilted skirt", {.radius = {1.15, 3}, .layers = true, .tilt = 1.5}, false},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const ClothSpec spec = {.pin = {.bones = border, .bone_count = 1}};
        const uint32_t columns = columns_of(&rows[r].garment);
        ClothPlan plan;
        if (!plan_garment(&plan, &rows[r].garment, &spec) || messages.diag.warnings > 0)
            fail_msg("%s: %s", rows[r].what, messages.text);
        if (plan.topology.mass_count != columns * ROWS)
            fail_msg("%s: %u masses", rows[r].what, (unsigned)plan.topology.mass_count);
        for (uint32_t i = 0; i < plan.topology.mass_count; i++) {
            const bool fixed = i / columns == (rows[r].lower ? ROWS - 1 : 0);
            if ((plan.topology.pins[i] > 0) != fixed)
                fail_msg("%s: row %u, column %u: %g", rows[r].what, (unsigned)(i / columns),
                         (unsigned)(i % columns), plan.topology.pins[i]);
        }
    }
}

/* What `auto` fixes follows the bones that carry its own, if physics moves these. */
static void test_fixed_to_firm_bones(void **state)
{
    (void)state;
    const Garment garment = {.radius = {1.1, 3}, .first_on_hem = true};
    const ClothSpec spec = {.pin = {.bones = border, .bone_count = 1}};
    ClothPlan plan;

    assert_true(plan_garment(&plan, &garment, &spec));
    for (uint32_t i = 0; i < AROUND; i++)
        assert_int_equal(plan.anchors[i].bones[0], WAIST);
    assert_int_equal(plan.anchors[AROUND].bones[0], HEM);
}

static void test_what_hangs_on_nothing(void **state)
{
    (void)state;
    static const char *hips[] = {"下半身"}, *both[] = {"下半身", "腰"};
    static const struct {
        const char *what;
        ClothSpec spec;
        bool first_on_hem, good;
        const char *message; /* NULL: none */
    } rows[] = {
        {"all of it held", {.pin = {.bones = both, .bone_count = 2}}, false, true, NULL},
        {"the front held",
         {.pin = {.bones = hips, .bone_count = 1}},
         false,
         true,
         "50 % of the upper border of 'スカート' hangs on nothing: its vertices are skinned to 腰 "
         "(50 %); add 'auto' to 'pin'"},
        {"the front held, on purpose",
         {.pin = {.bones = hips, .bone_count = 1}, .loose = true},
         false,
         true,
         NULL},
        {"the front held, and the border",
         {.pin = {.bone = "下半身", .bones = border, .bone_count = 1}},
         false,
         true,
         NULL},
        {"no pins",
         {0},
         false,
         false,
         "nothing holds 'スカート': no vertex of it is skinned to a bone in 'pin', its upper "
         "border "
         "is to 下半身 (50 %), 腰 (50 %); 'pin: auto' fixes the border that lies on the body, "
         "'loose: true' lets it fall"},
        {"pins without vertices",
         {.pin = {.bones = both, .bone_count = 2}},
         true,
         false,
         "no vertex of it is skinned to a bone in 'pin'; 'pin: auto'"},
        {"no pins, on purpose", {.loose = true}, false, true, NULL},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const Garment garment = {.radius = {1.1, 3}, .first_on_hem = rows[r].first_on_hem};
        ClothPlan plan;
        const bool good = plan_garment(&plan, &garment, &rows[r].spec);
        if (good != rows[r].good || !rows[r].message == (messages.text[0] != '\0') ||
            (rows[r].message && !strstr(messages.text, rows[r].message)))
            fail_msg("%s: %d: %s", rows[r].what, good, messages.text);
    }
}

/* The floor has no bone: it is firm, whatever the last bone of the model does. */
static void test_floor(void **state)
{
    (void)state;
    const Garment garment = {.radius = {1.1, 3}};
    const ClothSpec spec = {.loose = true, .floor = true};
    ClothPlan plan;

    assert_true(plan_garment(&plan, &garment, &spec));
    assert_int_equal(plan.colliders[plan.collider_count - 1].shape, CLOTH_FLOOR);
    assert_int_equal(plan.colliders[plan.collider_count - 1].yields, CLOTH_FIRM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_border_on_the_body, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fixed_to_firm_bones, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_hangs_on_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_floor, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("cloth_border", tests, NULL, NULL);
}
