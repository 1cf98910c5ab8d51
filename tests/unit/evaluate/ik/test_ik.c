// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "evaluate/frame.h"
#include "math/rotation.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

/* Bones of fixture_leg. */
enum { HIP = 1, KNEE = 2, ANKLE = 3, GOAL = 4 };

static const char *const family_names[] = {"plane", "pmxe"};
static const float X[3] = {1, 0, 0};

typedef struct Solved {
    Arena *arena;
    Scene *scene;
    FrameState *state;
    Evaluator *evaluator;
} Solved;

static Solved solve_open(PmxModel pmx, const VmdMotion *vmd, IkFamily family, Arena *arena)
{
    Compat compat = COMPAT_DEFAULT;
    compat.ik = family;
    Solved s = {.arena = arena, .scene = fixture_scene(pmx, vmd, compat, arena)};
    s.state = frame_state_create(s.scene, arena);
    s.evaluator = evaluator_create(s.scene);
    evaluate_frame(s.state, s.evaluator, s.scene, 0);
    return s;
}

static void solve_close(Solved *s)
{
    evaluator_destroy(s->evaluator);
    arena_destroy(s->arena);
}

static Vec3 at(const Solved *s, int bone)
{
    return vec3_load(s->state->models[0].bones[bone].position);
}

static double distance(const Solved *s, int a, int b)
{
    return vec3_length(vec3_sub(at(s, a), at(s, b)));
}

/* The angle by which the leg is bent at the knee; 0 when straight, by the law of cosines. */
static double bend(const Solved *s)
{
    const double thigh = distance(s, HIP, KNEE), shin = distance(s, KNEE, ANKLE);
    const double reach = distance(s, HIP, ANKLE);
    const double c = (thigh * thigh + shin * shin - reach * reach) / (2 * thigh * shin);
    return M_PI - acos(fmax(-1, fmin(1, c)));
}

static double leg_length(void)
{
    return 2 * sqrt(16 + 0.2 * 0.2);
}

typedef struct Case {
    const char *what;
    float goal[3];      /* moved from rest */
    float knee_degrees; /* keyed about x */
    double residual;    /* the maximal residual */
} Case;

/* Thigh and shin keep their lengths, the ankle meets the goal, and the knee points forward (-z). */
static void legs(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"bent", {0, 2, 0}, 0, 1e-3},
        {"bent much", {0, 5, 0}, 0, 1e-3},
        {"to the front", {0, 2, -3}, 0, 5e-3},
        {"to the back", {0, 1, 3}, 0, 5e-3},
        {"to the side", {3, 1, 0}, 0, 5e-3},
        {"above the hip", {0.5f, 12, -3}, 0, 5e-3},
        {"knee keyed", {0, 2, 0}, -50, 1e-3},
        {"knee keyed in the wrong direction", {0, 2, 0}, 30, 1e-3},
        {"exactly at full extension",
         {0, 1.073374f, -3.999089f},
         0,
         0.1} /* slow, as CCD is there */,
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int family = IK_PLANE; family <= IK_PMXE; family++) {
            Arena *arena = arena_create();
            VmdBoneKey keys[] = {
                fixture_turn_key("左ひざ", 0, X, cases[i].knee_degrees),
                fixture_key("左足ＩＫ", 0, cases[i].goal[0], cases[i].goal[1], cases[i].goal[2])};
            const VmdMotion vmd = fixture_motion_of(keys, 2);
            Solved s = solve_open(fixture_leg(arena), &vmd, (IkFamily)family, arena);
            const double residual = distance(&s, ANKLE, GOAL);
            const double length = distance(&s, HIP, KNEE) + distance(&s, KNEE, ANKLE);
            if (residual > cases[i].residual)
                fail_msg("%s, %s: %g from the goal", cases[i].what, family_names[family], residual);
            if (fabs(length - leg_length()) > 1e-5)
                fail_msg("%s, %s: length %g", cases[i].what, family_names[family], length);
            if (fabs((double)evaluator_ik_residual(s.evaluator, 0, GOAL) - residual) > 1e-5)
                fail_msg("%s: the reported residual differs", cases[i].what);
            /* the hinge bends backwards only: a turn about x of -180 to -0.5 degrees */
            const Quat thigh = quat_load(s.state->models[0].bones[HIP].rotation);
            const Quat shin = quat_load(s.state->models[0].bones[KNEE].rotation);
            const Quat hinge = quat_mul(quat_inverse(thigh), shin);
            const double turn = 2 * atan2(hinge.w < 0 ? -hinge.x : hinge.x, fabs(hinge.w));
            if (fabs(hinge.y) > 1e-5 || fabs(hinge.z) > 1e-5 || turn > -0.0087)
                fail_msg("%s, %s: knee turned (%g %g %g)", cases[i].what, family_names[family],
                         turn, hinge.y, hinge.z);
            solve_close(&s);
        }
}

