// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "evaluate/frame.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

/* A bone at (0, 10, 0) and its child 2 to the side, whose end swings; a third one is the child's
 * child. */
typedef struct Swing {
    PmxBone bones[3];
    VrmCollider collider;
    VrmJoint joint;
    VrmRig rig;
    Scene *scene;
    FrameState *state;
    Evaluator *evaluator;
} Swing;

static void make(Swing *s, const VmdMotion *motion, Arena *arena)
{
    static const uint32_t first[] = {0};
    s->bones[0] = fixture_bone("head", PMX_NONE, 0, 10, 0);
    s->bones[1] = fixture_bone("hair", 0, 1, 10, 0);
    s->bones[2] = fixture_bone("tip", 1, 3, 10, 0);
    s->bones[0].flags |= PMX_BONE_MOVABLE;
    s->joint.bone = 1;
    s->joint.tail[0] = 2;
    s->joint.colliders = first;
    s->rig.joints = &s->joint;
    s->rig.colliders = &s->collider;
    s->rig.joint_count = s->rig.collider_count = 1;
    PmxModel pmx = fixture_empty();
    pmx.bones = s->bones;
    pmx.bone_count = 3;
    pmx.rig = &s->rig;
    s->scene = fixture_scene(pmx, motion, COMPAT_DEFAULT, arena);
    s->scene->models[0].spec.physics = true;
    s->scene->physics = PHYSICS_DEFAULT;
    s->scene->physics.warmup_s = 0;
    s->state = frame_state_create(s->scene, arena);
    s->evaluator = evaluator_create(s->scene);
}

static const float *tip_at(Swing *s, double frame)
{
    assert_true(evaluate_frame(s->state, s->evaluator, s->scene, frame));
    return s->state->models[0].bones[2].position;
}

