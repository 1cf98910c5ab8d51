// SPDX-License-Identifier: MIT
#include "evaluate/frame.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "evaluate/cloth/cloth_set.h"
#include "evaluate/ik/ik.h"
#include "evaluate/interrupt.h"
#include "evaluate/morph.h"
#include "evaluate/pose_solve.h"
#include "evaluate/vrm/expressions.h"
#include "evaluate/vrm/springs.h"

/* Ticks at a fixed rate; tick 0 is at the frame where the simulation begins. */
typedef struct Clock {
    int hz;
    bool runs; /* false: before the next tick, the state of tick 0 must be set */
} Clock;

struct Evaluator {
    Arena *arena;
    Pose *poses;              /* [model_count] */
    BoneSubset *all;          /* [model_count] all bones */
    BoneSubset *simulated;    /* [model_count] the bones that a tick of physics needs */
    double *prepared_frame;   /* [model_count] see reuse_tick */
    World *world;             /* NULL: nothing is simulated */
    FrameState *tick_state;   /* the scene at a tick of physics */
    WorldInput *inputs;       /* [model_count] inputs of a tick */
    BonePose **bones;         /* [model_count] bones of the inputs */
    bool *has_attached;       /* [model_count] other models are attached to it */
    Springs **springs;        /* [model_count] NULL where nothing swings; NULL: nowhere */
    BoneSubset *swinging;     /* [model_count] the bones that a tick of springs needs */
    FrameState *spring_state; /* the scene at a tick of springs */
    uint32_t *order;          /* [model_count] if attachments change: the order of a frame */
    ClothSet *cloth_set;      /* NULL: no cloth */
    FrameState *cloth_state;  /* the scene at a tick of cloth */
    double start;             /* the frame of tick 0 of all clocks */
    Clock physics_clock, springs_clock, cloth_clock;
    Interrupt interrupt;
    double frame_s; /* time limit of a frame; 0: none */
    const char *origin;
};

static void create_springs(Evaluator *evaluator, const Scene *scene)
{
    Arena *arena = evaluator->arena;
    Springs **springs = arena_array(arena, Springs *, scene->model_count);
    bool any = false;
    for (size_t i = 0; i < scene->model_count; i++) {
        springs[i] = springs_create(&evaluator->poses[i], &scene->physics, arena);
        any |= springs[i] != NULL;
    }
    if (!any)
        return;
    evaluator->springs = springs;
    evaluator->spring_state = frame_state_create(scene, arena);
    evaluator->swinging = arena_array(arena, BoneSubset, scene->model_count);
    for (size_t i = 0; i < scene->model_count; i++) {
        evaluator->swinging[i] = evaluator->all[i];
        if (!springs[i] || evaluator->has_attached[i])
            continue;
        bool *wanted = arena_array(arena, bool, scene->models[i].model->pmx.bone_count);
        springs_mark_bones(wanted, springs[i]);
        evaluator->swinging[i] = bone_subset_of(&evaluator->poses[i], wanted, arena);
    }
}

static void create_world(Evaluator *evaluator, const Scene *scene)
{
    Arena *arena = evaluator->arena;

    evaluator->world = world_create(scene);
    if (!evaluator->world)
        return;
    world_set_interrupt(evaluator->world, &evaluator->interrupt);
    evaluator->tick_state = frame_state_create(scene, arena);
    evaluator->inputs = arena_array(arena, WorldInput, scene->model_count);
    evaluator->bones = arena_array(arena, BonePose *, scene->model_count);
    for (size_t i = 0; i < scene->model_count; i++) {
        const uint32_t bone_count = scene->models[i].model->pmx.bone_count;
        evaluator->bones[i] = arena_array(arena, BonePose, bone_count);
        evaluator->inputs[i] =
            (WorldInput){.bones = evaluator->bones[i],
                         .kinematic = arena_array(arena, bool, bone_count),
                         .leaf_weights = evaluator->tick_state->models[i].leaf_weights};
    }
    /* Soft bodies, and models that are attached to a bone, may need any bone. */
    evaluator->simulated = arena_array(evaluator->arena, BoneSubset, scene->model_count);
    for (size_t i = 0; i < scene->model_count; i++) {
        const SceneModel *model = &scene->models[i];
        const bool all = evaluator->has_attached[i] || (model->soft && model->model->soft.count);
        evaluator->simulated[i] =
            all ? evaluator->all[i] : bone_subset_of_bodies(&evaluator->poses[i], evaluator->arena);
    }
}

