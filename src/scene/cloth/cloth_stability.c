// SPDX-License-Identifier: MIT
#include "scene/cloth/cloth_topology.h"

#include <math.h>

/* Bounds of the eigenmodes of the cloth in any configuration, for a mass of 1. */
typedef struct ClothModes {
    double stiffest;      /* square of the highest frequency, contacts included */
    double min_damping;   /* damping of every mode, by drag */
    double damping_ratio; /* damping that springs add, per stiffness of the mode */
    double max_damping;
} ClothModes;

/* Growth per step that rounding errors may cause without effect in an hour of film. */
static const double ROUNDING = 1e-9;

/* Springs resist being swung sideways when they are taut, by stiffness times strain, and their
 * dampers do not act there: up to this part of the stiffest mode only drag brakes. */
static const double TAUT = 0.1;

double cloth_stability_contact_stiffness(const ClothTuning *tuning)
{
    return tuning->contact * tuning->stiffness;
}

double cloth_stability_contact_damping(const ClothTuning *tuning)
{
    return sqrt(cloth_stability_contact_stiffness(tuning) * tuning->mass) /
           2; /* a quarter of the critical */
}

double cloth_stability_pull_stiffness(const ClothTuning *tuning, double pin)
{
    return pin * tuning->stiffness;
}

double cloth_stability_pull_damping(const ClothTuning *tuning, double pin)
{
    return sqrt(cloth_stability_pull_stiffness(tuning, pin) * tuning->mass);
}

/* The greatest sum of stiffness and damping on one mass, springs counted with both ends: an upper
 * bound of all modes (Gershgorin), for any direction of the springs. */
static void add_ends(double *stiffness, double *damping, const ClothTopology *topology,
                     Arena *arena)
{
    double *k = arena_array(arena, double, topology->mass_count);
    double *c = arena_array(arena, double, topology->mass_count);

    for (uint32_t i = 0; i < topology->spring_count; i++) {
        const ClothSpring *s = &topology->springs[i];
        const bool single =
            topology->pins[s->a] >= CLOTH_FIXED_PIN || topology->pins[s->b] >= CLOTH_FIXED_PIN;
        const double ends = single ? 1 : 2;
        k[s->a] += ends * s->stiffness;
        k[s->b] += ends * s->stiffness;
        c[s->a] += ends * s->damping;
        c[s->b] += ends * s->damping;
    }
    for (uint32_t i = 0; i < topology->mass_count; i++) {
        const double pin = topology->pins[i];
        if (pin >= CLOTH_FIXED_PIN)
            continue;
        *stiffness =
            fmax(*stiffness, k[i] + cloth_stability_pull_stiffness(&topology->tuning, pin));
        *damping = fmax(*damping, c[i] + cloth_stability_pull_damping(&topology->tuning, pin));
    }
}

/* The largest total area of the faces around a mass. */
static double largest_area(const ClothTopology *topology, Arena *arena)
{
    double *areas = arena_array(arena, double, topology->mass_count), largest = 0;
    for (uint32_t i = 0; i < topology->face_count; i++) {
        const uint32_t *f = topology->faces[i];
        const Vec3 u = vec3_sub(topology->rest[f[1]], topology->rest[f[0]]);
        const Vec3 v = vec3_sub(topology->rest[f[2]], topology->rest[f[0]]);
        for (int k = 0; k < 3; k++)
            areas[f[k]] += vec3_length(vec3_cross(u, v)) / 2;
    }
    for (uint32_t i = 0; i < topology->mass_count; i++)
        largest = fmax(largest, areas[i]);
    return largest;
}

static ClothModes bound_modes(const ClothTopology *topology)
{
    const ClothTuning *tuning = &topology->tuning;
    Arena *arena = arena_create();
    double stiffness = 0, damping = 0;

    add_ends(&stiffness, &damping, topology, arena);
    damping += tuning->drag + tuning->air * largest_area(topology, arena) / 3;
    damping += cloth_stability_contact_damping(tuning);
    stiffness += cloth_stability_contact_stiffness(tuning);
    arena_destroy(arena);
    return (ClothModes){
        .stiffest = stiffness / tuning->mass,
        .min_damping = tuning->drag / tuning->mass,
        .damping_ratio = tuning->stiffness > 0
                             ? tuning->damping * sqrt(2 * tuning->mass / tuning->stiffness)
                             : 0,
        .max_damping = damping / tuning->mass,
    };
}

static bool is_stable(const ClothTopology *topology, const ClothModes *modes, int substeps)
{
    enum { MODES = 16 };
    const Integrator *integrator = &INTEGRATORS[topology->tuning.integrator];
    const double h = 1.0 / ((double)topology->tuning.step_hz * substeps);

    for (int i = 0; i <= MODES; i++) {
        const double frequency = (double)i / MODES;
        const double stiffness = modes->stiffest * frequency * frequency;
        const double braked = fmax(stiffness - TAUT * modes->stiffest, 0);
        const double damping = modes->min_damping + modes->damping_ratio * braked;
        if (integrator_growth(integrator, h, stiffness, damping) > 1 + ROUNDING ||
            integrator_growth(integrator, h, stiffness, modes->max_damping) > 1 + ROUNDING)
            return false;
    }
    return true;
}

/* The smallest stable number of steps per tick; 0 if there is none. */
static int fewest_steps(const ClothTopology *topology, const ClothModes *modes)
{
    for (int n = 1; n <= CLOTH_MAX_SUBSTEPS; n++)
        if (is_stable(topology, modes, n))
            return n;
    return 0;
}

bool cloth_stability_choose_steps(ClothTopology *topology, Diag *diag)
{
    const ClothTuning *tuning = &topology->tuning;
    const ClothModes modes = bound_modes(topology);
    const char *name = INTEGRATORS[tuning->integrator].name;
    const int fewest = fewest_steps(topology, &modes);

    topology->substeps = tuning->substeps ? tuning->substeps : fewest ? fewest : CLOTH_MAX_SUBSTEPS;
    if (tuning->any_step ||
        (tuning->substeps ? is_stable(topology, &modes, tuning->substeps) : fewest > 0))
        return true;
    if (fewest)
        return diag_fail(
            diag, DIAG_JOB,
            "steps of 1/%d s are too long for %s: at a stiffness of %g and a mass of %g the "
            "cloth would diverge; use at least %d substeps of 1/%d s, or a softer cloth",
            tuning->step_hz * tuning->substeps, name, tuning->stiffness, tuning->mass, fewest,
            tuning->step_hz);
    return diag_fail(
        diag, DIAG_JOB,
        "no step down to 1/%d s is stable for %s at a stiffness of %g, a mass of %g, a damping "
        "of %g and a drag of %g: use symplectic, a softer cloth or more damping",
        tuning->step_hz * CLOTH_MAX_SUBSTEPS, name, tuning->stiffness, tuning->mass,
        tuning->damping, tuning->drag);
}
