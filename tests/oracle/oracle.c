// SPDX-License-Identifier: MIT
/*
 * oracle.c - compares poses with those of other programs: one row per case and quantity
 *
 *     oracle [DIRECTORY]       all programs, and the report on IK
 *     oracle-peer [DIRECTORY]  the same program with babylon-mmd's own bisection (peer_curve.c),
 * against babylon-mmd only and with tight tolerances, so that the differences that remain do not
 * come from the curve
 *
 * DIRECTORY holds data/ and oracle/; the default is $SHARED, then ../shared.  The last line counts
 * the rows as tests/run.sh expects it.  Exit status 1 if a row exceeds its tolerance without a
 * known reason; 0 also where the directory is missing, as a skipped test.
 */
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "dump.h"
#include "evaluate/frame.h"
#include "ik_report.h"
#include "math/rotation.h"
#include "render/renderer.h"
#include "skin_model.h"
#include "table.h"
#include "traits.h"

#ifdef ORACLE_PEER
static const bool peer = true;
#else
static const bool peer = false;
#endif

typedef enum Program { BABYLON, MMD_ANIM, SABA, PROGRAM_COUNT } Program;

static const char *const program_names[] = {"babylon", "mmd-anim", "saba"};

/* ---- quantities ---- */

typedef enum Quantity {
    BY_KEYS,
    BY_APPEND,
    BY_LOCAL_APPEND,
    BY_MOVING_APPEND,
    BY_FIXED_AXIS,
    BY_MANY_MORPHS,
    BY_EARLY_PARENT,
    IK_BENT,
    IK_FOOT,
    IK_STRAIGHT,
    IK_LOCAL_KNEE,
    IK_MANY_LIMITS,
    QUANTITY_COUNT
} Quantity;

static const char *const quantity_names[] = {"bones by keys",
                                             "append",
                                             "append, local flag",
                                             "append, moving",
                                             "fixed axis",
                                             "several bone morphs",
                                             "before their parent",
                                             "IK, bent",
                                             "IK, feet",
                                             "IK, stretched",
                                             "IK, knee with own axes",
                                             "IK, several limits"};

/* The reason why a program's values differ for a quantity, or NULL if they must agree. */
static const char *exception_of(Quantity quantity, Program program)
{
    switch (quantity) {
    case BY_EARLY_PARENT:
        return "no two programs agree; here the parent's keys count";
    case BY_MANY_MORPHS:
        return program == BABYLON ? "it combines several morphs of a bone in another order" : NULL;
    case BY_LOCAL_APPEND:
        return program == BABYLON ? "it uses the source's world rotation" : NULL;
    case BY_MOVING_APPEND:
        return program == SABA ? "it lacks append of translation" : NULL;
    case BY_FIXED_AXIS:
        return program == BABYLON ? "it projects after interpolating, MMD before"
               : program == SABA  ? "it does not project keys"
                                  : NULL;
    case IK_LOCAL_KNEE:
        return program == MMD_ANIM
                   ? "it rotates such knees in their local axes, as no other program does"
                   : NULL;
    case IK_MANY_LIMITS:
        return program == BABYLON
                   ? NULL
                   : "it composes Euler angles in another order than it decomposes them";
    case IK_STRAIGHT:
        return "all programs converge slowly there and end differently";
    default:
        return NULL;
    }
}

static const char *case_exception(const char *name, Program program, Quantity quantity)
{
    if (program == SABA && strstr(name, "pmd") && quantity == BY_APPEND)
        return "it ignores the append of PMD bones";
    if (program == SABA && strstr(name, "curve-rule") && quantity <= BY_APPEND)
        return "only frame 60, where mmd-anim agrees with us";
    if (strstr(name, "bonetree") && quantity != BY_KEYS)
        return "chaotic chains: only bones without IK are compared";
    if (strstr(name, "multi") && quantity >= IK_BENT)
        return "a unit angle of 0 stops its IK; here it means no limit";
    return NULL;
}

static Tolerance tolerance_of(Quantity quantity, Program program)
{
    const bool ik = quantity >= IK_BENT;
    if (ik && peer)
        return (Tolerance){1e-4, 0.002, 0};
    if (ik)
        return (Tolerance){0.25, 2.8, quantity == IK_BENT ? 0.02 : 0};
    if (peer)
        return (Tolerance){1e-4, 0.001, 0};
    return program == MMD_ANIM ? (Tolerance){3e-4, 0.003, 0} : (Tolerance){5e-4, 0.005, 0};
}