/* The angle at the knee follows from the three lengths alone. */
static void bends_as_the_law_of_cosines(void **state)
{
    (void)state;
    for (int family = IK_PLANE; family <= IK_PMXE; family++)
        for (float up = 1; up < 6; up++) {
            Arena *arena = arena_create();
            VmdBoneKey keys[] = {fixture_key("左足ＩＫ", 0, 0, up, 0)};
            const VmdMotion vmd = fixture_motion_of(keys, 1);
            Solved s = solve_open(fixture_leg(arena), &vmd, (IkFamily)family, arena);
            const double half = leg_length() / 2, reach = 8 - (double)up;
            const double wanted = M_PI - 2 * asin(reach / 2 / half);
            if (fabs(bend(&s) - wanted) > 1e-3)
                fail_msg("%s, up %g: bent by %g, not %g", family_names[family], (double)up,
                         bend(&s), wanted);
            solve_close(&s);
        }
}

/* Beyond full extension the leg points at the goal, except for the half degree of the limit. */
static void stretches_towards_a_far_goal(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("左足ＩＫ", 0, 0, -3, -2)};
    const VmdMotion vmd = fixture_motion_of(keys, 1);
    Solved s = solve_open(fixture_leg(arena), &vmd, IK_PLANE, arena);
    const double miss = distance(&s, HIP, GOAL) - leg_length();
    assert_true(distance(&s, ANKLE, GOAL) - miss < 0.02);
    solve_close(&s);
}

/* A goal that creeps through full extension moves the ankle no further than itself, and the knee's
 * path has no jumps: each step of the knee is near the mean of its neighbours. */
static void does_not_shake_at_full_extension(void **state)
{
    (void)state;
    enum { STEPS = 400 };
    const float speed = 0.002f; /* units a frame, from 0.5 below full extension to 0.3 beyond */
    for (int family = IK_PLANE; family <= IK_PMXE; family++) {
        Arena *arena = arena_create();
        VmdBoneKey keys[] = {fixture_key("左足ＩＫ", 0, 0, 0.5f, -0.5f),
                             fixture_key("左足ＩＫ", STEPS, 0, 0.5f - STEPS * speed, -0.5f)};
        const VmdMotion vmd = fixture_motion_of(keys, 2);
        Solved s = solve_open(fixture_leg(arena), &vmd, (IkFamily)family, arena);
        Vec3 ankle = at(&s, ANKLE), before = at(&s, KNEE), knee = before;
        for (int frame = 1; frame <= STEPS; frame++) {
            evaluate_frame(s.state, s.evaluator, s.scene, frame);
            const Vec3 step = vec3_sub(at(&s, KNEE), knee), last = vec3_sub(knee, before);
            const double moved = vec3_length(vec3_sub(at(&s, ANKLE), ankle));
            if (moved > 3 * (double)speed)
                fail_msg("%s, frame %d: the ankle moved by %g", family_names[family], frame, moved);
            if (frame > 1 && vec3_length(vec3_sub(step, last)) > 0.02)
                fail_msg("%s, frame %d: the knee's step changed by %g", family_names[family], frame,
                         vec3_length(vec3_sub(step, last)));
            before = knee;
            knee = at(&s, KNEE);
            ankle = at(&s, ANKLE);
        }
        solve_close(&s);
    }
}

static void switched_off_keeps_the_keys(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdIkSwitch off = {vmd_name_from_utf8("左足ＩＫ"), false};
    VmdPropertyKey property = {0, true, &off, 1};
    VmdBoneKey keys[] = {fixture_turn_key("左ひざ", 0, X, -90),
                         fixture_key("左足ＩＫ", 0, 0, 3, 0)};
    VmdMotion vmd = fixture_motion_of(keys, 2);
    vmd.property_keys = &property;
    vmd.property_key_count = 1;
    Solved s = solve_open(fixture_leg(arena), &vmd, IK_PLANE, arena);
    /* Rx(-90) rotates the shin (0, -4, 0.2) to (0, 0.2, 4) */
    assert_true(vec3_length(vec3_sub(at(&s, ANKLE), (Vec3){0, 5.2, 3.8})) < 1e-5);
    solve_close(&s);
}

/* If the keys reach the goal already, no link rotates. */
static void leaves_a_pose_that_fits(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Solved s = solve_open(fixture_leg(arena), NULL, IK_PLANE, arena);
    for (int bone = HIP; bone <= ANKLE; bone++)
        assert_true(s.state->models[0].bones[bone].rotation[3] == 1);
    solve_close(&s);
}

