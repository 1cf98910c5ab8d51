#include "evaluate/cloth.h"

#include <math.h>
#include <string.h>

static const double MAX_COORDINATE = 1e6; /* MMD units; a mass beyond this has diverged */

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
    Vec3 wind;
    double *pull, *pull_damping; /* [mass_count] */
    uint32_t *near;              /* masses that may touch a body in this tick, grouped by body */
    uint32_t *near_end;          /* [body_count] */
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
        const Vec3 push = vec3_scale(n, share * vec3_dot(n, vec3_sub(cloth->wind, mean)) / size);
        for (int k = 0; k < 3; k++)
            f[face[k]] = vec3_add(f[face[k]], push);
    }
}

/* Gravity, drag, and the pull on partly pinned masses. */
static void start_forces(Vec3 *f, const Cloth *cloth, const Vec3 *x, const Vec3 *v, double part)
{
    const ClothTopology *topology = cloth->topology;
    const ClothTuning *tuning = &topology->tuning;
    const Vec3 weight = vec3_scale(tuning->gravity, tuning->mass);

    for (uint32_t i = 0; i < topology->mass_count; i++) {
        f[i] = vec3_add(weight, vec3_scale(vec3_sub(cloth->wind, v[i]), tuning->drag));
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

/* The wind at a tick: three oscillations with incommensurable periods. */
static Vec3 wind_at(const ClothTuning *tuning, int64_t tick)
{
    const double t = (double)tick / tuning->step_hz;
    const double swing = (sin(2.1 * t) + sin(3.7 * t + 1) + sin(7.3 * t + 2)) / 3;
    return vec3_scale(tuning->wind, 1 - tuning->gust * (0.5 - 0.5 * swing));
}

static double greatest_speed(const Cloth *cloth)
{
    double square = 0;
    for (uint32_t i = 0; i < cloth->topology->mass_count; i++)
        square = fmax(square, vec3_dot(cloth->system.velocity[i], cloth->system.velocity[i]));
    return sqrt(square);
}

static bool inside(Vec3 p, Vec3 low, Vec3 high)
{
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z &&
           p.z <= high.z;
}

/* Broad phase: the masses near each body.  A mass that accelerates within the tick is found in the
 * next. */
static void find_near(Cloth *cloth)
{
    const ClothTopology *topology = cloth->topology;
    const double distance = topology->tuning.thickness + 2 * greatest_speed(cloth) * cloth->tick_s;
    const Vec3 margin = {distance, distance, distance};
    uint32_t count = 0;

    for (size_t b = 0; b < cloth->body_count; b++) {
        Vec3 low[2], high[2];
        cloth_body_bounds(&low[0], &high[0], &cloth->from.bodies[b]);
        cloth_body_bounds(&low[1], &high[1], &cloth->to.bodies[b]);
        const Vec3 box_min = vec3_sub(
            (Vec3){fmin(low[0].x, low[1].x), fmin(low[0].y, low[1].y), fmin(low[0].z, low[1].z)},
            margin);
        const Vec3 box_max = vec3_add((Vec3){fmax(high[0].x, high[1].x), fmax(high[0].y, high[1].y),
                                             fmax(high[0].z, high[1].z)},
                                      margin);
        for (uint32_t i = 0; i < topology->mass_count; i++)
            if (topology->pins[i] < CLOTH_FIXED_PIN &&
                inside(cloth->system.position[i], box_min, box_max))
                cloth->near[count++] = i;
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

/* Integrates from `from` to `to`, which are `part` of a tick apart. */
static void advance(Cloth *cloth, double part)
{
    const ClothTuning *tuning = &cloth->topology->tuning;
    const int steps = (int)ceil(part * cloth->topology->substeps);

    cloth->tick_s = part / tuning->step_hz;
    cloth->wind = wind_at(tuning, cloth->tick);
    hold(cloth, false);
    find_near(cloth);
    const double h = cloth->tick_s / steps;
    for (int i = 0; i < steps; i++)
        INTEGRATORS[tuning->integrator].step(&cloth->system, i * h, h);
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
        .pull = arena_array(arena, double, count),
        .pull_damping = arena_array(arena, double, count),
        .near = arena_calloc(arena, body_count, count * sizeof(uint32_t)),
        .near_end = arena_array(arena, uint32_t, body_count),
    };
    for (uint32_t i = 0; i < count; i++)
        if (topology->pins[i] > 0 && topology->pins[i] < CLOTH_FIXED_PIN) {
            cloth->pull[i] = cloth_stability_pull_stiffness(&topology->tuning, topology->pins[i]);
            cloth->pull_damping[i] =
                cloth_stability_pull_damping(&topology->tuning, topology->pins[i]);
        }
    return cloth;
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
            energy += tuning->mass * (vec3_dot(v, v) / 2 - vec3_dot(tuning->gravity, x));
    }
    for (uint32_t i = 0; i < topology->spring_count; i++) {
        const ClothSpring *s = &topology->springs[i];
        const Vec3 d = vec3_sub(cloth->system.position[s->b], cloth->system.position[s->a]);
        const double stretch = vec3_length(d) - s->rest;
        energy += s->stiffness * stretch * stretch / 2;
    }
    return energy;
}

uint32_t cloth_count_inside(const Cloth *cloth, double depth, double *deepest)
{
    uint32_t count = 0;
    double worst = 0;

    for (uint32_t i = 0; i < cloth->topology->mass_count; i++) {
        double depth_inside = 0;
        const bool fixed = cloth->topology->pins[i] >= CLOTH_FIXED_PIN;
        for (size_t b = 0; !fixed && b < cloth->body_count; b++) {
            ClothContact contact;
            if (cloth->from.bodies[b].shape == CLOTH_CAPSULE &&
                cloth_body_meets(&contact, &cloth->from.bodies[b], cloth->system.position[i], 0))
                depth_inside = fmax(depth_inside, contact.depth);
        }
        count += depth_inside > depth;
        worst = fmax(worst, depth_inside);
    }
    if (deepest)
        *deepest = worst;
    return count;
}
