// SPDX-License-Identifier: MIT
/* The extent of a shot: which vertices count, and how far a posed model reaches. */
#include <math.h>

#include "evaluate/follow/shot_extent.h"
#include "evaluate/frame.h"
#include "model_fixture.h"
#include "near.h"
#include "scene_fixture.h"
#include "unit_test.h"

static const Vec3 SIDES[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

static ShotSupport reach_of(const Scene *scene, FollowShot shot, double frame, Arena *arena)
{
    ShotExtent extent;
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create_keyed(scene);
    evaluate_bones(state, evaluator, scene, NULL, frame);
    shot_extent_create(&extent, &scene->models[0], shot, arena);
    const ShotSupport reach = shot_extent_support(&extent, &state->models[0], SIDES, 6);
    evaluator_destroy(evaluator);
    return reach;
}

static void expect(const char *what, const double got[6], const double expected[6])
{
    for (int i = 0; i < 6; i++)
        if (!(fabs(got[i] - expected[i]) < 1e-5))
            fail_msg("%s: side %d is %g, expected %g", what, i, got[i], expected[i]);
}

/* The strip: 1 wide, 4 high; the part above y = 2 belongs to the bone "upper". */
static void placed_and_posed(void **state)
{
    (void)state;
    static const float z[] = {0, 0, 1};
    static const struct {
        const char *what;
        Placement placement;
        float degrees; /* of "upper" about z, positive to the left */
        double expected[6];
    } rows[] = {
        {"at rest", {{0, 0, 0}, {0, 0, 0, 1}, 1}, 0, {0.5, 0.5, 4, 0, 0, 0}},
        {"placed and scaled", {{10, 20, 30}, {0, 0, 0, 1}, 3}, 0, {11.5, -8.5, 32, -20, 30, -30}},
        {"rotated about y",
         {{0, 0, 0}, {0, 0.70710678f, 0, 0.70710678f}, 2},
         0,
         {0, 0, 8, 0, 1, 1}},
        /* The upper part is level, from (0, 2) to (-2, 2); the row at y = 2 bends with the lower
         * bone, whose index is smaller at equal weights. */
        {"bent", {{0, 0, 0}, {0, 0, 0, 1}, 1}, 90, {0.5, 2, 2.5, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        VmdBoneKey keys[] = {fixture_turn_key("upper", 0, z, rows[i].degrees)};
        const VmdMotion motion = fixture_motion_of(keys, 1);
        Scene *scene = fixture_scene(fixture_strip(arena), &motion, COMPAT_DEFAULT, arena);
        scene->models[0].placement = rows[i].placement;
        const ShotSupport reach = reach_of(scene, SHOT_FULL, 0, arena);
        expect(rows[i].what, reach.required, rows[i].expected);
        expect(rows[i].what, reach.all, rows[i].expected);
        arena_destroy(arena);
    }
}

/* A figure of boxes: each bone has eight vertices around it, 0.2 to each side. */
typedef struct Part {
    const char *bone;
    int32_t parent;
    float x, y;
} Part;
static const Part parts[] = {
    {"センター", -1, 0, 5},    /* 0 */
    {"左足", 0, 0.5f, 4},      /* 1 */
    {"左ひざ", 1, 0.5f, 2},    /* 2 */
    {"左足首", 2, 0.5f, 0.2f}, /* 3 */
    {"上半身2", 0, 0, 6},      /* 4 */
    {"首", 4, 0, 8},           /* 5 */
    {"頭", 5, 0, 9},           /* 6 */
    {"左腕", 4, 1, 7.5f},      /* 7 */
    {"左ひじ", 7, 3, 7.5f},    /* 8 */
    {"左手首", 8, 5, 7.5f},    /* 9 */
    {"tail", 0, -4, 5},        /* 10: simulated in one case, hidden in another */
};
enum { PART_COUNT = sizeof parts / sizeof *parts };

static PmxModel figure(Arena *arena)
{
    static const uint32_t faces[12] = {0, 1, 2, 1, 2, 3, 4, 5, 6, 5, 6, 7};
    PmxModel m = fixture_empty();
    m.bones = arena_array(arena, PmxBone, PART_COUNT);
    m.vertices = arena_array(arena, PmxVertex, PART_COUNT * 8);
    m.indices = arena_array(arena, uint32_t, PART_COUNT * 12);
    m.materials = arena_array(arena, PmxMaterial, 2);
    for (int i = 0; i < PART_COUNT; i++) {
        const Part *p = &parts[i];
        m.bones[m.bone_count++] = fixture_bone(p->bone, p->parent, p->x, p->y, 0);
        for (uint32_t k = 0; k < 12; k++)
            m.indices[m.index_count++] = m.vertex_count + faces[k];
        for (int k = 0; k < 8; k++)
            m.vertices[m.vertex_count++] =
                fixture_vertex(p->x + (k & 1 ? 0.2f : -0.2f), p->y + (k & 2 ? 0.2f : -0.2f),
                               k & 4 ? 0.2f : -0.2f, i);
    }
    m.materials[0] = fixture_material("skin", 0, m.index_count - 12);
    m.materials[1] = fixture_material("tail", m.index_count - 12, 12);
    m.material_count = 2;
    return m;
}

static void shots_of_a_figure(void **state)
{
    (void)state;
    static const struct {
        FollowShot shot;
        double required[4], all[4]; /* right, left, top, bottom */
    } rows[] = {
        {SHOT_FULL, {1.2, 4.2, 9.2, 0}, {5.2, 4.2, 9.2, 0}},
        {SHOT_KNEE, {1.2, 4.2, 9.2, -2.2}, {5.2, 4.2, 9.2, -2.2}},
        {SHOT_WAIST, {1.2, 4.2, 9.2, -4.2}, {5.2, 4.2, 9.2, -4.2}},
        {SHOT_BUST, {0.2, 0.2, 9.2, -6.2}, {0.2, 0.2, 9.2, -6.2}},
        /* vertices from y = 8.2 to 9.2: a sphere of radius 0.5 at their middle */
        {SHOT_FACE, {0.5, 0.5, 9.2, -8.2}, {0.5, 0.5, 9.2, -8.2}},
    };
    Arena *arena = arena_create();
    const Scene *scene = fixture_scene(figure(arena), NULL, COMPAT_DEFAULT, arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ShotSupport reach = reach_of(scene, rows[i].shot, 0, arena);
        for (int side = 0; side < 4; side++)
            if (fabs(reach.required[side] - rows[i].required[side]) > 1e-5 ||
                fabs(reach.all[side] - rows[i].all[side]) > 1e-5)
                fail_msg("shot %d, side %d: %g and %g", (int)rows[i].shot, side,
                         reach.required[side], reach.all[side]);
    }
    arena_destroy(arena);
}

/* A wing or a companion beside the head, on another bone, is not in the shot of the face. */
static void face_without_neighbor(void **state)
{
    (void)state;
    static const double face[4] = {0.5, 0.5, 9.2, -8.2};
    Arena *arena = arena_create();
    PmxModel m = figure(arena);

    m.bones[PART_COUNT - 1].position[1] += 4;
    for (uint32_t v = m.vertex_count - 8; v < m.vertex_count; v++)
        m.vertices[v].position[1] += 4;
    const Scene *scene = fixture_scene(m, NULL, COMPAT_DEFAULT, arena);
    const ShotSupport reach = reach_of(scene, SHOT_FACE, 0, arena);
    for (int side = 0; side < 4; side++)
        if (fabs(reach.required[side] - face[side]) > 1e-5)
            fail_msg("side %d: %g, expected %g", side, reach.required[side], face[side]);
    arena_destroy(arena);
}

/* Without the bones of the rules a part of the height is shown: the rows of the strip are at y = 0
 * to
 * 4.  The bones may have their English names instead, and the first bone of the model counts. */
static void shots_without_the_bones(void **state)
{
    (void)state;
    static const struct {
        FollowShot shot;
        const char *name, *name_en; /* of bone 1, at y = 2 */
        double bottom;
    } rows[] = {
        {SHOT_FULL, "x", "x", 0},         {SHOT_KNEE, "x", "x", 2},
        {SHOT_WAIST, "x", "x", 2},        {SHOT_BUST, "x", "x", 3},
        {SHOT_KNEE, "x", "knee_L", 2},    {SHOT_BUST, "x", "upper body2", 2},
        {SHOT_BUST, "上半身", "head", 2}, {SHOT_BUST, "x", "upper body", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel pmx = fixture_strip(arena);
        pmx.bones[1].name = rows[i].name;
        pmx.bones[1].name_en = rows[i].name_en;
        const Scene *scene = fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena);
        const ShotSupport reach = reach_of(scene, rows[i].shot, 0, arena);
        if (fabs(reach.required[3] + rows[i].bottom) > 1e-5)
            fail_msg("row %zu: bottom at %g", i, -reach.required[3]);
        arena_destroy(arena);
    }
}

/* Bone 0 is found by its Japanese name, although the English one belongs to another. */
static void names_of_the_first_bone(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel pmx = fixture_strip(arena);
    pmx.bones[0].name = "左ひざ";
    pmx.bones[1].name_en = "knee_L";
    pmx.bones[0].position[1] = 1;
    const Scene *knee = fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena);
    assert_near(reach_of(knee, SHOT_KNEE, 0, arena).required[3], -1, 1e-5);

    pmx = fixture_strip(arena); /* optional, but for the other bone, which is no child */
    pmx.bones[0].name = "左ひじ";
    pmx.bones[1].parent = -1;
    const Scene *elbow = fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena);
    const ShotSupport reach = reach_of(elbow, SHOT_FULL, 0, arena);
    assert_near(reach.required[3], -3, 1e-5);
    assert_near(reach.all[3], 0, 1e-5);
    arena_destroy(arena);
}

/*
 * The forearm and the hand of the figure at x = 3 and 5, turned by 90 degrees about the upper arm
 * at x = 1, y = 7.5: then at y = 9.5 and 11.5, with the wrist above the head at y = 9.  Each box
 * reaches 0.2 to each side.
 */
static void raised_hands(void **state)
{
    (void)state;
    static const float z[] = {0, 0, 1};
    static const struct {
        const char *what;
        FollowShot shot;
        float degrees;                /* of the upper arm, positive is up */
        double required, raised, all; /* top */
        double raised_right;
    } rows[] = {
        {"waist, level", SHOT_WAIST, 0, 9.2, 9.2, 9.2, 1.2},
        {"waist, raised", SHOT_WAIST, 90, 9.2, 11.7, 11.7, 1.2},
        {"bust, level", SHOT_BUST, 0, 9.2, 9.2, 9.2, 0.2},
        {"bust, raised", SHOT_BUST, 90, 9.2, 11.7, 11.7, 1.2},
        {"bust, lowered", SHOT_BUST, -90, 9.2, 9.2, 9.2, 0.2},
        {"face, raised", SHOT_FACE, 90, 9.2, 9.2, 9.2, 0.5},
        {"knees, raised: optional", SHOT_KNEE, 90, 9.2, 9.2, 11.7, 1.2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        VmdBoneKey keys[] = {fixture_turn_key("左腕", 0, z, rows[i].degrees)};
        const VmdMotion motion = fixture_motion_of(keys, 1);
        const Scene *scene = fixture_scene(figure(arena), &motion, COMPAT_DEFAULT, arena);
        const ShotSupport reach = reach_of(scene, rows[i].shot, 0, arena);
        if (fabs(reach.required[2] - rows[i].required) > 1e-5 ||
            fabs(reach.raised[2] - rows[i].raised) > 1e-5 ||
            fabs(reach.all[2] - rows[i].all) > 1e-5 ||
            fabs(reach.raised[0] - rows[i].raised_right) > 1e-5)
            fail_msg("%s: top %g, %g and %g, right %g", rows[i].what, reach.required[2],
                     reach.raised[2], reach.all[2], reach.raised[0]);
        arena_destroy(arena);
    }
}

/* The box of the head without its lower half, which is below the bone at y = 9: 0.4 x 0.2 x 0.4
 * around (0, 9.1, 0). A box has corners only, so the sphere is that of the upper four, in their
 * plane at y = 9.2. */
static void heads(void **state)
{
    (void)state;
    static const float z[] = {0, 0, 1};
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_turn_key("頭", 0, z, 90)};
    const VmdMotion motion = fixture_motion_of(keys, 1);
    Scene *scene = fixture_scene(figure(arena), &motion, COMPAT_DEFAULT, arena);
    scene->models[0].placement = (Placement){{10, 0, 0}, {0, 0, 0, 1}, 2};
    ShotExtent extent;
    FrameState *frame = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create_keyed(scene);
    evaluate_bones(frame, evaluator, scene, NULL, 0);
    shot_extent_create(&extent, &scene->models[0], SHOT_BUST, arena);
    assert_int_equal(extent.head.bone, 6);
    assert_near(extent.head.radius, 0.2 * sqrt(2), 1e-6);
    const Vec3 center = shot_extent_head(&extent.head, &frame->models[0]);
    assert_near(center.x, 10 - 2 * 0.2, 1e-5);
    assert_near(center.y, 2 * 9, 1e-5);
    assert_near(center.z, 0, 1e-5);
    evaluator_destroy(evaluator);

    scene = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
    shot_extent_create(&extent, &scene->models[0], SHOT_BUST, arena);
    assert_int_equal(extent.head.bone, -1);
    arena_destroy(arena);
}

/* Height and width of a triangle of which each corner counts, without optional bones. */
static void sizes_at_rest(void **state)
{
    (void)state;
    static const float corners[3][3] = {{0, 0, 0}, {1, 3, 0.5f}, {2, 1, -4}};
    for (int turn = 0; turn < 3; turn++) {
        Arena *arena = arena_create();
        ShotExtent extent;
        PmxModel pmx = fixture_strip(arena);
        pmx.vertex_count = 3;
        pmx.index_count = pmx.materials[0].index_count = 3;
        for (int i = 0; i < 3; i++) {
            const float *c = corners[(i + turn) % 3];
            pmx.vertices[i] = fixture_vertex(c[0], c[1], c[2], 0);
            pmx.indices[i] = (uint32_t)i;
        }
        const Scene *scene = fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena);
        shot_extent_create(&extent, &scene->models[0], SHOT_FULL, arena);
        assert_near(extent.height, 3, 1e-6);
        assert_near(extent.width, 4.5, 1e-6); /* along z */
        assert_near(extent.radius, 0, 0);
        shot_extent_create(&extent, &scene->models[0], SHOT_FACE, arena);
        assert_near(extent.radius, 0, 0.01); /* above 84 % there is one vertex */
        arena_destroy(arena);
    }
}

