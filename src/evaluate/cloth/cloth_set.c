// SPDX-License-Identifier: MIT
#include "evaluate/cloth/cloth_set.h"

#include <string.h>

#include "base/units.h"
#include "evaluate/skin.h"
#include "scene/dynamics/dynamics.h"

/* Stretched beyond this, a triangle has no outline: hulls of such triangles are black splinters.
 * Outlines are as wide as normals are long; toon shades of these hardly change with the light. */
static const double MAX_HULL_STRETCH = 3, NO_HULL = 1e-3;

enum {
    TICKS_OF_COLLISIONS = 4, /* collisions of cloth with cloth are handled in every fourth tick */
    ROUNDS_OUT = 8           /* in which colliders push an anchor */
};

/* ---- from models to the world ---- */

/* A point that follows a bone, given at rest; in the world. */
static Vec3 transform_by_bone(const PmxModel *pmx, const ModelState *state, int32_t bone, Vec3 rest)
{
    Vec3 p = rest;
    if (bone >= 0) {
        const BonePose *pose = &state->bones[bone];
        const Vec3 from_bone = vec3_sub(rest, vec3_load(pmx->bones[bone].position));
        p = vec3_add(vec3_load(pose->position), quat_rotate(quat_load(pose->rotation), from_bone));
    }
    return placement_point(&state->placement, p);
}

static ClothBody collider_body(const ClothCollider *c, const PmxModel *pmx, const ModelState *state)
{
    ClothBody body = {.shape = c->shape,
                      .radius = c->radius,
                      .taper = c->taper,
                      .half = c->half,
                      .yields = c->yields,
                      .rotation = c->rotation};
    if (c->shape == CLOTH_FLOOR)
        return body;
    body.a = transform_by_bone(pmx, state, c->bones[0], c->ends[0]);
    body.b = transform_by_bone(pmx, state, c->bones[1], c->ends[1]);
    if (c->bones[0] >= 0)
        body.rotation = quat_mul(quat_load(state->bones[c->bones[0]].rotation), c->rotation);
    body.rotation = placement_rotation(&state->placement, body.rotation);
    return body;
}

/* Sets the limbs of capsules: they turn as the pin bone does, then as their axis.  at_rest: as if
 * all followed the pin bone. */
static void set_limbs(ClothBody *bodies, const ClothPlan *plan, const PmxModel *pmx,
                      const ModelState *state, bool at_rest)
{
    const int32_t pin = plan->anchors[0].bones[0];
    const Quat pinned = quat_load(state->bones[pin].rotation);

    for (uint32_t i = 0; i < plan->collider_count; i++) {
        const ClothCollider *c = &plan->colliders[i];
        if (!c->limb.known)
            continue;
        const int32_t bone = at_rest ? pin : c->limb.bone;
        const Vec3 joint = vec3_load(pmx->bones[c->limb.bone].position);
        const Vec3 axis = quat_rotate(quat_load(state->bones[bone].rotation), plan->axis);
        const Quat swing = quat_between(quat_rotate(pinned, plan->axis), axis);
        bodies[i].limb =
            (ClothLimb){.known = true,
                        .central = c->limb.central,
                        .range = {c->limb.range[0], c->limb.range[1]},
                        .rest = vec3_scale(joint, plan->scale),
                        .axis = plan->axis,
                        .joint = transform_by_bone(pmx, state, bone, joint),
                        .turn = placement_rotation(&state->placement, quat_mul(swing, pinned))};
    }
}

/* Updates the anchors of pinned masses, or of all, and the colliders of a cloth. */
static void update_inputs(ClothSet *w, size_t number, const FrameState *state, bool all)
{
    const ClothPlan *plan = &w->scene->cloths[number];
    const Model *owner = w->scene->models[plan->owner].model;
    const ModelState *model = &state->models[plan->owner];

    for (uint32_t i = 0; i < plan->collider_count; i++)
        w->bodies[number][i] = collider_body(&plan->colliders[i], &owner->pmx, model);
    set_limbs(w->bodies[number], plan, &owner->pmx, model, false);
    for (uint32_t i = 0; i < plan->topology.mass_count; i++) {
        if (!all && plan->topology.pins[i] <= 0)
            continue;
        Vec3 p = vec3_load(plan->anchors[i].position), normal = {0, 0, 0};
        skin_vertex(owner, model, &plan->anchors[i], &p, &normal);
        p = placement_point(&model->placement, p);
        w->anchors[number][i] = p;
    }
    if (dynamics_gravity_changes(&w->scene->physics)) {
        float gravity[3];
        dynamics_gravity(gravity, &w->scene->physics, state->frame);
        cloth_set_gravity(w->cloths[number],
                          vec3_scale(vec3_load(gravity), plan->topology.tuning.gravity_scale));
    }
}

/* Simulates the first half of the warm-up from the shape at rest, around the model at rest, to the
 * first pose: limbs that are bent there would be outside of sleeves and skirts otherwise, which
 * stay where they are beside a limb.  At rest all is as if it followed the first pin alone.  The
 * skin of a material follows its bones, so it starts as they are. */
