#include "convert/export/playback.h"

#include "evaluate/morph.h"
#include "evaluate/pose_solve.h"
#include "math/rotation.h"

struct Playback {
    Pose pose;
    PoseBone *morphed; /* [bone_count] what bone morphs alone give */
};

Playback *playback_create(const SceneModel *model, const Compat *compat, Arena *arena)
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

/* In transform order, as they are played.  A source that comes later in the order passes on its
 * local parts of the pass before. */
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

void playback_keys(LocalPose *keys, Playback *playback, const LocalPose *bones,
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
