#include "evaluate/frame.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "evaluate/ik.h"
#include "evaluate/morph.h"
#include "evaluate/physics_pose.h"
#include "evaluate/pose.h"
#include "evaluate/cloth_set.h"

/* ---- packing ---- */

FrameState *frame_state_create(const Scene *scene, Arena *arena)
{
    FrameState *state = arena_alloc(arena, sizeof *state);
    state->models = arena_array(arena, ModelState, scene->model_count);
    for (size_t i = 0; i < scene->model_count; i++) {
        const PmxModel *pmx = &scene->models[i].model->pmx;
        state->models[i] = (ModelState){
            .placement = PLACEMENT_NONE,
            .bones = arena_array(arena, BonePose, pmx->bone_count),
            .key_weights = arena_array(arena, float, pmx->morph_count),
            .leaf_weights = arena_array(arena, float, pmx->morph_count),
            .materials = arena_array(arena, MaterialState, pmx->material_count),
            .cloth = arena_array(arena, ClothVertex, scene->models[i].cloth_vertex_count),
            .cloth_vertices = scene->models[i].cloth_vertices,
            .cloth_count = scene->models[i].cloth_vertex_count,
        };
    }
    return state;
}

/* These are packed as they lie in memory, so they must hold floats and nothing between them. */
static_assert(sizeof(BonePose) == 7 * sizeof(float), "padding in BonePose");
static_assert(sizeof(MaterialState) == 40 * sizeof(float), "padding in MaterialState");
static_assert(sizeof(ClothVertex) == 6 * sizeof(float), "padding in ClothVertex");
static_assert(sizeof(Placement) == 8 * sizeof(float), "padding in Placement");
static_assert(sizeof(LightState) == 6 * sizeof(float), "padding in LightState");

/* One walk over a FrameState serves for its size, for packing and for unpacking. */
typedef struct Walk {
    enum { WALK_SIZE, WALK_PACK, WALK_UNPACK } mode;
    uint8_t *out;
    const uint8_t *in;
    size_t at;
} Walk;

static void pass(Walk *walk, void *field, size_t size)
{
    if (walk->mode == WALK_PACK && size)
        memcpy(walk->out + walk->at, field, size);
    else if (walk->mode == WALK_UNPACK && size)
        memcpy(field, walk->in + walk->at, size);
    walk->at += size;
}

static void pass_bool(Walk *walk, bool *field)
{
    uint8_t byte = *field;
    pass(walk, &byte, 1);
    if (walk->mode == WALK_UNPACK)
        *field = byte != 0;
}

static void pass_model(Walk *walk, ModelState *model, const SceneModel *entry)
{
    const PmxModel *pmx = &entry->model->pmx;

    pass_bool(walk, &model->visible);
    pass(walk, &model->placement, sizeof model->placement);
    pass(walk, model->bones, pmx->bone_count * sizeof *model->bones);
    pass(walk, model->key_weights, pmx->morph_count * sizeof *model->key_weights);
    pass(walk, model->leaf_weights, pmx->morph_count * sizeof *model->leaf_weights);
    pass(walk, model->materials, pmx->material_count * sizeof *model->materials);
    pass(walk, model->cloth, entry->cloth_vertex_count * sizeof *model->cloth);
}

static void pass_camera(Walk *walk, CameraState *camera)
{
    pass(walk, camera->target, sizeof camera->target);
    pass(walk, camera->rotation, sizeof camera->rotation);
    pass(walk, &camera->distance, sizeof camera->distance);
    pass(walk, &camera->fov_deg, sizeof camera->fov_deg);
    pass_bool(walk, &camera->orthographic);
}

static void pass_head(Walk *walk, FrameState *state)
{
    pass(walk, &state->frame, sizeof state->frame);
    pass_camera(walk, &state->camera);
    pass(walk, &state->light, sizeof state->light);
    pass(walk, &state->shadow.mode, sizeof state->shadow.mode);
    pass(walk, &state->shadow.distance, sizeof state->shadow.distance);
}

size_t frame_state_size(const Scene *scene)
{
    Walk walk = {.mode = WALK_SIZE};
    FrameState head = {0};
    ModelState model = {0};
    pass_head(&walk, &head);
    for (size_t i = 0; i < scene->model_count; i++)
        pass_model(&walk, &model, &scene->models[i]);
    return walk.at;
}

void frame_state_pack(void *out, const FrameState *state, const Scene *scene)
{
    Walk walk = {.mode = WALK_PACK, .out = out};
    FrameState head = *state;
    pass_head(&walk, &head);
    for (size_t i = 0; i < scene->model_count; i++)
        pass_model(&walk, &state->models[i], &scene->models[i]);
}

void frame_state_unpack(FrameState *state, const void *bytes, const Scene *scene)
{
    Walk walk = {.mode = WALK_UNPACK, .in = bytes};
    pass_head(&walk, state);
    for (size_t i = 0; i < scene->model_count; i++)
        pass_model(&walk, &state->models[i], &scene->models[i]);
}

/* ---- evaluation ---- */

