// SPDX-License-Identifier: MIT
#include <string.h>

#include "diag_log.h"
#include "model_fixture.h"
#include "scene/dynamics/soft.h"
#include "sheet_fixture.h"
#include "unit_test.h"

/* A sheet of c x r vertices, each square cut in two: (c-1) r + c (r-1) sides and (c-1) (r-1)
 * diagonals. */
static void test_the_mesh_of_a_sheet(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        SheetSpec spec;
        int32_t bend; /* 0: no flag */
        uint32_t vertices, nodes, sides, links, triangles, faces;
    } rows[] = {
        {"one square", {2, 2, 1, 1, 1, false}, 0, 4, 4, 4, 5, 2, 2},
        {"a sheet", {4, 3, 3, 2, 5, false}, 0, 12, 12, 12, 9 + 8 + 6, 12, 12},
        {"two layers", {4, 3, 3, 2, 5, true}, 0, 24, 12, 24, 9 + 8 + 6, 24, 12},
        /* the square's corners that its diagonal does not join: 0 and 3 */
        {"a bent square", {2, 2, 1, 1, 1, false}, 2, 4, 4, 4, 5 + 1, 2, 2},
        /* 3 x 2, diagonals 1-3 and 2-4: of 15 pairs 9 are edges; two apart are 0-2, 0-4, 1-5, 2-3,
           3-5 */
        {"a bent strip", {3, 2, 2, 1, 1, false}, 2, 6, 6, 6, 9 + 5, 4, 4},
        /* and three apart: 0-5 */
        {"further", {3, 2, 2, 1, 1, false}, 3, 6, 6, 6, 9 + 1, 4, 4},
        /* pairs two apart by breadth-first search, counted by a script */
        {"a bent sheet", {6, 6, 5, 5, 5, false}, 2, 36, 36, 36, 85 + 129, 50, 50},
        {"bent over one edge is none", {2, 2, 1, 1, 1, false}, 1, 4, 4, 4, 5, 2, 2},
        {"bent over minus one edge", {2, 2, 1, 1, 1, false}, -1, 4, 4, 4, 5, 2, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel pmx = fixture_sheet(rows[i].spec, arena);
        DiagLog log;
        SoftPlans plans;
        diag_log_init(&log);
        pmx.soft_bodies[0].flags = rows[i].bend ? PMX_SOFT_B_LINK : 0;
        pmx.soft_bodies[0].b_link_distance = rows[i].bend;
        soft_plan(&plans, &pmx, arena, &log.diag);
        assert_int_equal(plans.count, 1);
        const SoftPlan *p = &plans.bodies[0];
        if (p->vertex_count != rows[i].vertices || p->node_count != rows[i].nodes ||
            p->side_count != rows[i].sides || p->link_count != rows[i].links ||
            p->triangle_count != rows[i].triangles || p->face_count != rows[i].faces)
            fail_msg("%s: %u vertices, %u nodes, %u sides, %u links, %u triangles, %u faces",
                     rows[i].what, p->vertex_count, p->node_count, p->side_count, p->link_count,
                     p->triangle_count, p->face_count);
        assert_int_equal(plans.vertex_count, rows[i].vertices);
        arena_destroy(arena);
    }
}

/* A triangle with the same node twice is not simulated, whichever two corners they are. */
static void test_triangles_without_area(void **state)
{
    (void)state;
    static const uint32_t corners[][3] = {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {2, 2, 2}};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        Arena *arena = arena_create();
        PmxModel pmx = fixture_sheet((SheetSpec){2, 2, 1, 1, 1, false}, arena);
        DiagLog log;
        SoftPlans plans;
        diag_log_init(&log);
        memcpy(pmx.indices, corners[i], sizeof corners[i]);
        soft_plan(&plans, &pmx, arena, &log.diag);
        assert_int_equal(plans.bodies[0].triangle_count, 1);
        assert_int_equal(plans.bodies[0].link_count, 3);
        arena_destroy(arena);
    }
}

/* A sheet 3 x 2 of squares 1 wide: pinned at both upper corners, anchored in the middle below. */
static void test_supports_of_nodes(void **state)
{
    (void)state;
    static const uint8_t holds[6] = {SOFT_PINNED, SOFT_FREE,     SOFT_PINNED,
                                     SOFT_FREE,   SOFT_ANCHORED, SOFT_FREE};
    static const float max_distance[6] = {0, 1, 0, 1, 0, 1};
    Arena *arena = arena_create();
    PmxModel pmx = fixture_sheet((SheetSpec){3, 2, 2, 1, 1, false}, arena);
    DiagLog log;
    SoftPlans plans;
    diag_log_init(&log);
    pmx.bodies = arena_array(arena, PmxBody, 1);
    pmx.bodies[0] = (PmxBody){.bone = 0};
    pmx.body_count = 1;
    fixture_pin(&pmx, 0);
    fixture_pin(&pmx, 2);
    fixture_anchor(&pmx, 4, 0);
    fixture_anchor(&pmx, 2, 0); /* pinned as well: the pin holds it */
    soft_plan(&plans, &pmx, arena, &log.diag);
    const SoftPlan *p = &plans.bodies[0];
    assert_int_equal(p->anchor_count, 1);
    assert_int_equal(p->anchors[0].node, 4);
    assert_int_equal(p->home, 1);
    for (uint32_t n = 0; n < 6; n++) {
        assert_int_equal(p->supports[n], holds[n]);
        assert_float_equal(p->max_distance[n], max_distance[n], 1e-6f);
    }
    arena_destroy(arena);
}