/* One link, as a toe has: the effector's direction is the goal's, whatever the distance. */
static void one_link_points_at_the_goal(void **state)
{
    (void)state;
    for (int family = IK_PLANE; family <= IK_PMXE; family++) {
        Arena *arena = arena_create();
        PmxModel pmx = fixture_leg(arena);
        pmx.bones[GOAL].ik.links[0] = (PmxIkLink){.bone = HIP};
        pmx.bones[GOAL].ik.link_count = 1;
        pmx.bones[GOAL].ik.loops = 10;
        VmdBoneKey keys[] = {fixture_key("左足ＩＫ", 0, 3, 1, -5)};
        const VmdMotion vmd = fixture_motion_of(keys, 1);
        Solved s = solve_open(pmx, &vmd, (IkFamily)family, arena);
        const Vec3 a = vec3_normalize(vec3_sub(at(&s, ANKLE), at(&s, HIP)));
        const Vec3 b = vec3_normalize(vec3_sub(at(&s, GOAL), at(&s, HIP)));
        if (vec3_length(vec3_sub(a, b)) > 1e-4)
            fail_msg("%s: %g apart", family_names[family], vec3_length(vec3_sub(a, b)));
        solve_close(&s);
    }
}

static void fixed_axis_links_rotate_about_it_only(void **state)
{
    (void)state;
    for (int family = IK_PLANE; family <= IK_PMXE; family++) {
        Arena *arena = arena_create();
        PmxModel pmx = fixture_leg(arena);
        const Vec3 axis = vec3_normalize((Vec3){1, 0.3, 0});
        pmx.bones[GOAL].ik.links[0].limited = false;
        pmx.bones[HIP].flags |= PMX_BONE_FIXED_AXIS;
        vec3_store(pmx.bones[HIP].fixed_axis, axis);
        VmdBoneKey keys[] = {fixture_key("左足ＩＫ", 0, 1, 2, -2)};
        const VmdMotion vmd = fixture_motion_of(keys, 1);
        Solved s = solve_open(pmx, &vmd, (IkFamily)family, arena);
        const Quat turn = quat_load(s.state->models[0].bones[HIP].rotation);
        const Vec3 v = {turn.x, turn.y, turn.z};
        if (vec3_length(vec3_cross(v, axis)) > 1e-6 || vec3_length(v) < 1e-3)
            fail_msg("%s: turned about (%g %g %g)", family_names[family], v.x, v.y, v.z);
        solve_close(&s);
    }
}

/* A step about a fixed axis is made while the rotation is within the limits, and is undone
 * otherwise. */
static void fixed_axis_links_within_limits(void **state)
{
    (void)state;
    static const struct {
        float limit; /* of each Euler angle [rad] */
        bool rotates;
    } rows[] = {{3, true}, {0, false}};
    for (size_t i = 0; i < 4; i++) {
        Arena *arena = arena_create();
        PmxModel pmx = fixture_leg(arena);
        PmxIkLink *link = &pmx.bones[GOAL].ik.links[1];
        assert_int_equal(link->bone, HIP);
        pmx.bones[HIP].flags |= PMX_BONE_FIXED_AXIS;
        vec3_store(pmx.bones[HIP].fixed_axis, vec3_normalize((Vec3){1, 0.3, 0}));
        link->limited = true;
        for (int k = 0; k < 3; k++) {
            link->lower[k] = k == 1 ? -rows[i / 2].limit : -3;
            link->upper[k] = k == 1 ? rows[i / 2].limit : 3;
        }
        VmdBoneKey keys[] = {fixture_key("左足ＩＫ", 0, 1, 2, -2)};
        const VmdMotion vmd = fixture_motion_of(keys, 1);
        const IkFamily family = i % 2 ? IK_PMXE : IK_PLANE;
        Solved s = solve_open(pmx, &vmd, family, arena);
        const Quat turn = quat_load(s.state->models[0].bones[HIP].rotation);
        if ((vec3_length((Vec3){turn.x, turn.y, turn.z}) > 1e-3) != rows[i / 2].rotates)
            fail_msg("%s, limit %g: turned by (%g %g %g %g)", family_names[family],
                     (double)rows[i / 2].limit, turn.x, turn.y, turn.z, turn.w);
        solve_close(&s);
    }
}