static Quantity quantity_of(unsigned traits, Program program, bool bent)
{
    if (traits & TRAIT_EARLY)
        return BY_EARLY_PARENT;
    if (traits & TRAIT_MORPHED && program == BABYLON)
        return BY_MANY_MORPHS;
    if (traits & TRAIT_APPEND_LOCAL && program == BABYLON)
        return BY_LOCAL_APPEND;
    if (traits & TRAIT_APPEND_MOVE && program == SABA)
        return BY_MOVING_APPEND;
    if (traits & TRAIT_FIXED_AXIS && program != MMD_ANIM)
        return BY_FIXED_AXIS;
    if (traits & TRAIT_IK_LIMITED)
        return IK_MANY_LIMITS;
    if (traits & TRAIT_LOCAL_KNEE && program == MMD_ANIM)
        return IK_LOCAL_KNEE;
    if (traits & TRAIT_IK)
        return !bent ? IK_STRAIGHT : traits & TRAIT_IK_FOOT ? IK_FOOT : IK_BENT;
    return traits & TRAIT_APPEND ? BY_APPEND : BY_KEYS;
}

/* ---- one case ---- */

typedef struct Case {
    const char *name; /* of the file, without its ends */
    Program program;
    Dump dump;
    const char *model, *motion, *camera; /* paths; motion and camera may be NULL */
    Arena *arena;
    Table *table;
} Case;

static void print_errors(void *user, const DiagMessage *message)
{
    (void)user;
    if (message->level == DIAG_ERROR)
        fprintf(stderr, "oracle: %s\n", message->shown);
}

static Scene *load_scene(const Case *c, IkFamily ik)
{
    Diag diag;
    diag_init(&diag, print_errors, NULL);
    MotionSpec motion = {.file = c->motion, MOTION_DEFAULT};
    const ModelSpec model = {.id = "model",
                             .file = c->model,
                             .motions = &motion,
                             .motion_count = c->motion != NULL,
                             MODEL_DEFAULT};
    MotionSpec camera = {.file = c->camera, MOTION_DEFAULT};
    SceneSpec spec = {.models = &model,
                      .model_count = 1,
                      .camera.motion = c->camera ? &camera : NULL,
                      .compat = COMPAT_DEFAULT};
    spec.compat.curve_halvings = c->program == MMD_ANIM ? 12 : 15;
    spec.compat.append_chain = c->program == BABYLON ? APPEND_OWN : APPEND_APPENDED;
    spec.compat.ik = ik;
    Scene *scene = arena_alloc(c->arena, sizeof *scene);
    return scene_load(scene, &spec, c->arena, &diag) ? scene : NULL;
}

static double units_between(const float *a, const float *b)
{
    return vec3_length(vec3_sub(vec3_load(a), vec3_load(b)));
}

static double degrees_between(const float *a, const float *b)
{
    const Quat between =
        quat_mul(quat_inverse(quat_normalize(quat_load(a))), quat_normalize(quat_load(b)));
    const Vec3 v = {between.x, between.y, between.z};
    return 2 * atan2(vec3_length(v), fabs(between.w)) * 180 / M_PI;
}

static void add_sample(Errors *errors, Arena *arena, double units, double degrees, double frame,
                       size_t index)
{
    *arena_push(arena, errors) = (Sample){units, degrees, frame, index};
}

/* A chain is bent when its goal is nearer than 0.99 of its length; a single link is never
 * stretched. */
static bool chain_is_bent(const PmxModel *pmx, uint32_t goal, const BonePose *bones)
{
    const PmxIk *ik = &pmx->bones[goal].ik;
    const int32_t top = ik->links[ik->link_count - 1].bone;
    double length = 0;
    if (ik->link_count < 2 || top < 0)
        return true;
    for (int32_t at = ik->effector; at >= 0 && at != top; at = pmx->bones[at].parent)
        if (pmx->bones[at].parent >= 0)
            length += units_between(bones[at].position, bones[pmx->bones[at].parent].position);
    return units_between(bones[top].position, bones[goal].position) < 0.99 * length;
}

static uint64_t stretched_chains(const Model *model, const BonePose *bones)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < model->ik_count && i < 64; i++)
        if (!chain_is_bent(&model->pmx, model->ik_bones[i], bones))
            bits |= UINT64_C(1) << i;
    return bits;
}

typedef struct Findings {
    Errors by[QUANTITY_COUNT], morphs, camera, ours, theirs; /* the last two: effector to goal */
} Findings;