static void test_links_between_pins(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel pmx = fixture_sheet((SheetSpec){2, 2, 1, 1, 1, false}, arena);
    DiagLog log;
    SoftPlans plans;
    diag_log_init(&log);
    fixture_pin(&pmx, 0);
    fixture_pin(&pmx, 1);
    soft_plan(&plans, &pmx, arena, &log.diag);
    assert_int_equal(plans.bodies[0].link_count, 4);
    arena_destroy(arena);
}

static void test_ignored_bodies_give_a_warning(void **state)
{
    (void)state;
    enum { MASS, MATERIAL, POINTS, STRANGE_PIN, ROWS };
    static const struct {
        const char *what, *reported;
        uint32_t count;
    } rows[ROWS] = {
        [MASS] = {"no mass", "warning: m.pmx: soft body 0: mass is 0: follows its bones\n", 0},
        [MATERIAL] = {"no material", "warning: m.pmx: soft body 0: has no triangles: ignored\n", 0},
        [POINTS] = {"points", "warning: m.pmx: soft body 0: has no triangles: ignored\n", 0},
        [STRANGE_PIN] = {"a pin elsewhere",
                         "warning: m.pmx: soft body 0: 1 pins or anchors are not on its material: "
                         "ignored\n",
                         1},
    };
    for (int i = 0; i < ROWS; i++) {
        Arena *arena = arena_create();
        PmxModel pmx = fixture_sheet((SheetSpec){3, 3, 1, 1, 1, false}, arena);
        DiagLog log;
        SoftPlans plans;
        diag_log_init(&log);
        diag_file(&log.diag, "m.pmx");
        if (i == MASS)
            pmx.soft_bodies[0].mass = 0;
        else if (i == MATERIAL)
            pmx.soft_bodies[0].material = -1;
        else if (i == POINTS)
            pmx.materials[0].flags = PMX_POINTS;
        else { /* the last vertex belongs to no triangle of the material any more */
            fixture_pin(&pmx, 8);
            pmx.materials[0].index_count = 6;
        }
        soft_plan(&plans, &pmx, arena, &log.diag);
        if (plans.count != rows[i].count)
            fail_msg("%s: %u bodies", rows[i].what, plans.count);
        assert_string_equal(log.text, rows[i].reported);
        arena_destroy(arena);
    }
}

/* All nodes around one: two edges from each to each other are more links than the plan keeps. */
static void test_a_wheel_has_too_many_bends(void **state)
{
    (void)state;
    enum { RIM = 2000 };
    Arena *arena = arena_create();
    PmxModel pmx = fixture_sheet((SheetSpec){2, 2, 1, 1, 1, false}, arena);
    DiagLog log;
    SoftPlans plans;
    diag_log_init(&log);
    pmx.vertices = arena_array(arena, PmxVertex, RIM + 1);
    pmx.vertex_count = RIM + 1;
    pmx.indices = arena_array(arena, uint32_t, 3 * RIM);
    pmx.index_count = pmx.materials[0].index_count = 3 * RIM;
    for (uint32_t i = 0; i <= RIM; i++)
        pmx.vertices[i] = fixture_vertex((float)i, i == RIM ? 9 : 0, 0, 0);
    for (uint32_t i = 0; i < RIM; i++) {
        pmx.indices[3 * i] = RIM;
        pmx.indices[3 * i + 1] = i;
        pmx.indices[3 * i + 2] = (i + 1) % RIM;
    }
    pmx.soft_bodies[0].flags = PMX_SOFT_B_LINK;
    pmx.soft_bodies[0].b_link_distance = 2;
    soft_plan(&plans, &pmx, arena, &log.diag);
    assert_int_equal(plans.count, 1);
    assert_true(plans.bodies[0].link_count <= 2 * RIM + 32 * (RIM + 1));
    assert_non_null(strstr(log.text, "bending links: the others are ignored"));
    arena_destroy(arena);
}

/* A chain whose length is not finite: every node is visited once. */
static void test_nodes_at_infinity(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel pmx = fixture_sheet((SheetSpec){8, 8, 7, 7, 5, false}, arena);
    DiagLog log;
    SoftPlans plans;
    diag_log_init(&log);
    for (uint32_t v = 8; v < 64; v++)
        pmx.vertices[v].position[0] = v % 2 ? 3.4e38f : -3.4e38f;
    for (uint32_t v = 8; v < 64; v++)
        pmx.vertices[v].position[1] = (float)v;
    fixture_pin(&pmx, 0);
    soft_plan(&plans, &pmx, arena, &log.diag);
    assert_int_equal(plans.count, 1);
    for (uint32_t n = 0; n < plans.bodies[0].node_count; n++)
        assert_int_equal(plans.bodies[0].holder[n], 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_mesh_of_a_sheet),
        cmocka_unit_test(test_triangles_without_area),
        cmocka_unit_test(test_supports_of_nodes),
        cmocka_unit_test(test_links_between_pins),
        cmocka_unit_test(test_ignored_bodies_give_a_warning),
        cmocka_unit_test(test_a_wheel_has_too_many_bends),
        cmocka_unit_test(test_nodes_at_infinity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
