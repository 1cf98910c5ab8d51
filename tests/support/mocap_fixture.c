// SPDX-License-Identifier: MIT
#include "mocap_fixture.h"

#include <string.h>

/* ---- skeletons ---- */

static uint32_t add_channels(BvhJoint *joint, uint32_t first_value)
{
    static const uint8_t channels[] = {BVH_X_POSITION, BVH_Y_POSITION, BVH_Z_POSITION,
                                       BVH_Z_ROTATION, BVH_X_ROTATION, BVH_Y_ROTATION};
    const uint32_t skipped = joint->parent < 0 ? 0 : 3;
    joint->channel_count = 6 - skipped;
    joint->first_value = first_value;
    memcpy(joint->channels, channels + skipped, joint->channel_count);
    return first_value + joint->channel_count;
}

void rig_create(Rig *rig, const RigJoint *joints, uint32_t count, uint32_t frames, Arena *arena)
{
    BvhMotion *bvh = &rig->bvh;
    *bvh = (BvhMotion){.joints = arena_array(arena, BvhJoint, count),
                       .joint_count = count,
                       .frame_count = frames,
                       .frame_s = 1 / 30.0};
    for (uint32_t i = 0; i < count; i++) {
        const double *o = joints[i].offset;
        bvh->joints[i] = (BvhJoint){.name = joints[i].name, .parent = joints[i].parent};
        memcpy(bvh->joints[i].offset, o, sizeof joints[i].offset);
        bvh->value_count = add_channels(&bvh->joints[i], bvh->value_count);
    }
    bvh->values = arena_array(arena, float, (size_t)frames * bvh->value_count);
    bvh_to_mocap(&rig->mocap, bvh, arena);
}

void rig_create_standard(Rig *rig, uint32_t frames, Arena *arena)
{
    static const RigJoint joints[] = {
        {"Hips", -1, {0, 0, 0}},         {"Spine", 0, {0, 1, 0}},
        {"Neck", 1, {0, 5, 0}},          {"Head", 2, {0, 1, 0}},
        {"LeftArm", 1, {1.5, 4, 0}},     {"LeftForeArm", 4, {3, 0, 0}},
        {"LeftHand", 5, {2, 0, 0}},      {"RightArm", 1, {-1.5, 4, 0}},
        {"RightForeArm", 7, {-3, 0, 0}}, {"RightHand", 8, {-2, 0, 0}},
        {"LeftUpLeg", 0, {1, -1, 0}},    {"LeftLeg", 10, {0, -4, 0}},
        {"LeftFoot", 11, {0, -4, 0}},    {"LeftToeBase", 12, {0, -1, 1}},
        {"RightUpLeg", 0, {-1, -1, 0}},  {"RightLeg", 14, {0, -4, 0}},
        {"RightFoot", 15, {0, -4, 0}},   {"RightToeBase", 16, {0, -1, 1}},
    };
    rig_create(rig, joints, sizeof joints / sizeof *joints, frames, arena);
    for (uint32_t k = 0; k < frames; k++)
        rig_move(rig, k, 0, 10, 0);
}

int32_t rig_find(const Rig *rig, const char *joint)
{
    for (uint32_t i = 0; i < rig->mocap.joint_count; i++)
        if (!strcmp(rig->mocap.joints[i].name, joint))
            return (int32_t)i;
    return -1;
}

void rig_turn(Rig *rig, uint32_t frame, const char *joint, int axis, double degrees)
{
    const BvhJoint *at = &rig->bvh.joints[rig_find(rig, joint)];
    const uint32_t offsets[] = {1, 2, 0}; /* of the channels Z X Y */
    const uint32_t index = at->first_value + at->channel_count - 3 + offsets[axis];
    rig->bvh.values[frame * rig->bvh.value_count + index] = (float)degrees;
}

void rig_move(Rig *rig, uint32_t frame, double x, double y, double z)
{
    float *values = rig->bvh.values + (size_t)frame * rig->bvh.value_count;
    values[0] = (float)x;
    values[1] = (float)y;
    values[2] = (float)z;
}

/* ---- models ---- */

void bones_create(PmxModel *model, const ModelBone *bones, uint32_t count, Arena *arena)
{
    *model = (PmxModel){.name = "bones",
                        .name_en = "",
                        .comment = "",
                        .comment_en = "",
                        .bones = arena_array(arena, PmxBone, count),
                        .bone_count = count};
    for (uint32_t i = 0; i < count; i++) {
        model->bones[i] = (PmxBone){.name = bones[i].name,
                                    .name_en = "",
                                    .parent = bones[i].parent,
                                    .tail_bone = -1,
                                    .append_source = -1};
        memcpy(model->bones[i].position, bones[i].position, sizeof bones[i].position);
    }
}

void bones_create_standard(PmxModel *model, Arena *arena)
{
    static const ModelBone bones[] = {
        {"全ての親", -1, {0, 0, 0}},
        {"センター", 0, {0, 8, 0}},
        {"下半身", 1, {0, 10, 0}},
        {"上半身", 1, {0, 11, 0}},
        {"首", 3, {0, 16, 0}},
        {"頭", 4, {0, 17, 0}},
        {"左腕", 3, {1.5f, 15, 0}},
        {"左ひじ", 6, {4.5f, 15, 0}},
        {"左手首", 7, {6.5f, 15, 0}},
        {"右腕", 3, {-1.5f, 15, 0}},
        {"右ひじ", 9, {-4.5f, 15, 0}},
        {"右手首", 10, {-6.5f, 15, 0}},
        {"左足", 2, {1, 9, 0}},
        {"左ひざ", 12, {1, 5, 0}},
        {"左足首", 13, {1, 1, 0}},
        {"左つま先", 14, {1, 0, -1}},
        {"右足", 2, {-1, 9, 0}},
        {"右ひざ", 16, {-1, 5, 0}},
        {"右足首", 17, {-1, 1, 0}},
        {"右つま先", 18, {-1, 0, -1}},
        {"左足ＩＫ", 0, {1, 1, 0}},
        {"右足ＩＫ", 0, {-1, 1, 0}},
        {"左つま先ＩＫ", 20, {1, 0, -1}},
        {"右つま先ＩＫ", 21, {-1, 0, -1}},
    };
    bones_create(model, bones, sizeof bones / sizeof *bones, arena);
    bones_add_ik(model, "左足ＩＫ", "左足首", "左ひざ", "左足", arena);
    bones_add_ik(model, "右足ＩＫ", "右足首", "右ひざ", "右足", arena);
    bones_add_ik(model, "左つま先ＩＫ", "左つま先", "左足首", NULL, arena);
    bones_add_ik(model, "右つま先ＩＫ", "右つま先", "右足首", NULL, arena);
}

int32_t bones_find(const PmxModel *model, const char *name)
{
    for (uint32_t i = 0; i < model->bone_count; i++)
        if (!strcmp(model->bones[i].name, name))
            return (int32_t)i;
    return -1;
}

void bones_add_ik(PmxModel *model, const char *name, const char *effector, const char *link,
                  const char *link2, Arena *arena)
{
    PmxBone *bone = &model->bones[bones_find(model, name)];
    PmxIkLink *links = arena_array(arena, PmxIkLink, 2);
    links[0].bone = bones_find(model, link);
    if (link2)
        links[1].bone = bones_find(model, link2);
    bone->flags |= PMX_BONE_IK;
    bone->ik = (PmxIk){
        .effector = bones_find(model, effector), .links = links, .link_count = link2 ? 2 : 1};
}