static void expect(const float *got, double x, double y, double z)
{
    const double expected[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        if (fabs((double)got[k] - expected[k]) > 1e-5)
            fail_msg("%g %g %g, not %g %g %g", (double)got[0], (double)got[1], (double)got[2], x, y,
                     z);
}

/* By hand: in a tick gravity moves the end by 120 / 60 = 2, and the length is 2. */
static void one_tick(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Swing s = {.joint = {.center = -1, .gravity = {0, -120, 0}, .drag = 1}};
    const double part = 2 * sqrt(0.5);
    make(&s, NULL, arena);
    expect(tip_at(&s, 0), 3, 10, 0);
    expect(tip_at(&s, 0.5), 1 + part, 10 - part, 0);
    expect(tip_at(&s, 0.25), 1 + 2 * cos(M_PI / 8), 10 - 2 * sin(M_PI / 8), 0); /* between ticks */
    evaluator_destroy(s.evaluator);
    arena_destroy(arena);
}

/* One tick after the start, wherever that is, and again from there. */
static void start(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Swing s = {.joint = {.center = -1, .gravity = {0, -120, 0}, .drag = 1}};
    const double part = 2 * sqrt(0.5);
    make(&s, NULL, arena);
    for (int i = 0; i < 3; i++) {
        evaluator_set_start(s.evaluator, 100 * i);
        expect(tip_at(&s, 100 * i + 0.5), 1 + part, 10 - part, 0);
        expect(tip_at(&s, 100 * i - 7), 3, 10, 0);
    }
    evaluator_destroy(s.evaluator);
    arena_destroy(arena);
}

/* The end is moved straight away from each collider, and then to its length. */
static void colliders(void **state)
{
    (void)state;
    static const struct {
        VrmCollider collider; /* of the bone at (0, 10, 0) */
        double x, y;          /* of the end after it, before it is at its length again */
    } rows[] = {
        {{.shape = VRM_SPHERE, .offset = {3, -0.5f, 0}, .radius = 1}, 3, 11},
        {{.shape = VRM_SPHERE, .offset = {3, -5, 0}, .radius = 1}, 3, 10}, /* does not touch */
        {{.shape = VRM_SPHERE, .offset = {1, 2, 0}, .radius = 2.5f, .inside = true},
         1 + M_SQRT2,
         12 - M_SQRT2},
        {{.shape = VRM_CAPSULE, .offset = {2, -0.5f, 0}, .end = {2, 0, 0}, .radius = 1}, 3, 11},
        {{.shape = VRM_CAPSULE, .offset = {5, 0, 0}, .end = {-1, 0, 0}, .radius = 1}, 2.5, 10},
        {{.shape = VRM_PLANE, .offset = {0, 1, 0}, .end = {0, 1, 0}}, 3, 11.5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Swing s = {.collider = rows[i].collider,
                   .joint = {.center = -1, .radius = 0.5f, .collider_count = 1}};
        const double dx = rows[i].x - 1, dy = rows[i].y - 10, length = sqrt(dx * dx + dy * dy);
        make(&s, NULL, arena);
        expect(tip_at(&s, 0.5), 1 + 2 * dx / length, 10 + 2 * dy / length, 0);
        evaluator_destroy(s.evaluator);
        arena_destroy(arena);
    }
}

/* The model moves: the end stays behind, but not if the moving bone is its center. */
static void inertia(void **state)
{
    (void)state;
    VmdBoneKey keys[] = {fixture_key("head", 0, 0, 0, 0), fixture_key("head", 1, 0, 4, 0)};
    const VmdMotion motion = fixture_motion_of(keys, 2);
    for (int center = -1; center < 1; center++) {
        Arena *arena = arena_create();
        Swing s = {.joint = {.center = center}};
        make(&s, &motion, arena);
        const double part = center < 0 ? 2 * sqrt(0.5) : 2, down = center < 0 ? part : 0;
        expect(tip_at(&s, 0.5), 1 + part, 12 - down, 0);
        evaluator_destroy(s.evaluator);
        arena_destroy(arena);
    }
}

/* Frames in any order have the same bits; physics that is off holds the bone. */
static void order_and_off(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("head", 0, 0, 0, 0), fixture_key("head", 30, 9, 4, 2)};
    const VmdMotion motion = fixture_motion_of(keys, 2);
    Swing s = {.joint = {.center = -1, .gravity = {0, -20, 0}, .stiffness = 30, .drag = 0.4f}};
    static const double frames[] = {20.3, 3, 20.3, 20, 20.3, 19.7, 20.3};
    float first[3];
    make(&s, &motion, arena);
    memcpy(first, tip_at(&s, frames[0]), sizeof first);
    for (size_t i = 1; i < sizeof frames / sizeof *frames; i++) {
        const float *tip = tip_at(&s, frames[i]);
        assert_int_equal(frames[i] == frames[0], !memcmp(first, tip, sizeof first));
    }
    evaluator_destroy(s.evaluator);
    s.scene->models[0].spec.physics = false;
    s.evaluator = evaluator_create(s.scene);
    expect(tip_at(&s, 15), 7.5, 12, 1);
    evaluator_destroy(s.evaluator);
    arena_destroy(arena);
}

/* Two joints whose colliders are on each other's bone: an order is found. */
static void cycle(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxBone bones[] = {fixture_bone("a", PMX_NONE, 0, 0, 0), fixture_bone("b", PMX_NONE, 1, 0, 0)};
    const VrmCollider spheres[] = {{.bone = 0, .radius = 3}, {.bone = 1, .radius = 3}};
    static const uint32_t both[] = {0, 1};
    const VrmJoint joints[] = {
        {.bone = 0, .center = -1, .tail = {0, 1, 0}, .colliders = both, .collider_count = 2},
        {.bone = 1, .center = -1, .tail = {0, 1, 0}, .colliders = both, .collider_count = 2}};
    const VrmRig rig = {
        .colliders = spheres, .collider_count = 2, .joints = joints, .joint_count = 2};
    PmxModel pmx = fixture_empty();
    pmx.bones = bones;
    pmx.bone_count = 2;
    pmx.rig = &rig;
    Scene *scene = fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena);
    scene->models[0].spec.physics = true;
    scene->physics = PHYSICS_DEFAULT;
    FrameState *out = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    assert_true(evaluate_frame(out, evaluator, scene, 30));
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++)
            assert_true(isfinite(out->models[0].bones[i].rotation[k]));
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_tick),      cmocka_unit_test(start),
                                       cmocka_unit_test(colliders),     cmocka_unit_test(inertia),
                                       cmocka_unit_test(order_and_off), cmocka_unit_test(cycle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