static double left_of(const Scene *scene, Arena *arena)
{
    return reach_of(scene, SHOT_FULL, 0, arena).required[1];
}

/* The tail at x = -4 does not count if it is hidden, transparent, or simulated. */
static void vertices_that_do_not_count(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Scene *scene = fixture_scene(figure(arena), NULL, COMPAT_DEFAULT, arena);
    SceneModel *model = &scene->models[0];
    assert_near(left_of(scene, arena), 4.2, 1e-5);

    model->hidden[1] = true;
    assert_near(left_of(scene, arena), 0.2, 1e-5);
    model->hidden[1] = false;
    model->model->pmx.materials[1].diffuse[3] = 0;
    assert_near(left_of(scene, arena), 0.2, 1e-5);
    model->model->pmx.materials[1].diffuse[3] = 1;
    model->model->dynamics.mover[10] = 0;
    assert_near(left_of(scene, arena), 4.2, 1e-5); /* the model has no physics */
    model->spec.physics = true;
    assert_near(left_of(scene, arena), 0.2, 1e-5);

    for (int b = 0; b < PART_COUNT; b++) /* if nothing else is left, everything counts */
        model->model->dynamics.mover[b] = 0;
    assert_near(left_of(scene, arena), 4.2, 1e-5);
    arena_destroy(arena);
}