/* Every axis, with limits on it alone: the hinge reaches what it can and stays within. */
static void hinges_on_every_axis(void **state)
{
    (void)state;
    const struct {
        const char *what;
        int axis;
        float goal[3], effector[3]; /* from the link */
        double wanted;              /* degrees about the axis */
    } rows[] = {
        {"x", 0, {0, 0, 2}, {0, 2, 0}, 80}, /* the goal is at 90 */
        {"y", 1, {2, 0, 0}, {0, 0, 2}, 80},        {"z", 2, {0, 2, 0}, {2, 0, 0}, 80},
        {"z within", 2, {1, 1, 0}, {2, 0, 0}, 45}, {"z back", 2, {0, -2, 0}, {2, 0, 0}, -80},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int family = IK_PLANE; family <= IK_PMXE; family++) {
            Arena *arena = arena_create();
            const float *e = rows[i].effector, *g = rows[i].goal;
            PmxModel pmx = fixture_empty();
            pmx.bones = arena_array(arena, PmxBone, 3);
            pmx.bone_count = 3;
            pmx.bones[0] = fixture_bone("link", -1, 0, 0, 0);
            pmx.bones[1] = fixture_bone("effector", 0, e[0], e[1], e[2]);
            pmx.bones[2] = fixture_bone("goal", -1, g[0], g[1], g[2]);
            PmxIkLink link = {.bone = 0, .limited = true};
            link.lower[rows[i].axis] = (float)(-80 * M_PI / 180);
            link.upper[rows[i].axis] = (float)(80 * M_PI / 180);
            pmx.bones[2].flags |= PMX_BONE_IK;
            pmx.bones[2].ik = (PmxIk){.effector = 1, .loops = 20, .links = &link, .link_count = 1};
            Solved s = solve_open(pmx, NULL, (IkFamily)family, arena);
            const float *q = s.state->models[0].bones[0].rotation;
            const double turn = 360 / M_PI * atan2((double)q[rows[i].axis], (double)q[3]);
            if (fabs(turn - rows[i].wanted) > 0.1)
                fail_msg("%s, %s: %g", rows[i].what, family_names[family], turn);
            solve_close(&s);
        }
}

/* Children of a link that precede the IK bone follow it; so does a bone that appends a link's
 * turn later in the order. */
static void followers_follow(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel leg = fixture_leg(arena), pmx = leg;
    pmx.bones = arena_array(arena, PmxBone, 7);
    pmx.bone_count = 7;
    for (int i = 0; i < 5; i++)
        pmx.bones[i] = leg.bones[i];
    pmx.bones[5] = fixture_bone("cuff", ANKLE, 0, 1, -1);
    pmx.bones[6] = fixture_bone("左足D", 0, 0, 9, 0);
    pmx.bones[6].layer = 2;
    pmx.bones[6].flags |= PMX_BONE_APPEND_ROTATION;
    pmx.bones[6].append_source = HIP;
    pmx.bones[6].append_ratio = 1;
    VmdBoneKey keys[] = {fixture_key("左足ＩＫ", 0, 0, 3, 0)};
    const VmdMotion vmd = fixture_motion_of(keys, 1);
    Solved s = solve_open(pmx, &vmd, IK_PLANE, arena);
    const Quat ankle = quat_load(s.state->models[0].bones[ANKLE].rotation);
    const Vec3 wanted = vec3_add(at(&s, ANKLE), quat_rotate(ankle, (Vec3){0, 0, -1}));
    assert_true(vec3_length(vec3_sub(at(&s, 5), wanted)) < 1e-5);
    const Quat hip = quat_load(s.state->models[0].bones[HIP].rotation);
    const Quat copy = quat_load(s.state->models[0].bones[6].rotation);
    assert_true(fabs(quat_dot(hip, copy)) > 1 - 1e-7 && fabs(hip.w) < 0.99);
    solve_close(&s);
}

/* Two bones of length 4 that point up, rotated about z only; the goal is seen from the knee at
 * `seen` degrees.  One iteration. */
static PmxModel two_links(PmxIkLink *links, double seen, double reach, float unit, Arena *arena)
{
    const double c = cos(seen * M_PI / 180);
    const double d = -4 * c + sqrt(16 * c * c - 16 + reach * reach); /* from the knee */
    PmxModel pmx = fixture_empty();
    pmx.bones = arena_array(arena, PmxBone, 4);
    pmx.bone_count = 4;
    pmx.bones[0] = fixture_bone("hip", -1, 0, 0, 0);
    pmx.bones[1] = fixture_bone("knee", 0, 0, 4, 0);
    pmx.bones[2] = fixture_bone("ankle", 1, 0, 8, 0);
    pmx.bones[3] =
        fixture_bone("goal", -1, (float)(-d * sin(seen * M_PI / 180)), (float)(4 + d * c), 0);
    links[0].bone = 1;
    links[1].bone = 0;
    pmx.bones[3].flags |= PMX_BONE_IK;
    pmx.bones[3].ik =
        (PmxIk){.effector = 2, .loops = 1, .unit_angle = unit, .links = links, .link_count = 2};
    return pmx;
}

