// SPDX-License-Identifier: MIT
#include "evaluate/cloth/cloth.h"

#include <math.h>
#include <string.h>

#include "evaluate/cloth/cloth_contacts.h"
#include "evaluate/cloth/cloth_forces.h"
#include "evaluate/cloth/cloth_frame_motion.h"
#include "evaluate/cloth/cloth_links.h"
#include "math/wind.h"

enum {
    TICKS_OF_GUSTS = 4, /* gusts are computed in every fourth tick */
    SECOND_ROUNDS = 3,  /* in the first of which second bodies push, too */
    ROUNDS_OUT = 8,     /* in which colliders push a loose pin */
    ROUNDS = 8,         /* of shorter links and pushes of colliders, which undo each other */
    LOOSE_ROUNDS = 24,  /* more of these, in which loose pins move, too, */
    LOOSE_PASSES = 2,   /* and links are shortened this often before a push */
    LAST_ROUNDS = 64    /* of links alone */
};
static const double MAX_COORDINATE = 1e6; /* MMD units; a mass beyond this has diverged */
static const double NEXT_STRETCH = 1.2;   /* greatest stretch after the first round, and in the */
static const double LAST_STRETCH = 1.23;  /* rounds of links alone / tuning.stretch */
static const double RETURN = 10;          /* units/s at which loose pins return to their anchors */
static const double APART = 0.7;          /* distance of non-neighbours / mean spacing */

/* Anchors and colliders at one time. */
typedef struct ClothInputs {
    Vec3 *anchors;
    ClothBody *bodies;
} ClothInputs;

struct Cloth {
    Arena *arena;
    const ClothTopology *topology;
    size_t body_count;
    int64_t tick;
    double start_s; /* of the time of the film, at tick 0 */
    bool diverged;
    MassSystem system;
    Vec3 *kept_position, *kept_velocity;
    ClothInputs from, to;    /* inputs at the start and the end of the current tick */
    ClothFrameMotion motion; /* in this tick */
    ClothInputs start;       /* `from`, moved by it */
    Vec3 *targets;           /* [mass_count] where fixed masses are at the end of the tick */
    double tick_s;           /* from `from` to `to` */
    Vec3 gravity;
    bool *fixed;                    /* [mass_count] */
    double distance;                /* smallest distance of masses that are not neighbours */
    double *gusts;                  /* [mass_count] scratch */
    double *pull, *pull_damping;    /* [mass_count] */
    uint32_t *pulled, pulled_count; /* masses that are partly pinned */
    ClothForces *forces;
    ClothContacts *contacts;
    ClothLinks *links;
};

/* ---- forces ---- */

/* Fixed masses have no acceleration: they move at constant speed from anchor to anchor. */
static void accelerate(Vec3 *out, const Vec3 *x, const Vec3 *v, double time, void *user)
{
    Cloth *cloth = user;
    const ClothTopology *topology = cloth->topology;
    const double part = time / cloth->tick_s, inverse = 1 / topology->tuning.mass;

    cloth_forces_find(out, cloth->forces, cloth->gravity, x, v);
    /* The pull on partly pinned masses. */
    for (uint32_t k = 0; k < cloth->pulled_count; k++) {
        const uint32_t i = cloth->pulled[k];
        const Vec3 from = cloth->start.anchors[i], delta = vec3_sub(cloth->to.anchors[i], from);
        const Vec3 d = vec3_sub(vec3_add(from, vec3_scale(delta, part)), x[i]);
        const Vec3 dv = vec3_sub(vec3_scale(delta, 1 / cloth->tick_s), v[i]);
        out[i] = vec3_add(out[i], vec3_add(vec3_scale(d, cloth->pull[i]),
                                           vec3_scale(dv, cloth->pull_damping[i])));
    }
    cloth_contacts_add(out, cloth->contacts, x, v, part);
    for (uint32_t i = 0; i < topology->mass_count; i++)
        out[i] =
            topology->pins[i] >= CLOTH_FIXED_PIN ? (Vec3){0, 0, 0} : vec3_scale(out[i], inverse);
}

/* ---- a tick ---- */

/* The wind at each mass: gusts of a few units that move with it.  They change slowly. */
static void find_gusts(Cloth *cloth)
{
    const ClothTopology *topology = cloth->topology;
    const ClothTuning *tuning = &topology->tuning;
    const double t = cloth->start_s + (double)cloth->tick / tuning->step_hz;
    const bool steady = !(tuning->gust > 0) || !(vec3_dot(tuning->wind, tuning->wind) > 0);

    if (cloth->tick % TICKS_OF_GUSTS)
        return;
    if (!steady)
        gust_factors(cloth->gusts, cloth->system.position, topology->mass_count, tuning->wind, t);
    for (uint32_t i = 0; i < topology->mass_count; i++)
        cloth->gusts[i] = steady ? 1 : 1 - tuning->gust * cloth->gusts[i];
    cloth_forces_set_gusts(cloth->forces, cloth->gusts);
}

