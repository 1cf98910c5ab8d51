/* Cloth in a scene: plans from materials and shapes, frames in any order, packing, and where it is
 * drawn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "evaluate/frame.h"
#include "evaluate/skin.h"
#include "evaluate/cloth_set.h"
#include "heard.h"
#include "model_fixture.h"
#include "near.h"
#include "scene_fixture.h"

static ClothTuning tuning(void)
{
    ClothTuning t = CLOTH_TUNING_DEFAULT;
    t.stiffness = 20000;
    return t;
}

static ClothSpec strip_spec(const char *const *pins, size_t pin_count)
{
    return (ClothSpec){.model = "model",
                       .material = "strip",
                       .pins = pins,
                       .pin_count = pin_count,
                       .tuning = tuning()};
}

/* Adds a planned cloth to a scene made in memory, as scene_load does. */
static Scene *dress(Scene *scene, const ClothSpec *spec, Arena *arena)
{
    Heard heard;
    heard_init(&heard);
    ClothPlan *plan = arena_array(arena, ClothPlan, 1);
    Model *made = arena_alloc(arena, sizeof *made);
    if (!cloth_plan(plan, made, spec, scene->models[0].model, 1, arena, &heard.diag))
        fail_msg("%s", heard.text);
    scene->cloths = plan;
    scene->cloth_count = 1;
    scene->physics.warmup_s = 0.5f;
    scene->models[0].cloth_vertices = plan->vertices;
    scene->models[0].cloth_vertex_count = plan->vertex_count;
    return scene;
}

/* Held by its lower bone and weightless but for an upward pull: so it stands, and the free half may
 * sway. */
static Scene *dressed_strip(const VmdMotion *motion, Arena *arena)
{
    static const char *const pins[] = {"lower"};
    ClothSpec spec = strip_spec(pins, 1);
    spec.tuning.gravity = (Vec3){0, 98, 0};
    return dress(fixture_scene(fixture_strip(arena), motion, COMPAT_DEFAULT, arena), &spec, arena);
}

/* Weights of "lower" by row: 1, 1, 0.5, 0, 0.  4 squares: 5 + 8 sides less the first three, which
 * are fixed. */
static void materials_by_hand(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Scene *scene = dressed_strip(NULL, arena);
    const ClothPlan *plan = &scene->cloths[0];
    const double pins[] = {1, 1, 1, 1, 0.5, 0.5, 0, 0, 0, 0};
    int structural = 0;

    assert_int_equal(plan->topology.mass_count, 10);
    assert_int_equal(plan->vertex_count, 10);
    assert_int_equal(plan->triangle_count, 8);
    for (int i = 0; i < 10; i++)
        assert_near(plan->topology.pins[i], pins[i], 1e-6);
    for (uint32_t i = 0; i < plan->topology.spring_count; i++)
        structural += plan->topology.springs[i].stiffness == 20000;
    assert_int_equal(structural, 13 - 4);
    arena_destroy(arena);
}

/* The strip twice, the second one seen from behind and so far behind the first. */
static PmxModel lined_strip(float behind, Arena *arena)
{
    PmxModel pmx = fixture_strip(arena);
    PmxVertex *vertices = arena_array(arena, PmxVertex, 20);
    uint32_t *indices = arena_array(arena, uint32_t, 48);
    for (uint32_t i = 0; i < 20; i++) {
        vertices[i] = pmx.vertices[i % 10];
        vertices[i].normal[2] = i < 10 ? -1 : 1;
        vertices[i].position[2] = i < 10 ? 0 : behind;
    }
    for (uint32_t i = 0; i < 48; i++)
        indices[i] = i < 24 ? pmx.indices[i] : pmx.indices[i % 24 / 3 * 3 + 2 - i % 3] + 10;
    pmx.vertices = vertices;
    pmx.vertex_count = 20;
    pmx.indices = indices;
    pmx.index_count = pmx.materials[0].index_count = 48;
    return pmx;
}

/* Vertices at one place, or lining each other, are one mass, but keep their normals and distance.
 */
