// SPDX-License-Identifier: MIT
/*
 * What rigid bodies do to the bones of a model: trembling at rest, stretching and swinging.
 *
 * usage: bench_hair [-v] MODEL [MOTION [FRAMES [HZ]]]
 *
 * Without a motion the model stands still; after ten seconds the bones should be still, too, and
 * the largest rotation of each from frame to frame is printed.  With one, for all bones that bodies
 * move: how far the joint to the parent bone's body comes apart, as length of the link (from the
 * parent bone) divided by that at rest; the rotation relative to the parent; how far a bone turns
 * from frame to frame, in the world and relative to its parent.  -v prints the worst bones.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cglm/cglm.h>

#include "evaluate/frame.h"
#include "evaluate/physics/physics.h"

enum { STILL_FROM = 300, STILL_FRAMES = 420, SHOWN = 8 };
static const double DEGREE = 0.017453292519943295;
static const double WHIP = 90;    /* degrees relative to the parent, in a frame */
static const double SHORT = 0.05; /* units: shorter links are not measured */

typedef struct BoneRecord {
    uint32_t bone;
    uint32_t upper, lower;      /* bodies that a joint without play connects; equal: none */
    float pivot[2][3];          /* of the joint, in the space of both bodies */
    double length;              /* from the parent bone at rest, units */
    double tremble;             /* degrees a frame */
    double stretch;             /* of the rest length */
    int tremble_at, stretch_at; /* frames */
    uint32_t whips;             /* turns relative to the parent above WHIP */
} BoneRecord;

typedef struct Samples {
    float *values;
    size_t count;
} Samples;

typedef struct Study {
    const Model *model;
    BoneRecord *bones;
    uint32_t count;
    Samples angle, speed, turns; /* degrees; world, relative to the parent */
    BonePose *before;            /* of the last frame */
    double ms;
} Study;

static Scene load(const char *model, const char *motion, int hz, Arena *arena, Diag *diag)
{
    MotionSpec dance = {.file = motion, MOTION_DEFAULT};
    const ModelSpec figure = {.id = "figure",
                              .file = model,
                              .motions = &dance,
                              .motion_count = motion != NULL,
                              MODEL_DEFAULT,
                              .physics = true};
    const SceneSpec spec = {
        .models = &figure, .model_count = 1, .compat = COMPAT_DEFAULT, .physics = PHYSICS_DEFAULT};
    Scene scene;

    if (!scene_load(&scene, &spec, arena, diag))
        exit(1);
    scene.physics.step_hz = hz;
    return scene;
}

static double distance(const float a[3], const float b[3])
{
    return hypot(hypot((double)a[0] - (double)b[0], (double)a[1] - (double)b[1]),
                 (double)a[2] - (double)b[2]);
}

/* Angle between two rotations, degrees; exact for small ones. */
static double turn(const float a[4], const float b[4])
{
    double plus = 0, minus = 0;

    for (int i = 0; i < 4; i++) {
        plus += ((double)a[i] + (double)b[i]) * ((double)a[i] + (double)b[i]);
        minus += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    }
    return 4 * atan2(sqrt(fmin(plus, minus)), sqrt(fmax(plus, minus))) / DEGREE;
}

/* The rotation of a bone relative to its parent. */
static void relative(float out[4], const BonePose *bone, const BonePose *parent)
{
    versor inverse, result;
    const float *p = parent->rotation, *b = bone->rotation;

    glm_quat_conjugate((versor){p[0], p[1], p[2], p[3]}, inverse);
    glm_quat_mul(inverse, (versor){b[0], b[1], b[2], b[3]}, result);
    memcpy(out, result, sizeof result);
}

static void sample(Samples *samples, double value)
{
    samples->values[samples->count++] = (float)value;
}

/* q v q^-1 */
static void rotate(float out[3], const float q[4], const float v[3])
{
    vec4 rotation = {q[0], q[1], q[2], q[3]};
    vec3 vector = {v[0], v[1], v[2]}, turned;

    glm_quat_rotatev(rotation, vector, turned);
    memcpy(out, turned, sizeof turned);
}

