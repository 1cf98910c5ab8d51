// SPDX-License-Identifier: MIT
#include "convert/export/capture.h"

#include <string.h>

#include "evaluate/frame.h"
#include "evaluate/morph.h"
#include "evaluate/pose_solve.h"
#include "film/film.h"
#include "math/rotation.h"

enum { MAX_BYTES_MIB = 8192 };

/* ---- keys that give a pose when they are played with IK and physics off ---- */

/* MMD applies append transforms (付与) and bone morphs on top of the keys, so these are divided out
 * of the local rotation and offset of each bone, in transform order (README.md 1). */
typedef struct Playback {
    Pose pose;
    PoseBone *morphed; /* [bone_count] what bone morphs alone give */
} Playback;

static Playback *create_playback(const SceneModel *model, const Compat *compat, Arena *arena)
{
    Playback *playback = arena_array(arena, Playback, 1);
    pose_solve_create(&playback->pose, model, compat, arena);
    playback->morphed = arena_array(arena, PoseBone, model->model->pmx.bone_count);
    return playback;
}

static void clear_append(PoseBone *bone)
{
    bone->append_offset = (Vec3){0, 0, 0};
    bone->append_rotation = bone->ik = QUAT_IDENTITY;
    bone->ik_link = false;
}

static void apply_morphs(Playback *playback, const float *leaf_weights, uint32_t count)
{
    PoseBone *bones = playback->pose.bones;
    for (uint32_t i = 0; i < count; i++) {
        clear_append(&bones[i]);
        bones[i].local_offset = (Vec3){0, 0, 0};
        bones[i].local_rotation = QUAT_IDENTITY;
    }
    morph_bones(&playback->pose, leaf_weights);
    for (uint32_t i = 0; i < count; i++)
        playback->morphed[i] = bones[i];
}

/* The local parts of a bone are what its pose is without the appended ones. */
static void divide_append(PoseBone *bone, const LocalPose *pose)
{
    bone->local_rotation = quat_mul(quat_load(pose->rotation), quat_inverse(bone->append_rotation));
    bone->local_offset = vec3_sub(vec3_load(pose->offset), bone->append_offset);
}

/* Divides in transform order, as they are played.  A source that comes later in the order passes on
 * its local parts of the pass before. */
static void divide_appends(Playback *playback, const LocalPose *bones)
{
    enum { PASSES = 2 };
    Pose *pose = &playback->pose;
    const Model *model = pose->model->model;
    for (uint32_t i = 0; i < model->pmx.bone_count; i++)
        divide_append(&pose->bones[i], &bones[i]);
    for (int pass = 0; pass < PASSES; pass++) {
        for (uint32_t i = 0; i < model->pmx.bone_count; i++)
            clear_append(&pose->bones[i]);
        for (uint32_t i = 0; i < model->pmx.bone_count; i++) {
            const uint32_t bone = model->order[i];
            pose_solve_append(pose, bone);
            divide_append(&pose->bones[bone], &bones[bone]);
        }
    }
}

/* [bone_count] each; leaf_weights: [morph_count] at this frame. */
static void find_keys(LocalPose *keys, Playback *playback, const LocalPose *bones,
                      const float *leaf_weights)
{
    const uint32_t count = playback->pose.model->model->pmx.bone_count;
    apply_morphs(playback, leaf_weights, count);
    divide_appends(playback, bones);
    for (uint32_t i = 0; i < count; i++) {
        const PoseBone *bone = &playback->pose.bones[i], *morphed = &playback->morphed[i];
        const Quat rotation = quat_mul(bone->local_rotation, quat_inverse(morphed->local_rotation));
        quat_store(keys[i].rotation, quat_normalize(rotation));
        vec3_store(keys[i].offset, vec3_sub(bone->local_offset, morphed->local_offset));
    }
}

/* ---- frames ---- */

static Vec3 rest_offset(const PmxModel *pmx, uint32_t bone)
{
    const int32_t parent = pmx->bones[bone].parent;
    const Vec3 own = vec3_load(pmx->bones[bone].position);
    return parent < 0 ? own : vec3_sub(own, vec3_load(pmx->bones[parent].position));
}

