/*
 * integrator.h - five ways to take a step of masses that push each other (methods, 8)
 *
 * All are explicit.  What they cost is forces: `evaluations` of them a step.  With step h and
 * accelerations a:
 *
 *     euler       x' = x + h v,  v' = v + h a(x, v); gains energy where nothing damps
 *     symplectic  v' = v + h a(x, v),  x' = x + h v': the note's FB Euler; energy stays bounded
 *     rk2         the slope in the middle of the step
 *     rk4         Runge and Kutta's four slopes
 *     leapfrog    half a step of x, a whole one of v, half a step of x; energy stays bounded.  In
 *                 the middle velocity is half a step late: of a force that depends on it, the note
 *                 says "cheating"
 *
 * A mass without acceleration moves straight on with all of them.  Always the same bits.
 */
#ifndef MATH_INTEGRATOR_H
#define MATH_INTEGRATOR_H

#include <stddef.h>

#include "math/rotation.h"

/* Vec3 values of scratch that a step needs for each mass. */
enum { INTEGRATOR_WORK = 6 };

typedef struct MassSystem {
    size_t count;
    Vec3 *position, *velocity; /* [count], moved by a step */
    Vec3 *work;                /* [INTEGRATOR_WORK * count] */

    /* Fills out[count].  time: of the places, on the clock of integrator's step. */
    void (*accelerate)(Vec3 *out, const Vec3 *position, const Vec3 *velocity, double time,
                       void *user);
    void *user;
} MassSystem;

typedef struct Integrator {
    const char *name;
    int order;       /* of the error over a fixed time */
    int evaluations; /* of `accelerate` a step */
    void (*step)(const MassSystem *system, double time, double h);
} Integrator;

enum { INTEGRATOR_COUNT = 5 };

/* In the order of the names above. */
extern const Integrator INTEGRATORS[INTEGRATOR_COUNT];

/*
 * What a step does to a mass on a spring in the long run: the factor by which it grows, at most 1
 * when the step is stable.  x'' = -stiffness x - damping x', both of a mass of 1 and not negative.
 */
double integrator_growth(const Integrator *integrator, double h, double stiffness, double damping);

#endif