static void compare_frame(Findings *f, const Case *c, const Model *model, const Traits *traits,
                          const DumpFrame *theirs, const FrameState *ours)
{
    const BonePose *bones = ours->models[0].bones;
    const uint64_t stretched = stretched_chains(model, bones);
    for (uint32_t i = 0; i < model->pmx.bone_count && i < c->dump.bone_count; i++) {
        const bool bent = !(traits->chains[i] & stretched);
        add_sample(&f->by[quantity_of(traits->of[i], c->program, bent)], c->arena,
                   units_between(bones[i].position, theirs->bones[i]),
                   degrees_between(bones[i].rotation, theirs->bones[i] + 3), theirs->frame, i);
    }
    for (uint32_t i = 0; i < model->pmx.morph_count && i < c->dump.morph_count; i++)
        add_sample(&f->morphs, c->arena,
                   fabs((double)(ours->models[0].key_weights[i] - theirs->morphs[i])), 0,
                   theirs->frame, i);
    for (uint32_t i = 0; i < model->ik_count; i++) {
        const uint32_t goal = model->ik_bones[i];
        const int32_t effector = model->pmx.bones[goal].ik.effector;
        if (goal >= c->dump.bone_count || (uint32_t)effector >= c->dump.bone_count)
            continue;
        add_sample(&f->ours, c->arena,
                   units_between(bones[goal].position, bones[effector].position), 0, theirs->frame,
                   goal);
        add_sample(&f->theirs, c->arena,
                   units_between(theirs->bones[goal], theirs->bones[effector]), 0, theirs->frame,
                   goal);
    }
    if (!theirs->has_camera || !c->camera)
        return;
    const CameraState *camera = &ours->camera;
    const CameraAxes axes = camera_axes(camera);
    const float values[14] = {camera->target[0],   camera->target[1],   camera->target[2],
                              camera->rotation[0], camera->rotation[1], camera->rotation[2],
                              camera->distance,    camera->fov_deg,     axes.eye[0],
                              axes.eye[1],         axes.eye[2],         axes.up[0],
                              axes.up[1],          axes.up[2]};
    /* saba's eye turns with the roll, and looks backwards if the distance is not negative */
    const bool odd = c->program == SABA && (theirs->camera[5] != 0 || theirs->camera[6] >= 0);
    for (size_t i = 0; i < (odd ? 8u : 14u); i++)
        add_sample(&f->camera, c->arena, fabs((double)(values[i] - theirs->camera[i])), 0,
                   theirs->frame, i);
}

static Findings compare(const Case *c, const Scene *scene, const Traits *traits)
{
    Findings findings = {0};
    FrameState *state = frame_state_create(scene, c->arena);
    Evaluator *evaluator = evaluator_create(scene);
    for (size_t i = 0; i < c->dump.frame_count; i++) {
        evaluate_frame(state, evaluator, scene, c->dump.frames[i].frame);
        compare_frame(&findings, c, scene->models[0].model, traits, &c->dump.frames[i], state);
    }
    evaluator_destroy(evaluator);
    return findings;
}

/* babylon-mmd and saba stop their bisection early, unlike 15 halvings: see peer_curve.c. */
static const char *curve_exception(const Case *c, const Errors *errors, double units,
                                   double degrees)
{
    if (c->program == MMD_ANIM || peer || !errors->count)
        return NULL;
    const Statistics s = errors_statistics(errors, c->arena);
    if (s.units > units || s.degrees > degrees)
        return NULL;
    return c->program == BABYLON ? "its bisection stops at |dx| < 1e-5: see its own rule below"
                                 : "its bisection stops at |dx| < 1e-5";
}

/* Why the plane family may differ from another program's IK by less than a few degrees. */
static const char *ik_exception(const Case *c, const Errors *errors)
{
    if (c->program == BABYLON)
        return "another family of rules; its own is the row \"(pmxe)\"";
    const Statistics s = errors_statistics(errors, c->arena);
    if (s.units < 0.25 && s.degrees < 2.8 && s.median_degrees < 0.1)
        return "it computes in float and ignores angles below 0.02 degrees";
    return NULL;
}

static void print_bones(const Case *c, const Findings *f, bool ik_only, const char *suffix)
{
    for (int q = ik_only ? IK_BENT : BY_KEYS; q < QUANTITY_COUNT; q++) {
        const char *exception = case_exception(c->name, c->program, (Quantity)q);
        if (!exception)
            exception = exception_of((Quantity)q, c->program);
        if (!exception && q <= BY_APPEND)
            exception = curve_exception(c, &f->by[q], 1.5e-3, 0.015);
        if (!exception && q >= IK_BENT && !*suffix && !peer && f->by[q].count)
            exception = ik_exception(c, &f->by[q]);
        char quantity[64];
        snprintf(quantity, sizeof quantity, "%s%s", quantity_names[q], suffix);
        Tolerance tolerance = tolerance_of((Quantity)q, c->program);
        if (*suffix && !peer) /* the same family */
            tolerance = (Tolerance){1e-3, 0.01, 0};
        table_row(c->table, c->name, quantity, &f->by[q], tolerance, exception);
    }
}