struct Evaluator {
    Arena *arena;
    Pose *poses;        /* [model_count] */
    World *world;       /* NULL: nothing moves by physics */
    FrameState *tick;   /* the scene at a tick, where the world needs it */
    WorldInput *inputs; /* [model_count] what the world is told of a tick */
    BonePose **bones;   /* [model_count] theirs */
    bool *carries;      /* [model_count] others are attached to it */
    ClothSet *wardrobe; /* NULL: nothing hangs as cloth */
    FrameState *worn;   /* the scene at a tick of cloth */
};

static void create_world(Evaluator *evaluator, const Scene *scene)
{
    Arena *arena = evaluator->arena;

    evaluator->world = world_create(scene);
    if (!evaluator->world)
        return;
    evaluator->tick = frame_state_create(scene, arena);
    evaluator->inputs = arena_array(arena, WorldInput, scene->model_count);
    evaluator->bones = arena_array(arena, BonePose *, scene->model_count);
    evaluator->carries = arena_array(arena, bool, scene->model_count);
    for (size_t i = 0; i < scene->model_count; i++) {
        const uint32_t bone_count = scene->models[i].model->pmx.bone_count;
        evaluator->bones[i] = arena_array(arena, BonePose, bone_count);
        evaluator->inputs[i] =
            (WorldInput){.bones = evaluator->bones[i],
                         .held = arena_array(arena, bool, bone_count),
                         .leaf_weights = evaluator->tick->models[i].leaf_weights};
        if (scene->models[i].attach_model >= 0)
            evaluator->carries[scene->models[i].attach_model] = true;
    }
}

Evaluator *evaluator_create(const Scene *scene)
{
    Arena *arena = arena_create();
    Evaluator *evaluator = arena_alloc(arena, sizeof *evaluator);
    *evaluator = (Evaluator){.arena = arena, .poses = arena_array(arena, Pose, scene->model_count)};
    for (size_t i = 0; i < scene->model_count; i++)
        pose_create(&evaluator->poses[i], &scene->models[i], &scene->compat, arena);
    create_world(evaluator, scene);
    evaluator->wardrobe = cloth_set_create(scene);
    if (evaluator->wardrobe)
        evaluator->worn = frame_state_create(scene, arena);
    return evaluator;
}

void evaluator_destroy(Evaluator *evaluator)
{
    if (!evaluator)
        return;
    world_destroy(evaluator->world);
    cloth_set_destroy(evaluator->wardrobe);
    arena_destroy(evaluator->arena);
}

/* What is attached follows the bone: world = bone's world * own placement. */
static Placement placement_on_bone(const ModelState *target, int32_t bone, Placement own)
{
    const Placement *base = &target->placement;
    const Quat base_turn = quat_of(base->rotation);
    const double scale = (double)base->scale;
    const Quat turn = quat_mul(base_turn, quat_of(target->bones[bone].rotation));
    const Vec3 at =
        quat_rotate(base_turn, vec3_scale(vec3_of(target->bones[bone].position), scale));
    const Vec3 offset = quat_rotate(turn, vec3_scale(vec3_of(own.position), scale));

    Placement placement = {.scale = (float)(scale * (double)own.scale)};
    vec3_store(placement.position, vec3_add(vec3_add(vec3_of(base->position), at), offset));
    quat_store(placement.rotation, quat_unit(quat_mul(turn, quat_of(own.rotation))));
    return placement;
}

/* Weights, bones before physics, and where the model stands; what it is attached to comes earlier.
 */
static void begin_model(FrameState *out, Evaluator *evaluator, const Scene *scene, uint32_t index)
{
    const SceneModel *model = &scene->models[index];
    ModelState *state = &out->models[index];
    Pose *pose = &evaluator->poses[index];

    morph_key_weights(state->key_weights, model, out->frame);
    morph_leaf_weights(state->leaf_weights, state->key_weights, &model->model->pmx);
    pose_begin(pose, state->leaf_weights, out->frame);
    pose_before_physics(pose);

    state->placement = scene_place(model, out->frame);
    if (model->attach_model >= 0)
        state->placement = placement_on_bone(&out->models[model->attach_model], model->attach_bone,
                                             state->placement);
}

/* Physics, if there is a world, and bones after it; blend: between the world's last two ticks. */
static void finish_model(FrameState *out, Evaluator *evaluator, uint32_t index, const World *world,
                         float blend)
{
    ModelState *state = &out->models[index];
    Pose *pose = &evaluator->poses[index];

    if (world)
        physics_pose(pose, world, index, &state->placement, blend);
    pose_after_physics(pose);
    pose_write(state->bones, pose);
}

/* ---- the clock of physics ---- */

/* What is attached to a bone that physics moves follows it a tick late: no more is known by then.
 */
