#include "evaluate/cloth.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/wind.h"

static const double MAX_COORDINATE = 1e6; /* MMD units; a mass beyond this has diverged */
static const double LEAST_DISTANCE =
    0.6;                         /* from colliders at the end of a tick, of the thickness */
static const double APART = 0.7; /* of the mean spacing: masses that are not neighbours */
enum { PUSHES = 4 };             /* rounds in which colliders push masses out of each other */

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
    bool diverged;
    MassSystem system;
    Vec3 *kept_position, *kept_velocity;
    ClothInputs from, to; /* of the current tick */
    ClothBody *bodies;    /* at the time for which forces are computed */
    double tick_s;        /* from `from` to `to` */
    Vec3 gravity;
    bool *fixed;                 /* [mass_count] */
    double distance;             /* of its masses from others that are not neighbours */
    double *gusts;               /* [mass_count] part of the wind that blows there */
    double *pull, *pull_damping; /* [mass_count] */
    uint32_t *near;              /* masses that may touch a body in this tick, grouped by body */
    uint32_t *near_end;          /* [body_count] */
    Vec3 low, high;              /* box of all masses that can touch something */
};

/* ---- forces ---- */

static void add_springs(Vec3 *f, const ClothTopology *topology, const Vec3 *x, const Vec3 *v)
{
    for (uint32_t i = 0; i < topology->spring_count; i++) {
        const ClothSpring *s = &topology->springs[i];
        const Vec3 d = vec3_sub(x[s->b], x[s->a]), dv = vec3_sub(v[s->b], v[s->a]);
        const double square = vec3_dot(d, d);
        if (!(square > 0))
            continue;
        /* k (|x| - x0) + c (dv . x / |x|), along x / |x|; with one division, as this is the most
         * expensive loop */
        const double inverse = 1 / sqrt(square);
        const double stretch = 1 - s->rest * inverse, rate = vec3_dot(dv, d) * (inverse * inverse);
        const Vec3 pull = vec3_scale(d, s->stiffness * stretch + s->damping * rate);
        f[s->a] = vec3_add(f[s->a], pull);
        f[s->b] = vec3_sub(f[s->b], pull);
    }
}

/* Wind across a face, a third of the force on each corner. */
static void add_air(Vec3 *f, const Cloth *cloth, const Vec3 *x, const Vec3 *v)
{
    const ClothTopology *topology = cloth->topology;
    const double share = topology->tuning.air / 6; /* the cross product is twice the area */

    for (uint32_t i = 0; share > 0 && i < topology->face_count; i++) {
        const uint32_t *face = topology->faces[i];
        const Vec3 n =
            vec3_cross(vec3_sub(x[face[1]], x[face[0]]), vec3_sub(x[face[2]], x[face[0]]));
        const Vec3 mean =
            vec3_scale(vec3_add(vec3_add(v[face[0]], v[face[1]]), v[face[2]]), 1.0 / 3);
        const double size = vec3_length(n);
        if (!(size > 0))
            continue;
        const double gust =
            (cloth->gusts[face[0]] + cloth->gusts[face[1]] + cloth->gusts[face[2]]) / 3;
        const Vec3 wind = vec3_scale(topology->tuning.wind, gust);
        const Vec3 push = vec3_scale(n, share * vec3_dot(n, vec3_sub(wind, mean)) / size);
        for (int k = 0; k < 3; k++)
            f[face[k]] = vec3_add(f[face[k]], push);
    }
}

/* Gravity, drag, and the pull on partly pinned masses. */
static void start_forces(Vec3 *f, const Cloth *cloth, const Vec3 *x, const Vec3 *v, double part)
{
    const ClothTopology *topology = cloth->topology;
    const ClothTuning *tuning = &topology->tuning;
    const Vec3 weight = vec3_scale(cloth->gravity, tuning->mass);

    for (uint32_t i = 0; i < topology->mass_count; i++) {
        const Vec3 wind = vec3_scale(tuning->wind, cloth->gusts[i]);
        f[i] = vec3_add(weight, vec3_scale(vec3_sub(wind, v[i]), tuning->drag));
        if (cloth->pull[i] <= 0)
            continue;
        const Vec3 from = cloth->from.anchors[i], delta = vec3_sub(cloth->to.anchors[i], from);
        const Vec3 d = vec3_sub(vec3_add(from, vec3_scale(delta, part)), x[i]);
        const Vec3 dv = vec3_sub(vec3_scale(delta, 1 / cloth->tick_s), v[i]);
        f[i] = vec3_add(
            f[i], vec3_add(vec3_scale(d, cloth->pull[i]), vec3_scale(dv, cloth->pull_damping[i])));
    }
}