/* Degrees about z of a bone against its parent. */
static double local_degrees(const Solved *s, int bone)
{
    const BonePose *bones = s->state->models[0].bones;
    Quat q = quat_load(bones[bone].rotation);
    if (bone > 0)
        q = quat_mul(quat_inverse(quat_load(bones[bone - 1].rotation)), q);
    return remainder(360 / M_PI * atan2(q.z, q.w), 360);
}

/* evaluate/ik/README.md 1.1: in the first iteration an angle outside the limits is negated if that
 * is inside or closer to their middle.  The goal is as far from the hip as the ankle is then, so
 * that one iteration meets it only with that choice. */
static void hinges_choose_their_side(void **state)
{
    (void)state;
    const struct {
        const char *what;
        double lower, upper, seen, expected; /* degrees */
    } rows[] = {
        {"inside", -80, -20, -70, -70},
        {"inside, on both sides", -80, 80, -70, -70},
        {"the negative is inside", 20, 80, -70, 70},
        {"the negative is inside, mirrored", -80, -20, 70, -70},
        {"outside, the negative is closer", 20, 60, -70, 60},
        {"outside, the negative is closer, mirrored", -60, -20, 70, -60},
        {"outside, the negative is farther", -60, -20, -70, -60},
        {"outside, the negative is farther, mirrored", 20, 60, 70, 60},
        {"below both limits", -20, 60, -70, 60},
        {"above both limits", -60, 20, 70, -60},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxIkLink links[2] = {{.limited = true}};
        links[0].lower[2] = (float)(rows[i].lower * M_PI / 180);
        links[0].upper[2] = (float)(rows[i].upper * M_PI / 180);
        const double reach = 8 * cos(rows[i].expected / 2 * M_PI / 180);
        const PmxModel pmx = two_links(links, rows[i].seen, reach, 0, arena);
        Solved s = solve_open(pmx, NULL, IK_PLANE, arena);
        const double knee = local_degrees(&s, 1), left = distance(&s, 2, 3);
        if (fabs(knee - rows[i].expected) > 1e-3 || left > 1e-4)
            fail_msg("%s: knee at %g, not %g; %g from the goal", rows[i].what, knee,
                     rows[i].expected, left);
        solve_close(&s);
    }
}

/* The unit angle limits a step: of every link in the plane family, of link i times i + 1 in the
 * other one (evaluate/ik/README.md 2). */
static void unit_angles_limit_a_step(void **state)
{
    (void)state;
    static const struct {
        IkFamily family;
        double unit, knee, hip; /* degrees */
    } rows[] = {
        {IK_PLANE, 5, -5, -5},
        {IK_PMXE, 5, -5, -10},
        {IK_PMXE, 10, -10, -20},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxIkLink links[2] = {{.bone = 0}};
        const PmxModel pmx = two_links(links, -80, 6, (float)(rows[i].unit * M_PI / 180), arena);
        Solved s = solve_open(pmx, NULL, rows[i].family, arena);
        const double knee = local_degrees(&s, 1), hip = local_degrees(&s, 0);
        if (fabs(knee - rows[i].knee) > 1e-4 || fabs(hip - rows[i].hip) > 1e-4)
            fail_msg("%s, %g degrees: knee %g, hip %g", family_names[rows[i].family], rows[i].unit,
                     knee, hip);
        solve_close(&s);
    }
}

/* ---- single steps ---- */

/* A base that keys rotate about y, a link at the origin with the effector, and a goal at rest. */
static PmxModel one_link(PmxIkLink *link, const float effector[3], const float goal[3], int loops,
                         Arena *arena)
{
    PmxModel pmx = fixture_empty();
    pmx.bones = arena_array(arena, PmxBone, 4);
    pmx.bone_count = 4;
    pmx.bones[0] = fixture_bone("base", -1, 0, 0, 0);
    pmx.bones[1] = fixture_bone("link", 0, 0, 0, 0);
    pmx.bones[2] = fixture_bone("effector", 1, effector[0], effector[1], effector[2]);
    pmx.bones[3] = fixture_bone("goal", -1, goal[0], goal[1], goal[2]);
    link->bone = 1;
    pmx.bones[3].flags |= PMX_BONE_IK;
    pmx.bones[3].ik = (PmxIk){.effector = 2, .loops = loops, .links = link, .link_count = 1};
    return pmx;
}

