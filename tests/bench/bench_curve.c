// SPDX-License-Identifier: MIT
/* Bisection and Newton's method: ns per call, iterations, largest distance from the exact root. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "math/curve.h"

enum { CURVES = 4096, TIMES = 64, ROUNDS = 8 };

typedef struct Sum {
    double checksum, worst;
    uint64_t iterations;
} Sum;

static double bezier(double a, double b, double s)
{
    const double r = 1.0 - s;
    return 3.0 * r * r * s * a + 3.0 * r * s * s * b + s * s * s;
}

static double slope(double a, double b, double s)
{
    const double r = 1.0 - s;
    return 3.0 * r * r * a + 6.0 * r * s * (b - a) + 3.0 * s * s * (1.0 - b);
}

/* Newton from s = t, limited to the bracket, until x is within 2^-16 of t. */
static double newton(Curve c, double t, uint64_t *iterations)
{
    if (c.x1 == c.y1 && c.x2 == c.y2)
        return t;
    const double x1 = c.x1 / 127.0, y1 = c.y1 / 127.0, x2 = c.x2 / 127.0, y2 = c.y2 / 127.0;
    double low = 0, high = 1, s = t;
    for (int i = 0; i < 60; i++) {
        const double error = bezier(x1, x2, s) - t;
        ++*iterations;
        if (fabs(error) < 1.0 / 65536)
            break;
        if (error > 0)
            high = s;
        else
            low = s;
        const double d = slope(x1, x2, s);
        s = d > 1e-9 ? s - error / d : (low + high) / 2;
        if (!(s > low && s < high))
            s = (low + high) / 2;
    }
    return bezier(y1, y2, s);
}

static Curve curve_of(uint32_t i)
{
    const uint32_t h = (i + 1) * 2654435761u;
    return (Curve){(uint8_t)((h >> 4) % 128), (uint8_t)((h >> 11) % 128),
                   (uint8_t)((h >> 18) % 128), (uint8_t)((h >> 25) % 128)};
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double run(Sum *sum, int halvings) /* 0: Newton */
{
    double best = HUGE_VAL;
    for (int round = 0; round < ROUNDS; round++) {
        *sum = (Sum){0};
        const double start = now_ns();
        for (uint32_t i = 0; i < CURVES; i++)
            for (int k = 1; k < TIMES; k++)
                sum->checksum += halvings
                                     ? curve_eval(curve_of(i), (double)k / TIMES, halvings)
                                     : newton(curve_of(i), (double)k / TIMES, &sum->iterations);
        const double ns = (now_ns() - start) / (CURVES * (TIMES - 1.0));
        best = ns < best ? ns : best;
    }
    for (uint32_t i = 0; i < CURVES; i++)
        for (int k = 1; k < TIMES; k++) {
            uint64_t ignored = 0;
            const double t = (double)k / TIMES;
            const double y =
                halvings ? curve_eval(curve_of(i), t, halvings) : newton(curve_of(i), t, &ignored);
            sum->worst = fmax(sum->worst, fabs(y - curve_eval(curve_of(i), t, CURVE_MAX_HALVINGS)));
        }
    return best;
}

int main(void)
{
    static const int halvings[] = {12, 15, 24, 0};
    double first = 0;
    printf("curve                 ns/call  ratio  iterations  worst |y - exact|\n");
    for (int i = 0; i < 4; i++) {
        Sum sum;
        const double ns = run(&sum, halvings[i]);
        if (i == 0)
            first = ns;
        char name[32];
        snprintf(name, sizeof name, halvings[i] ? "bisection, %d" : "Newton to 2^-16", halvings[i]);
        const double steps =
            halvings[i] ? halvings[i] : (double)sum.iterations / (CURVES * (TIMES - 1.0));
        printf("%-20s %8.1f %6.2f %11.1f %18.2e\n", name, ns, ns / first, steps, sum.worst);
    }
    return 0;
}