/* A push outwards by depth and inward speed, never inwards, and friction along the surface. */
static Vec3 contact_force(const ClothTuning *tuning, const ClothContact *contact, Vec3 velocity)
{
    const double damping = cloth_stability_contact_damping(tuning);
    const Vec3 v = vec3_sub(velocity, contact->velocity);
    const double inward = -vec3_dot(v, contact->normal);
    const double push =
        cloth_stability_contact_stiffness(tuning) * contact->depth + damping * inward;

    if (!(push > 0))
        return (Vec3){0, 0, 0};
    const Vec3 slide = vec3_add(v, vec3_scale(contact->normal, inward));
    const double speed = vec3_length(slide);
    const double brake = speed > 0 ? fmin(damping, tuning->friction * push / speed) : 0;
    return vec3_sub(vec3_scale(contact->normal, push), vec3_scale(slide, brake));
}

static void add_contacts(Vec3 *f, Cloth *cloth, const Vec3 *x, const Vec3 *v, double part)
{
    const ClothTuning *tuning = &cloth->topology->tuning;
    const uint32_t *near = cloth->near;

    for (size_t b = 0; b < cloth->body_count; b++) {
        const uint32_t *end = cloth->near + cloth->near_end[b];
        if (near < end)
            cloth->bodies[b] = cloth_body_between(&cloth->from.bodies[b], &cloth->to.bodies[b],
                                                  part, cloth->tick_s);
        for (; near < end; near++) {
            ClothContact contact;
            if (cloth_body_meets(&contact, &cloth->bodies[b], x[*near], tuning->thickness))
                f[*near] = vec3_add(f[*near], contact_force(tuning, &contact, v[*near]));
        }
    }
}

/* Fixed masses have no acceleration: they move at constant speed from anchor to anchor. */
static void accelerate(Vec3 *out, const Vec3 *x, const Vec3 *v, double time, void *user)
{
    Cloth *cloth = user;
    const ClothTopology *topology = cloth->topology;
    const double part = time / cloth->tick_s, inverse = 1 / topology->tuning.mass;

    start_forces(out, cloth, x, v, part);
    add_springs(out, topology, x, v);
    add_air(out, cloth, x, v);
    add_contacts(out, cloth, x, v, part);
    for (uint32_t i = 0; i < topology->mass_count; i++)
        out[i] =
            topology->pins[i] >= CLOTH_FIXED_PIN ? (Vec3){0, 0, 0} : vec3_scale(out[i], inverse);
}

/* ---- a tick ---- */

/* The wind at each mass: gusts of a few units that move with it. */
static void find_gusts(Cloth *cloth)
{
    const ClothTuning *tuning = &cloth->topology->tuning;
    const double t = (double)cloth->tick / tuning->step_hz;
    const bool steady = !(tuning->gust > 0) || !(vec3_dot(tuning->wind, tuning->wind) > 0);

    for (uint32_t i = 0; i < cloth->topology->mass_count; i++)
        cloth->gusts[i] =
            steady ? 1 : 1 - tuning->gust * wind_lull(cloth->system.position[i], tuning->wind, t);
}

/* The box of all masses that can touch something. */
static void find_box(Vec3 *low, Vec3 *high, const Cloth *cloth)
{
    *low = (Vec3){DBL_MAX, DBL_MAX, DBL_MAX};
    *high = (Vec3){-DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (uint32_t i = 0; i < cloth->topology->mass_count; i++) {
        const Vec3 p = cloth->system.position[i];
        if (cloth->topology->pins[i] >= CLOTH_FIXED_PIN)
            continue;
        *low = (Vec3){fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z)};
        *high = (Vec3){fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z)};
    }
}

static bool boxes_meet(Vec3 low, Vec3 high, Vec3 other_low, Vec3 other_high)
{
    return low.x <= other_high.x && other_low.x <= high.x && low.y <= other_high.y &&
           other_low.y <= high.y && low.z <= other_high.z && other_low.z <= high.z;
}

static bool inside(Vec3 p, Vec3 low, Vec3 high)
{
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z &&
           p.z <= high.z;
}

/* How far a mass may come in this tick, with reserve. */
static double reach_of(const Cloth *cloth, uint32_t mass)
{
    return cloth->topology->tuning.thickness +
           2 * vec3_length(cloth->system.velocity[mass]) * cloth->tick_s;
}