/* One iteration turns a free link to the goal, whatever the rotation of its parent and its keys. */
static void one_step_reaches_the_goal(void **state)
{
    (void)state;
    static const float Y[3] = {0, 1, 0}, effector[3] = {0, 2, 0}, goal[3] = {0.5f, 1.2f, 1.5f};
    for (int family = IK_PLANE; family <= IK_PMXE; family++)
        for (int keyed = 0; keyed < 2; keyed++) {
            Arena *arena = arena_create();
            PmxIkLink link = {.bone = 1};
            VmdBoneKey keys[] = {fixture_turn_key("base", 0, Y, 130),
                                 fixture_turn_key("link", 0, X, 25)};
            const VmdMotion vmd = fixture_motion_of(keys, keyed ? 2 : 1);
            const PmxModel pmx = one_link(&link, effector, goal, 1, arena);
            Solved s = solve_open(pmx, &vmd, (IkFamily)family, arena);
            const Vec3 wanted = vec3_normalize(vec3_load(goal)), got = vec3_normalize(at(&s, 2));
            if (vec3_length(vec3_sub(got, wanted)) > 1e-6)
                fail_msg("%s: effector towards (%g %g %g)", family_names[family], got.x, got.y,
                         got.z);
            solve_close(&s);
        }
}

/* Rotations about z, by the limits and the number of iterations (evaluate/ik/README.md 1 and 2):
 * only in the first half are angles reflected at a limit; what the first iteration finds is kept in
 * the plane family until a later one is better, also where it is worse than the keys. */
static void links_within_limits(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double goal, lower, upper; /* degrees */
        bool second_axis;          /* is not fixed: no hinge */
        int loops;
        double expected[2]; /* degrees, for each family */
    } rows[] = {
        {"clamped", 70, -20, 60, true, 1, {60, 60}},
        {"clamped below", -70, -60, 20, true, 1, {-60, -60}},
        {"reflected, then clamped", 70, -20, 60, true, 2, {60, 60}},
        {"reflected at first", 70, -20, 30, true, 2, {30, 30}},
        {"clamped at once", 70, -20, 30, true, 1, {30, 30}},
        {"inside", 70, -20, 80, true, 1, {70, 70}},
        {"hinge", 70, -20, 60, false, 1, {60, 60}},
        {"hinge, on the wrong side", 70, -60, 20, false, 1, {-60, 20}},
        {"fixed: no rotation at all", 70, 0, 0, false, 3, {0, 0}},
    };
    static const float effector[3] = {0, 2, 0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int family = IK_PLANE; family <= IK_PMXE; family++) {
            Arena *arena = arena_create();
            PmxIkLink link = {.limited = true};
            link.lower[2] = (float)(rows[i].lower * M_PI / 180);
            link.upper[2] = (float)(rows[i].upper * M_PI / 180);
            link.lower[0] = rows[i].second_axis ? -0.1f : 0;
            link.upper[0] = rows[i].second_axis ? 0.1f : 0;
            const double a = rows[i].goal * M_PI / 180;
            const float goal[3] = {(float)(-2 * sin(a)), (float)(2 * cos(a)), 0};
            const PmxModel pmx = one_link(&link, effector, goal, rows[i].loops, arena);
            Solved s = solve_open(pmx, NULL, (IkFamily)family, arena);
            const double got = local_degrees(&s, 1);
            if (fabs(got - rows[i].expected[family]) > 1e-3)
                fail_msg("%s, %s: %g degrees", rows[i].what, family_names[family], got);
            solve_close(&s);
        }
}

/* The first step of a hinge may bend it to the other side of its keys, away from a goal outside of
 * its limits.  It ends at the nearest limit all the same, and does not jump back to its keys while
 * the goal moves on. */
static void a_hinge_follows_its_goal(void **state)
{
    (void)state;
    static const float effector[3] = {0, 2, 0};
    for (int degrees = -70; degrees <= 70; degrees++) {
        Arena *arena = arena_create();
        PmxIkLink link = {.limited = true};
        link.lower[2] = (float)(-60 * M_PI / 180);
        link.upper[2] = (float)(20 * M_PI / 180);
        const double a = degrees * M_PI / 180;
        const float goal[3] = {(float)(-2 * sin(a)), (float)(2 * cos(a)), 0};
        Solved s = solve_open(one_link(&link, effector, goal, 4, arena), NULL, IK_PLANE, arena);
        const double got = local_degrees(&s, 1);
        if (fabs(got - fmin(fmax(degrees, -60), 20)) > 1e-3)
            fail_msg("goal at %d degrees: %g", degrees, got);
        solve_close(&s);
    }
}

/* A hinge whose first angle is exactly one of its limits keeps it, although the negative angle is
 * inside as well. */
