// SPDX-License-Identifier: MIT
#include "demo/dance_keys.h"

#include <string.h>

#include "base/units.h"
#include "demo/figure.h"

Quat quat_from_degrees(double x, double y, double z)
{
    return quat_from_euler_yxz(x * RADIANS, y * RADIANS, z * RADIANS);
}

Quat quat_mirrored(Quat q)
{
    return (Quat){q.x, -q.y, -q.z, q.w};
}

static uint32_t beat_frame(double beat)
{
    return (uint32_t)lrint(beat * DANCE_BEAT);
}

static Curve curve_of(Ease ease)
{
    static const Curve curves[] = {
        [EASE_SMOOTH] = {54, 0, 73, 127}, [EASE_LINEAR] = {20, 20, 107, 107},
        [EASE_SNAP] = {20, 70, 60, 127},  [EASE_RISE] = {42, 85, 85, 127},
        [EASE_FALL] = {42, 0, 85, 42},
    };
    return curves[ease];
}

void dance_key_bone(Keys *keys, int bone, double beat, Vec3 offset, Quat rotation, Ease ease)
{
    VmdBoneKey *key = arena_push(keys->arena, &keys->bones[bone]);
    const Curve curve = curve_of(ease);

    *key = (VmdBoneKey){.name = vmd_name_from_utf8(bone_name(bone, keys->arena)),
                        .frame = beat_frame(beat),
                        .curves = {curve, curve, curve, curve}};
    vec3_store(key->translation, offset);
    quat_store(key->rotation, quat_normalize(rotation));
}

void dance_key_rotation(Keys *keys, int bone, double beat, Quat rotation, Ease ease)
{
    dance_key_bone(keys, bone, beat, (Vec3){0, 0, 0}, rotation, ease);
}

void dance_key_morph(Keys *keys, FaceMorph morph, double beat, float weight)
{
    VmdMorphKey *key = arena_push(keys->arena, &keys->morphs);

    *key = (VmdMorphKey){vmd_name_from_utf8(figure_morph_name(morph)), beat_frame(beat), weight};
}

static BoneTransform transform_of_key(const VmdBoneKey *key)
{
    return (BoneTransform){vec3_load(key->translation), quat_load(key->rotation)};
}

BoneTransform bone_transform_at(const Keys *keys, int bone, double frame)
{
    const BoneKeys *list = &keys->bones[bone];
    size_t next = 0;

    if (list->count == 0)
        return (BoneTransform){{0, 0, 0}, QUAT_IDENTITY};
    while (next < list->count && (double)list->items[next].frame <= frame)
        next++;
    if (next == 0 || next == list->count)
        return transform_of_key(&list->items[next ? next - 1 : 0]);

    const VmdBoneKey *a = &list->items[next - 1], *b = &list->items[next];
    const double t = (frame - (double)a->frame) / ((double)b->frame - (double)a->frame);
    const double s =
        curve_eval(b->curves[3], t, CURVE_HALVINGS); /* the four curves are equal here */
    const BoneTransform from = transform_of_key(a), to = transform_of_key(b);

    return (BoneTransform){vec3_add(from.offset, vec3_scale(vec3_sub(to.offset, from.offset), s)),
                           quat_slerp(from.rotation, to.rotation, s)};
}

VmdMotion dance_make(Arena *arena)
{
    VmdMotion motion = {.model_name = "踊り子"};
    Keys keys = {.arena = arena};

    dance_add_steps(&keys);
    dance_add_legs(&keys);
    dance_add_trunk(&keys);
    dance_add_arms(&keys);
    dance_add_face(&keys);
    dance_add_sway(&keys);
    /* Keys of all bones, one bone after the other. */
    size_t count = 0;
    for (int b = 0; b < BONE_COUNT; b++)
        count += keys.bones[b].count;
    motion.bone_keys = arena_array(keys.arena, VmdBoneKey, count);
    motion.bone_key_count = (uint32_t)count;
    VmdBoneKey *at = motion.bone_keys;
    for (int b = 0; b < BONE_COUNT; b++) {
        if (keys.bones[b].count)
            memcpy(at, keys.bones[b].items, keys.bones[b].count * sizeof *at);
        at += keys.bones[b].count;
    }
    motion.morph_keys = keys.morphs.items;
    motion.morph_key_count = (uint32_t)keys.morphs.count;
    return motion;
}