Evaluator *evaluator_create_keyed(const Scene *scene)
{
    Arena *arena = arena_create();
    Evaluator *evaluator = arena_alloc(arena, sizeof *evaluator);
    *evaluator = (Evaluator){.arena = arena, .poses = arena_array(arena, Pose, scene->model_count)};
    evaluator->all = arena_array(arena, BoneSubset, scene->model_count);
    evaluator->prepared_frame = arena_array(arena, double, scene->model_count);
    for (size_t i = 0; i < scene->model_count; i++) {
        pose_solve_create(&evaluator->poses[i], &scene->models[i], &scene->compat, arena);
        evaluator->all[i] = bone_subset_all(scene->models[i].model);
        evaluator->prepared_frame[i] = (double)NAN;
    }
    if (scene->attach_changes)
        evaluator->order = arena_array(arena, uint32_t, scene->model_count);
    evaluator->physics_clock.hz = scene->physics.step_hz;
    evaluator->springs_clock.hz = SPRINGS_HZ;
    return evaluator;
}

Evaluator *evaluator_create(const Scene *scene)
{
    Evaluator *evaluator = evaluator_create_keyed(scene);
    evaluator->has_attached = arena_array(evaluator->arena, bool, scene->model_count);
    for (size_t i = 0; i < scene->model_count; i++) {
        const SceneModel *model = &scene->models[i];
        if (model->attach_model >= 0)
            evaluator->has_attached[model->attach_model] = true;
        for (uint32_t t = 0; t < model->attach_count; t++)
            for (uint32_t k = 0; k < model->attach[t].key_count; k++)
                if (model->attach[t].keys[k].model >= 0)
                    evaluator->has_attached[model->attach[t].keys[k].model] = true;
    }
    create_springs(evaluator, scene);
    create_world(evaluator, scene);
    evaluator->cloth_set = cloth_set_create(scene);
    if (evaluator->cloth_set) {
        evaluator->cloth_state = frame_state_create(scene, evaluator->arena);
        evaluator->cloth_clock.hz = evaluator->cloth_set->step_hz;
    }
    return evaluator;
}

void evaluator_set_start(Evaluator *evaluator, double frame)
{
    if (evaluator->start == frame)
        return;
    evaluator->start = frame;
    evaluator->physics_clock.runs = evaluator->springs_clock.runs = evaluator->cloth_clock.runs =
        false;
    if (evaluator->world)
        world_set_start(evaluator->world, frame);
}

void evaluator_set_limits(Evaluator *evaluator, const volatile sig_atomic_t *stop, double frame_s,
                          const char *origin)
{
    evaluator->interrupt.stop = stop;
    evaluator->frame_s = frame_s;
    evaluator->origin = origin;
}

bool evaluator_report(const Evaluator *evaluator, double frame, Diag *diag)
{
    const volatile sig_atomic_t *stop = evaluator->interrupt.stop;
    if (stop && *stop)
        return false;
    return diag_fail(diag, DIAG_INCOMPLETE, "frame %.10g: not evaluated within %g s (%s)", frame,
                     evaluator->frame_s, evaluator->origin);
}

void evaluator_destroy(Evaluator *evaluator)
{
    if (!evaluator)
        return;
    world_destroy(evaluator->world);
    cloth_set_destroy(evaluator->cloth_set);
    arena_destroy(evaluator->arena);
}

/* ---- attachment ---- */

static BonePose bone_in_world(const FrameState *state, int32_t model, int32_t bone)
{
    const ModelState *base = &state->models[model];
    const BonePose *local = &base->bones[bone];
    BonePose out;
    vec3_store(out.position, placement_point(&base->placement, vec3_load(local->position)));
    quat_store(out.rotation, placement_rotation(&base->placement, quat_load(local->rotation)));
    return out;
}

static Placement on_bone(const FrameState *state, int32_t model, int32_t bone, const Placement *own)
{
    const ModelState *base = &state->models[model];
    const BonePose *pose = &base->bones[bone];
    return placement_on_bone(&base->placement, vec3_load(pose->position), quat_load(pose->rotation),
                             own);
}

