// SPDX-License-Identifier: MIT
/* A skirt of 40 x 30 masses on moving legs: ms per frame of 1/30 s (8 ticks), one row per
 * integrator. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "cloth_probe.h"
#include "cloth_tuning.h"

enum { COLUMNS = 40, ROWS = 30, FRAMES = 60, TICKS = 8, BODIES = 4 };

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* A cone from radius 1 at y = 10 to radius 3 at y = 4, its first row fixed. */
static void sew(ClothTopology *topology, const ClothTuning *tuning, Arena *arena)
{
    cloth_topology_init(topology, tuning, COLUMNS * ROWS, arena);
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) {
        const double down = (double)(i / COLUMNS) / (ROWS - 1), radius = 1 + 2 * down;
        const double angle = 6.283185307179586 * (i % COLUMNS) / COLUMNS;
        topology->rest[i] = (Vec3){radius * sin(angle), 10 - 6 * down, radius * cos(angle)};
        topology->pins[i] = i < COLUMNS;
    }
    cloth_topology_from_grid(topology, COLUMNS, ROWS, true, arena);
}

/* Two thighs and two shins of walking legs. */
static void stride(ClothBody bodies[BODIES], int tick)
{
    for (int i = 0; i < BODIES; i++) {
        const double side = i % 2 ? 0.8 : -0.8, swing = sin(tick * 0.03) * side;
        const Vec3 hip = {side, 9, 0}, knee = {side, 5, -3 * swing}, foot = {side, 1, -2 * swing};
        bodies[i] = (ClothBody){.shape = CLOTH_CAPSULE,
                                .a = i < 2 ? hip : knee,
                                .b = i < 2 ? knee : foot,
                                .radius = 0.8};
    }
}

int main(void)
{
    printf("cloth, 40 x 30     substeps  springs  ms/frame   ratio  diverged  inside\n");
    double first = 0;
    for (int i = 1; i < INTEGRATOR_COUNT; i++) {
        Arena *arena = arena_create();
        Diag diag;
        diag_init(&diag, NULL, NULL);
        ClothTuning tuning = CLOTH_TUNING_DEFAULT;
        tuning.integrator = i;
        ClothTopology topology;
        sew(&topology, &tuning, arena);
        if (!cloth_stability_choose_steps(&topology, &diag))
            return 1;
        ClothBody bodies[BODIES];
        Cloth *cloth = cloth_create(&topology, BODIES);
        stride(bodies, 0);
        cloth_reset(cloth, topology.rest, bodies);
        const double start = now_ms();
        for (int tick = 1; tick <= FRAMES * TICKS; tick++) {
            stride(bodies, tick);
            cloth_step(cloth, topology.rest, bodies);
        }
        const double ms = (now_ms() - start) / FRAMES;
        first = i == 1 ? ms : first;
        printf("%-18s %8d %8u %9.3f %7.2f %9s %7u\n", INTEGRATORS[i].name, topology.substeps,
               topology.spring_count, ms, ms / first, cloth_has_diverged(cloth) ? "yes" : "no",
               cloth_count_inside(cloth, CLOTH_ALL_BODIES, 0.05, NULL));
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
    return 0;
}
