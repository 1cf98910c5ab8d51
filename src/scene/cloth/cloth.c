// SPDX-License-Identifier: MIT
#include "scene/cloth/cloth.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static bool add_pin(ClothPinBones *pins, const Model *owner, const char *name,
                    const DiagLocation *location, Diag *diag)
{
    const int32_t bone = model_require_bone(owner, name, location, diag);
    if (bone < 0)
        return false;
    pins->bones[pins->count++] = (uint32_t)bone;
    pins->marked[bone] = true;
    return true;
}

static bool find_pins(ClothPinBones *pins, const ClothSpec *spec, const Model *owner, Diag *diag)
{
    const ClothPins *names = &spec->pin;
    bool good = !names->bone ||
                add_pin(pins, owner, names->bone, diag_key(diag, "%s.pin.bone", spec->key), diag);
    for (size_t i = 0; i < names->bone_count; i++)
        if (strcmp(names->bones[i], CLOTH_PIN_BORDER) != 0)
            good &= add_pin(pins, owner, names->bones[i],
                            diag_key(diag, "%s.pin.bones.%zu", spec->key, i), diag);
    return good;
}

/* ---- colliders ---- */

uint32_t cloth_given_capsules(const ClothSpec *spec)
{
    uint32_t count = 0;
    for (size_t i = 0; i < spec->capsule_count; i++)
        count += spec->capsules[i].from != NULL;
    return count;
}

static bool fits_capsules(const ClothSpec *spec)
{
    return cloth_given_capsules(spec) < spec->capsule_count;
}

static bool add_capsules(ClothPlan *plan, const ClothSpec *spec, const Model *owner, double scale,
                         Diag *diag)
{
    bool good = true;
    for (size_t i = 0; i < spec->capsule_count; i++) {
        const NamedCapsule *capsule = &spec->capsules[i];
        const DiagLocation *location = diag_key(diag, "%s.capsules.%zu", spec->key, i);
        if (!capsule->from)
            continue;
        const int32_t from = model_require_bone(owner, capsule->from, location, diag);
        const int32_t to = model_require_bone(owner, capsule->to, location, diag);
        good &= from >= 0 && to >= 0;
        if (from >= 0 && to >= 0)
            plan->colliders[plan->collider_count++] =
                (ClothCollider){.shape = CLOTH_CAPSULE,
                                .bones = {from, to},
                                .ends = {vec3_load(owner->pmx.bones[from].position),
                                         vec3_load(owner->pmx.bones[to].position)},
                                .radius = capsule->radius * scale};
    }
    return good;
}

/* A rigid body that follows its bone.  The axis of a capsule is y. */
static ClothCollider collider_of(const PmxBody *body, const BodyPlan *plan, double scale)
{
    const Vec3 center = vec3_load(body->position);
    const Quat turn = quat_from_euler_yxz((double)body->rotation[0], (double)body->rotation[1],
                                          (double)body->rotation[2]);
    const double half = body->shape == PMX_CAPSULE ? (double)plan->size[1] / 2 : 0;
    const Vec3 axis = quat_rotate(turn, (Vec3){0, half, 0});
    return (ClothCollider){
        .shape = body->shape == PMX_BOX ? CLOTH_BOX : CLOTH_CAPSULE,
        .bones = {body->bone, body->bone},
        .ends = {vec3_sub(center, axis), vec3_add(center, axis)},
        .radius = (double)plan->size[0] * scale,
        .half = vec3_scale(vec3_load(plan->size), scale),
        .rotation = turn,
    };
}

/* ---- how colliders give way ---- */

/* The bone or the one above it that is marked; -1 if there is none. */
static int32_t marked_above(const bool *marked, const PmxModel *pmx, int32_t bone)
{
    for (uint32_t i = 0; bone >= 0 && i < pmx->bone_count; i++) {
        if (marked[bone])
            return bone;
        bone = pmx->bones[bone].parent;
    }
    return -1;
}

static bool is_below(const bool *marked, const PmxModel *pmx, int32_t bone)
{
    return marked_above(marked, pmx, bone) >= 0;
}

typedef struct StandardBone {
    const char *name, *name_en;
} StandardBone;

static const StandardBone UPPER_ARMS[] = {{"左腕", "arm_L"}, {"右腕", "arm_R"}};
static const StandardBone LEGS[] = {
    {"左足", "leg_L"}, {"右足", "leg_R"}, {"左足D", "leg_LD"}, {"右足D", "leg_RD"}};