static void capture_bones(LocalPose *out, const ModelState *state, const PmxModel *pmx)
{
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const int32_t parent = pmx->bones[i].parent;
        Vec3 position = vec3_load(state->bones[i].position);
        Quat rotation = quat_load(state->bones[i].rotation);
        if (parent >= 0) {
            const BonePose *p = &state->bones[parent];
            const Quat inverse = quat_inverse(quat_load(p->rotation));
            position = quat_rotate(inverse, vec3_sub(position, vec3_load(p->position)));
            rotation = quat_mul(inverse, rotation);
        }
        vec3_store(out[i].offset, vec3_sub(position, rest_offset(pmx, i)));
        quat_store(out[i].rotation, quat_normalize(rotation));
    }
}

static void capture_model(CapturedModel *out, Playback *playback, const ModelState *state,
                          size_t frame, double time)
{
    const PmxModel *pmx = &out->model->model->pmx;
    const size_t at = frame * pmx->bone_count, weights = frame * pmx->morph_count;
    capture_bones(out->bones + at, state, pmx);
    find_keys(out->keys + at, playback, out->bones + at, state->leaf_weights);
    morph_key_weights(out->key_weights + weights, out->model, time);
    for (uint32_t i = 0; i < pmx->morph_count; i++)
        out->leaf_weights[weights + i] = state->leaf_weights[i];
    out->placements[frame] = state->placement;
    out->visible[frame] = state->visible;
}

static void allocate(CapturedModel *out, uint32_t count, Arena *arena)
{
    const PmxModel *pmx = &out->model->model->pmx;
    out->bones = arena_array(arena, LocalPose, (size_t)count * pmx->bone_count);
    out->keys = arena_array(arena, LocalPose, (size_t)count * pmx->bone_count);
    out->key_weights = arena_array(arena, float, (size_t)count * pmx->morph_count);
    out->leaf_weights = arena_array(arena, float, (size_t)count * pmx->morph_count);
    out->placements = arena_array(arena, Placement, count);
    out->visible = arena_array(arena, bool, count);
}

static bool check_size(const Capture *capture, Diag *diag)
{
    double bytes = 0;
    for (size_t i = 0; i < capture->model_count; i++) {
        const PmxModel *pmx = &capture->models[i].model->model->pmx;
        bytes += (double)capture->frame_count * (2.0 * sizeof(LocalPose) * pmx->bone_count +
                                                 2.0 * sizeof(float) * pmx->morph_count);
    }
    return bytes <= (double)MAX_BYTES_MIB * (1 << 20) ||
           diag_fail(diag, DIAG_RESOURCE,
                     "the motion has %.0f MiB of bones (at most %d); export parts of it with "
                     "--frames",
                     bytes / (1 << 20), MAX_BYTES_MIB);
}

bool capture_run(Capture *capture, const Scene *scene, const Job *job, const size_t *models,
                 size_t model_count, uint32_t first, uint32_t count, Arena *arena, Diag *diag)
{
    *capture = (Capture){.first = first,
                         .frame_count = count,
                         .width = job->render.size[0],
                         .height = job->render.size[1],
                         .cameras = arena_array(arena, CameraState, count),
                         .models = arena_array(arena, CapturedModel, model_count),
                         .model_count = model_count};
    Playback **playbacks = arena_array(arena, Playback *, model_count);
    for (size_t i = 0; i < model_count; i++)
        capture->models[i].model = &scene->models[models[i]];
    if (!check_size(capture, diag))
        return false;
    for (size_t i = 0; i < model_count; i++) {
        allocate(&capture->models[i], count, arena);
        playbacks[i] = create_playback(capture->models[i].model, &scene->compat, arena);
    }
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = film_evaluator(scene, job, job->stop);
    bool good = true;
    for (uint32_t k = 0; good && k < count; k++) {
        good = evaluate_frame(state, evaluator, scene, (double)first + k) ||
               evaluator_report(evaluator, (double)first + k, diag);
        capture->cameras[k] = state->camera;
        for (size_t i = 0; good && i < model_count; i++)
            capture_model(&capture->models[i], playbacks[i], &state->models[models[i]], k,
                          (double)first + k);
    }
    evaluator_destroy(evaluator);
    return good;
}

const LocalPose *capture_bone(const CapturedModel *model, uint32_t frame, uint32_t bone)
{
    return &model->bones[(size_t)frame * model->model->model->pmx.bone_count + bone];
}

void capture_place(float out[3], const PmxModel *pmx, uint32_t bone, const float offset[3])
{
    const PmxBone *b = &pmx->bones[bone];
    for (size_t i = 0; i < 3; i++)
        out[i] =
            b->position[i] - (b->parent < 0 ? 0 : pmx->bones[b->parent].position[i]) + offset[i];
}
