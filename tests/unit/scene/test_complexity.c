// SPDX-License-Identifier: MIT
/* scenes that are small files and large work: refused before they are evaluated */

#include <string.h>

#include "diag_log.h"
#include "model_fixture.h"
#include "scene/complexity.h"
#include "sheet_fixture.h"
#include "unit_test.h"

typedef struct Stage {
    Arena *arena;
    Model model;
    SceneModel in_scene;
    Scene scene;
    DiagLog log;
} Stage;

static void open_stage(Stage *s)
{
    memset(s, 0, sizeof *s);
    s->arena = arena_create();
    diag_log_init(&s->log);
}

/* True if the scene of the model is accepted. */
static bool is_accepted(Stage *s)
{
    s->model.file = "m.pmx";
    model_prepare(&s->model, s->arena, &s->log.diag);
    s->in_scene = (SceneModel){.model = &s->model,
                               .attach_model = -1,
                               .spec.physics = true,
                               .soft = true,
                               .placement = PLACEMENT_NONE};
    s->scene.models = &s->in_scene;
    s->scene.model_count = 1;
    s->scene.physics = PHYSICS_DEFAULT;
    diag_log_init(&s->log);
    const bool ok = complexity_check(&s->scene, &s->log.diag);
    if (!ok)
        assert_int_equal(s->log.diag.kind, DIAG_RESOURCE);
    return ok;
}

/* Bodies `distance` apart, of radius 1. */
static bool bodies_are_accepted(uint32_t count, float distance, uint16_t mask, uint8_t mode)
{
    Stage s;
    open_stage(&s);
    s.model.pmx = fixture_bone_only(s.arena);
    s.model.pmx.bodies = arena_array(s.arena, PmxBody, count);
    s.model.pmx.body_count = count;
    for (uint32_t i = 0; i < count; i++)
        s.model.pmx.bodies[i] = (PmxBody){.name = "b",
                                          .name_en = "",
                                          .mask = i ? mask : 0xffff,
                                          .mode = i ? mode : PMX_PHYSICS,
                                          .mass = 1,
                                          .size = {1, 1, 1},
                                          .position = {(float)i * distance, 0, 0}};
    const bool ok = is_accepted(&s);
    if (!ok)
        assert_non_null(strstr(s.log.text, "m.pmx: more than 100000 pairs of rigid bodies"));
    arena_destroy(s.arena);
    return ok;
}

static void test_bodies_in_one_place(void **state)
{
    (void)state;
    assert_true(bodies_are_accepted(440, 0, 0xffff, PMX_PHYSICS));  /* 96580 pairs */
    assert_false(bodies_are_accepted(460, 0, 0xffff, PMX_PHYSICS)); /* 105570 */
    assert_true(bodies_are_accepted(4000, 2.5f, 0xffff, PMX_PHYSICS));
    assert_true(bodies_are_accepted(4000, 0, 0, PMX_PHYSICS)); /* no contacts */
    assert_true(bodies_are_accepted(4000, 0, 0xffff, PMX_FOLLOW_BONE));
}

/* Chains of links below the effector. */
static bool chains_are_accepted(uint32_t chains, uint32_t links, int32_t loops)
{
    Stage s;
    open_stage(&s);
    PmxModel *pmx = &s.model.pmx;
    *pmx = fixture_bone_only(s.arena);
    pmx->bone_count = links + 1 + chains;
    pmx->bones = arena_array(s.arena, PmxBone, pmx->bone_count);
    for (uint32_t b = 0; b <= links; b++)
        pmx->bones[b] = fixture_bone("b", (int32_t)b - 1, 0, (float)b, 0);
    for (uint32_t c = 0; c < chains; c++) {
        PmxBone *bone = &pmx->bones[links + 1 + c];
        *bone = fixture_bone("ik", -1, 0, 0, 0);
        bone->flags |= PMX_BONE_IK;
        bone->ik = (PmxIk){.effector = (int32_t)links,
                           .loops = loops,
                           .unit_angle = 1,
                           .links = arena_array(s.arena, PmxIkLink, links),
                           .link_count = links};
        for (uint32_t i = 0; i < links; i++)
            bone->ik.links[i].bone = (int32_t)(links - 1 - i);
    }
    const bool ok = is_accepted(&s);
    if (!ok)
        assert_non_null(strstr(s.log.text, "m.pmx: IK ("));
    arena_destroy(s.arena);
    return ok;
}

static void test_ik(void **state)
{
    (void)state;
    assert_true(chains_are_accepted(4, 3, 256));
    assert_true(chains_are_accepted(20, 30, 256));
    assert_false(chains_are_accepted(100, 100, 40));
    assert_false(chains_are_accepted(1, 500, 256));
    assert_true(chains_are_accepted(100, 500, 0));
}

static void test_soft_bodies(void **state)
{
    (void)state;
    static const struct {
        uint32_t columns;
        int32_t iterations;
        bool accepted;
    } rows[] = {{20, 64, true}, {100, 4, true}, {100, 1000000, true}, {128, 64, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Stage s;
        open_stage(&s);
        s.model.pmx = fixture_sheet((SheetSpec){rows[i].columns, 100, 9, 9, 9, false}, s.arena);
        for (int k = 0; k < 4; k++)
            s.model.pmx.soft_bodies[0].iterations[k] = rows[i].iterations;
        assert_int_equal(is_accepted(&s), rows[i].accepted);
        s.model.pmx.soft_bodies[0].flags = PMX_SOFT_B_LINK;
        s.model.pmx.soft_bodies[0].b_link_distance = 8;
        arena_destroy(s.arena);
    }
    Stage s; /* many at once */
    open_stage(&s);
    s.model.pmx = fixture_sheet((SheetSpec){100, 100, 9, 9, 9, false}, s.arena);
    PmxSoftBody *bodies = arena_array(s.arena, PmxSoftBody, 10);
    for (int i = 0; i < 10; i++) {
        bodies[i] = s.model.pmx.soft_bodies[0];
        for (int k = 0; k < 4; k++)
            bodies[i].iterations[k] = 64;
    }
    s.model.pmx.soft_bodies = bodies;
    s.model.pmx.soft_body_count = 10;
    assert_false(is_accepted(&s));
    assert_non_null(strstr(s.log.text, "m.pmx: soft bodies ("));
    arena_destroy(s.arena);
}

static void test_cloth(void **state)
{
    (void)state;
    Stage s;
    open_stage(&s);
    ClothPlan cloth = {.topology = {.mass_count = 65000, .spring_count = 380000, .substeps = 4}};
    s.model.pmx = fixture_bone_only(s.arena);
    s.scene.cloths = &cloth;
    s.scene.cloth_count = 1;
    assert_true(is_accepted(&s));
    cloth.topology.substeps = 64;
    assert_false(is_accepted(&s));
    assert_non_null(strstr(s.log.text, "cloth.0: springs x substeps (64) need"));
    arena_destroy(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_in_one_place),
        cmocka_unit_test(test_ik),
        cmocka_unit_test(test_soft_bodies),
        cmocka_unit_test(test_cloth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
