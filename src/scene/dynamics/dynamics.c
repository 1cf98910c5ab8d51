// SPDX-License-Identifier: MIT
#include "scene/dynamics/dynamics.h"

#include <math.h>

#include "math/key_span.h"
#include "math/scalar.h"
#include "scene/dynamics/loops.h"
#include "scene/key_spline.h"

/* Sizes of shapes, in MMD units: the inertia of thinner ones is too small for the step, larger ones
 * exceed any world.
 */
static const float SMALLEST_SIZE = 0.01f;
static const float LARGEST_SIZE = 10000;
static const float SMALLEST_MASS = 1e-9f; /* the inverse of a smaller one is not finite */

/* ---- bodies ---- */

/* A capsule without a cylinder is a sphere. */
static bool has_volume(const PmxBody *body)
{
    const bool x = body->size[0] != 0, y = body->size[1] != 0, z = body->size[2] != 0;
    return body->shape == PMX_BOX ? x && y && z : x;
}

static void plan_body(BodyPlan *plan, const PmxBody *body, Diag *diag)
{
    plan->role = body->mode == PMX_FOLLOW_BONE ? BODY_FOLLOWS
                 : body->mode == PMX_PHYSICS   ? BODY_MOVES
                                               : BODY_TURNS;
    if (plan->role == BODY_TURNS && body->bone < 0)
        plan->role = BODY_MOVES;
    if (plan->role != BODY_FOLLOWS && !(body->mass > 0)) {
        diag_warn(diag, WARN_PHYSICS, "mode is physics but mass is %g: follows its bone",
                  (double)body->mass);
        plan->role = BODY_FOLLOWS;
    }
    plan->mass = plan->role == BODY_FOLLOWS ? 0 : fmaxf(body->mass, SMALLEST_MASS);
    plan->touches = body->mask != 0 && has_volume(body);
    if (!has_volume(body))
        diag_warn(diag, WARN_PHYSICS, "has no volume: no collisions");
    for (int i = 0; i < 3; i++)
        plan->size[i] = fminf(fmaxf(fabsf(body->size[i]), SMALLEST_SIZE), LARGEST_SIZE);
    if (body->shape == PMX_CAPSULE)
        plan->size[1] = fminf(fabsf(body->size[1]), LARGEST_SIZE);
    plan->anchor = plan->anchor_joint = plan->support = plan->link = plan->link_from = plan->loops =
        -1;
    plan->max_distance = INFINITY;
}

/* ---- joints ---- */

static bool joint_has_ends(const PmxJoint *joint, uint32_t index, Diag *diag)
{
    diag_item(diag, "joint", index);
    if (joint->body_a >= 0 && joint->body_b >= 0 && joint->body_a != joint->body_b)
        return true;
    diag_warn(diag, WARN_PHYSICS, "does not connect two bodies (%d and %d): ignored",
              (int)joint->body_a, (int)joint->body_b);
    return false;
}

float dynamics_joint_play(const PmxJoint *joint)
{
    float square = 0;
    if (joint->type == PMX_JOINT_POINT || joint->type == PMX_JOINT_CONE_TWIST ||
        joint->type == PMX_JOINT_HINGE)
        return 0;
    for (int i = 0; i < (joint->type == PMX_JOINT_SLIDER ? 1 : 3); i++) {
        const float lower = joint->linear_lower[i], upper = joint->linear_upper[i];
        const float limit = fmaxf(fabsf(lower), fabsf(upper));
        if (lower > upper)
            return INFINITY;
        square += limit * limit;
    }
    return sqrtf(square);
}

/* A body of mode 2 below a moving one: positioned by its joint, not by its bone, or the chain would
 * break.
 */
static void free_turning_end(Dynamics *plan, const PmxModel *pmx, int32_t upper, int32_t lower)
{
    const int32_t bone = pmx->bodies[lower].bone;
    if (plan->bodies[lower].role == BODY_TURNS && plan->bodies[upper].role != BODY_FOLLOWS &&
        pmx->bones[bone].parent >= 0 && pmx->bones[bone].parent == pmx->bodies[upper].bone)
        plan->bodies[lower].role = BODY_MOVES;
}

static void plan_joints(Dynamics *plan, const PmxModel *pmx, Diag *diag)
{
    for (uint32_t i = 0; i < pmx->joint_count; i++) {
        const PmxJoint *joint = &pmx->joints[i];
        if (!joint_has_ends(joint, i, diag))
            continue;
        plan->joint_works[i] = plan->bodies[joint->body_a].role != BODY_FOLLOWS ||
                               plan->bodies[joint->body_b].role != BODY_FOLLOWS;
        free_turning_end(plan, pmx, joint->body_a, joint->body_b);
        free_turning_end(plan, pmx, joint->body_b, joint->body_a);
    }
    diag_item(diag, NULL, 0);
}