static double body_motion(const ClothBody *from, const ClothBody *to)
{
    return fmax(vec3_length(vec3_sub(to->a, from->a)), vec3_length(vec3_sub(to->b, from->b)));
}

/* The masses near a body, first by its box, then by its shape. */
static uint32_t find_near_body(uint32_t *near, const Cloth *cloth, size_t b, double reach)
{
    const ClothTopology *topology = cloth->topology;
    const ClothBody *body = &cloth->to.bodies[b];
    const double motion = body_motion(&cloth->from.bodies[b], body);
    const Vec3 margin = {reach + motion, reach + motion, reach + motion};
    Vec3 low, high;
    uint32_t count = 0;

    cloth_body_bounds(&low, &high, body);
    low = vec3_sub(low, margin);
    high = vec3_add(high, margin);
    if (!boxes_meet(low, high, cloth->low, cloth->high))
        return 0;
    for (uint32_t i = 0; i < topology->mass_count; i++) {
        ClothContact unused;
        if (topology->pins[i] < CLOTH_FIXED_PIN && inside(cloth->system.position[i], low, high) &&
            (body->shape == CLOTH_BOX || cloth_body_meets(&unused, body, cloth->system.position[i],
                                                          reach_of(cloth, i) + motion)))
            near[count++] = i;
    }
    return count;
}