static void set_inputs(ClothInputs *out, const Cloth *cloth, const Vec3 *anchors,
                       const ClothBody *bodies)
{
    memcpy(out->anchors, anchors, cloth->topology->mass_count * sizeof *anchors);
    if (cloth->body_count)
        memcpy(out->bodies, bodies, cloth->body_count * sizeof *bodies);
}

static bool all_within_world(const Cloth *cloth)
{
    for (uint32_t i = 0; i < cloth->topology->mass_count; i++) {
        const Vec3 p = cloth->system.position[i];
        if (!(fabs(p.x) < MAX_COORDINATE && fabs(p.y) < MAX_COORDINATE &&
              fabs(p.z) < MAX_COORDINATE))
            return false;
    }
    return true;
}

static void keep(Cloth *cloth)
{
    const size_t size = cloth->topology->mass_count * sizeof(Vec3);
    memcpy(cloth->kept_position, cloth->system.position, size);
    memcpy(cloth->kept_velocity, cloth->system.velocity, size);
}

static void set_back(Cloth *cloth)
{
    const size_t size = cloth->topology->mass_count * sizeof(Vec3);
    memcpy(cloth->system.position, cloth->kept_position, size);
    memcpy(cloth->system.velocity, cloth->kept_velocity, size);
}

/* A place for a pin outside of the firm colliders, if a few rounds find one; out of each on its
 * side. */
static Vec3 outside(const Cloth *cloth, Vec3 p, uint32_t mass)
{
    bool moved = true;

    for (int round = 0; moved && round < ROUNDS_OUT; round++) {
        moved = false;
        for (size_t i = 0; i < cloth->body_count; i++) {
            const ClothBody *body = &cloth->to.bodies[i];
            ClothContact contact;
            if (body->yields != CLOTH_FIRM || !cloth_body_meets(&contact, body, p, 0))
                continue;
            const ClothPast past = {cloth->topology->rest[mass], cloth->kept_position[mass],
                                    &cloth->from.bodies[i]};
            cloth_body_keep_side(&contact, body, p, &past);
            p = vec3_add(p, vec3_scale(contact.normal, contact.depth));
            moved = true;
        }
    }
    return p;
}

/* Where fixed masses are at the end of the tick: at their anchors; loose ones, which links and
 * limbs moved away, return to them steadily, around limbs. */
static void aim_pins(Cloth *cloth)
{
    const ClothTopology *topology = cloth->topology;
    for (uint32_t i = 0; i < topology->mass_count; i++) {
        if (topology->pins[i] < CLOTH_FIXED_PIN)
            continue;
        cloth->targets[i] = cloth->to.anchors[i];
        if (!topology->loose)
            continue;
        const Vec3 away = vec3_sub(cloth->kept_position[i], cloth->from.anchors[i]);
        const double distance = vec3_length(away), left = distance - RETURN * cloth->tick_s;
        if (left > 0)
            cloth->targets[i] = vec3_add(cloth->targets[i], vec3_scale(away, left / distance));
        cloth->targets[i] = outside(cloth, cloth->targets[i], i);
    }
}

/* Moves fixed masses to the start or the end of the tick. */
static void hold(Cloth *cloth, bool arrived)
{
    const ClothTopology *topology = cloth->topology;
    for (uint32_t i = 0; i < topology->mass_count; i++) {
        if (topology->pins[i] < CLOTH_FIXED_PIN)
            continue;
        const Vec3 from = cloth->start.anchors[i], to = cloth->targets[i];
        cloth->system.position[i] = arrived ? to : from;
        cloth->system.velocity[i] = vec3_scale(vec3_sub(to, from), 1 / cloth->tick_s);
    }
}

/* Moves all that was there before the tick with the pins; the tick then has the rest of their
 * motion. */