static void plan_fitted(Dynamics *plan, const PmxModel *pmx)
{
    for (uint32_t b = 0; b < pmx->body_count; b++)
        plan->bodies[b].fitted = plan->bodies[b].role == BODY_TURNS;
    for (uint32_t i = 0; i < pmx->joint_count; i++) {
        const PmxJoint *joint = &pmx->joints[i];
        if (!plan->joint_works[i] || dynamics_joint_play(joint) > 0)
            continue;
        if (plan->bodies[joint->body_a].role == BODY_FOLLOWS)
            plan->bodies[joint->body_b].fitted = false;
        if (plan->bodies[joint->body_b].role == BODY_FOLLOWS)
            plan->bodies[joint->body_a].fitted = false;
    }
}

/* ---- lengths of chains ---- */

typedef struct Links { /* the joints of each body, in file order */
    uint32_t *first;   /* those of body b: joints[first[b]] to joints[first[b + 1] - 1] */
    uint32_t *joints;
} Links;

static Links links_of(const Dynamics *plan, const PmxModel *pmx, Arena *arena)
{
    const Links links = {arena_array(arena, uint32_t, (size_t)pmx->body_count + 2),
                         arena_array(arena, uint32_t, (size_t)pmx->joint_count * 2)};

    for (uint32_t i = 0; i < pmx->joint_count; i++)
        if (plan->joint_works[i]) {
            links.first[pmx->joints[i].body_a + 2]++;
            links.first[pmx->joints[i].body_b + 2]++;
        }
    for (uint32_t b = 2; b < pmx->body_count + 2; b++)
        links.first[b] += links.first[b - 1];
    for (uint32_t i = 0; i < pmx->joint_count; i++)
        if (plan->joint_works[i]) {
            links.joints[links.first[pmx->joints[i].body_a + 1]++] = i;
            links.joints[links.first[pmx->joints[i].body_b + 1]++] = i;
        }
    return links;
}