static void take_on(ClothSet *w, size_t number, const FrameState *state, int ticks)
{
    const ClothPlan *plan = &w->scene->cloths[number];
    const PmxModel *pmx = &w->scene->models[plan->owner].model->pmx;
    const ModelState *model = &state->models[plan->owner];
    const int32_t pin = plan->anchors[0].bones[0];
    Arena *scratch = arena_create();
    Vec3 *anchors = arena_array(scratch, Vec3, plan->topology.mass_count);
    ClothBody *bodies = arena_array(scratch, ClothBody, plan->collider_count);

    for (uint32_t i = 0; i < plan->topology.mass_count; i++)
        anchors[i] = transform_by_bone(pmx, model, pin, vec3_load(plan->anchors[i].position));
    for (uint32_t i = 0; i < plan->collider_count; i++) {
        ClothCollider collider = plan->colliders[i];
        collider.bones[0] = collider.bones[1] = pin;
        bodies[i] = collider_body(&collider, pmx, model);
    }
    set_limbs(bodies, plan, pmx, model, true);
    cloth_reset(w->cloths[number], anchors, bodies);
    cloth_move(w->cloths[number], w->anchors[number], w->bodies[number], ticks);
    arena_destroy(scratch);
}

/* ---- from the world to vertices ---- */

static bool is_stretched(const Vec3 *rest, const Vec3 *x, const uint32_t corners[3])
{
    bool stretched = false;

    for (int k = 0; k < 3; k++) {
        const uint32_t a = corners[k], b = corners[(k + 1) % 3];
        const Vec3 before = vec3_sub(rest[b], rest[a]), now = vec3_sub(x[b], x[a]);
        stretched |=
            vec3_dot(now, now) > MAX_HULL_STRETCH * MAX_HULL_STRETCH * vec3_dot(before, before);
    }
    return stretched;
}

/* Sums the normals of the triangles of each side, weighted by area. */
static void sum_normals(ClothSet *w, const ClothPlan *plan, const Vec3 *x)
{
    memset(w->normals, 0, plan->side_count * sizeof *w->normals);
    memset(w->stretched, 0, plan->side_count * sizeof *w->stretched);
    for (uint32_t i = 0; i < plan->triangle_count; i++) {
        const uint32_t *m = plan->corners[i];
        const Vec3 n = vec3_cross(vec3_sub(x[m[1]], x[m[0]]), vec3_sub(x[m[2]], x[m[0]]));
        const bool stretched = is_stretched(plan->topology.rest, x, m);
        for (int k = 0; k < 3; k++) {
            const uint32_t side = plan->corner_sides[i][k];
            w->normals[side] = vec3_add(w->normals[side], n);
            w->stretched[side] |= stretched;
        }
    }
}

/* Towards a seam with other vertices, the normal becomes that of the skinned vertex. */
static Vec3 eased_normal(Vec3 normal, const Model *model, const ModelState *state, uint32_t vertex,
                         double pin)
{
    if (pin <= 0)
        return normal;
    const PmxVertex *v = &model->pmx.vertices[vertex];
    Vec3 p = vec3_load(v->position), skin = vec3_load(v->normal);
    skin_vertex(model, state, v, &p, &skin);
    return vec3_add(vec3_scale(normal, 1 - pin), vec3_scale(vec3_normalize(skin), pin));
}

/* A diverged cloth is not drawn: a material follows its bones, a generated cloth is hidden. */
static void write_diverged(FrameState *state, const ClothSet *w, const ClothPlan *plan)
{
    ModelState *drawn = &state->models[plan->drawn];
    const Model *model = w->scene->models[plan->drawn].model;

    for (uint32_t i = 0; i < plan->vertex_count; i++) {
        const PmxVertex *v = &model->pmx.vertices[plan->vertices[i]];
        Vec3 position = vec3_load(v->position), normal = vec3_load(v->normal);
        skin_vertex(model, drawn, v, &position, &normal);
        vec3_store(drawn->cloth[plan->first + i].position, position);
        vec3_store(drawn->cloth[plan->first + i].normal, vec3_normalize(normal));
    }
    if (plan->drawn != plan->owner)
        drawn->visible = false;
}

static void fill_vertices(FrameState *state, const ClothSet *w, const ClothPlan *plan,
                          const Vec3 *x)
{
    ModelState *drawn = &state->models[plan->drawn];
    const Model *model = w->scene->models[plan->drawn].model;
    const Quat back = quat_inverse(quat_load(drawn->placement.rotation));

    for (uint32_t i = 0; i < plan->vertex_count; i++) {
        ClothVertex *out = &drawn->cloth[plan->first + i];
        const uint32_t mass = plan->masses[i];
        Vec3 normal = vec3_normalize(quat_rotate(back, w->normals[plan->sides[i]]));
        if (plan->drawn == plan->owner)
            normal = vec3_normalize(
                eased_normal(normal, model, drawn, plan->vertices[i], plan->topology.pins[mass]));
        Vec3 position = placement_inverse_point(&drawn->placement, x[mass]);
        if (plan->offsets)
            position = vec3_add(position, vec3_scale(normal, plan->offsets[i]));
        vec3_store(out->position, position);
        vec3_store(out->normal,
                   w->stretched[plan->sides[i]] ? vec3_scale(normal, NO_HULL) : normal);
    }
}