static void move_with_pins(Cloth *cloth)
{
    const ClothFrameMotion *motion = &cloth->motion;

    cloth->motion =
        cloth_frame_motion_find(cloth->topology, cloth->from.anchors, cloth->to.anchors);
    for (uint32_t i = 0; i < cloth->topology->mass_count; i++) {
        cloth->system.position[i] = cloth_frame_motion_point(motion, cloth->system.position[i]);
        cloth->system.velocity[i] = quat_rotate(motion->turn, cloth->system.velocity[i]);
        if (cloth->topology->pins[i] > 0) /* others have no use for it */
            cloth->start.anchors[i] =
                cloth->topology->loose ? cloth->system.position[i]
                                       : cloth_frame_motion_point(motion, cloth->from.anchors[i]);
    }
    for (size_t b = 0; b < cloth->body_count; b++)
        cloth->start.bodies[b] = cloth_frame_motion_body(motion, &cloth->from.bodies[b]);
}

/* At the end of a tick no link is too long, and no mass inside of a firm collider.  Where both
 * cannot be, as between a pin and a limb that comes over it, loose pins give way until the next
 * tick; else the mass slips into the collider. */
static void settle(Cloth *cloth)
{
    const double stretch = cloth->topology->tuning.stretch;
    const bool loose = cloth->topology->loose;
    Vec3 *x = cloth->system.position, *v = cloth->system.velocity;
    bool longer = true;

    for (int round = 0; longer && round < (loose ? ROUNDS + LOOSE_ROUNDS : ROUNDS); round++) {
        const double max = round == 0 ? stretch : NEXT_STRETCH * stretch;
        const int passes = round < ROUNDS ? 1 : LOOSE_PASSES;
        longer = round == 0;
        for (int pass = 0; pass < passes; pass++)
            longer |= cloth_links_shorten(cloth->links, x, v, max, false, round >= ROUNDS);
        if (longer)
            cloth_contacts_push_out(cloth->contacts, x, v, round < SECOND_ROUNDS);
    }
    for (int round = 0; longer && round < LAST_ROUNDS; round++)
        longer = cloth_links_shorten(cloth->links, x, v, LAST_STRETCH * stretch, true, loose);
}

/* Integrates from `from` to `to`, which are `part` of a tick apart. */
static void advance(Cloth *cloth, double part)
{
    const ClothTuning *tuning = &cloth->topology->tuning;
    const int steps = (int)ceil(part * cloth->topology->substeps);

    cloth->tick_s = part / tuning->step_hz;
    find_gusts(cloth);
    aim_pins(cloth);
    move_with_pins(cloth);
    hold(cloth, false);
    cloth_contacts_start(cloth->contacts, cloth->start.bodies, cloth->to.bodies, cloth->tick_s,
                         cloth->system.position, cloth->system.velocity);
    const double h = cloth->tick_s / steps;
    for (int i = 0; i < steps; i++)
        INTEGRATORS[tuning->integrator].step(&cloth->system, i * h, h);
    hold(cloth, true);
    if (all_within_world(cloth)) /* otherwise it has diverged */
        settle(cloth);
}

static void step(Cloth *cloth)
{
    if (cloth->diverged)
        return;
    keep(cloth);
    advance(cloth, 1);
    cloth->diverged = !all_within_world(cloth);
    if (cloth->diverged)
        set_back(cloth);
}

/* The end of a tick is the start of the next. */
static void swap_inputs(Cloth *cloth)
{
    const ClothInputs swap = cloth->from;
    cloth->from = cloth->to;
    cloth->to = swap;
}

/* ---- public functions ---- */

/* The mean length of springs between neighbours; those come first. */
static double mean_spacing(const ClothTopology *topology)
{
    double sum = 0;
    uint32_t count = 0;

    for (uint32_t i = 0; i < topology->spring_count; i++)
        if (topology->springs[i].stiffness >= topology->tuning.stiffness) {
            sum += topology->springs[i].rest;
            count++;
        }
    return count > 0 ? sum / count : 0;
}