static void evaluate_tick(Evaluator *evaluator, const Scene *scene, const World *world,
                          int64_t tick)
{
    FrameState *state = evaluator->tick;
    state->frame = (double)tick * 30 / scene->physics.step_hz;
    for (size_t i = 0; i < scene->model_count; i++) {
        const uint32_t index = scene->attach_order[i];
        const Pose *pose = &evaluator->poses[index];
        WorldInput *input = &evaluator->inputs[index];
        begin_model(state, evaluator, scene, index);
        pose_write(evaluator->bones[index], pose);
        input->placement = state->models[index].placement;
        for (uint32_t b = 0; b < scene->models[index].model->pmx.bone_count; b++)
            input->held[b] = pose->bones[b].physics == VMD_PHYSICS_OFF;
        if (evaluator->carries[index])
            finish_model(state, evaluator, index, world, 1);
    }
}

/* To tick 0; twice where models hang on others, for what they hang on is known only after the first
 * time. */
static void start_physics(Evaluator *evaluator, const Scene *scene)
{
    bool hanging = false;
    for (size_t i = 0; i < scene->model_count; i++)
        hanging |= evaluator->carries[i];

    evaluate_tick(evaluator, scene, NULL, 0);
    world_reset(evaluator->world, evaluator->inputs);
    if (!hanging)
        return;
    evaluate_tick(evaluator, scene, evaluator->world, 0);
    world_reset(evaluator->world, evaluator->inputs);
}

/* A moment on a clock of so many ticks a second, from 0 on.  The frame of a tick may not be a
 * number that binary holds, so what is close to a tick is on it. */
static double ticks_at(double frame, int step_hz)
{
    const double at = fmax(frame * step_hz / 30, 0), near = round(at);
    return fabs(at - near) < 1e-6 ? near : at;
}

/* Steps the world until the moment lies between its last two ticks; returns where between them. */
static float run_physics(Evaluator *evaluator, const Scene *scene, double frame)
{
    World *world = evaluator->world;
    const double at = ticks_at(frame, scene->physics.step_hz);

    if (world_tick(world) < 0 || at < (double)(world_tick(world) - 1))
        start_physics(evaluator, scene);
    while ((double)world_tick(world) < at) {
        evaluate_tick(evaluator, scene, world, world_tick(world) + 1);
        world_step(world, evaluator->inputs);
    }
    return (float)(1 - ((double)world_tick(world) - at));
}

/* Bones and places of models at out->frame; wanted: which, NULL for all. */
static void evaluate_models(FrameState *out, Evaluator *evaluator, const Scene *scene,
                            const bool *wanted)
{
    const float blend = evaluator->world ? run_physics(evaluator, scene, out->frame) : 0;

    for (size_t i = 0; i < scene->model_count; i++) {
        const uint32_t index = scene->attach_order[i];
        if (wanted && !wanted[index])
            continue;
        begin_model(out, evaluator, scene, index);
        finish_model(out, evaluator, index, evaluator->world, blend);
        if (evaluator->world)
            world_soft(out->models[index].cloth, evaluator->world, index,
                       &out->models[index].placement, blend);
    }
}

/* ---- the clock of cloth ---- */

static const FrameState *worn_at(Evaluator *evaluator, const Scene *scene, int64_t tick)
{
    evaluator->worn->frame = (double)tick * 30 / evaluator->wardrobe->step_hz;
    evaluate_models(evaluator->worn, evaluator, scene, evaluator->wardrobe->wears);
    return evaluator->worn;
}

/* Steps cloth to the last tick that is not after the moment; returns what is left, in ticks. */
static double run_cloth(Evaluator *evaluator, const Scene *scene, double frame)
{
    ClothSet *wardrobe = evaluator->wardrobe;
    const double at = ticks_at(frame, wardrobe->step_hz);

    if (cloth_set_tick(wardrobe) < 0 || at < (double)cloth_set_tick(wardrobe))
        cloth_set_reset(wardrobe, worn_at(evaluator, scene, 0));
    while ((double)cloth_set_tick(wardrobe) + 1 <= at)
        cloth_set_step(wardrobe, worn_at(evaluator, scene, cloth_set_tick(wardrobe) + 1));
    return at - (double)cloth_set_tick(wardrobe);
}

/* ---- the whole ---- */

void evaluate_frame(FrameState *out, Evaluator *evaluator, const Scene *scene, double frame)
{
    /* First, so that physics, which serves both, never has to go back. */
    const double part = evaluator->wardrobe ? run_cloth(evaluator, scene, frame) : 0;

    out->frame = frame;
    evaluate_models(out, evaluator, scene, NULL);
    for (size_t i = 0; i < scene->model_count; i++) {
        ModelState *state = &out->models[i];
        state->visible = motion_switch(&scene->models[i].motion.visible, frame);
        morph_materials(state->materials, &scene->models[i], state->leaf_weights);
    }
    if (evaluator->wardrobe)
        cloth_set_show(out, evaluator->wardrobe, part);
    out->camera = scene->camera_path.count ? camera_spline_at(&scene->camera_path, frame)
                                           : camera_at(&scene->camera_track, frame,
                                                       scene->compat.curve_halvings, scene->camera);
    out->light = scene->light_path.count ? light_spline_at(&scene->light_path, frame)
                                         : light_at(&scene->light_track, frame, scene->light);
    out->shadow = shadow_at(&scene->shadow_track, frame, scene->shadow);
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
    return evaluator->wardrobe->cloths[number];
}