static void print_residuals(const Findings *f, const Case *c)
{
    if (!f->ours.count)
        return;
    const Statistics ours = errors_statistics(&f->ours, c->arena);
    const Statistics theirs = errors_statistics(&f->theirs, c->arena);
    printf("%-32s %-22s %8zu  ours: median %.5f, worst %.4f; theirs: median %.5f, worst %.4f\n",
           c->name, "IK, effector to goal", f->ours.count, ours.median_units, ours.units,
           theirs.median_units, theirs.units);
}

/* ---- vertices ---- */

static void load_pose(FrameState *state, const DumpFrame *frame, uint32_t bone_count)
{
    for (uint32_t i = 0; i < bone_count; i++) {
        BonePose *bone = &state->models[0].bones[i];
        memcpy(bone->position, frame->bones[i], sizeof bone->position);
        memcpy(bone->rotation, frame->bones[i] + 3, sizeof bone->rotation);
    }
}

static Errors vertex_errors(const float (*a)[3], const float (*b)[3], uint32_t count, double frame,
                            Arena *arena)
{
    Errors errors = {0};
    for (uint32_t i = 0; i < count; i++)
        add_sample(&errors, arena, units_between(a[i], b[i]), 0, frame, i);
    return errors;
}

static void compare_vertices(const Case *c, const Scene *scene, const DumpFrame *frame,
                             const char *path)
{
    const Model *model = scene->models[0].model;
    const uint32_t count = model->pmx.vertex_count;
    Bytes bytes;
    if (!gunzip(&bytes, path, c->arena) || bytes.size != count * 3 * sizeof(float))
        return;
    float(*theirs)[3] = arena_copy(c->arena, bytes.data, bytes.size);
    float(*cpu)[3] = arena_calloc(c->arena, count, sizeof *cpu);
    float(*gpu)[3] = arena_calloc(c->arena, count, sizeof *gpu);
    FrameState *state = frame_state_create(scene, c->arena);
    Evaluator *evaluator = evaluator_create(scene);
    char name[96];
    snprintf(name, sizeof name, "%s @%g", c->name, frame->frame);

    evaluate_frame(state, evaluator, scene, frame->frame);
    skin_model(cpu, NULL, model, &state->models[0]);
    const Errors own = vertex_errors((const float(*)[3])cpu, (const float(*)[3])theirs, count,
                                     frame->frame, c->arena);
    table_row(c->table, name, "vertices, our bones", &own, (Tolerance){1e-4, 0, 0},
              model->ik_count ? "IK, fixed axes and curves, as above" : "its curve, as above");

    load_pose(state, frame, model->pmx.bone_count); /* to compare skinning only */
    skin_model(cpu, NULL, model, &state->models[0]);
    const Errors same = vertex_errors((const float(*)[3])cpu, (const float(*)[3])theirs, count,
                                      frame->frame, c->arena);
    table_row(c->table, name, "vertices, its bones", &same, (Tolerance){3e-5, 0, 0}, NULL);

    Diag diag;
    diag_init(&diag, print_errors, NULL);
    const RenderOptions options = {.width = 16, .height = 16, .samples = 1, .supersample = 1};
    Renderer *renderer = renderer_create(scene, &options, &diag);
    if (renderer && renderer_skin_positions(gpu, renderer, state, 0, &diag)) {
        const Errors on_gpu = vertex_errors((const float(*)[3])gpu, (const float(*)[3])theirs,
                                            count, frame->frame, c->arena);
        const Errors both = vertex_errors((const float(*)[3])gpu, (const float(*)[3])cpu, count,
                                          frame->frame, c->arena);
        table_row(c->table, name, "the same on the GPU", &on_gpu, (Tolerance){1e-4, 0, 0}, NULL);
        table_row(c->table, name, "GPU and CPU", &both, (Tolerance){1e-4, 0, 0}, NULL);
    }
    renderer_destroy(renderer);
    evaluator_destroy(evaluator);
}

static void compare_all_vertices(const Case *c, const Scene *scene, const char *directory)
{
    for (size_t i = 0; i < c->dump.frame_count; i++) {
        const DumpFrame *frame = &c->dump.frames[i];
        const char *path =
            arena_printf(c->arena, "%s/%s-f%g.f32.gz", directory, c->name, frame->frame);
        FILE *there = fopen(path, "rb");
        if (!there)
            continue;
        fclose(there);
        compare_vertices(c, scene, frame, path);
    }
}

