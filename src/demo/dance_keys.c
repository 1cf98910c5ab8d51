#include "demo/dance_keys.h"

#include "demo/figure.h"

Quat turn_deg(double x, double y, double z)
{
    const double radians = 3.14159265358979323846 / 180.0;
    return quat_from_euler_yxz(x * radians, y * radians, z * radians);
}

Quat turn_mirrored(Quat q)
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

void key_place(Keys *keys, int bone, double beat, Vec3 offset, Quat turn, Ease ease)
{
    VmdBoneKey *key = arena_push(keys->arena, &keys->bones[bone]);
    const Curve curve = curve_of(ease);

    *key = (VmdBoneKey){.name = vmd_name_from_utf8(bone_name(bone, keys->arena)),
                        .frame = beat_frame(beat),
                        .curves = {curve, curve, curve, curve}};
    vec3_store(key->translation, offset);
    quat_store(key->rotation, quat_normalize(turn));
}

void key_turn(Keys *keys, int bone, double beat, Quat turn, Ease ease)
{
    key_place(keys, bone, beat, (Vec3){0, 0, 0}, turn, ease);
}

void key_morph(Keys *keys, FaceMorph morph, double beat, float weight)
{
    VmdMorphKey *key = arena_push(keys->arena, &keys->morphs);

    *key = (VmdMorphKey){vmd_name_from_utf8(figure_morph_name(morph)), beat_frame(beat), weight};
}

static Placed placed_of(const VmdBoneKey *key)
{
    return (Placed){vec3_load(key->translation), quat_load(key->rotation)};
}

Placed keys_at(const Keys *keys, int bone, double frame)
{
    const BoneKeys *list = &keys->bones[bone];
    size_t next = 0;

    if (list->count == 0)
        return (Placed){{0, 0, 0}, QUAT_IDENTITY};
    while (next < list->count && (double)list->items[next].frame <= frame)
        next++;
    if (next == 0 || next == list->count)
        return placed_of(&list->items[next ? next - 1 : 0]);

    const VmdBoneKey *a = &list->items[next - 1], *b = &list->items[next];
    const double t = (frame - (double)a->frame) / ((double)b->frame - (double)a->frame);
    const double s = curve_eval(b->curves[3], t, CURVE_HALVINGS); /* all four are the same here */
    const Placed from = placed_of(a), to = placed_of(b);

    return (Placed){vec3_add(from.offset, vec3_scale(vec3_sub(to.offset, from.offset), s)),
                    quat_slerp(from.turn, to.turn, s)};
}