static void hinges_may_rest_at_a_limit(void **state)
{
    (void)state;
    static const struct {
        float goal, lower, upper, expected; /* radians about z; the unit angle is 0.25 */
    } rows[] = {{-1, -0.25f, 0.5f, -0.25f}, {1, -0.5f, 0.25f, 0.25f}};
    static const float effector[3] = {0, 2, 0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxIkLink link = {
            .limited = true, .lower = {0, 0, rows[i].lower}, .upper = {0, 0, rows[i].upper}};
        const float goal[3] = {-2 * sinf(rows[i].goal), 2 * cosf(rows[i].goal), 0};
        PmxModel pmx = one_link(&link, effector, goal, 1, arena);
        pmx.bones[3].ik.unit_angle = 0.25f;
        Solved s = solve_open(pmx, NULL, IK_PLANE, arena);
        const double got = local_degrees(&s, 1) * M_PI / 180;
        if (fabs(got - (double)rows[i].expected) > 1e-6)
            fail_msg("row %zu: %g", i, got);
        solve_close(&s);
    }
}

/* A step below 0.001 degrees is not made, nor one about a fixed axis that the goal or the effector
 * is on; at 2e4 units even a small angle is far from the goal. */
static void small_steps_are_not_made(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        float effector[3], goal[3];
        bool fixed;    /* about y */
        bool turns[2]; /* for each family */
    } rows[] = {
        {"0.0009 degrees", {0, 20000, 0}, {0.3f, 20000, 0}, false, {false, false}},
        {"0.0011 degrees", {0, 20000, 0}, {0.4f, 20000, 0}, false, {true, false}},
        {"0.01 degrees", {0, 20000, 0}, {4, 20000, 0}, false, {true, true}},
        {"opposite directions", {0, 2, 0}, {0, -2, 0}, false, {false, false}},
        {"goal at the link", {0, 2, 0}, {0, 0, 0}, false, {false, false}},
        {"fixed axis", {2, 0, 0}, {0, 0, 2}, true, {true, true}},
        {"goal on the fixed axis", {2, 0, 0}, {0, 2, 0.0002f}, true, {false, false}},
        {"effector on the fixed axis", {0, 2, 0.0002f}, {2, 0, 0}, true, {false, false}},
        {"fixed axis, 0.0005 degrees", {20000, 0, 0}, {20000, 0, 0.17f}, true, {false, false}},
        {"0.00009 from the goal", {0, 0.5f, 0}, {0.00009f, 0.5f, 0}, false, {false, false}},
        {"0.00012 from the goal", {0, 0.5f, 0}, {0.00012f, 0.5f, 0}, false, {true, true}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int family = IK_PLANE; family <= IK_PMXE; family++) {
            Arena *arena = arena_create();
            PmxIkLink link = {.bone = 1};
            PmxModel pmx = one_link(&link, rows[i].effector, rows[i].goal, 1, arena);
            pmx.bones[1].flags |= rows[i].fixed ? PMX_BONE_FIXED_AXIS : 0;
            pmx.bones[1].fixed_axis[1] = 1;
            Solved s = solve_open(pmx, NULL, (IkFamily)family, arena);
            const float *q = s.state->models[0].bones[1].rotation;
            const bool turns = q[0] != 0 || q[1] != 0 || q[2] != 0;
            if (turns != rows[i].turns[family])
                fail_msg("%s, %s: (%g %g %g)", rows[i].what, family_names[family], (double)q[0],
                         (double)q[1], (double)q[2]);
            solve_close(&s);
        }
}

/* Both families reflect at limits in the first half of the loops, here in the first of two: from 80
 * degrees one step of 20 leads to 100, which is reflected at 30 to -40; the next step leads to -20.
 * The first step leads away from the goal, and is kept all the same. */
static void reflects_in_the_first_half_of_the_loops(void **state)
{
    (void)state;
    static const float Z[3] = {0, 0, 1}, effector[3] = {0, 2, 0};
    static const double expected = -20;
    const double goal_angle = 130 * M_PI / 180;
    const float goal[3] = {(float)(-2 * sin(goal_angle)), (float)(2 * cos(goal_angle)), 0};
    for (int family = IK_PLANE; family <= IK_PMXE; family++) {
        Arena *arena = arena_create();
        PmxIkLink link = {.limited = true, .lower = {-0.1f, 0, -1}, .upper = {0.1f, 0, 0}};
        link.upper[2] = (float)(30 * M_PI / 180);
        PmxModel pmx = one_link(&link, effector, goal, 2, arena);
        pmx.bones[3].ik.unit_angle = (float)(20 * M_PI / 180);
        VmdBoneKey keys[] = {fixture_turn_key("link", 0, Z, 80)};
        const VmdMotion vmd = fixture_motion_of(keys, 1);
        Solved s = solve_open(pmx, &vmd, (IkFamily)family, arena);
        const double got = local_degrees(&s, 1);
        if (fabs(got - expected) > 1e-3)
            fail_msg("%s: %g degrees", family_names[family], got);
        solve_close(&s);
    }
}