/* With the models that it is attached to, which come earlier. */
static Placement world_placement(const FrameState *state, const SceneModel *model)
{
    Placement placement = scene_placement(model, state->frame);
    if (model->attach_model >= 0)
        placement = on_bone(state, model->attach_model, model->attach_bone, &placement);
    for (uint32_t i = 0; i < model->attach_count; i++) {
        const AttachKey key = attach_at(&model->attach[i], state->frame);
        if (model->attach[i].own_bone < 0 && key.model >= 0)
            placement = on_bone(state, key.model, key.bone, &placement);
    }
    return placement;
}

/* Single bones that are attached to bones of other models; after the placement. */
static void attach_bones(Pose *pose, const FrameState *state, const SceneModel *model,
                         const Placement *placement)
{
    for (uint32_t i = 0; i < model->attach_count; i++) {
        const AttachTrack *track = &model->attach[i];
        const AttachKey key = attach_at(track, state->frame);
        if (track->own_bone < 0)
            continue;
        PoseBone *bone = &pose->bones[track->own_bone];
        bone->outside = key.model >= 0;
        if (!bone->outside)
            continue;
        const BonePose world = bone_in_world(state, key.model, key.bone);
        bone->outside_position = placement_inverse_point(placement, vec3_load(world.position));
        bone->outside_rotation =
            quat_mul(quat_inverse(quat_load(placement->rotation)), quat_load(world.rotation));
    }
}

/* Models in the order of evaluation at a frame. */
static const uint32_t *order_at(Evaluator *evaluator, const Scene *scene, double frame)
{
    if (!scene->attach_changes)
        return scene->attach_order;
    (void)attach_order_at(evaluator->order, scene, frame); /* has no cycles: attach_check */
    return evaluator->order;
}

/* Weights, bones before physics, and placement; the models that it is attached to come earlier. */
static void begin_model(FrameState *out, Evaluator *evaluator, const Scene *scene, uint32_t index,
                        const BoneSubset *bones)
{
    const SceneModel *model = &scene->models[index];
    ModelState *state = &out->models[index];
    Pose *pose = &evaluator->poses[index];

    state->placement = world_placement(out, model);
    attach_bones(pose, out, model, &state->placement);
    morph_key_weights(state->key_weights, model, out->frame);
    expressions_look(state->key_weights, model, out->frame, scene->compat.curve_halvings);
    morph_leaf_weights(state->leaf_weights, state->key_weights, &model->model->pmx);
    pose_solve_begin(pose, bones, state->leaf_weights, out->frame);
    pose_solve_before_physics(pose, bones);
    evaluator->prepared_frame[index] = (double)NAN;
}

/* ---- clocks ---- */

/* A frame in ticks, at least 0.  Rounded to a tick if it is close to one, as the frame of a tick
 * may not be exact in binary. */
static double clock_ticks(const Evaluator *evaluator, const Clock *clock, double frame)
{
    const double at = fmax((frame - evaluator->start) * clock->hz / MOTION_FPS, 0);
    const double near = round(at);
    return fabs(at - near) < 1e-6 ? near : at;
}

static double clock_frame(const Evaluator *evaluator, const Clock *clock, int64_t tick)
{
    return evaluator->start + (double)tick * MOTION_FPS / clock->hz;
}

/* Frames of the motion that are simulated to reach `frame`, from the last tick or from the start,
 * with the warm-up; at least 1. */
static double clock_way(const Evaluator *evaluator, const Clock *clock, int64_t tick, double frame,
                        double warmup_s)
{
    const double from = clock->runs ? clock_frame(evaluator, clock, tick) : HUGE_VAL;
    return fmax(1, from <= frame + 1 ? frame - from
                                     : frame - evaluator->start + MOTION_FPS * warmup_s);
}

/* Physics, if there is a world, springs, and bones after them.  blend: from the last but one tick
 * (0) to the last (1). */
static void finish_model(FrameState *out, Evaluator *evaluator, uint32_t index, const World *world,
                         float blend)
{
    ModelState *state = &out->models[index];
    Pose *pose = &evaluator->poses[index];

    if (world)
        pose_solve_physics(pose, world, index, &state->placement, blend);
    if (evaluator->springs && evaluator->springs[index])
        springs_apply(evaluator->springs[index], pose,
                      clock_ticks(evaluator, &evaluator->springs_clock, out->frame));
    pose_solve_after_physics(pose);
    pose_write(state->bones, pose, evaluator->all[index].parents_first,
               evaluator->all[index].count);
    evaluator->prepared_frame[index] = (double)NAN;
}