static const StandardBone HANDS[] = {{"左手首", "wrist_L"}, {"右手首", "wrist_R"}};
static const StandardBone HEAD[] = {{"頭", "head"}};
enum { UPPER_ARM_COUNT = 2, LEG_COUNT = 4, HAND_COUNT = 2, HEAD_COUNT = 1 };

static bool *mark_bones(const PmxModel *pmx, const StandardBone *bones, int count, Arena *arena)
{
    bool *marks = arena_array(arena, bool, pmx->bone_count);

    for (uint32_t i = 0; i < pmx->bone_count; i++)
        for (int k = 0; k < count; k++)
            marks[i] |= !strcmp(pmx->bones[i].name, bones[k].name) ||
                        !strcmp(pmx->bones[i].name_en, bones[k].name_en);
    return marks;
}

typedef struct Pinned {
    bool any, all; /* some pins, or all, are part of these limbs */
    bool *marks;   /* [bone_count] the first bones of the limbs with such pins */
} Pinned;

static Pinned find_pinned(const PmxModel *pmx, const bool *pins, const bool *limbs, Arena *arena)
{
    Pinned pinned = {.all = true, .marks = arena_array(arena, bool, pmx->bone_count)};

    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const int32_t limb = pins[i] ? marked_above(limbs, pmx, (int32_t)i) : -1;
        if (limb >= 0)
            pinned.any = pinned.marks[limb] = true;
        else
            pinned.all &= !pins[i];
    }
    return pinned;
}

/* Whether a capsule is thinner than the distance that cloth keeps from it. */
static bool is_strip(const ClothCollider *c, const ClothTuning *tuning)
{
    return c->shape == CLOTH_CAPSULE && c->radius + c->taper / 2 < tuning->thickness;
}

/* The bones that physics or spring bones move, and those below. */
static const bool *mark_moved(const Model *owner, Arena *arena)
{
    const PmxModel *pmx = &owner->pmx;
    bool *moving = arena_array(arena, bool, pmx->bone_count);
    bool *moved = arena_array(arena, bool, pmx->bone_count);

    for (uint32_t i = 0; i < pmx->body_count; i++)
        if (pmx->bodies[i].bone >= 0 && owner->dynamics.bodies[i].role != BODY_FOLLOWS)
            moving[pmx->bodies[i].bone] = true;
    for (uint32_t i = 0; pmx->rig && i < pmx->rig->joint_count; i++)
        moving[pmx->rig->joints[i].bone] = true;
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        moved[i] = is_below(moving, pmx, (int32_t)i);
    return moved;
}

/*
 * How colliders give way.  Hands of a dance touch the hips and sweep through a skirt or a cape, and
 * would carry it away: they are soft.  A sleeve lies on its arm, also where the arm is pressed
 * against the body.  Hair and clothes may be pressed against the body with cloth between: the body
 * is not to come through.  So may strips of clothes that no physics moves.  A head that bends back,
 * with hair that physics does not move, would scrape the edge of a cape down the back: it is soft.
 */
static void set_yields(ClothPlan *plan, const ClothSpec *spec, const ClothWearer *wearer,
                       const bool *pins, Arena *arena)
{
    const PmxModel *pmx = &wearer->model->pmx;
    const bool *arms = mark_bones(pmx, UPPER_ARMS, UPPER_ARM_COUNT, arena);
    const bool *heads = mark_bones(pmx, HEAD, HEAD_COUNT, arena);
    const Pinned pinned = find_pinned(pmx, pins, arms, arena);
    const bool on_head = find_pinned(pmx, pins, heads, arena).any;
    const bool soft =
        spec->arms == CLOTH_ARMS_SOFT || (spec->arms == CLOTH_ARMS_AUTO && !pinned.any);
    const bool is_sleeve = !soft && pinned.any && pinned.all;
    const uint32_t given = cloth_given_capsules(spec);
    for (uint32_t i = 0; i < plan->collider_count; i++) {
        const int32_t bone = plan->colliders[i].bones[0];
        const bool beside = is_sleeve && !is_below(pinned.marks, pmx, bone);
        const bool strip = i >= given && !is_below(arms, pmx, bone) &&
                           is_strip(&plan->colliders[i], &spec->tuning);
        plan->colliders[i].yields = soft && is_below(arms, pmx, bone)             ? CLOTH_SOFT
                                    : (bone >= 0 && wearer->moved[bone]) || strip ? CLOTH_YIELDS
                                    : !on_head && is_below(heads, pmx, bone)      ? CLOTH_SOFT
                                    : beside                                      ? CLOTH_SECOND
                                                                                  : CLOTH_FIRM;
    }
}