static float distance(const float a[3], const float b[3])
{
    return hypotf(hypotf(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static bool has_place(const BodyPlan *body)
{
    return body->role == BODY_FOLLOWS || body->fitted;
}

/* The distance between the bones, unless the body is shorter: half of it is beyond the joint. */
static float link_length(const PmxModel *pmx, const PmxJoint *joint, uint32_t from, uint32_t to)
{
    const int32_t upper = pmx->bodies[from].bone, lower = pmx->bodies[to].bone;
    const float body = 2 * distance(joint->position, pmx->bodies[to].position);
    const float bones = upper >= 0 && lower >= 0
                            ? distance(pmx->bones[upper].position, pmx->bones[lower].position)
                            : 0;

    return bones > 0 ? fminf(bones, body) : body;
}

static void reach_over(Dynamics *plan, const PmxModel *pmx, uint32_t joint_index, uint32_t from,
                       uint32_t to)
{
    const PmxJoint *joint = &pmx->joints[joint_index];
    const BodyPlan *a = &plan->bodies[from];
    BodyPlan *b = &plan->bodies[to];

    b->max_distance =
        dynamics_joint_play(joint) + distance(joint->position, pmx->bodies[to].position);
    b->anchor = (int32_t)from;
    b->anchor_joint = (int32_t)joint_index;
    b->link = (int32_t)joint_index;
    b->link_from = (int32_t)from;
    b->link_play = dynamics_joint_play(joint);
    b->link_length = link_length(pmx, joint, from, to);
    if (!has_place(a)) {
        b->max_distance += a->max_distance + distance(pmx->bodies[from].position, joint->position);
        b->anchor = a->anchor;
        b->anchor_joint = a->anchor_joint;
    }
}

/* Breadth-first from the kinematic and fitted bodies, along joints; the bodies reached are listed.
 */
static void plan_reach(Dynamics *plan, const PmxModel *pmx, Arena *arena)
{
    const Links links = links_of(plan, pmx, arena);
    uint32_t *queue = arena_array(arena, uint32_t, pmx->body_count);
    uint32_t queued = 0, placed;

    for (uint32_t b = 0; b < pmx->body_count; b++)
        if (has_place(&plan->bodies[b]))
            queue[queued++] = b;
    placed = queued;
    for (uint32_t q = 0; q < queued; q++)
        for (uint32_t i = links.first[queue[q]]; i < links.first[queue[q] + 1]; i++) {
            const PmxJoint *joint = &pmx->joints[links.joints[i]];
            const uint32_t to =
                (uint32_t)(joint->body_a == (int32_t)queue[q] ? joint->body_b : joint->body_a);
            if (has_place(&plan->bodies[to]) || plan->bodies[to].anchor >= 0)
                continue;
            reach_over(plan, pmx, links.joints[i], queue[q], to);
            queue[queued++] = to;
        }
    plan->chained = queue + placed;
    plan->chained_count = queued - placed;
}

/* ---- bones ---- */

/* Bodies are fitted after those of ancestor bones: sorted by the order of their bones. */
static void list_fitted(Dynamics *plan, const PmxModel *pmx, const uint32_t *parents_first,
                        Arena *arena)
{
    uint32_t *first = arena_array(arena, uint32_t, (size_t)pmx->bone_count + 1);

    for (uint32_t b = 0; b < pmx->body_count; b++)
        if (plan->bodies[b].fitted)
            first[pmx->bodies[b].bone]++;
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const uint32_t count = first[parents_first[i]];
        first[parents_first[i]] = plan->fitted_count;
        plan->fitted_count += count;
    }
    for (uint32_t b = 0; b < pmx->body_count; b++)
        if (plan->bodies[b].fitted)
            plan->fitted[first[pmx->bodies[b].bone]++] = b;
}

static void plan_supports(Dynamics *plan, const PmxModel *pmx, const uint32_t *parents_first,
                          Arena *arena)
{
    int32_t *above =
        arena_array(arena, int32_t, pmx->bone_count); /* nearest simulated ancestor, or -1 */

    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const uint32_t bone = parents_first[i];
        const int32_t parent = pmx->bones[bone].parent;
        if (parent < 0)
            above[bone] = -1;
        else
            above[bone] = plan->mover[parent] >= 0 ? parent : above[parent];
    }
    for (uint32_t i = 0; i < plan->fitted_count; i++)
        plan->bodies[plan->fitted[i]].support = above[pmx->bodies[plan->fitted[i]].bone];
}

void dynamics_plan(Dynamics *out, const PmxModel *pmx, const uint32_t *parents_first, Arena *arena,
                   Diag *diag)
{
    *out = (Dynamics){.bodies = arena_array(arena, BodyPlan, pmx->body_count),
                      .joint_works = arena_array(arena, bool, pmx->joint_count),
                      .mover = arena_array(arena, int32_t, pmx->bone_count),
                      .fitted = arena_array(arena, uint32_t, pmx->body_count)};
    for (uint32_t b = 0; b < pmx->body_count; b++) {
        diag_item(diag, "rigid body", b);
        plan_body(&out->bodies[b], &pmx->bodies[b], diag);
    }
    diag_item(diag, NULL, 0);
    plan_joints(out, pmx, diag);
    plan_fitted(out, pmx);
    plan_reach(out, pmx, arena);
    loops_plan(out, pmx, arena);
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        out->mover[i] = -1;
    for (uint32_t b = 0; b < pmx->body_count; b++) {
        if (out->bodies[b].role == BODY_FOLLOWS)
            continue;
        out->moving_count++;
        if (pmx->bodies[b].bone >= 0)
            out->mover[pmx->bodies[b].bone] = (int32_t)b;
    }
    list_fitted(out, pmx, parents_first, arena);
    plan_supports(out, pmx, parents_first, arena);
}

/* ---- gravity ---- */

/* Uniform in -1..1, from a frame and a coordinate (the finalizer of splitmix64). */
static double uniform(int64_t frame, uint64_t axis)
{
    uint64_t h = ((uint64_t)frame * 3 + axis + 1) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ (h >> 27)) * UINT64_C(0x94d049bb133111eb);
    h ^= h >> 31;
    return (double)(h >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

PhysicsSpec dynamics_physics(const PhysicsOptions *options, Arena *arena)
{
    PhysicsSpec spec = {.gravity_noise = (float)options->gravity_noise,
                        .gravity_key_count = (uint32_t)options->gravity_key_count,
                        .step_hz = options->step_hz,
                        .warmup_s = (float)options->warmup_s,
                        .floor = options->floor,
                        .teleport_reset = options->teleport_reset};
    GravityKey *keys = arena_array(arena, GravityKey, options->gravity_key_count);
    for (size_t i = 0; i < options->gravity_key_count; i++) {
        const GravityKeySpec *key = &options->gravity_keys[i];
        keys[i].frame = point_frame(key->time_s, key->frame);
        keys[i].noise = (float)(isnan(key->noise) ? options->gravity_noise : key->noise);
        vec3_store(keys[i].gravity, isnan(key->gravity.x) ? options->gravity : key->gravity);
    }
    spec.gravity_keys = keys;
    vec3_store(spec.gravity, options->gravity);
    return spec;
}

bool dynamics_gravity_changes(const PhysicsSpec *spec)
{
    return spec->gravity_key_count > 0 || spec->gravity_noise > 0;
}

void dynamics_gravity(float out[3], const PhysicsSpec *spec, double frame)
{
    const GravityKey *keys = spec->gravity_keys;
    double gravity[3] = {(double)spec->gravity[0], (double)spec->gravity[1],
                         (double)spec->gravity[2]};
    double noise = (double)spec->gravity_noise;
    if (spec->gravity_key_count) {
        const KeySpan span = key_span(keys, sizeof *keys, spec->gravity_key_count, frame);
        const GravityKey *a = &keys[span.left], *b = &keys[span.right];
        for (size_t i = 0; i < 3; i++)
            gravity[i] = scalar_lerp(a->gravity[i], b->gravity[i], span.t);
        noise = scalar_lerp(a->noise, b->noise, span.t);
    }
    for (size_t i = 0; i < 3; i++)
        out[i] = (float)(gravity[i] + noise * uniform((int64_t)floor(frame), i));
}
