// SPDX-License-Identifier: MIT
#include "convert/export/export_formats.h"

#include <math.h>
#include <string.h>

#include "format/motion/vmd.h"

typedef struct Writer {
    const Capture *capture;
    const CapturedModel *model;
    const PmxModel *pmx;
    ARENA_LIST(VmdBoneKey) bones;
    ARENA_LIST(VmdMorphKey) morphs;
    ARENA_LIST(VmdPropertyKey) properties;
    uint32_t unnamed; /* bones or morphs that move, but cannot be named */
    Arena *arena;
} Writer;

/* ---- names ---- */

/* Whether no earlier bone or morph has the same 15 bytes. */
static bool is_addressable(const VmdName *names, uint32_t index)
{
    if (!names[index].bytes[0])
        return false;
    for (uint32_t i = 0; i < index; i++)
        if (vmd_name_equal(&names[i], &names[index]))
            return false;
    return true;
}

/* ---- bones ---- */

static const LocalPose *key_at(const Writer *w, uint32_t frame, uint32_t bone)
{
    return &w->model->keys[(size_t)frame * w->pmx->bone_count + bone];
}

static bool same_pose(const LocalPose *a, const LocalPose *b)
{
    const float offset = 1e-6f, rotation = 1e-7f;
    for (size_t i = 0; i < 3; i++)
        if (!(fabsf(a->offset[i] - b->offset[i]) <= offset))
            return false;
    for (size_t i = 0; i < 4; i++)
        if (!(fabsf(a->rotation[i] - b->rotation[i]) <= rotation))
            return false;
    return true;
}

static bool is_moved(const Writer *w, uint32_t bone)
{
    static const LocalPose rest = {.rotation = {0, 0, 0, 1}};
    for (uint32_t k = 0; k < w->capture->frame_count; k++)
        if (!same_pose(key_at(w, k, bone), &rest))
            return true;
    return false;
}

/* Inside a run of equal poses only its ends are keys. */
static bool is_key(const Writer *w, uint32_t k, uint32_t bone)
{
    const uint32_t count = w->capture->frame_count;
    const LocalPose *pose = key_at(w, k, bone);
    return k == 0 || !same_pose(pose, key_at(w, k - 1, bone)) ||
           (k + 1 < count && !same_pose(pose, key_at(w, k + 1, bone)));
}

/* Bones of bodies that physics would move again. */
static bool *list_simulated(const Writer *w)
{
    bool *simulated = arena_array(w->arena, bool, w->pmx->bone_count);
    for (uint32_t i = 0; i < w->pmx->body_count; i++)
        if (w->pmx->bodies[i].mode != PMX_FOLLOW_BONE && w->pmx->bodies[i].bone >= 0)
            simulated[w->pmx->bodies[i].bone] = true;
    return simulated;
}

static void write_bone(Writer *w, uint32_t bone, bool simulated)
{
    const VmdName *names = w->model->model->model->bone_names;
    const bool moved = is_moved(w, bone);
    if (!moved && !simulated)
        return;
    if (!is_addressable(names, bone)) {
        w->unnamed += moved;
        return;
    }
    for (uint32_t k = 0; k < w->capture->frame_count; k++) {
        if (!is_key(w, k, bone))
            continue;
        const LocalPose *pose = key_at(w, k, bone);
        VmdBoneKey *key = arena_push(w->arena, &w->bones);
        *key = (VmdBoneKey){.name = names[bone],
                            .frame = k,
                            .curves = {CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR},
                            .physics = simulated ? VMD_PHYSICS_OFF : VMD_PHYSICS_UNSPECIFIED};
        memcpy(key->translation, pose->offset, sizeof key->translation);
        memcpy(key->rotation, pose->rotation, sizeof key->rotation);
    }
}

/* ---- morphs and properties ---- */

static float weight_at(const Writer *w, uint32_t frame, uint32_t morph)
{
    return w->model->key_weights[(size_t)frame * w->pmx->morph_count + morph];
}

static void write_morph(Writer *w, uint32_t morph)
{
    const VmdName *names = w->model->model->model->morph_names;
    const uint32_t count = w->capture->frame_count;
    bool used = false;
    for (uint32_t k = 0; k < count; k++)
        used |= weight_at(w, k, morph) != 0;
    if (!used)
        return;
    if (!is_addressable(names, morph)) {
        w->unnamed++;
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        const float weight = weight_at(w, k, morph);
        const bool changes = k == 0 || weight != weight_at(w, k - 1, morph) ||
                             (k + 1 < count && weight != weight_at(w, k + 1, morph));
        if (changes)
            *arena_push(w->arena, &w->morphs) = (VmdMorphKey){names[morph], k, weight};
    }
}

/* The state of every IK is part of each key. */
static void write_properties(Writer *w)
{
    const Model *model = w->model->model->model;
    VmdIkSwitch *off = arena_array(w->arena, VmdIkSwitch, model->ik_count);
    for (uint32_t i = 0; i < model->ik_count; i++)
        off[i] = (VmdIkSwitch){model->bone_names[model->ik_bones[i]], false};
    for (uint32_t k = 0; k < w->capture->frame_count; k++)
        if (k == 0 || w->model->visible[k] != w->model->visible[k - 1])
            *arena_push(w->arena, &w->properties) =
                (VmdPropertyKey){k, w->model->visible[k], off, model->ik_count};
}

Bytes export_vmd(const Capture *capture, const CapturedModel *model, Arena *arena, Diag *diag)
{
    Writer w = {
        .capture = capture, .model = model, .pmx = &model->model->model->pmx, .arena = arena};
    const bool *simulated = list_simulated(&w);
    for (uint32_t i = 0; i < w.pmx->bone_count; i++)
        write_bone(&w, i, simulated[i]);
    for (uint32_t i = 0; i < w.pmx->morph_count; i++)
        write_morph(&w, i);
    write_properties(&w);
    if (w.unnamed)
        diag_warn(diag, WARN_PARTIAL_FIT,
                  "%u bones and morphs move, but cannot be named in a VMD file (15 bytes of "
                  "Shift-JIS, each name once); they are omitted",
                  w.unnamed);
    const VmdMotion motion = {.model_name = w.pmx->name,
                              .bone_keys = w.bones.items,
                              .bone_key_count = (uint32_t)w.bones.count,
                              .morph_keys = w.morphs.items,
                              .morph_key_count = (uint32_t)w.morphs.count,
                              .property_keys = w.properties.items,
                              .property_key_count = (uint32_t)w.properties.count};
    return vmd_write(&motion, arena);
}
