// SPDX-License-Identifier: MIT
/* Cloth of a job in its first frames at 30 frames/s: time per frame; after the first second the
 * number of masses inside capsules, and for how long arms and legs led through the wall of a closed
 * shape.  usage: bench_wear JOB [FRAMES]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cloth_probe.h"
#include "evaluate/frame.h"
#include "job/job.h"
#include "job/job_scene.h"

enum { FRAMES = 300, FIRST_SECOND = 30 };
static const double DEEP = 0.05, LONG = 1.5;

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static const struct {
    const char *name;
    unsigned bits;
} KINDS[] = {{"firm bodies", CLOTH_FIRM_BODIES},
             {"what is beside an arm in a sleeve", CLOTH_SECOND_BODIES},
             {"all bodies", CLOTH_ALL_BODIES}};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

/* The bones along whose line an arm or a leg lies. */
enum { LIMBS = 4, JOINTS = 3 };
static const char *const LINES[LIMBS][JOINTS] = {{"左腕", "左ひじ", "左手首"},
                                                 {"右腕", "右ひじ", "右手首"},
                                                 {"左足", "左ひざ", "左足首"},
                                                 {"右足", "右ひざ", "右足首"}};

/* In how many frames something was so, and the longest run of them, with its last frame. */
typedef struct Time {
    int frames, run, longest, last;
} Time;

typedef struct Count {
    uint32_t masses[KIND_COUNT], faces[KIND_COUNT];
    double deepest[KIND_COUNT], face_deepest[KIND_COUNT];
    double stretch; /* the longest link of all frames / its length at rest */
    int stretched;  /* frames with a link above LONG */
    bool diverged;
    Time through; /* an arm or a leg led through the wall */
} Count;

static void add_frame(Time *time, int frame, bool through)
{
    time->frames += through;
    time->run = through ? time->run + 1 : 0;
    if (time->run > time->longest) {
        time->longest = time->run;
        time->last = frame;
    }
}

/* Whether the limb of a collider is that whose first bone this is. */
static bool is_part(const ClothCollider *c, const PmxModel *pmx, int32_t first)
{
    int32_t bone = c->limb.known ? c->limb.bone : -1;
    for (uint32_t i = 0; bone >= 0 && bone != first && i < pmx->bone_count; i++)
        bone = pmx->bones[bone].parent;
    return bone >= 0 && bone == first;
}

/* D bones lie on those whose names they extend, and turn as these do. */
static bool is_in(const ClothPlan *plan, const Model *model, const char *name)
{
    char extended[32];
    snprintf(extended, sizeof extended, "%sD", name);
    const int32_t bones[2] = {model_find_bone(model, name), model_find_bone(model, extended)};

    for (uint32_t i = 0; i < plan->collider_count; i++)
        for (int k = 0; k < 2; k++)
            if (bones[k] >= 0 && is_part(&plan->colliders[i], &model->pmx, bones[k]))
                return true;
    return false;
}

static void look_for_limbs(Count *count, const Cloth *cloth, const ClothPlan *plan,
                           const Model *model, const ModelState *state, int frame)
{
    uint32_t crossed = 0;

    for (int limb = 0; limb < LIMBS; limb++)
        for (int k = 0; k + 1 < JOINTS && is_in(plan, model, LINES[limb][0]); k++) {
            const int32_t a = model_find_bone(model, LINES[limb][k]);
            const int32_t b = model_find_bone(model, LINES[limb][k + 1]);
            if (a >= 0 && b >= 0)
                crossed += cloth_count_crossed(
                    cloth, placement_point(&state->placement, vec3_load(state->bones[a].position)),
                    placement_point(&state->placement, vec3_load(state->bones[b].position)));
        }
    add_frame(&count->through, frame, crossed > 0);
}

static void look(Count *count, const Cloth *cloth)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        double deepest;
        count->masses[k] += cloth_count_inside(cloth, KINDS[k].bits, DEEP, &deepest);
        count->deepest[k] = fmax(count->deepest[k], deepest);
        count->faces[k] += cloth_count_faces_inside(cloth, KINDS[k].bits, DEEP, &deepest);
        count->face_deepest[k] = fmax(count->face_deepest[k], deepest);
    }
    const double stretch = cloth_greatest_stretch(cloth);
    count->stretch = fmax(count->stretch, stretch);
    count->stretched += stretch > LONG;
    count->diverged |= cloth_has_diverged(cloth);
}

static void print_count(const Count *count, int k)
{
    printf("    %s: %u masses and %u faces deeper than %g; deepest %.3f and %.3f\n", KINDS[k].name,
           count->masses[k], count->faces[k], DEEP, count->deepest[k], count->face_deepest[k]);
}

static void wear(const Scene *scene, int frames, Arena *arena)
{
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    Count *counts = arena_array(arena, Count, scene->cloth_count);
    double ms = 0;

    for (int f = 0; f < frames; f++) {
        const double start = now_ms();
        evaluate_frame(state, evaluator, scene, f);
        ms += f > 0 ? now_ms() - start : 0; /* after loading and settling */
        for (size_t i = 0; f >= FIRST_SECOND && i < scene->cloth_count; i++) {
            const ClothPlan *plan = &scene->cloths[i];
            look(&counts[i], evaluator_cloth(evaluator, i));
            look_for_limbs(&counts[i], evaluator_cloth(evaluator, i), plan,
                           scene->models[plan->owner].model, &state->models[plan->owner], f);
        }
    }
    for (size_t i = 0; i < scene->cloth_count; i++)
        printf("cloth %zu: %u colliders\n", i, scene->cloths[i].collider_count);
    printf("%.2f ms a frame, all of evaluation\n", ms / (frames - 1));
    for (size_t i = 0; i < scene->cloth_count; i++) {
        const ClothTopology *topology = &scene->cloths[i].topology;
        printf("cloth %zu: %u masses, %u springs, %d substeps%s\n", i, topology->mass_count,
               topology->spring_count, topology->substeps, counts[i].diverged ? ", diverged" : "");
        printf("    longest link %.2f of its length; %d frames with links above %g\n",
               counts[i].stretch, counts[i].stretched, LONG);
        for (int k = 0; k < KIND_COUNT; k++)
            print_count(&counts[i], k);
        if (vec3_length(scene->cloths[i].axis) > 0)
            printf("    arms or legs through the wall in %d frames, at most %d without a break, to "
                   "frame %d\n",
                   counts[i].through.frames, counts[i].through.longest, counts[i].through.last);
    }
    evaluator_destroy(evaluator);
}

int main(int argc, char **argv)
{
    const JobSource source = {.path = argc > 1 ? argv[1] : ""};
    const int frames = argc > 2 ? atoi(argv[2]) : FRAMES;
    Arena *arena = arena_create();
    Diag diag;
    Job job;
    Scene scene;

    diag_init(&diag, NULL, NULL);
    if (argc < 2) {
        fprintf(stderr, "usage: bench_wear JOB [FRAMES]\n");
        return 2;
    }
    if (!job_load(&job, &source, arena, &diag) || frames < 2)
        return 1;
    const SceneSpec spec = job_scene_spec(&job, false, arena);
    if (!scene_load(&scene, &spec, arena, &diag))
        return 1;
    wear(&scene, frames, arena);
    arena_destroy(arena);
    return 0;
}