/* ---- public functions ---- */

ClothSet *cloth_set_create(const Scene *scene)
{
    if (!scene->cloth_count)
        return NULL;
    Arena *arena = arena_create();
    ClothSet *w = arena_alloc(arena, sizeof *w);
    const size_t count = scene->cloth_count;
    uint32_t sides = 0;

    *w = (ClothSet){.arena = arena,
                    .scene = scene,
                    .step_hz = scene->cloths[0].topology.tuning.step_hz,
                    .cloths = arena_array(arena, Cloth *, count),
                    .anchors = arena_array(arena, Vec3 *, count),
                    .bodies = arena_array(arena, ClothBody *, count),
                    .masses = arena_array(arena, ClothMasses, count)};
    size_t masses = 0;
    for (size_t i = 0; i < count; i++) {
        const ClothPlan *plan = &scene->cloths[i];
        w->cloths[i] = cloth_create(&plan->topology, plan->collider_count);
        w->anchors[i] = arena_array(arena, Vec3, plan->topology.mass_count);
        w->bodies[i] = arena_array(arena, ClothBody, plan->collider_count);
        masses += plan->topology.mass_count;
        sides = plan->side_count > sides ? plan->side_count : sides;
    }
    w->normals = arena_array(arena, Vec3, sides);
    w->stretched = arena_array(arena, bool, sides);
    w->self_collision = cloth_self_collision_create(masses, arena);
    w->is_wearer = arena_array(w->arena, bool, scene->model_count);
    for (size_t i = 0; i < scene->cloth_count; i++)
        attach_mark(w->is_wearer, scene, scene->cloths[i].owner);
    return w;
}

void cloth_set_destroy(ClothSet *cloth_set)
{
    if (!cloth_set)
        return;
    for (size_t i = 0; i < cloth_set->scene->cloth_count; i++)
        cloth_destroy(cloth_set->cloths[i]);
    arena_destroy(cloth_set->arena);
}

int64_t cloth_set_tick(const ClothSet *cloth_set)
{
    return cloth_tick(cloth_set->cloths[0]);
}

void cloth_set_reset(ClothSet *cloth_set, const FrameState *state)
{
    const int ticks = (int)((double)cloth_set->scene->physics.warmup_s * cloth_set->step_hz);
    for (size_t i = 0; i < cloth_set->scene->cloth_count; i++) {
        const ClothPlan *plan = &cloth_set->scene->cloths[i];
        const int moved = plan->drawn != plan->owner ? ticks / 2 : 0;
        update_inputs(cloth_set, i, state, true);
        cloth_start_at(cloth_set->cloths[i], state->frame / MOTION_FPS);
        if (moved > 0)
            take_on(cloth_set, i, state, moved);
        else
            cloth_reset(cloth_set->cloths[i], cloth_set->anchors[i], cloth_set->bodies[i]);
        cloth_warm_up(cloth_set->cloths[i], ticks - moved);
    }
}

/* Cloth comes before bodies: masses that it pushed into a body are moved out at the end of the
 * tick. */
void cloth_set_step(ClothSet *cloth_set, const FrameState *state)
{
    if (cloth_set_tick(cloth_set) % TICKS_OF_COLLISIONS == 0) {
        for (size_t i = 0; i < cloth_set->scene->cloth_count; i++)
            cloth_set->masses[i] = cloth_masses(cloth_set->cloths[i]);
        cloth_self_collision(cloth_set->self_collision, cloth_set->masses,
                             cloth_set->scene->cloth_count);
    }
    for (size_t i = 0; i < cloth_set->scene->cloth_count; i++) {
        update_inputs(cloth_set, i, state, false);
        cloth_step(cloth_set->cloths[i], cloth_set->anchors[i], cloth_set->bodies[i]);
    }
}

void cloth_set_write_vertices(FrameState *state, ClothSet *cloth_set, double part)
{
    for (size_t i = 0; i < cloth_set->scene->cloth_count; i++) {
        const ClothPlan *plan = &cloth_set->scene->cloths[i];
        update_inputs(cloth_set, i, state, false);
        const Vec3 *x = cloth_interpolate(cloth_set->cloths[i], cloth_set->anchors[i],
                                          cloth_set->bodies[i], part);
        sum_normals(cloth_set, plan, x);
        fill_vertices(state, cloth_set, plan, x);
        if (plan->drawn != plan->owner)
            state->models[plan->drawn].visible = state->models[plan->owner].visible;
        if (cloth_has_diverged(cloth_set->cloths[i]))
            write_diverged(state, cloth_set, plan);
    }
}