static double gap(const BoneRecord *r, const World *world)
{
    float ends[2][3];

    for (int i = 0; i < 2; i++) {
        BonePose pose;

        world_body(&pose, world, 0, i ? r->lower : r->upper, 1);
        rotate(ends[i], pose.rotation, r->pivot[i]);
        for (int k = 0; k < 3; k++)
            ends[i][k] += pose.position[k];
    }
    return distance(ends[0], ends[1]);
}

static void look_at_bone(Study *study, BoneRecord *r, const World *world, const BonePose *now,
                         int frame)
{
    const int32_t parent = study->model->pmx.bones[r->bone].parent;
    const double speed = turn(study->before[r->bone].rotation, now[r->bone].rotation);

    if (r->upper != r->lower && r->length > SHORT) {
        const double ratio = 1 + gap(r, world) / r->length;
        if (ratio > r->stretch) {
            r->stretch = ratio;
            r->stretch_at = frame;
        }
    }
    sample(&study->angle, turn(now[r->bone].rotation, now[parent].rotation));
    if (frame > 0) {
        float from[4], to[4];
        relative(from, &study->before[r->bone], &study->before[parent]);
        relative(to, &now[r->bone], &now[parent]);
        sample(&study->speed, speed);
        sample(&study->turns, turn(from, to));
        r->whips += turn(from, to) > WHIP;
    }
    if (frame > STILL_FROM && speed > r->tremble) {
        r->tremble = speed;
        r->tremble_at = frame;
    }
}

/* The joint's position in the space of a body at rest, whose rotation is Ry * Rx * Rz. */
static void find_pivot(float out[3], const PmxBody *body, const float joint[3])
{
    versor x, y, z, yx, rotation, back;
    float offset[3];

    glm_quatv(x, body->rotation[0], (vec3){1, 0, 0});
    glm_quatv(y, body->rotation[1], (vec3){0, 1, 0});
    glm_quatv(z, body->rotation[2], (vec3){0, 0, 1});
    glm_quat_mul(y, x, yx);
    glm_quat_mul(yx, z, rotation);
    glm_quat_conjugate(rotation, back);
    for (int k = 0; k < 3; k++)
        offset[k] = joint[k] - body->position[k];
    rotate(out, back, offset);
}

static bool has_play(const PmxJoint *joint)
{
    for (int k = 0; k < 3; k++)
        if (fabsf(joint->linear_lower[k]) + fabsf(joint->linear_upper[k]) > 0)
            return true;
    return false;
}

/* The first joint without play between the body of the bone and one of its parent. */
static void find_joint(BoneRecord *r, const Model *model)
{
    const PmxModel *pmx = &model->pmx;
    const int32_t lower = model->dynamics.mover[r->bone], parent = pmx->bones[r->bone].parent;

    for (uint32_t j = 0; j < pmx->joint_count && r->upper == r->lower; j++) {
        const PmxJoint *joint = &pmx->joints[j];
        const int32_t upper = joint->body_a == lower ? joint->body_b : joint->body_a;

        if ((joint->body_a != lower && joint->body_b != lower) || !model->dynamics.joint_works[j] ||
            pmx->bodies[upper].bone != parent || has_play(joint))
            continue;
        r->upper = (uint32_t)upper;
        r->lower = (uint32_t)lower;
        find_pivot(r->pivot[0], &pmx->bodies[upper], joint->position);
        find_pivot(r->pivot[1], &pmx->bodies[lower], joint->position);
    }
    r->length = distance(pmx->bones[r->bone].position, pmx->bones[parent].position);
}

