// SPDX-License-Identifier: MIT
#include "evaluate/frame_state.h"

#include <assert.h>
#include <string.h>

FrameState *frame_state_create(const Scene *scene, Arena *arena)
{
    FrameState *state = arena_alloc(arena, sizeof *state);
    state->models = arena_array(arena, ModelState, scene->model_count);
    for (size_t i = 0; i < scene->model_count; i++) {
        const PmxModel *pmx = &scene->models[i].model->pmx;
        state->models[i] = (ModelState){
            .casts_nothing = !scene->models[i].spec.shadow,
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

/* Packed as in memory, so without padding. */
static_assert(sizeof(BonePose) == 7 * sizeof(float), "padding in BonePose");
static_assert(sizeof(MaterialState) == 40 * sizeof(float), "padding in MaterialState");
static_assert(sizeof(ClothVertex) == 6 * sizeof(float), "padding in ClothVertex");
static_assert(sizeof(Placement) == 8 * sizeof(float), "padding in Placement");
static_assert(sizeof(LightState) == 6 * sizeof(float), "padding in LightState");

/* The same traversal of a FrameState computes its size, packs and unpacks it. */
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
    if (entry->keys.count)
        pass_bool(walk, &model->casts_nothing);
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

void frame_state_pack_camera(void *packed, const CameraState *camera)
{
    Walk walk = {.mode = WALK_PACK, .out = packed, .at = sizeof(double)};
    CameraState copy = *camera;
    pass_camera(&walk, &copy); /* after the frame, see pass_head */
}

void frame_state_unpack(FrameState *state, const void *bytes, const Scene *scene)
{
    Walk walk = {.mode = WALK_UNPACK, .in = bytes};
    pass_head(&walk, state);
    for (size_t i = 0; i < scene->model_count; i++)
        pass_model(&walk, &state->models[i], &scene->models[i]);
}