/* The arms and legs that a shape may be around.  What is below a hand turns as the hand does. */
static void find_limbs(ClothPlan *plan, const ClothSpec *spec, const PmxModel *pmx, Arena *arena)
{
    const bool *arms = mark_bones(pmx, UPPER_ARMS, UPPER_ARM_COUNT, arena);
    const bool *legs = mark_bones(pmx, LEGS, LEG_COUNT, arena);
    const bool *hands = mark_bones(pmx, HANDS, HAND_COUNT, arena);

    for (uint32_t i = 0; i < plan->collider_count; i++) {
        ClothCollider *c = &plan->colliders[i];
        const int32_t bone = c->bones[0], hand = marked_above(hands, pmx, bone);
        const bool is_limb = !spec->material && c->shape == CLOTH_CAPSULE &&
                             c->yields == CLOTH_FIRM &&
                             (is_below(arms, pmx, bone) || is_below(legs, pmx, bone));
        c->limb = (ClothLimbPlan){.known = is_limb, .bone = hand >= 0 ? hand : bone};
    }
}

static bool add_colliders(ClothPlan *plan, const ClothSpec *spec, const ClothWearer *wearer,
                          const bool *pins, Arena *arena, Diag *diag)
{
    const Model *owner = wearer->model;
    const double scale = plan->scale;
    const uint32_t fitted = fits_capsules(spec) ? wearer->capsule_count : 0;
    const size_t capacity = spec->capsule_count + fitted + owner->pmx.body_count + 1;
    plan->colliders = arena_array(arena, ClothCollider, capacity);
    const bool good = add_capsules(plan, spec, owner, scale, diag);
    for (uint32_t i = 0; i < fitted; i++)
        plan->colliders[plan->collider_count++] = wearer->capsules[i];
    if (spec->bodies) {
        for (uint32_t i = 0; i < owner->pmx.body_count; i++) {
            const BodyPlan *body = &owner->dynamics.bodies[i];
            if (body->role == BODY_FOLLOWS && body->touches)
                plan->colliders[plan->collider_count++] =
                    collider_of(&owner->pmx.bodies[i], body, scale);
        }
    }
    if (spec->floor)
        plan->colliders[plan->collider_count++] =
            (ClothCollider){.shape = CLOTH_FLOOR, .bones = {-1, -1}};
    set_yields(plan, spec, wearer, pins, arena);
    find_limbs(plan, spec, &owner->pmx, arena);
    return good;
}

/* ---- public functions ---- */

bool cloth_plan(ClothPlan *out, Model *made, const ClothSpec *spec, const Model *owner,
                double scale, Arena *arena, Diag *diag)
{
    ClothPinBones pins = {.bones = arena_array(arena, uint32_t, spec->pin.bone_count + 1),
                          .marked = arena_array(arena, bool, owner->pmx.bone_count)};

    *out = (ClothPlan){.scale = scale};
    bool good = find_pins(&pins, spec, owner, diag);
    if (good && !spec->material && !pins.count)
        return diag_fail(diag, DIAG_JOB, "a generated cloth needs at least one bone in 'pins'");
    good &= !spec->material ||
            model_require_material(owner, spec->material, diag_key(diag, "%s.material", spec->key),
                                   diag) >= 0;
    ClothCollider *capsules = arena_array(arena, ClothCollider, CLOTH_FIT_MAX);
    ClothWearer wearer = {.model = owner, .moved = mark_moved(owner, arena), .capsules = capsules};
    if (spec->material || fits_capsules(spec))
        wearer.capsule_count = cloth_fit_capsules(capsules, spec, &owner->pmx, scale);
    if (good && spec->material)
        good = cloth_from_material(out, spec, &wearer, pins.marked, arena, diag);
    good &= add_colliders(out, spec, &wearer, pins.marked, arena, diag);
    if (good && !spec->material)
        good = cloth_from_shape(out, made, spec, owner, &pins, scale, arena, diag);
    if (!good)
        return false;
    uint32_t fixed = 0;
    for (uint32_t i = 0; i < out->topology.mass_count; i++)
        fixed += out->topology.pins[i] >= CLOTH_FIXED_PIN;
    if (fixed == out->topology.mass_count)
        diag_warn(diag, WARN_CLOTH, "all vertices are skinned to its pins: the cloth cannot move");
    return cloth_stability_choose_steps(&out->topology, diag);
}