/* ---- springs ---- */

/* The models that swing or carry others, without physics: springs do not wait for its ticks. */
static void evaluate_spring_tick(Evaluator *evaluator, const Scene *scene, int64_t tick)
{
    FrameState *state = evaluator->spring_state;
    state->frame = clock_frame(evaluator, &evaluator->springs_clock, tick);
    const uint32_t *order = order_at(evaluator, scene, state->frame);
    for (size_t i = 0; i < scene->model_count && !interrupt_poll(&evaluator->interrupt); i++) {
        const uint32_t index = order[i];
        Springs *springs = evaluator->springs[index];
        Pose *pose = &evaluator->poses[index];
        if (!springs && !evaluator->has_attached[index])
            continue;
        begin_model(state, evaluator, scene, index, &evaluator->swinging[index]);
        const Placement *placement = &state->models[index].placement;
        if (springs && tick == 0)
            springs_reset(springs, pose, placement, &evaluator->interrupt);
        else if (springs)
            springs_step(springs, pose, placement);
        if (evaluator->has_attached[index]) {
            pose_solve_after_physics(pose);
            pose_write(state->models[index].bones, pose, evaluator->all[index].parents_first,
                       evaluator->all[index].count);
        }
    }
}

/* Steps the springs to a frame, or to the first tick after it. */
static void run_springs(Evaluator *evaluator, const Scene *scene, double frame)
{
    Clock *clock = &evaluator->springs_clock;
    const double at = clock_ticks(evaluator, clock, frame);
    for (size_t i = 0; evaluator->springs && i < scene->model_count; i++) {
        const Springs *springs = evaluator->springs[i];
        if (!springs)
            continue;
        if (!clock->runs || !springs_reaches(springs, at))
            evaluate_spring_tick(evaluator, scene, 0);
        clock->runs = true;
        while ((double)springs_tick(springs) < at && !interrupt_poll(&evaluator->interrupt))
            evaluate_spring_tick(evaluator, scene, springs_tick(springs) + 1);
        return; /* all have the same clock */
    }
}

/* ---- physics ---- */

/* A model that is attached to a simulated bone follows it one tick late: the bone of this tick is
 * not known yet.  whole: all bones, for the frame at this tick or for a reset. */
static void evaluate_tick(Evaluator *evaluator, const Scene *scene, const World *world,
                          int64_t tick, bool whole)
{
    FrameState *state = evaluator->tick_state;
    state->frame = clock_frame(evaluator, &evaluator->physics_clock, tick);
    run_springs(evaluator, scene, state->frame);
    const uint32_t *order = order_at(evaluator, scene, state->frame);
    for (size_t i = 0; i < scene->model_count && !interrupt_poll(&evaluator->interrupt); i++) {
        const uint32_t index = order[i];
        const SceneModel *model = &scene->models[index];
        const BoneSubset *bones = whole ? &evaluator->all[index] : &evaluator->simulated[index];
        begin_model(state, evaluator, scene, index, bones);
        evaluator->inputs[index].placement = state->models[index].placement;
        /* The input of physics. */
        pose_write(evaluator->bones[index], &evaluator->poses[index], bones->parents_first,
                   bones->count);
        for (uint32_t k = 0; k < bones->count; k++) {
            const uint32_t bone = bones->parents_first[k];
            evaluator->inputs[index].kinematic[bone] =
                evaluator->poses[index].bones[bone].physics == VMD_PHYSICS_OFF;
        }
        if (evaluator->has_attached[index])
            finish_model(state, evaluator, index, world, 1);
        else if (whole && model->attach_model < 0 && model->attach_count == 0)
            evaluator->prepared_frame[index] = state->frame;
    }
}

/* The pose of a model before physics, if the last tick was at this frame: the same as that of
 * begin_model, as models that attach to others, or are attached to, are left out. */
static bool reuse_tick(FrameState *out, const Evaluator *evaluator, const Scene *scene,
                       uint32_t index)
{
    const PmxModel *pmx = &scene->models[index].model->pmx;
    ModelState *state = &out->models[index];

    if (evaluator->prepared_frame[index] != out->frame)
        return false;
    const ModelState *tick = &evaluator->tick_state->models[index];
    state->placement = tick->placement;
    memcpy(state->key_weights, tick->key_weights, pmx->morph_count * sizeof *tick->key_weights);
    memcpy(state->leaf_weights, tick->leaf_weights, pmx->morph_count * sizeof *tick->leaf_weights);
    return true;
}

