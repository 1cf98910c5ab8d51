// SPDX-License-Identifier: MIT
/* Cloth in a scene: plans from materials and shapes, frames in any order, packing, and where it is
 * drawn. */
#include <math.h>
#include <string.h>

#include "asset_check.h"
#include "cloth_probe.h"
#include "cloth_tuning.h"
#include "diag_log.h"
#include "evaluate/cloth/cloth_set.h"
#include "evaluate/frame.h"
#include "model_fixture.h"
#include "near.h"
#include "scene_fixture.h"
#include "skin_model.h"
#include "unit_test.h"

static ClothTuning tuning(void)
{
    ClothTuning t = CLOTH_TUNING_DEFAULT;
    t.stiffness = 20000;
    return t;
}

static ClothSpec strip_spec(const char **pins, size_t pin_count)
{
    return (ClothSpec){.model = "model",
                       .material = "strip",
                       .pin = {.bones = pins, .bone_count = pin_count},
                       .tuning = tuning()};
}

/* Adds a planned cloth to a scene made in memory, as scene_load does. */
static Scene *dress(Scene *scene, const ClothSpec *spec, Arena *arena)
{
    DiagLog log;
    diag_log_init(&log);
    ClothPlan *plan = arena_array(arena, ClothPlan, 1);
    Model *made = arena_alloc(arena, sizeof *made);
    if (!cloth_plan(plan, made, spec, scene->models[0].model, 1, arena, &log.diag))
        fail_msg("%s", log.text);
    scene->cloths = plan;
    scene->cloth_count = 1;
    scene->physics.warmup_s = 0.5f;
    scene->models[0].cloth_vertices = plan->vertices;
    scene->models[0].cloth_vertex_count = plan->vertex_count;
    return scene;
}

/* Held by its lower bone and weightless but for an upward pull: so it points up, and the free half
 * may sway. */
static Scene *dressed_strip(const VmdMotion *motion, Arena *arena)
{
    static const char *pins[] = {"lower"};
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

/* Of the strip, hung by a weight, the two squares in the middle are more than three times as long:
 * their corners have no outline. */
static void long_triangles_have_no_outline(void **state)
{
    (void)state;
    static const char *pins[] = {"lower"};
    Arena *arena = arena_create();
    ClothSpec spec = strip_spec(pins, 1);
    spec.tuning.gravity = (Vec3){0, 98, 0};
    spec.tuning.stiffness = 20;
    spec.tuning.stretch = 0; /* no limit */
    const Scene *scene =
        dress(fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena), &spec, arena);
    FrameState *frame = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);

    evaluate_frame(frame, evaluator, scene, 0);
    const ClothVertex *cloth = frame->models[0].cloth;
    for (int row = 1; row < 5; row++)
        assert_int_equal(cloth[2 * row].position[1] - cloth[2 * row - 2].position[1] > 3,
                         row == 2 || row == 3);
    for (int i = 0; i < 10; i++)
        assert_near(vec3_length(vec3_load(cloth[i].normal)), i < 2 || i >= 8 ? 1 : 1e-3, 1e-6);
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/* Two layers of the strip, the second reversed, at a distance behind the first. */
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

/* Vertices at one position, or on two layers, are one mass, but keep their normals and distance.
 */
static void sides_are_joined(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        float behind;
        uint32_t masses;
    } rows[] = {
        {"at one position", 0, 10},
        {"inner layer", 0.0625f, 10},
        {"too far behind", 0.5f, 20},
        {"in front: no layer", -0.0625f, 20},
    };
    static const char *pins[] = {"lower"};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        ClothSpec spec = strip_spec(pins, 1);
        spec.lining = 0.1;
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