static void list_bones(Study *study, const Model *model, int frames, Arena *arena)
{
    study->model = model;
    study->bones = arena_array(arena, BoneRecord, model->pmx.bone_count);
    for (uint32_t b = 0; b < model->pmx.bone_count; b++) {
        const int32_t mover = model->dynamics.mover[b];

        if (mover >= 0 && model->pmx.bones[b].parent >= 0)
            study->bones[study->count++] = (BoneRecord){.bone = b};
    }
    for (uint32_t i = 0; i < study->count; i++)
        find_joint(&study->bones[i], model);
    study->before = arena_array(arena, BonePose, model->pmx.bone_count);
    study->angle.values = arena_array(arena, float, (size_t)frames * study->count + 1);
    study->speed.values = arena_array(arena, float, (size_t)frames * study->count + 1);
    study->turns.values = arena_array(arena, float, (size_t)frames * study->count + 1);
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void run(Study *study, const Scene *scene, int frames, Arena *arena)
{
    const size_t bones = scene->models[0].model->pmx.bone_count;
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);

    for (int f = 0; f < frames; f++) {
        const double start = now_ms();
        evaluate_frame(state, evaluator, scene, f);
        study->ms += f > 0 ? now_ms() - start : 0;
        for (uint32_t i = 0; i < study->count; i++)
            look_at_bone(study, &study->bones[i], evaluator_world(evaluator),
                         state->models[0].bones, f);
        memcpy(study->before, state->models[0].bones, bones * sizeof *study->before);
    }
    evaluator_destroy(evaluator);
}

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double quantile(const Samples *samples, double part)
{
    if (samples->count == 0)
        return 0;
    qsort(samples->values, samples->count, sizeof *samples->values, by_value);
    return (double)samples->values[(size_t)(part * (double)(samples->count - 1))];
}

static int by_tremble(const void *a, const void *b)
{
    const double x = ((const BoneRecord *)a)->tremble, y = ((const BoneRecord *)b)->tremble;
    return (x < y) - (x > y);
}

static int by_stretch(const void *a, const void *b)
{
    const double x = ((const BoneRecord *)a)->stretch, y = ((const BoneRecord *)b)->stretch;
    return (x < y) - (x > y);
}

static void print_worst(Study *study, bool still)
{
    for (uint32_t i = 0; i < study->count && i < SHOWN; i++) {
        const BoneRecord *r = &study->bones[i];
        const char *name = study->model->pmx.bones[r->bone].name;

        if (still)
            printf("  %-20s %8.4f degrees at frame %d\n", name, r->tremble, r->tremble_at);
        else
            printf("  %-20s %8.4f at frame %d, %u quick turns\n", name, r->stretch, r->stretch_at,
                   r->whips);
    }
}

static void report(Study *study, const char *file, int frames, bool still, bool verbose)
{
    uint32_t trembling = 0, stretched = 0, whips = 0;

    for (uint32_t i = 0; i < study->count; i++) {
        trembling += study->bones[i].tremble > 0.05;
        stretched += study->bones[i].stretch > 1.1;
        whips += study->bones[i].whips;
    }
    qsort(study->bones, study->count, sizeof *study->bones, still ? by_tremble : by_stretch);
    printf("%s: %u bones, %d frames, %.2f ms a frame\n", file, study->count, frames,
           study->ms / (frames - 1));
    if (still)
        printf("  still: %u bones above 0.05 degrees a frame, at most %.4f\n", trembling,
               study->count > 0 ? study->bones[0].tremble : 0.0);
    else
        printf("  length: %u bones above 1.1, at most %.4f\n", stretched,
               study->count > 0 ? study->bones[0].stretch : 0.0);
    printf("  angle to the parent: median %.3f, 90 %% %.3f; change a frame: median %.4f, 90 %% "
           "%.4f degrees\n",
           quantile(&study->angle, 0.5), quantile(&study->angle, 0.9), quantile(&study->speed, 0.5),
           quantile(&study->speed, 0.9));
    printf("  turns relative to the parent: %u above %g degrees a frame, 99 %% %.3f\n", whips, WHIP,
           quantile(&study->turns, 0.99));
    if (verbose)
        print_worst(study, still);
}

int main(int argc, char **argv)
{
    const bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    char **operands = argv + 1 + verbose;
    const int count = argc - 1 - verbose;
    Arena *arena = arena_create();
    Study study = {0};
    Diag diag;

    diag_init(&diag, NULL, NULL);
    if (count < 1) {
        fprintf(stderr, "usage: bench_hair [-v] MODEL [MOTION [FRAMES [HZ]]]\n");
        return 2;
    }
    const bool still = count < 2;
    const int frames = count > 2 ? atoi(operands[2]) : STILL_FRAMES;
    const int hz = count > 3 ? atoi(operands[3]) : 120;
    const Scene scene = load(operands[0], still ? NULL : operands[1], hz, arena, &diag);
    list_bones(&study, scene.models[0].model, frames, arena);
    run(&study, &scene, frames, arena);
    report(&study, operands[0], frames, still, verbose);
    arena_destroy(arena);
    return 0;
}