/* To tick 0; twice if models are attached to others, whose bones are known only after the first
 * reset. */
static void start_physics(Evaluator *evaluator, const Scene *scene)
{
    bool any_attached = false;
    for (size_t i = 0; i < scene->model_count; i++)
        any_attached |= evaluator->has_attached[i];

    for (int i = 0; i < 1 + any_attached; i++) {
        evaluate_tick(evaluator, scene, i ? evaluator->world : NULL, 0, true);
        if (interrupt_poll(&evaluator->interrupt))
            return;
        world_reset(evaluator->world, evaluator->inputs);
    }
    evaluator->physics_clock.runs = true;
}

/* Steps the world until the frame is between its last two ticks; returns the blend of the two. */
static float run_physics(Evaluator *evaluator, const Scene *scene, double frame)
{
    World *world = evaluator->world;
    const Clock *clock = &evaluator->physics_clock;
    const double at = clock_ticks(evaluator, clock, frame);

    if (!clock->runs || at < (double)(world_tick(world) - 1))
        start_physics(evaluator, scene);
    while ((double)world_tick(world) < at && !interrupt_poll(&evaluator->interrupt)) {
        const int64_t tick = world_tick(world) + 1;
        evaluate_tick(evaluator, scene, world, tick, (double)tick == at);
        if (!evaluator->interrupt.hit)
            world_step(world, evaluator->inputs);
    }
    return (float)(1 - ((double)world_tick(world) - at));
}

/* Bones and placements of models at out->frame.  selected: a flag per model, or NULL for all. */
static void evaluate_models(FrameState *out, Evaluator *evaluator, const Scene *scene,
                            const bool *selected)
{
    const float blend = evaluator->world ? run_physics(evaluator, scene, out->frame) : 0;
    run_springs(evaluator, scene, out->frame);
    const uint32_t *order = order_at(evaluator, scene, out->frame);

    for (size_t i = 0; i < scene->model_count && !interrupt_poll(&evaluator->interrupt); i++) {
        const uint32_t index = order[i];
        if (selected && !selected[index])
            continue;
        if (!reuse_tick(out, evaluator, scene, index))
            begin_model(out, evaluator, scene, index, &evaluator->all[index]);
        finish_model(out, evaluator, index, evaluator->world, blend);
        if (evaluator->world)
            world_soft(out->models[index].cloth, evaluator->world, index,
                       &out->models[index].placement, blend);
    }
}

/* ---- cloth ---- */

static const FrameState *evaluate_cloth_models(Evaluator *evaluator, const Scene *scene,
                                               int64_t tick)
{
    evaluator->cloth_state->frame = clock_frame(evaluator, &evaluator->cloth_clock, tick);
    evaluate_models(evaluator->cloth_state, evaluator, scene, evaluator->cloth_set->is_wearer);
    return evaluator->cloth_state;
}

/* Steps cloth to the last tick at or before the frame; returns the rest, in ticks. */
static double run_cloth(Evaluator *evaluator, const Scene *scene, double frame)
{
    ClothSet *cloth_set = evaluator->cloth_set;
    Clock *clock = &evaluator->cloth_clock;
    const double at = clock_ticks(evaluator, clock, frame);

    if (!clock->runs || at < (double)cloth_set_tick(cloth_set)) {
        const FrameState *state = evaluate_cloth_models(evaluator, scene, 0);
        if (evaluator->interrupt.hit)
            return 0;
        cloth_set_reset(cloth_set, state);
        clock->runs = true;
    }
    while ((double)cloth_set_tick(cloth_set) + 1 <= at) {
        const FrameState *state =
            evaluate_cloth_models(evaluator, scene, cloth_set_tick(cloth_set) + 1);
        if (interrupt_poll(&evaluator->interrupt))
            return 0;
        cloth_set_step(cloth_set, state);
    }
    return at - (double)cloth_set_tick(cloth_set);
}

/* ---- public functions ---- */

void evaluate_bones(FrameState *out, Evaluator *evaluator, const Scene *scene, const bool *selected,
                    double frame)
{
    out->frame = frame;
    evaluate_models(out, evaluator, scene, selected);
}