/* The normals of free vertices (6 to 9) are those of their triangles, weighted by area. */
static void check_normals(const ModelState *state, const PmxModel *pmx)
{
    Vec3 sums[10] = {{0, 0, 0}};
    for (uint32_t i = 0; i < pmx->index_count; i += 3) {
        const uint32_t *t = &pmx->indices[i];
        const Vec3 a = vec3_load(state->cloth[t[0]].position);
        const Vec3 b = vec3_load(state->cloth[t[1]].position);
        const Vec3 c = vec3_load(state->cloth[t[2]].position);
        for (int k = 0; k < 3; k++)
            sums[t[k]] = vec3_add(sums[t[k]], vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    }
    for (int i = 6; i < 10; i++) {
        const Vec3 normal = vec3_load(state->cloth[i].normal);
        assert_near(vec3_dot(normal, vec3_normalize(sums[i])), 1, 1e-6);
    }
    assert_true(vec3_dot(vec3_normalize(sums[6]), vec3_normalize(sums[8])) < 1 - 1e-5); /* bent */
}

/* Fixed vertices have exactly the positions of skinning; free ones lag behind. */
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
    assert_near((double)skinned[9][0], top, 0); /* CPU skinning returns the cloth vertices */
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/* At a seam the normal of a vertex is mixed with that of its skinned vertex by the weight of the
 * pins (evaluate/cloth/README.md).  The skinned normals are tilted to x, so that the share shows.
 */
static void normals_at_seams_follow_the_weights(void **state)
{
    (void)state;
    static const char *pins[] = {"lower"};
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
    static const char *pins[] = {"lower"};
    static NamedCapsule capsule = {"lower", "upper", 0.5};
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

/*
 * Every kind of collider, with its bones at other positions and rotations: bone 0 at (1, 0, 0) and
 * rotated by 180 degrees about z, bone 1 (0, 2, 0 at rest) at (3, 4, 5) and by 90 about z.  The
 * model is then rotated by 90 degrees about y, (x, y, z) to (z, y, -x), scaled by 2 and moved
 * by 10.
 */
static void colliders_by_hand(void **state)
{
    (void)state;
    static const char *pins[] = {"lower"};
    static const double h = 0.70710678118654752;
    static const Quat x90 = {h, 0, 0, h}, y90 = {0, h, 0, h}, z90 = {0, 0, h, h};
    static const struct {
        const char *what;
        ClothCollider collider;
        Vec3 a, b;
        Quat bone_rotation;
    } rows[] = {
        {"capsule of two bones",
         {CLOTH_CAPSULE,
          {0, 1},
          {{1, 2, 0}, {1, 2, 0}},
          0.5,
          {0, 0, 0},
          {0, 0, 0, 1},
          0.25,
          false,
          {0}},
         {10, -4, 0},
         {20, 10, -6},
         {0, 0, 1, 0}},
        {"capsule that is fixed in the model",
         {CLOTH_CAPSULE,
          {-1, -1},
          {{1, 2, 0}, {0, 0, 3}},
          0.5,
          {0, 0, 0},
          {0, 0, 0, 1},
          0.25,
          false,
          {0}},
         {10, 4, -2},
         {16, 0, 0},
         {0, 0, 0, 1}},
        {"box of bone 1",
         {CLOTH_BOX, {1, 1}, {{0, 2, 0}, {0, 2, 0}}, 0, {1, 2, 3}, {h, 0, 0, h}, 0, false, {0}},
         {20, 8, -6},
         {20, 8, -6},
         {0, 0, h, h}},
        {"box of bone 0",
         {CLOTH_BOX, {0, 0}, {{0, 0, 0}, {0, 0, 0}}, 0, {1, 2, 3}, {h, 0, 0, h}, 0, false, {0}},
         {10, 0, -2},
         {10, 0, -2},
         {0, 0, 1, 0}},
        {"box that is fixed in the model",
         {CLOTH_BOX, {-1, -1}, {{0, 0, 1}, {0, 0, 1}}, 0, {1, 2, 3}, {h, 0, 0, h}, 0, false, {0}},
         {12, 0, 0},
         {12, 0, 0},
         {0, 0, 0, 1}},
        {"floor",
         {CLOTH_FLOOR, {-1, -1}, {{7, 7, 7}, {7, 7, 7}}, 0, {0, 0, 0}, {0, 0, 0, 1}, 0, false, {0}},
         {0, 0, 0},
         {0, 0, 0},
         {0, 0, 0, 1}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        const ClothSpec spec = strip_spec(pins, 1);
        Scene *scene = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
        dress(scene, &spec, arena);
        scene->physics.warmup_s = 0;
        scene->cloths[0].colliders = arena_copy(arena, &rows[r].collider, sizeof(ClothCollider));
        scene->cloths[0].collider_count = 1;
        FrameState *frame = frame_state_create(scene, arena);
        frame->models[0].placement = (Placement){.position = {10, 0, 0}, .scale = 2};
        quat_store(frame->models[0].placement.rotation, y90);
        frame->models[0].bones[0] = (BonePose){{1, 0, 0}, {0, 0, 1, 0}};
        frame->models[0].bones[1].position[0] = 3;
        frame->models[0].bones[1].position[1] = 4;
        frame->models[0].bones[1].position[2] = 5;
        quat_store(frame->models[0].bones[1].rotation, z90);

        ClothSet *cloth_set = cloth_set_create(scene);
        cloth_set_reset(cloth_set, frame);
        const ClothBody *body = &cloth_set->bodies[0][0];
        Quat rotation = {0, 0, 0, 1};
        if (rows[r].collider.shape == CLOTH_BOX)
            rotation = quat_mul(quat_mul(y90, rows[r].bone_rotation), x90);
        if (vec3_length(vec3_sub(body->a, rows[r].a)) > 1e-5 ||
            vec3_length(vec3_sub(body->b, rows[r].b)) > 1e-5 ||
            body->shape != rows[r].collider.shape || body->radius != rows[r].collider.radius ||
            body->half.z != rows[r].collider.half.z ||
            (body->shape == CLOTH_BOX && fabs(quat_dot(body->rotation, rotation)) < 1 - 1e-7))
            fail_msg("%s: (%g %g %g), (%g %g %g), rotation (%g %g %g %g)", rows[r].what, body->a.x,
                     body->a.y, body->a.z, body->b.x, body->b.y, body->b.z, body->rotation.x,
                     body->rotation.y, body->rotation.z, body->rotation.w);
        cloth_set_destroy(cloth_set);
        arena_destroy(arena);
    }
}

/* The warm-up of a quarter of a second is 60 of 240 ticks at the start of the film. */
static void warmup_settles_the_cloth(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Scene *scene = dressed_strip(NULL, arena);
    scene->physics.warmup_s = 0.25f;
    scene->cloths[0].topology.tuning.wind = (Vec3){3, 0, 9};
    FrameState *frame = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    evaluate_frame(frame, evaluator, scene, 0);
    Cloth *cloth = cloth_create(&scene->cloths[0].topology, 0);
    Vec3 anchors[10];
    for (int i = 0; i < 10; i++)
        anchors[i] = scene->cloths[0].topology.rest[i];
    cloth_reset(cloth, anchors, NULL);
    cloth_warm_up(cloth, 60);
    const Vec3 *expected = cloth_positions(cloth);
    for (int i = 0; i < 10; i++)
        assert_near(vec3_length(vec3_sub(vec3_load(frame->models[0].cloth[i].position),
                                         expected[scene->cloths[0].masses[i]])),
                    0, 1e-6);
    assert_true(fabs(expected[9].z) > 0.01);
    check_normals(&frame->models[0], &scene->models[0].model->pmx);
    cloth_destroy(cloth);
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/* A tube around a limb that at rest points up from the bone of the pins, and in the first pose
 * along x: the limb takes the tube along instead of passing through its wall. */
static void limbs_are_in_sleeves_from_the_first_frame_on(void **state)
{
    (void)state;
    enum { COLUMNS = 12, ROWS = 9 };
    static const char *pins[] = {"lower"};
    static NamedCapsule limb = {"lower", "upper", 0.25};
    Arena *arena = arena_create();
    const ClothSpec spec = {.model = "model",
                            .shape = &(ClothShapeSpec){.form = CLOTH_TUBE,
                                                       .columns = COLUMNS,
                                                       .rows = ROWS,
                                                       .radius = {0.5, 0.5},
                                                       .depth = 1,
                                                       .length = 2.2,
                                                       .rotation_deg = {0, 0, 180}}, /* upwards */
                            .pin = {.bones = pins, .bone_count = 1},
                            .capsules = &limb,
                            .capsule_count = 1,
                            .tuning = tuning()};
    Scene *scene = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
    dress(scene, &spec, arena);
    scene->cloths[0].topology.tuning.gravity = (Vec3){0, 0, 0};
    scene->cloths[0].drawn = 1; /* by a model of its own, which this test does not need */
    FrameState *frame = frame_state_create(scene, arena);
    frame->models[0].placement = (Placement){.rotation = {0, 0, 0, 1}, .scale = 1};
    frame->models[0].bones[0] = (BonePose){{0, 0, 0}, {0, 0, 0, 1}};
    frame->models[0].bones[1] = (BonePose){{2, 0, 0}, {0, 0, 0, 1}};
    ClothSet *cloth_set = cloth_set_create(scene);
    cloth_set_reset(cloth_set, frame);
    const Vec3 *x = cloth_positions(cloth_set->cloths[0]);
    Vec3 hem = {0, 0, 0};
    for (int c = 0; c < COLUMNS; c++)
        hem = vec3_add(hem, vec3_scale(x[(ROWS - 1) * COLUMNS + c], 1.0 / COLUMNS));
    if (hypot(hem.y, hem.z) > 0.5 || hem.x < 1.5)
        fail_msg("the middle of the hem is at %g %g %g", hem.x, hem.y, hem.z);
    assert_int_equal(cloth_set_tick(cloth_set), 0);
    cloth_set_destroy(cloth_set);
    arena_destroy(arena);
}

enum { SHOULDER, ELBOW, WRIST, JOINTS, RING = 8 };
static const float JOINT_Y[JOINTS] = {10, 7, 4};

/* An arm that hangs down.  Only its ends have vertices, 1.4 of the 3 units from each end: as where
 * a bare arm reaches into a cuff, a third of each part is inside of no fitted capsule. */
static PmxModel bare_elbow(Arena *arena)
{
    static const float rings[] = {10, 9.3f, 8.6f, 5.4f, 4.7f, 4};
    enum { COUNT = RING * sizeof rings / sizeof *rings };
    PmxModel m = fixture_bone_only(arena);

    m.bones = arena_array(arena, PmxBone, JOINTS);
    m.bone_count = JOINTS;
    m.bones[SHOULDER] = fixture_bone("左腕", PMX_NONE, 0, JOINT_Y[SHOULDER], 0);
    m.bones[ELBOW] = fixture_bone("左ひじ", SHOULDER, 0, JOINT_Y[ELBOW], 0);
    m.bones[WRIST] = fixture_bone("左手首", ELBOW, 0, JOINT_Y[WRIST], 0);
    m.vertices = arena_array(arena, PmxVertex, COUNT);
    m.indices = arena_array(arena, uint32_t, COUNT + 2);
    m.vertex_count = COUNT;
    m.index_count = COUNT / 3 * 3;
    m.materials = arena_array(arena, PmxMaterial, 1);
    m.material_count = 1;
    m.materials[0] = fixture_material("arm", 0, m.index_count);
    m.materials[0].diffuse[3] = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        const double turn = 2 * M_PI * (i % RING) / RING;
        m.vertices[i] = fixture_vertex((float)(0.25 * cos(turn)), rings[i / RING],
                                       (float)(0.25 * sin(turn)), i < COUNT / 2 ? SHOULDER : ELBOW);
        m.indices[i] = i;
    }
    return m;
}

/* The arm swings to the side and back, up to 100 degrees twice a second, and bends. */
static void swing(BonePose bones[JOINTS], double seconds)
{
    const double raised = 50 * (1 - cos(4 * M_PI * seconds)), bent = 40 * sin(4 * M_PI * seconds);
    const Quat upper = quat_from_axis_angle((Vec3){0, 0, 1}, raised * M_PI / 180);
    const Quat lower = quat_mul(upper, quat_from_axis_angle((Vec3){1, 0, 0}, bent * M_PI / 180));
    Vec3 joint = {0, JOINT_Y[SHOULDER], 0};

    for (int i = 0; i < JOINTS; i++) {
        const Quat turn = i == SHOULDER ? upper : lower;
        bones[i] =
            (BonePose){.rotation = {(float)turn.x, (float)turn.y, (float)turn.z, (float)turn.w}};
        vec3_store(bones[i].position, joint);
        joint = vec3_add(joint, quat_rotate(turn, (Vec3){0, -3, 0}));
    }
}

/* The line of the bones goes into a sleeve at its upper edge and leaves it at its hem: it never
 * leads through the wall. */
static void limbs_stay_in_sleeves(void **state)
{
    (void)state;
    static const char *pins[] = {"左腕"};
    Arena *arena = arena_create();
    const ClothSpec spec = {.model = "model",
                            .shape = &(ClothShapeSpec){.form = CLOTH_TUBE,
                                                       .columns = 16,
                                                       .rows = 16,
                                                       .radius = {0.7, 0.7},
                                                       .depth = 1,
                                                       .length = 6.5,
                                                       .offset = {0, -0.5, 0}},
                            .pin = {.bones = pins, .bone_count = 1},
                            .capsules = &(NamedCapsule){0},
                            .capsule_count = 1,
                            .tuning = CLOTH_TUNING_DEFAULT};
    Scene *scene = fixture_scene(bare_elbow(arena), NULL, COMPAT_DEFAULT, arena);
    dress(scene, &spec, arena);
    scene->cloths[0].drawn = 1; /* by a model of its own, which this test does not need */
    FrameState *frame = frame_state_create(scene, arena);
    frame->models[0].placement = (Placement){.rotation = {0, 0, 0, 1}, .scale = 1};
    swing(frame->models[0].bones, 0);
    ClothSet *cloth_set = cloth_set_create(scene);
    cloth_set_reset(cloth_set, frame);
    for (int tick = 0; tick < 240; tick++) {
        const BonePose *bones = frame->models[0].bones;
        swing(frame->models[0].bones, tick / 240.0);
        cloth_set_step(cloth_set, frame);
        for (int i = 0; i + 1 < JOINTS; i++)
            if (cloth_count_crossed(cloth_set->cloths[0], vec3_load(bones[i].position),
                                    vec3_load(bones[i + 1].position)) > 0)
                fail_msg("tick %d: the bones lead through the sleeve", tick);
    }
    cloth_set_destroy(cloth_set);
    arena_destroy(arena);
}

/* A diverged material follows its bones as if it were no cloth.  Its vertices begin at index 3 of
 * the model's list; those before it keep their values. */
static void diverged_materials_are_skinned(void **state)
{
    (void)state;
    enum { FIRST = 3 };
    static const char *pins[] = {"lower", "upper"};
    static const float Z[3] = {0, 0, 1};
    for (int row = 0; row < 4; row++) {
        const bool diverges = row % 2 != 0;
        Arena *arena = arena_create();
        ClothSpec spec = strip_spec(&pins[row / 2], 1);
        spec.tuning.gravity = (Vec3){0, diverges ? 1e15 : 98, 0};
        VmdBoneKey keys[] = {fixture_turn_key("upper", 0, Z, 50)};
        const VmdMotion motion = fixture_motion_of(keys, 1);
        Scene *scene = fixture_scene(fixture_strip(arena), &motion, COMPAT_DEFAULT, arena);
        dress(scene, &spec, arena);
        uint32_t *vertices = arena_array(arena, uint32_t, FIRST + 10);
        for (uint32_t i = 0; i < 10; i++)
            vertices[FIRST + i] = scene->cloths[0].vertices[i];
        scene->cloths[0].first = FIRST;
        scene->models[0].cloth_vertices = vertices;
        scene->models[0].cloth_vertex_count = FIRST + 10;
        FrameState *frame = frame_state_create(scene, arena);
        for (int i = 0; i < FIRST; i++)
            frame->models[0].cloth[i] = (ClothVertex){{1, 2, 3}, {4, 5, 6}};
        Evaluator *evaluator = evaluator_create(scene);
        evaluate_frame(frame, evaluator, scene, 0);
        assert_int_equal(cloth_has_diverged(evaluator_cloth(evaluator, 0)), diverges);
        assert_true(frame->models[0].visible);
        for (int i = 0; i < FIRST; i++)
            assert_true(frame->models[0].cloth[i].position[1] == 2 &&
                        frame->models[0].cloth[i].normal[1] == 5);
        float skinned[10][3], normals[10][3];
        frame->models[0].cloth_count = 0;
        skin_model(skinned, normals, scene->models[0].model, &frame->models[0]);
        for (int i = 0; i < 10; i++) {
            const ClothVertex *v = &frame->models[0].cloth[FIRST + i];
            if (diverges) {
                assert_memory_equal(v->position, skinned[i], sizeof v->position);
                assert_memory_equal(v->normal, normals[i], sizeof v->normal);
            } else
                assert_near(vec3_length(vec3_load(v->normal)), 1, 1e-6);
        }
        evaluator_destroy(evaluator);
        arena_destroy(arena);
    }
}

/* A generated sheet is drawn by a model of its own: it is visible with its owner unless it has
 * diverged.  The owner is attached to another model, on which the cloth depends too. */
static void generated_cloth_is_a_model(void **state)
{
    (void)state;
    static const char *pins[] = {"upper"};
    enum { BASE, OWNER, DRAWN, OTHER };
    static const struct {
        const char *what;
        double gravity;
        bool owner_visible, expected;
    } rows[] = {
        {"owner visible", -98, true, true},
        {"owner invisible", -98, false, false},
        {"diverged", -1e15, true, false},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        DiagLog log;
        diag_log_init(&log);
        VmdPropertyKey key = {0, rows[r].owner_visible, NULL, 0};
        VmdMotion motion = fixture_motion_of(NULL, 0);
        motion.property_keys = &key;
        motion.property_key_count = 1;
        const Scene *one = fixture_scene(fixture_strip(arena), &motion, COMPAT_DEFAULT, arena);
        const Scene *plain = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
        ClothSpec spec = {.model = "model",
                          .shape = &(ClothShapeSpec){.form = CLOTH_SHEET,
                                                     .columns = 4,
                                                     .rows = 3,
                                                     .width = 3,
                                                     .length = 2,
                                                     .color = {1, 0, 0}},
                          .pin = {.bones = pins, .bone_count = 1},
                          .tuning = tuning()};
        spec.tuning.gravity.y = rows[r].gravity;
        ClothPlan plan;
        Model made = {.file = "made"};
        assert_true(cloth_plan(&plan, &made, &spec, one->models[0].model, 1, arena, &log.diag));
        model_prepare(&made, arena, &log.diag);
        plan.owner = OWNER;
        plan.drawn = DRAWN;
        const Model *empty = plain->models[0].model;
        const Scene *sheet = fixture_scene(made.pmx, NULL, COMPAT_DEFAULT, arena);
        SceneModel models[4] = {plain->models[0], one->models[0], sheet->models[0],
                                plain->models[0]};
        assert_ptr_equal(models[BASE].model, empty);
        models[OWNER].attach_model = BASE;
        models[OWNER].attach_bone = 1;
        models[DRAWN].cloth_vertices = plan.vertices;
        models[DRAWN].cloth_vertex_count = plan.vertex_count;
        uint32_t order[4] = {BASE, OWNER, DRAWN, OTHER};
        Scene scene = *one;
        scene.models = models;
        scene.model_count = 4;
        scene.attach_order = order;
        scene.cloths = &plan;
        scene.cloth_count = 1;
        scene.physics.warmup_s = 0.1f;

        FrameState *frame = frame_state_create(&scene, arena);
        Evaluator *evaluator = evaluator_create(&scene);
        evaluate_frame(frame, evaluator, &scene, 3);
        if (frame->models[DRAWN].visible != rows[r].expected ||
            frame->models[OWNER].visible != rows[r].owner_visible || !frame->models[BASE].visible)
            fail_msg("%s", rows[r].what);
        /* the fixed row is at the bone "upper", at (0, 4, 0) in the world, 3 wide */
        if (rows[r].expected)
            for (int i = 0; i < 4; i++) {
                const float *p = frame->models[DRAWN].cloth[i].position;
                assert_near(hypot((double)p[1] - 4, (double)p[2]), 0, 1e-5);
                assert_near(fabs((double)p[0]), i == 0 || i == 3 ? 1.5 : 0.5, 1e-5);
            }
        ClothSet *cloth_set = cloth_set_create(&scene);
        for (int i = 0; i < 4; i++)
            assert_int_equal(cloth_set->is_wearer[i], i == BASE || i == OWNER);
        cloth_set_destroy(cloth_set);
        evaluator_destroy(evaluator);
        arena_destroy(arena);
    }
}

/* Any order of frames, any rate, and through packing. */
static void same_bits_in_any_order(void **state)
{
    (void)state;
    static const double orders[][4] = {{20, 20, 20, 20}, {3, 7.3, 11.9, 20}, {19.99, 5, 20, 20}};
    Arena *arena = arena_create();
    static const float Y[3] = {0, 1, 0};
    VmdBoneKey keys[] = {fixture_key("lower", 0, 0, 0, 0), fixture_key("lower", 30, 6, 2, 0),
                         fixture_turn_key("upper", 0, Y, 0), fixture_turn_key("upper", 30, Y, 120)};
    const VmdMotion motion = fixture_motion_of(keys, 4);
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

/* A motion that comes 40 frames later gives the same cloth if the simulation begins there; gusts,
 * which are those of the time of the film, do not. */
static void cloth_begins_at_the_start(void **state)
{
    (void)state;
    enum { LATER = 40 };
    for (int gusts = 0; gusts < 2; gusts++) {
        Arena *arena = arena_create();
        ClothVertex *before = NULL;
        for (uint32_t from = 0; from <= LATER; from += LATER) {
            VmdBoneKey keys[] = {fixture_key("lower", from, 0, 0, 0),
                                 fixture_key("lower", from + 30, 6, 2, 0)};
            const VmdMotion motion = fixture_motion_of(keys, 2);
            Scene *scene = dressed_strip(&motion, arena);
            ClothPlan *plan = arena_copy(arena, scene->cloths, sizeof *scene->cloths);
            plan->topology.tuning.wind = (Vec3){9, 0, 3};
            plan->topology.tuning.gust = gusts;
            scene->cloths = plan;
            FrameState *frame = frame_state_create(scene, arena);
            Evaluator *evaluator = evaluator_create(scene);
            evaluator_set_start(evaluator, from);
            assert_true(evaluate_frame(frame, evaluator, scene, from + 11.3));
            const ModelState *drawn = &frame->models[plan->drawn];
            const size_t size = plan->vertex_count * sizeof *drawn->cloth;
            if (before)
                assert_int_equal(memcmp(before, drawn->cloth, size) != 0, gusts);
            before = arena_copy(arena, drawn->cloth, size);
            evaluator_destroy(evaluator);
        }
        arena_destroy(arena);
    }
}

/* A cone of 8 x 5, twice as large in the world: fixed at the top, below its bone, around it. */
static void shapes_by_hand(void **state)
{
    (void)state;
    static const char *pins[] = {"upper"};
    Arena *arena = arena_create();
    DiagLog log;
    diag_log_init(&log);
    const Scene *scene = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
    const ClothSpec spec = {.model = "model",
                            .shape = &(ClothShapeSpec){.form = CLOTH_CONE,
                                                       .columns = 8,
                                                       .rows = 5,
                                                       .radius = {1, 3},
                                                       .depth = 1,
                                                       .length = 4,
                                                       .offset = {0, 1, 0},
                                                       .color = {1, 0, 0}},
                            .pin = {.bones = pins, .bone_count = 1},
                            .floor = true,
                            .tuning = tuning()};
    ClothPlan plan;
    Model made;
    assert_true(cloth_plan(&plan, &made, &spec, scene->models[0].model, 2, arena, &log.diag));
    model_prepare(&made, arena, &log.diag);
    if (!pmx_check(&made.pmx, &log.diag))
        fail_msg("%s", log.text);
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

static void errors_are_reported(void **state)
{
    (void)state;
    static const char *good[] = {"lower"}, *bad[] = {"lover"};
    static NamedCapsule capsule = {"lower", "uper", 1};
    ClothSpec rows[5];
    const char *const expected[] = {
        "no bone 'lover' in model.pmx; did you mean 'lower'?",
        "no material 'stripe' in model.pmx; did you mean 'strip'?",
        "no bone 'uper' in model.pmx; did you mean 'upper'?",
        "a generated cloth needs at least one bone in 'pins'",
        "steps of 1/240 s are too long for symplectic",
    };
    for (int i = 0; i < 5; i++)
        rows[i] = strip_spec(good, 1);
    rows[0].pin.bones = bad;
    rows[1].material = "stripe";
    rows[2].capsules = &capsule;
    rows[2].capsule_count = 1;
    rows[3].material = NULL;
    rows[3].shape = &(ClothShapeSpec){0};
    rows[3].pin.bone_count = 0;
    rows[4].tuning.substeps = 1;
    for (int i = 0; i < 5; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        diag_log_init(&log);
        const Scene *scene = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
        ClothPlan plan;
        Model made;
        assert_false(
            cloth_plan(&plan, &made, &rows[i], scene->models[0].model, 1, arena, &log.diag));
        if (!strstr(log.text, expected[i]))
            fail_msg("row %d: %s", i, log.text);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_by_hand),
        cmocka_unit_test(long_triangles_have_no_outline),
        cmocka_unit_test(sides_are_joined),
        cmocka_unit_test(pins_follow_the_bones),
        cmocka_unit_test(same_bits_in_any_order),
        cmocka_unit_test(cloth_begins_at_the_start),
        cmocka_unit_test(normals_at_seams_follow_the_weights),
        cmocka_unit_test(colliders_follow_the_bones),
        cmocka_unit_test(colliders_by_hand),
        cmocka_unit_test(warmup_settles_the_cloth),
        cmocka_unit_test(limbs_are_in_sleeves_from_the_first_frame_on),
        cmocka_unit_test(limbs_stay_in_sleeves),
        cmocka_unit_test(diverged_materials_are_skinned),
        cmocka_unit_test(generated_cloth_is_a_model),
        cmocka_unit_test(shapes_by_hand),
        cmocka_unit_test(errors_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
