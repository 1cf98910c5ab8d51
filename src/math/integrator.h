// SPDX-License-Identifier: MIT
/*
 * integrator.h - five explicit integrators for a system of masses (math/README.md 3)
 *
 * The cost of a step is dominated by its `evaluations` of the forces.  With step h and
 * accelerations a:
 *
 *     euler       x' = x + h v,  v' = v + h a(x, v); gains energy without damping
 *     symplectic  v' = v + h a(x, v),  x' = x + h v' (FB Euler); energy stays bounded
 *     rk2         midpoint method
 *     rk4         classical Runge-Kutta method
 *     leapfrog    half a step of x, a step of v, half a step of x; energy stays bounded.  Forces
 *                 that depend on velocity use the one from half a step before
 *
 * Without acceleration all of them move a mass along a straight line.  Results are reproducible to
 * the bit.
 */
#pragma once

#include <stddef.h>

#include "math/rotation.h"

/* Scratch memory of a step for each mass, in Vec3. */
enum { INTEGRATOR_WORK = 6 };

typedef struct MassSystem {
    size_t count;
    Vec3 *position, *velocity; /* [count], moved by a step */
    Vec3 *work;                /* [INTEGRATOR_WORK * count] */

    /* Fills out[count] for these positions and velocities at this time. */
    void (*accelerate)(Vec3 *out, const Vec3 *position, const Vec3 *velocity, double time,
                       void *user);
    void *user;
} MassSystem;

typedef struct Integrator {
    const char *name;
    int order;       /* the order of the global error */
    int evaluations; /* calls of `accelerate` in a step */
    void (*step)(const MassSystem *system, double time, double h);
} Integrator;

enum { INTEGRATOR_COUNT = 5 };

/* In the order of the list above. */
extern const Integrator INTEGRATORS[INTEGRATOR_COUNT];

/*
 * Spectral radius of a step for a mass of 1 on a damped spring, x'' = -stiffness x - damping x': at
 * most 1 if the step is stable.  stiffness and damping are not negative.
 */
double integrator_growth(const Integrator *integrator, double h, double stiffness, double damping);
