#include "evaluate/frame.h"

#include <assert.h>
#include <string.h>

#include "evaluate/ik.h"
#include "evaluate/morph.h"
#include "evaluate/pose.h"

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
        };
    }
    return state;
}

/* These are packed as they lie in memory, so they must hold floats and nothing between them. */
static_assert(sizeof(BonePose) == 7 * sizeof(float), "padding in BonePose");
static_assert(sizeof(MaterialState) == 40 * sizeof(float), "padding in MaterialState");
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

static void pass_model(Walk *walk, ModelState *model, const PmxModel *pmx)
{
    pass_bool(walk, &model->visible);
    pass(walk, &model->placement, sizeof model->placement);
    pass(walk, model->bones, pmx->bone_count * sizeof *model->bones);
    pass(walk, model->key_weights, pmx->morph_count * sizeof *model->key_weights);
    pass(walk, model->leaf_weights, pmx->morph_count * sizeof *model->leaf_weights);
    pass(walk, model->materials, pmx->material_count * sizeof *model->materials);
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
        pass_model(&walk, &model, &scene->models[i].model->pmx);
    return walk.at;
}

void frame_state_pack(void *out, const FrameState *state, const Scene *scene)
{
    Walk walk = {.mode = WALK_PACK, .out = out};
    FrameState head = *state;
    pass_head(&walk, &head);
    for (size_t i = 0; i < scene->model_count; i++)
        pass_model(&walk, &state->models[i], &scene->models[i].model->pmx);
}

void frame_state_unpack(FrameState *state, const void *bytes, const Scene *scene)
{
    Walk walk = {.mode = WALK_UNPACK, .in = bytes};
    pass_head(&walk, state);
    for (size_t i = 0; i < scene->model_count; i++)
        pass_model(&walk, &state->models[i], &scene->models[i].model->pmx);
}

/* ---- evaluation ---- */

struct Evaluator {
    Arena *arena;
    Pose *poses; /* [model_count] */
};

Evaluator *evaluator_create(const Scene *scene)
{
    Arena *arena = arena_create();
    Evaluator *evaluator = arena_alloc(arena, sizeof *evaluator);
    *evaluator = (Evaluator){arena, arena_array(arena, Pose, scene->model_count)};
    for (size_t i = 0; i < scene->model_count; i++)
        pose_create(&evaluator->poses[i], &scene->models[i], &scene->compat, arena);
    return evaluator;
}

void evaluator_destroy(Evaluator *evaluator)
{
    if (evaluator)
        arena_destroy(evaluator->arena);
}

/* What is attached follows the bone: world = bone's world * own placement. */
static Placement placement_on_bone(const ModelState *target, int32_t bone, const Placement *own)
{
    const Placement *base = &target->placement;
    const Quat base_turn = quat_of(base->rotation);
    const double scale = (double)base->scale;
    const Quat turn = quat_mul(base_turn, quat_of(target->bones[bone].rotation));
    const Vec3 at = quat_rotate(base_turn, vec3_scale(vec3_of(target->bones[bone].position), scale));
    const Vec3 offset = quat_rotate(turn, vec3_scale(vec3_of(own->position), scale));

    Placement placement = {.scale = (float)(scale * (double)own->scale)};
    vec3_store(placement.position, vec3_add(vec3_add(vec3_of(base->position), at), offset));
    quat_store(placement.rotation, quat_unit(quat_mul(turn, quat_of(own->rotation))));
    return placement;
}

static void evaluate_model(FrameState *out, Evaluator *evaluator, const Scene *scene,
                           uint32_t index)
{
    const SceneModel *model = &scene->models[index];
    ModelState *state = &out->models[index];
    Pose *pose = &evaluator->poses[index];

    state->visible = motion_switch(&model->motion.visible, out->frame);
    morph_key_weights(state->key_weights, model, out->frame);
    morph_leaf_weights(state->leaf_weights, state->key_weights, &model->model->pmx);
    morph_materials(state->materials, model, state->leaf_weights);

    pose_begin(pose, state->leaf_weights, out->frame);
    pose_before_physics(pose);
    pose_after_physics(pose);
    pose_write(state->bones, pose);

    state->placement = model->placement;
    if (model->attach_model >= 0)
        state->placement = placement_on_bone(&out->models[model->attach_model],
                                             model->attach_bone, &model->placement);
}

void evaluate_frame(FrameState *out, Evaluator *evaluator, const Scene *scene, double frame)
{
    out->frame = frame;
    for (size_t i = 0; i < scene->model_count; i++)
        evaluate_model(out, evaluator, scene, scene->attach_order[i]);
    out->camera =
        camera_at(&scene->camera_track, frame, scene->compat.curve_halvings, scene->camera);
    out->light = light_at(&scene->light_track, frame, scene->light);
    out->shadow = shadow_at(&scene->shadow_track, frame, scene->shadow);
}

float evaluator_ik_residual(const Evaluator *evaluator, size_t model, uint32_t ik_bone)
{
    const Pose *pose = &evaluator->poses[model];
    const int32_t chain = pose->chain_of[ik_bone];
    return chain < 0 ? 0 : (float)ik_distance(pose, &pose->chains[chain]);
}