static void sides_are_joined(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        float behind;
        uint32_t masses;
    } rows[] = {
        {"at one place", 0, 10},
        {"lined", 0.0625f, 10},
        {"too far behind", 0.5f, 20},
        {"in front: no lining", -0.0625f, 20},
    };
    static const char *const pins[] = {"lower"};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        ClothSpec spec = strip_spec(pins, 1);
        spec.layer_distance = 0.1;
        const PmxModel pmx = lined_strip(rows[r].behind, arena);
        Scene *scene = dress(fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena), &spec, arena);
        const ClothPlan *plan = &scene->cloths[0];
        if (plan->topology.mass_count != rows[r].masses ||
            plan->topology.face_count != rows[r].masses * 8 / 10 || plan->side_count != 20)
            fail_msg("%s: %u masses, %u faces, %u sides", rows[r].what, plan->topology.mass_count,
                     plan->topology.face_count, plan->side_count);

        FrameState *frame = frame_state_create(scene, arena);
        Evaluator *evaluator = evaluator_create(scene);
        evaluate_frame(frame, evaluator, scene, 0);
        for (uint32_t i = 0; rows[r].masses == 10 && i < 10; i++) {
            const ClothVertex *front = &frame->models[0].cloth[i];
            const ClothVertex *back = &frame->models[0].cloth[i + 10];
            for (int k = 0; k < 3; k++) {
                assert_near((double)front->normal[k], -(double)back->normal[k], 1e-6);
                assert_near((double)(back->position[k] - front->position[k]),
                            (double)(rows[r].behind * back->normal[k]), 1e-6);
            }
            assert_true(front->normal[2] < 0);
        }
        evaluator_destroy(evaluator);
        arena_destroy(arena);
    }
}

/* Fixed vertices are where skinning has them, to the last bit of a float; free ones hang behind. */
static void pins_follow_the_bones(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("lower", 0, 0, 0, 0), fixture_key("lower", 30, 6, 0, 0)};
    const VmdMotion motion = fixture_motion_of(keys, 2);
    Scene *scene = dressed_strip(&motion, arena);
    FrameState *frame = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    float skinned[10][3];

    for (int f = 0; f <= 3; f++)
        evaluate_frame(frame, evaluator, scene,
                       f * 1.25); /* 24 a second: not on the ticks at all times */
    const uint32_t count = frame->models[0].cloth_count;
    frame->models[0].cloth_count = 0;
    skin_model(skinned, NULL, scene->models[0].model, &frame->models[0]);
    frame->models[0].cloth_count = count;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            assert_near((double)frame->models[0].cloth[i].position[k], (double)skinned[i][k], 1e-6);
    const double top = (double)frame->models[0].cloth[9].position[0];
    assert_true(top < (double)skinned[9][0] - 0.01);
    skin_model(skinned, NULL, scene->models[0].model, &frame->models[0]);
    assert_near((double)skinned[9][0], top, 0); /* what the CPU's skinning gives is the cloth */
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/* At a seam the normal of a vertex is mixed with that of its skinned vertex by the weight of the
 * pins (evaluate/README.md 11).  The skinned normals are tilted to x, so that the share shows. */
static void normals_at_seams_follow_the_weights(void **state)
{
    (void)state;
    static const char *const pins[] = {"lower"};
    static const float weights[] = {1, 0.75f, 0.5f, 0.25f, 0};
    Arena *arena = arena_create();
    PmxModel pmx = fixture_strip(arena);
    for (uint32_t v = 0; v < pmx.vertex_count; v++) {
        PmxVertex *vertex = &pmx.vertices[v];
        vertex->deform = PMX_BDEF2;
        vertex->bones[0] = 0;
        vertex->bones[1] = 1;
        vertex->weights[0] = weights[v / 2];
        vertex->weights[1] = 1 - weights[v / 2];
        vertex->normal[0] = 0.6f;
        vertex->normal[1] = 0;
        vertex->normal[2] = -0.8f;
    }
    ClothSpec spec = strip_spec(pins, 1);
    spec.tuning.gravity = (Vec3){0, 0, 0};
    Scene *scene = dress(fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena), &spec, arena);
    FrameState *frame = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    evaluate_frame(frame, evaluator, scene, 0);
    for (int i = 0; i < 10; i++) {
        const double pin = (double)weights[i / 2];
        const Vec3 mixed = vec3_normalize((Vec3){0.6 * pin, 0, -(1 - pin) - 0.8 * pin});
        const float *got = frame->models[0].cloth[i].normal;
        assert_near(scene->cloths[0].topology.pins[i], pin, 1e-6);
        if (vec3_length(vec3_sub(vec3_load(got), mixed)) > 1e-5)
            fail_msg("vertex %d: normal (%g %g %g), not (%g %g %g)", i, (double)got[0],
                     (double)got[1], (double)got[2], mixed.x, mixed.y, mixed.z);
    }
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/* Colliders follow their bones, with the placement of the model: the capsule from "lower" to
 * "upper" is at twice the bones' positions, 10 units to the right. */
