// SPDX-License-Identifier: MIT
#include "math/integrator.h"

#include <math.h>
#include <string.h>

/* The n-th array of the scratch memory. */
static Vec3 *work(const MassSystem *s, size_t n)
{
    return s->work + n * s->count;
}

/* out = base + h slope */
static void along(Vec3 *out, const Vec3 *base, const Vec3 *slope, double h, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (Vec3){base[i].x + h * slope[i].x, base[i].y + h * slope[i].y,
                        base[i].z + h * slope[i].z};
}

static void euler(const MassSystem *s, double time, double h)
{
    Vec3 *a = work(s, 0);

    s->accelerate(a, s->position, s->velocity, time, s->user);
    along(s->position, s->position, s->velocity, h, s->count);
    along(s->velocity, s->velocity, a, h, s->count);
}

static void symplectic(const MassSystem *s, double time, double h)
{
    Vec3 *a = work(s, 0);

    s->accelerate(a, s->position, s->velocity, time, s->user);
    along(s->velocity, s->velocity, a, h, s->count);
    along(s->position, s->position, s->velocity, h, s->count);
}

static void rk2(const MassSystem *s, double time, double h)
{
    Vec3 *a = work(s, 0), *x = work(s, 1), *v = work(s, 2);

    s->accelerate(a, s->position, s->velocity, time, s->user);
    along(x, s->position, s->velocity, h / 2, s->count);
    along(v, s->velocity, a, h / 2, s->count);
    s->accelerate(a, x, v, time + h / 2, s->user);
    along(s->position, s->position, v, h, s->count);
    along(s->velocity, s->velocity, a, h, s->count);
}

static void rk4(const MassSystem *s, double time, double h)
{
    static const double TO_NEXT[] = {0.5, 0.5, 1}, SHARE[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    Vec3 *a = work(s, 0), *x = work(s, 1), *v = work(s, 2);
    Vec3 *sum_x = work(s, 3), *sum_v = work(s, 4), *next_x = work(s, 5);
    const size_t size = s->count * sizeof *x;

    memcpy(x, s->position, size);
    memcpy(v, s->velocity, size);
    memcpy(sum_x, s->position, size);
    memcpy(sum_v, s->velocity, size);
    for (int i = 0; i < 4; i++) {
        s->accelerate(a, x, v, time + (i ? TO_NEXT[i - 1] * h : 0), s->user);
        along(sum_x, sum_x, v, SHARE[i] * h, s->count);
        along(sum_v, sum_v, a, SHARE[i] * h, s->count);
        if (i == 3)
            break;
        along(next_x, s->position, v, TO_NEXT[i] * h, s->count); /* before v is updated */
        along(v, s->velocity, a, TO_NEXT[i] * h, s->count);
        memcpy(x, next_x, size);
    }
    memcpy(s->position, sum_x, size);
    memcpy(s->velocity, sum_v, size);
}

static void leapfrog(const MassSystem *s, double time, double h)
{
    Vec3 *a = work(s, 0);

    along(s->position, s->position, s->velocity, h / 2, s->count);
    s->accelerate(a, s->position, s->velocity, time + h / 2, s->user);
    along(s->velocity, s->velocity, a, h, s->count);
    along(s->position, s->position, s->velocity, h / 2, s->count);
}

const Integrator INTEGRATORS[INTEGRATOR_COUNT] = {
    {"euler", 1, 1, euler}, {"symplectic", 1, 1, symplectic}, {"rk2", 2, 2, rk2},
    {"rk4", 4, 4, rk4},     {"leapfrog", 2, 1, leapfrog},
};

/* ---- stability ---- */

typedef struct Oscillator {
    double stiffness, damping;
} Oscillator;

static void pull_back(Vec3 *out, const Vec3 *position, const Vec3 *velocity, double time,
                      void *user)
{
    const Oscillator *o = user;

    (void)time;
    out[0] = (Vec3){-o->stiffness * position[0].x - o->damping * velocity[0].x, 0, 0};
}

double integrator_growth(const Integrator *integrator, double h, double stiffness, double damping)
{
    Oscillator oscillator = {stiffness, damping};
    Vec3 scratch[INTEGRATOR_WORK], x[2] = {{1, 0, 0}, {0, 0, 0}}, v[2] = {{0, 0, 0}, {1, 0, 0}};

    /* A step is a linear map of (x, v): its columns are the images of (1, 0) and (0, 1). */
    for (int i = 0; i < 2; i++) {
        const MassSystem system = {1, &x[i], &v[i], scratch, pull_back, &oscillator};
        integrator->step(&system, 0, h);
    }
    const double half_trace = (x[0].x + v[1].x) / 2, det = x[0].x * v[1].x - x[1].x * v[0].x;
    const double root = half_trace * half_trace - det;
    return root <= 0 ? sqrt(fmax(det, 0)) : fabs(half_trace) + sqrt(root);
}