/* ---- all cases ---- */

static bool find_assets(Case *c, const Assets *assets)
{
    const Dump *dump = &c->dump;
    c->model = assets_find(assets, dump->model);
    c->motion = dump->motion ? assets_find(assets, dump->motion) : NULL;
    c->camera = dump->camera ? assets_find(assets, dump->camera) : NULL;
    return c->model && !(dump->motion && !c->motion) && !(dump->camera && !c->camera);
}

static void run_case(Case *c, const Assets *assets, const char *directory)
{
    if (c->dump.physics || c->dump.stock_curves) {
        printf("%-32s skipped row: %s\n", c->name,
               c->dump.physics ? "it simulates bodies"
                               : "saba as it is, with curves of the wrong key");
        return;
    }
    const Scene *scene = find_assets(c, assets) ? load_scene(c, IK_PLANE) : NULL;
    if (!scene) {
        printf("%-32s FAIL: its model or motion is missing\n", c->name);
        c->table->failed++;
        return;
    }
    const Traits traits = traits_of(scene->models[0].model, c->arena);
    const Findings findings = compare(c, scene, &traits);
    const Tolerance camera = {c->program == SABA ? 4e-3 : 1e-4, 0, 0};

    if (!peer) {
        print_bones(c, &findings, false, "");
        print_residuals(&findings, c);
    }
    if (c->program == BABYLON) {
        const Scene *same_family = load_scene(c, IK_PMXE);
        const Findings same = compare(c, same_family, &traits);
        print_bones(c, &same, !peer, peer ? "" : " (pmxe)");
    }
    table_row(c->table, c->name, "morph weights", &findings.morphs, (Tolerance){1e-5, 0, 0}, NULL);
    table_row(c->table, c->name, "camera", &findings.camera, camera,
              curve_exception(c, &findings.camera, 2e-2, 0));
    if (c->program == SABA)
        compare_all_vertices(c, scene, directory);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_dump(const struct dirent *entry)
{
    const size_t size = strlen(entry->d_name);
    return size > 8 && !strcmp(entry->d_name + size - 8, ".json.gz");
}

static void run_program(Program program, const char *shared, const Assets *assets, Table *table)
{
    char directory[4096];
    snprintf(directory, sizeof directory, "%s/oracle/%s", shared, program_names[program]);
    struct dirent **entries;
    const int count = scandir(directory, &entries, is_dump, by_name);
    table_title(program_names[program]);
    for (int i = 0; i < count; i++) {
        Arena *arena = arena_create();
        table->arena = arena;
        Case c = {.program = program, .arena = arena, .table = table};
        c.name = arena_strndup(arena, entries[i]->d_name, strcspn(entries[i]->d_name, "."));
        if (dump_load(&c.dump, arena_printf(arena, "%s/%s", directory, entries[i]->d_name), arena))
            run_case(&c, assets, directory);
        else
            table->failed++;
        arena_destroy(arena);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* argv[1], else $SHARED, else "../shared". */
static const char *shared_directory(int argc, char **argv)
{
    const char *variable = getenv("SHARED");
    return argc > 1 ? argv[1] : variable && *variable ? variable : "../shared";
}

int main(int argc, char **argv)
{
    const char *shared = shared_directory(argc, argv);
    Arena *arena = arena_create();
    Assets assets = {0};
    assets_add(&assets, arena_printf(arena, "%s/data", shared), arena);
    assets_add(&assets, arena_printf(arena, "%s/oracle/motions", shared), arena);
    if (!assets.count) {
        printf("skipped: %s/data and %s/oracle are missing (SHARED=directory)\n", shared, shared);
        printf("0 passed, 0 failed, 1 skipped\n");
        arena_destroy(arena);
        return 0;
    }
    if (peer)
        printf("\nWith babylon-mmd's own bisection instead of ours:\n");
    Table table = {0};
    for (int program = BABYLON; program < (peer ? MMD_ANIM : PROGRAM_COUNT); program++)
        run_program((Program)program, shared, &assets, &table);
    if (!peer)
        table.failed += ik_report(&assets);
    if (table.passed + table.failed == 0) {
        printf("FAIL: %s/oracle has no recorded poses\n", shared);
        table.failed = 1;
    }
    printf("\n%u rows differ for a known reason\n", table.excepted);
    printf("%u passed, %u failed, 0 skipped\n", table.passed, table.failed);
    arena_destroy(arena);
    return table.failed != 0;
}