/* A link that is at the effector or at the goal has no direction to it and is not rotated, not even
 * into its limits, while the other link of the chain moves. */
static void links_without_a_direction_are_not_rotated(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        float ankle[3], goal[3];
    } rows[] = {
        {"at the effector", {0, 4, 0}, {4, 0, 0}},
        {"at the goal", {0, 8, 0}, {0.0001f, 4, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxIkLink links[2] = {{.bone = 1, .limited = true, .lower = {0, 0, 0.5f}}, {.bone = 0}};
        links[0].upper[2] = 1;
        PmxModel pmx = two_links(links, 0, 4, 0, arena);
        for (int k = 0; k < 3; k++) {
            pmx.bones[2].position[k] = rows[i].ankle[k];
            pmx.bones[3].position[k] = rows[i].goal[k];
        }
        Solved s = solve_open(pmx, NULL, IK_PLANE, arena);
        if (fabs(local_degrees(&s, 1)) > 1e-6 || fabs(local_degrees(&s, 0)) < 1e-3)
            fail_msg("%s: knee at %g, hip at %g", rows[i].what, local_degrees(&s, 1),
                     local_degrees(&s, 0));
        solve_close(&s);
    }
}

/* Only bones with IK are away from a goal. */
static void other_bones_have_no_residual(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Solved s = solve_open(fixture_leg(arena), NULL, IK_PLANE, arena);
    assert_true(evaluator_ik_residual(s.evaluator, 0, ANKLE) == 0);
    solve_close(&s);
}

/* Chains that can do nothing are harmless. */
static void degenerate_chains(void **state)
{
    (void)state;
    const struct {
        const char *what;
        int effector, link0, link1, loops;
    } rows[] = {
        {"the effector is its own link", ANKLE, ANKLE, KNEE, 10},
        {"the effector is not below the links", 0, KNEE, HIP, 10},
        {"no loops", ANKLE, KNEE, HIP, 0},
        {"the goal is the effector", GOAL, KNEE, HIP, 10},
        {"a link that is missing", ANKLE, -1, KNEE, 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int family = IK_PLANE; family <= IK_PMXE; family++) {
            Arena *arena = arena_create();
            PmxModel pmx = fixture_leg(arena);
            PmxIk *ik = &pmx.bones[GOAL].ik;
            ik->effector = rows[i].effector;
            ik->links[0].bone = rows[i].link0;
            ik->links[1].bone = rows[i].link1;
            ik->loops = rows[i].loops;
            VmdBoneKey keys[] = {fixture_key("左足ＩＫ", 0, 0, 3, 1)};
            const VmdMotion vmd = fixture_motion_of(keys, 1);
            Solved s = solve_open(pmx, &vmd, (IkFamily)family, arena);
            for (int bone = 0; bone < 5; bone++)
                if (!isfinite(at(&s, bone).x + at(&s, bone).y + at(&s, bone).z))
                    fail_msg("%s: bone %d is not finite", rows[i].what, bone);
            solve_close(&s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legs),
        cmocka_unit_test(bends_as_the_law_of_cosines),
        cmocka_unit_test(stretches_towards_a_far_goal),
        cmocka_unit_test(does_not_shake_at_full_extension),
        cmocka_unit_test(switched_off_keeps_the_keys),
        cmocka_unit_test(leaves_a_pose_that_fits),
        cmocka_unit_test(one_link_points_at_the_goal),
        cmocka_unit_test(fixed_axis_links_rotate_about_it_only),
        cmocka_unit_test(fixed_axis_links_within_limits),
        cmocka_unit_test(hinges_on_every_axis),
        cmocka_unit_test(followers_follow),
        cmocka_unit_test(hinges_choose_their_side),
        cmocka_unit_test(unit_angles_limit_a_step),
        cmocka_unit_test(one_step_reaches_the_goal),
        cmocka_unit_test(links_within_limits),
        cmocka_unit_test(a_hinge_follows_its_goal),
        cmocka_unit_test(hinges_may_rest_at_a_limit),
        cmocka_unit_test(small_steps_are_not_made),
        cmocka_unit_test(reflects_in_the_first_half_of_the_loops),
        cmocka_unit_test(links_without_a_direction_are_not_rotated),
        cmocka_unit_test(other_bones_have_no_residual),
        cmocka_unit_test(degenerate_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