static void colliders_follow_the_bones(void **state)
{
    (void)state;
    static const char *const pins[] = {"lower"};
    static const ClothCapsuleSpec capsule = {"lower", "upper", 0.5};
    Arena *arena = arena_create();
    ClothSpec spec = strip_spec(pins, 1);
    spec.capsules = &capsule;
    spec.capsule_count = 1;
    spec.floor = true;
    Scene *scene = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
    dress(scene, &spec, arena);
    scene->physics.warmup_s = 0;
    FrameState *frame = frame_state_create(scene, arena);
    frame->models[0].placement =
        (Placement){.position = {10, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = 2};
    frame->models[0].bones[0] = (BonePose){{1, 0, 0}, {0, 0, 0, 1}};
    frame->models[0].bones[1] = (BonePose){{3, 4, 5}, {0, 0, 0, 1}};

    ClothSet *cloth_set = cloth_set_create(scene);
    cloth_set_reset(cloth_set, frame);
    assert_int_equal(cloth_set_tick(cloth_set), 0);
    assert_true(cloth_set->is_wearer[0]);
    for (uint32_t i = 0; i < scene->cloths[0].collider_count; i++) {
        const ClothBody *body = &cloth_set->bodies[0][i];
        if (body->shape == CLOTH_FLOOR) {
            assert_near(body->a.y, 0, 0);
            continue;
        }
        assert_int_equal(body->shape, CLOTH_CAPSULE);
        assert_true(vec3_length(vec3_sub(body->a, (Vec3){12, 0, 0})) < 1e-6);
        assert_true(vec3_length(vec3_sub(body->b, (Vec3){16, 8, 10})) < 1e-6);
        assert_near(body->radius, 0.5, 1e-6);
    }
    assert_int_equal(scene->cloths[0].collider_count, 2);
    cloth_set_destroy(cloth_set);
    arena_destroy(arena);
}

/* Any order of frames, any rate, and through packing. */
static void same_bits_in_any_order(void **state)
{
    (void)state;
    static const double orders[][4] = {{20, 20, 20, 20}, {3, 7.3, 11.9, 20}, {19.99, 5, 20, 20}};
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("lower", 0, 0, 0, 0), fixture_key("lower", 30, 6, 2, 0)};
    const VmdMotion motion = fixture_motion_of(keys, 2);
    Scene *scene = dressed_strip(&motion, arena);
    const size_t size = frame_state_size(scene);
    uint8_t *first = arena_alloc(arena, size), *packed = arena_alloc(arena, size);

    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        FrameState *frame = frame_state_create(scene, arena);
        Evaluator *evaluator = evaluator_create(scene);
        for (int i = 0; i < 4; i++)
            evaluate_frame(frame, evaluator, scene, orders[o][i]);
        frame_state_pack(o ? packed : first, frame, scene);
        if (o && memcmp(packed, first, size))
            fail_msg("order %zu gives other bits", o);
        evaluator_destroy(evaluator);
    }
    FrameState *again = frame_state_create(scene, arena);
    frame_state_unpack(again, first, scene);
    frame_state_pack(packed, again, scene);
    assert_memory_equal(packed, first, size);
    arena_destroy(arena);
}

