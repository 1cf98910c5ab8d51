// SPDX-License-Identifier: MIT
/*
 * How far the joints of loops of bodies come apart: garlands, straps and rings of many sizes.
 *
 * usage: bench_loops MOTION [FRAMES [MODEL]]
 *
 * Prints the widest joint in units for each garland; with a model, for its joints instead.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "evaluate/frame.h"
#include "format/motion/vmd.h"
#include "garland_fixture.h"
#include "scene_fixture.h"

static const char *const ties[GARLAND_TIES] = {"head", "strap", "arms", "ring", "lock"};
static const uint32_t lengths[] = {6, 8, 12, 20, 30, 40, 60};
static const float masses[] = {0.01f, 0.1f, 1, 10};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

typedef struct Widest {
    float gap;
    uint32_t joint;
    int frame, above; /* frames in which a joint is open by more than 0.2 */
    double ms;
} Widest;

static Widest dance(const Scene *scene, int frames, Arena *arena)
{
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    Widest widest = {0};

    const double start = now_ms();
    for (int f = 0; f < frames; f++) {
        uint32_t joint = 0;
        evaluate_frame(state, evaluator, scene, f);
        const float gap =
            garland_widest_gap(evaluator_world(evaluator), &scene->models[0].model->pmx, &joint);
        widest.above += gap > 0.2f;
        if (gap > widest.gap) {
            widest.gap = gap;
            widest.joint = joint;
            widest.frame = f;
        }
    }
    widest.ms = (now_ms() - start) / frames;
    evaluator_destroy(evaluator);
    return widest;
}

static float dance_garland(GarlandSpec spec, const VmdMotion *motion, int frames, double *ms)
{
    Arena *arena = arena_create();
    Scene *scene = fixture_scene(fixture_garland(&spec, arena), motion, (Compat){0}, arena);

    scene->models[0].spec.physics = true;
    scene->physics = PHYSICS_DEFAULT;
    const Widest widest = dance(scene, frames, arena);
    arena_destroy(arena);
    *ms += widest.ms;
    return widest.gap;
}

static void print_garlands(const VmdMotion *motion, int frames)
{
    double ms = 0;

    printf("ties   mass ");
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
        printf("%7u", lengths[n]);
    printf(" links\n");
    for (int tie = 0; tie < GARLAND_TIES; tie++)
        for (size_t m = 0; m < sizeof masses / sizeof *masses; m++) {
            printf("%-5s %5g ", ties[tie], (double)masses[m]);
            for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
                printf("%7.3f", (double)dance_garland(
                                    (GarlandSpec){(GarlandTie)tie, lengths[n], masses[m], 1.5f},
                                    motion, frames, &ms));
            printf("\n");
        }
    printf("%.3f ms a frame\n",
           ms / (GARLAND_TIES * sizeof lengths / sizeof *lengths * sizeof masses / sizeof *masses));
}

static void print_model(const char *file, const VmdMotion *motion, int frames, Arena *arena,
                        Diag *diag)
{
    PmxModel pmx;
    Bytes bytes;

    if (!file_load(&bytes, file, SIZE_MAX, arena, diag) || !pmx_load(&pmx, bytes, arena, diag))
        exit(1);
    Scene *scene = fixture_scene(pmx, motion, (Compat){0}, arena);
    scene->models[0].spec.physics = true;
    scene->physics = PHYSICS_DEFAULT;
    const Widest w = dance(scene, frames, arena);
    printf("%s: joint %u %s open by %.3f at frame %d, %d frames above 0.2, %.2f ms a frame\n", file,
           w.joint, pmx.joints[w.joint].name, (double)w.gap, w.frame, w.above, w.ms);
}

int main(int argc, char **argv)
{
    Arena *arena = arena_create();
    VmdMotion motion;
    Bytes bytes;
    Diag diag;

    diag_init(&diag, NULL, NULL);
    if (argc < 2) {
        fprintf(stderr, "usage: bench_loops MOTION [FRAMES [MODEL]]\n");
        return 2;
    }
    if (!file_load(&bytes, argv[1], SIZE_MAX, arena, &diag) ||
        !vmd_load(&motion, bytes, arena, &diag))
        return 1;
    const int frames = argc > 2 ? atoi(argv[2]) : 300;
    if (argc > 3)
        print_model(argv[3], &motion, frames, arena, &diag);
    else
        print_garlands(&motion, frames);
    arena_destroy(arena);
    return 0;
}