/* A mass that accelerates within the tick is found in the next. */
static void find_near(Cloth *cloth)
{
    double reach = 0;
    uint32_t count = 0;

    find_box(&cloth->low, &cloth->high, cloth);
    for (uint32_t i = 0; i < cloth->topology->mass_count; i++)
        reach = fmax(reach, reach_of(cloth, i));
    for (size_t b = 0; b < cloth->body_count; b++) {
        count += find_near_body(cloth->near + count, cloth, b, reach);
        cloth->near_end[b] = count;
    }
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

/* Moves fixed masses to the start or the end of the tick. */
static void hold(Cloth *cloth, bool arrived)
{
    const ClothTopology *topology = cloth->topology;
    for (uint32_t i = 0; i < topology->mass_count; i++) {
        if (topology->pins[i] < CLOTH_FIXED_PIN)
            continue;
        const Vec3 from = cloth->from.anchors[i], to = cloth->to.anchors[i];
        cloth->system.position[i] = arrived ? to : from;
        cloth->system.velocity[i] = vec3_scale(vec3_sub(to, from), 1 / cloth->tick_s);
    }
}

/* Moves a mass to the surface and stops its motion into it. */
static void push_mass(Vec3 *position, Vec3 *velocity, const ClothContact *contact)
{
    const double inward = -vec3_dot(vec3_sub(*velocity, contact->velocity), contact->normal);

    *position = vec3_add(*position, vec3_scale(contact->normal, contact->depth));
    if (inward > 0)
        *velocity = vec3_add(*velocity, vec3_scale(contact->normal, inward));
}

/* The springs of contacts give way to quick limbs: at the end of a tick no mass is left inside. */
static void push_out(Cloth *cloth)
{
    const double distance = LEAST_DISTANCE * cloth->topology->tuning.thickness;
    bool pushed = distance > 0; /* without a distance to keep, springs alone push */

    for (int round = 0; pushed && round < PUSHES; round++) {
        const uint32_t *near = cloth->near;

        pushed = false;
        for (size_t b = 0; b < cloth->body_count; b++) {
            const uint32_t *end = cloth->near + cloth->near_end[b];
            if (near < end && round == 0)
                cloth->bodies[b] = cloth_body_between(&cloth->from.bodies[b], &cloth->to.bodies[b],
                                                      1, cloth->tick_s);
            for (; near < end; near++) {
                ClothContact contact;
                Vec3 *position = &cloth->system.position[*near];
                if (!cloth_body_meets(&contact, &cloth->bodies[b], *position, distance))
                    continue;
                push_mass(position, &cloth->system.velocity[*near], &contact);
                pushed = true;
            }
        }
    }
}

/* Integrates from `from` to `to`, which are `part` of a tick apart. */
static void advance(Cloth *cloth, double part)
{
    const ClothTuning *tuning = &cloth->topology->tuning;
    const int steps = (int)ceil(part * cloth->topology->substeps);

    cloth->tick_s = part / tuning->step_hz;
    find_gusts(cloth);
    hold(cloth, false);
    find_near(cloth);
    const double h = cloth->tick_s / steps;
    for (int i = 0; i < steps; i++)
        INTEGRATORS[tuning->integrator].step(&cloth->system, i * h, h);
    push_out(cloth);
    hold(cloth, true);
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
        .bodies = arena_array(arena, ClothBody, body_count),
        .tick_s = 1.0 / topology->tuning.step_hz,
        .gravity = topology->tuning.gravity,
        .fixed = arena_array(arena, bool, count),
        .distance = topology->tuning.self_collision ? APART * mean_spacing(topology) : 0,
        .gusts = arena_array(arena, double, count),
        .pull = arena_array(arena, double, count),
        .pull_damping = arena_array(arena, double, count),
        .near = arena_calloc(arena, body_count, count * sizeof(uint32_t)),
        .near_end = arena_array(arena, uint32_t, body_count),
    };
    for (uint32_t i = 0; i < count; i++)
        cloth->fixed[i] = topology->pins[i] >= CLOTH_FIXED_PIN;
    for (uint32_t i = 0; i < count; i++)
        if (topology->pins[i] > 0 && topology->pins[i] < CLOTH_FIXED_PIN) {
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

void cloth_settle(Cloth *cloth, int ticks)
{
    for (int i = 0; i < ticks; i++)
        step(cloth);
}

void cloth_step(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies)
{
    set_inputs(&cloth->to, cloth, anchors, bodies);
    step(cloth);
    cloth->tick++;
    const ClothInputs swap = cloth->from;
    cloth->from = cloth->to;
    cloth->to = swap;
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

const Vec3 *cloth_peek(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies, double part)
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

double cloth_energy(const Cloth *cloth)
{
    const ClothTopology *topology = cloth->topology;
    const ClothTuning *tuning = &topology->tuning;
    double energy = 0;

    for (uint32_t i = 0; i < topology->mass_count; i++) {
        const Vec3 v = cloth->system.velocity[i], x = cloth->system.position[i];
        if (topology->pins[i] < CLOTH_FIXED_PIN)
            energy += tuning->mass * (vec3_dot(v, v) / 2 - vec3_dot(cloth->gravity, x));
    }
    for (uint32_t i = 0; i < topology->spring_count; i++) {
        const ClothSpring *s = &topology->springs[i];
        const Vec3 d = vec3_sub(cloth->system.position[s->b], cloth->system.position[s->a]);
        const double stretch = vec3_length(d) - s->rest;
        energy += s->stiffness * stretch * stretch / 2;
    }
    return energy;
}

/* The greatest depth of a point in the capsules. */
static double depth_inside(const Cloth *cloth, Vec3 point)
{
    double depth = 0;

    for (size_t b = 0; b < cloth->body_count; b++) {
        ClothContact contact;
        if (cloth->from.bodies[b].shape == CLOTH_CAPSULE &&
            cloth_body_meets(&contact, &cloth->from.bodies[b], point, 0))
            depth = fmax(depth, contact.depth);
    }
    return depth;
}

uint32_t cloth_count_inside(const Cloth *cloth, double depth, double *deepest)
{
    uint32_t count = 0;
    double worst = 0;

    for (uint32_t i = 0; i < cloth->topology->mass_count; i++) {
        const bool fixed = cloth->topology->pins[i] >= CLOTH_FIXED_PIN;
        const double at = fixed ? 0 : depth_inside(cloth, cloth->system.position[i]);
        count += at > depth;
        worst = fmax(worst, at);
    }
    if (deepest)
        *deepest = worst;
    return count;
}

uint32_t cloth_count_faces_inside(const Cloth *cloth, double depth, double *deepest)
{
    const Vec3 *x = cloth->system.position;
    uint32_t count = 0;
    double worst = 0;

    for (uint32_t i = 0; i < cloth->topology->face_count; i++) {
        const uint32_t *f = cloth->topology->faces[i];
        const Vec3 sum = vec3_add(vec3_add(x[f[0]], x[f[1]]), x[f[2]]);
        bool fixed = false;
        double at = depth_inside(cloth, vec3_scale(sum, 1.0 / 3));
        for (int k = 0; k < 3; k++) {
            const Vec3 ends = vec3_add(x[f[k]], x[f[(k + 1) % 3]]);
            at = fmax(at, depth_inside(cloth, vec3_scale(ends, 0.5)));
            fixed |= cloth->topology->pins[f[k]] >= CLOTH_FIXED_PIN;
        }
        if (fixed)
            continue;
        count += at > depth;
        worst = fmax(worst, at);
    }
    if (deepest)
        *deepest = worst;
    return count;
}