/* A cone of 8 x 5, twice as large in the world: held at the top, below its bone, around it. */
static void shapes_by_hand(void **state)
{
    (void)state;
    static const char *const pins[] = {"upper"};
    Arena *arena = arena_create();
    Heard heard;
    heard_init(&heard);
    const Scene *scene = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
    const ClothSpec spec = {.model = "model",
                            .shape = {.form = CLOTH_CONE,
                                      .columns = 8,
                                      .rows = 5,
                                      .radius = {1, 3},
                                      .depth = 1,
                                      .length = 4,
                                      .offset = {0, 1, 0},
                                      .rotation = {0, 0, 0, 1},
                                      .color = {1, 0, 0, 1}},
                            .pins = pins,
                            .pin_count = 1,
                            .floor = true,
                            .tuning = tuning()};
    ClothPlan plan;
    Model made;
    assert_true(cloth_plan(&plan, &made, &spec, scene->models[0].model, 2, arena, &heard.diag));
    model_prepare(&made, arena, &heard.diag);
    if (!pmx_check(&made.pmx, &heard.diag))
        fail_msg("%s", heard.text);
    assert_int_equal(plan.topology.mass_count, 40);
    assert_int_equal(made.pmx.vertex_count, 45); /* a seam for the texture */
    assert_int_equal(made.pmx.index_count, 8 * 4 * 6);
    assert_int_equal(plan.collider_count, 1);
    for (int i = 0; i < 8; i++) {
        assert_near(plan.topology.pins[i], 1, 0);
        assert_near(plan.topology.pins[8 + i], 0, 0);
        assert_near(hypot(plan.topology.rest[i].x, plan.topology.rest[i].z), 2, 1e-9);
        assert_near(plan.topology.rest[32 + i].y, 2 * (2 + 1 - 4), 1e-9);
        assert_near(hypot(plan.topology.rest[32 + i].x, plan.topology.rest[32 + i].z), 6, 1e-9);
        assert_int_equal(plan.anchors[i].bones[0], 1);
    }
    for (uint32_t i = 0; i < plan.triangle_count; i++) { /* normals point away from the axis */
        Vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = plan.topology.rest[plan.corners[i][k]];
        const Vec3 n = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
        assert_true(n.x * p[0].x + n.z * p[0].z > 0);
    }
    arena_destroy(arena);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    static const char *const good[] = {"lower"}, *const bad[] = {"lover"};
    static const ClothCapsuleSpec capsule = {"lower", "uper", 1};
    ClothSpec rows[5];
    const char *const expected[] = {
        "no bone 'lover' in model.pmx, did you mean 'lower'",
        "no material 'stripe' in model.pmx, did you mean 'strip'",
        "no bone 'uper' in model.pmx, did you mean 'upper'",
        "a generated cloth needs at least one bone in 'pins'",
        "steps of 1/240 s are too long for symplectic",
    };
    for (int i = 0; i < 5; i++)
        rows[i] = strip_spec(good, 1);
    rows[0].pins = bad;
    rows[1].material = "stripe";
    rows[2].capsules = &capsule;
    rows[2].capsule_count = 1;
    rows[3].material = NULL;
    rows[3].pin_count = 0;
    rows[4].tuning.substeps = 1;
    for (int i = 0; i < 5; i++) {
        Arena *arena = arena_create();
        Heard heard;
        heard_init(&heard);
        const Scene *scene = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
        ClothPlan plan;
        Model made;
        assert_false(
            cloth_plan(&plan, &made, &rows[i], scene->models[0].model, 1, arena, &heard.diag));
        if (!strstr(heard.text, expected[i]))
            fail_msg("row %d: %s", i, heard.text);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_by_hand),
        cmocka_unit_test(sides_are_joined),
        cmocka_unit_test(pins_follow_the_bones),
        cmocka_unit_test(same_bits_in_any_order),
        cmocka_unit_test(normals_at_seams_follow_the_weights),
        cmocka_unit_test(colliders_follow_the_bones),
        cmocka_unit_test(shapes_by_hand),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