Cloth *cloth_create(const ClothTopology *topology, size_t body_count)
{
    Arena *arena = arena_create();
    Cloth *cloth = arena_alloc(arena, sizeof *cloth);
    const uint32_t count = topology->mass_count;

    *cloth = (Cloth){
        .arena = arena,
        .topology = topology,
        .body_count = body_count,
        .tick = -1,
        .system = {.count = count,
                   .position = arena_array(arena, Vec3, count),
                   .velocity = arena_array(arena, Vec3, count),
                   .work = arena_calloc(arena, count, INTEGRATOR_WORK * sizeof(Vec3)),
                   .accelerate = accelerate,
                   .user = cloth},
        .kept_position = arena_array(arena, Vec3, count),
        .kept_velocity = arena_array(arena, Vec3, count),
        .from = {arena_array(arena, Vec3, count), arena_array(arena, ClothBody, body_count)},
        .to = {arena_array(arena, Vec3, count), arena_array(arena, ClothBody, body_count)},
        .targets = arena_array(arena, Vec3, count),
        .start = {arena_array(arena, Vec3, count), arena_array(arena, ClothBody, body_count)},
        .tick_s = 1.0 / topology->tuning.step_hz,
        .gravity = topology->tuning.gravity,
        .fixed = arena_array(arena, bool, count),
        .distance = topology->tuning.self_collision ? APART * mean_spacing(topology) : 0,
        .gusts = arena_array(arena, double, count),
        .pull = arena_array(arena, double, count),
        .pull_damping = arena_array(arena, double, count),
        .pulled = arena_array(arena, uint32_t, count),
        .forces = cloth_forces_create(topology, arena),
        .contacts = cloth_contacts_create(topology, body_count, arena),
        .links = cloth_links_create(topology, arena),
    };
    for (uint32_t i = 0; i < count; i++)
        cloth->fixed[i] = topology->pins[i] >= CLOTH_FIXED_PIN;
    for (uint32_t i = 0; i < count; i++)
        if (topology->pins[i] > 0 && topology->pins[i] < CLOTH_FIXED_PIN) {
            cloth->pulled[cloth->pulled_count++] = i;
            cloth->pull[i] = cloth_stability_pull_stiffness(&topology->tuning, topology->pins[i]);
            cloth->pull_damping[i] =
                cloth_stability_pull_damping(&topology->tuning, topology->pins[i]);
        }
    return cloth;
}

void cloth_set_gravity(Cloth *cloth, Vec3 gravity)
{
    cloth->gravity = gravity;
}

void cloth_destroy(Cloth *cloth)
{
    if (cloth)
        arena_destroy(cloth->arena);
}

int64_t cloth_tick(const Cloth *cloth)
{
    return cloth->tick;
}

void cloth_start_at(Cloth *cloth, double seconds)
{
    cloth->start_s = seconds;
}

void cloth_reset(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies)
{
    cloth->tick = 0;
    cloth->diverged = false;
    set_inputs(&cloth->from, cloth, anchors, bodies);
    set_inputs(&cloth->to, cloth, anchors, bodies);
    for (uint32_t i = 0; i < cloth->topology->mass_count; i++) {
        cloth->system.position[i] = anchors[i];
        cloth->system.velocity[i] = (Vec3){0, 0, 0};
    }
}

void cloth_warm_up(Cloth *cloth, int ticks)
{
    for (int i = 0; i < ticks; i++)
        step(cloth);
}

void cloth_move(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies, int ticks)
{
    for (int i = 0; i < ticks; i++) {
        const double part = 1.0 / (ticks - i); /* of the way that is left */
        for (uint32_t k = 0; k < cloth->topology->mass_count; k++)
            cloth->to.anchors[k] = vec3_lerp(cloth->from.anchors[k], anchors[k], part);
        for (size_t b = 0; b < cloth->body_count; b++)
            cloth->to.bodies[b] =
                cloth_body_between(&cloth->from.bodies[b], &bodies[b], part, cloth->tick_s);
        step(cloth);
        swap_inputs(cloth);
    }
}

void cloth_step(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies)
{
    set_inputs(&cloth->to, cloth, anchors, bodies);
    step(cloth);
    cloth->tick++;
    swap_inputs(cloth);
}

const Vec3 *cloth_positions(const Cloth *cloth)
{
    return cloth->system.position;
}

ClothMasses cloth_masses(Cloth *cloth)
{
    return (ClothMasses){.count = cloth->topology->mass_count,
                         .position = cloth->system.position,
                         .velocity = cloth->system.velocity,
                         .rest = cloth->topology->rest,
                         .fixed = cloth->fixed,
                         .distance = cloth->diverged ? 0 : cloth->distance};
}

const Vec3 *cloth_interpolate(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies,
                              double part)
{
    Vec3 *seen = cloth->system.work; /* free until the next step */

    set_inputs(&cloth->to, cloth, anchors, bodies);
    keep(cloth);
    if (part > 0 && !cloth->diverged)
        advance(cloth, part);
    const bool good = all_within_world(cloth);
    memcpy(seen, good ? cloth->system.position : cloth->kept_position,
           cloth->topology->mass_count * sizeof *seen);
    set_back(cloth);
    return seen;
}

bool cloth_has_diverged(const Cloth *cloth)
{
    return cloth->diverged;
}

const ClothTopology *cloth_topology(const Cloth *cloth)
{
    return cloth->topology;
}

const ClothBody *cloth_bodies(const Cloth *cloth, size_t *count)
{
    *count = cloth->body_count;
    return cloth->from.bodies;
}