/* The position of a bone that the camera is attached to is added to its target (scene/README.md
 * 3.4). */
static CameraState attached_camera(const FrameState *state, const Scene *scene)
{
    const double frame = state->frame;
    CameraState camera =
        scene->camera_path.count ? camera_spline_at(&scene->camera_path, frame)
        : scene->camera_follow.count
            ? follow_at(&scene->camera_follow, frame)
            : camera_at(&scene->camera_track, frame, scene->compat.curve_halvings, scene->camera);
    const AttachKey key = scene->camera_attach ? attach_at(scene->camera_attach, state->frame)
                                               : (AttachKey){0, -1, -1};
    if (key.model < 0)
        return camera;
    const BonePose bone = bone_in_world(state, key.model, key.bone);
    vec3_store(camera.target, vec3_add(vec3_load(camera.target), vec3_load(bone.position)));
    return camera;
}

CameraState evaluate_camera(const FrameState *state, const Scene *scene)
{
    const CameraState camera = attached_camera(state, scene);
    return scene->camera_reframe.count ? reframe_at(&scene->camera_reframe, &camera, state->frame)
                                       : camera;
}

/* Visibility, materials and shadow of a model, after its bones. */
static void show_model(ModelState *state, const SceneModel *model, double frame)
{
    state->visible = motion_switch(&model->motion.visible, frame);
    state->casts_nothing = !model->spec.shadow;
    const float opacity = scene_opacity(model, frame);
    if (model->keys.count) {
        const ModelKey key = model_keys_at(&model->keys, frame);
        state->visible &= key.visible;
        state->casts_nothing = !key.shadow;
    }
    morph_materials(state->materials, model, state->leaf_weights);
    for (uint32_t i = 0; i < model->model->pmx.material_count; i++) {
        MaterialState *material = &state->materials[i];
        for (int k = 0; k < 3 && !isnan(model->spec.edge_color[0]); k++)
            material->edge_color[k] = (float)model->spec.edge_color[k];
        material->diffuse[3] *= opacity;
        material->edge_color[3] *= opacity;
    }
}

void evaluate_view(FrameState *out, const Scene *scene)
{
    out->camera = evaluate_camera(out, scene);
    out->light = scene->light_path.count ? light_spline_at(&scene->light_path, out->frame)
                                         : light_at(&scene->light_track, out->frame, scene->light);
}

bool evaluate_frame(FrameState *out, Evaluator *evaluator, const Scene *scene, double frame)
{
    double frames = 1;
    if (evaluator->world)
        frames = clock_way(evaluator, &evaluator->physics_clock, world_tick(evaluator->world),
                           frame, (double)scene->physics.warmup_s);
    if (evaluator->cloth_set)
        frames = fmax(frames, clock_way(evaluator, &evaluator->cloth_clock,
                                        cloth_set_tick(evaluator->cloth_set), frame, 0));
    evaluator->interrupt.end_s =
        evaluator->frame_s > 0 ? clock_thread_cpu_s() + frames * evaluator->frame_s : 0;
    /* First, so that physics never has to go back. */
    const double part = evaluator->cloth_set ? run_cloth(evaluator, scene, frame) : 0;

    out->frame = frame;
    evaluate_models(out, evaluator, scene, NULL);
    if (evaluator->interrupt.hit)
        return false;
    for (size_t i = 0; i < scene->model_count; i++)
        show_model(&out->models[i], &scene->models[i], frame);
    if (evaluator->cloth_set)
        cloth_set_write_vertices(out, evaluator->cloth_set, part);
    evaluate_view(out, scene);
    out->shadow = shadow_at(&scene->shadow_track, frame, scene->shadow);
    return true;
}

float evaluator_ik_residual(const Evaluator *evaluator, size_t model, uint32_t ik_bone)
{
    const Pose *pose = &evaluator->poses[model];
    const int32_t chain = pose->chain_of[ik_bone];
    return chain < 0 ? 0 : (float)ik_distance(pose, &pose->chains[chain]);
}

const World *evaluator_world(const Evaluator *evaluator)
{
    return evaluator->world;
}

const Cloth *evaluator_cloth(const Evaluator *evaluator, size_t number)
{
    return evaluator->cloth_set->cloths[number];
}