/* The sphere of a face does not change when the head turns about its own middle. */
static void faces_do_not_change_when_they_turn(void **state)
{
    (void)state;
    static const float axis[] = {0, 1, 0};
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_turn_key("首", 0, axis, 0), fixture_turn_key("首", 30, axis, 80)};
    const VmdMotion motion = fixture_motion_of(keys, 2);
    const Scene *scene = fixture_scene(figure(arena), &motion, COMPAT_DEFAULT, arena);
    const ShotSupport before = reach_of(scene, SHOT_FACE, 0, arena);
    for (int frame = 5; frame <= 30; frame += 5) {
        const ShotSupport reach = reach_of(scene, SHOT_FACE, frame, arena);
        expect("turned", reach.required, before.required);
    }
    arena_destroy(arena);
}

/* Without vertices the bones are shown; without bones, nothing. */
static void models_without_vertices(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Scene *leg = fixture_scene(fixture_leg(arena), NULL, COMPAT_DEFAULT, arena);
    const double expected[] = {0, 0, 10, -1, 0, 0.2};
    const ShotSupport reach = reach_of(leg, SHOT_FULL, 0, arena);
    for (int i = 0; i < 4; i++)
        assert_near(reach.required[i], expected[i], 0.01); /* IK bends the straight leg a little */
    const Scene *empty = fixture_scene(fixture_empty(), NULL, COMPAT_DEFAULT, arena);
    ShotExtent extent;
    shot_extent_create(&extent, &empty->models[0], SHOT_FULL, arena);
    assert_int_equal(extent.bone_count, 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placed_and_posed),
        cmocka_unit_test(shots_of_a_figure),
        cmocka_unit_test(face_without_neighbor),
        cmocka_unit_test(shots_without_the_bones),
        cmocka_unit_test(names_of_the_first_bone),
        cmocka_unit_test(raised_hands),
        cmocka_unit_test(heads),
        cmocka_unit_test(sizes_at_rest),
        cmocka_unit_test(vertices_that_do_not_count),
        cmocka_unit_test(faces_do_not_change_when_they_turn),
        cmocka_unit_test(models_without_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
