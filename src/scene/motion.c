#include "scene/motion.h"

#include <stdlib.h>
#include <string.h>

#include "math/rotation.h"
#include "math/scalar.h"
#include "math/timeline.h"
#include "scene/motion_names.h"

/* ---- keys of one motion, grouped by track ---- */

/* The keys of track i are items[first[i]] .. items[first[i + 1] - 1]. */
typedef struct Grouping {
    uint32_t *first;
    TimelineItem *items;
} Grouping;

/* One key of a file, as input of the grouping. */
typedef struct KeyRef {
    int32_t track; /* -1: no such name in the model */
    uint32_t frame;
} KeyRef;

static Grouping group_keys(const KeyRef *refs, uint32_t ref_count, uint32_t track_count,
                           Arena *arena)
{
    Grouping group = {.first = arena_array(arena, uint32_t, (size_t)track_count + 1)};
    for (uint32_t i = 0; i < ref_count; i++)
        if (refs[i].track >= 0)
            group.first[refs[i].track + 1]++;
    for (uint32_t i = 0; i < track_count; i++)
        group.first[i + 1] += group.first[i];

    group.items = arena_array(arena, TimelineItem, group.first[track_count]);
    uint32_t *next = arena_copy(arena, group.first, track_count * sizeof *next);
    for (uint32_t i = 0; i < ref_count; i++)
        if (refs[i].track >= 0)
            group.items[next[refs[i].track]++] = (TimelineItem){refs[i].frame, i};
    return group;
}

/* ---- bones ---- */

/* As MMD does when it registers keys: keeps angle and w, and replaces the axis
 * (scene/README.md 2.3). */
static void project_on_axis(float rotation[4], const float axis[3])
{
    const Quat q = quat_load(rotation);
    const Vec3 v = {q.x, q.y, q.z}, unit = vec3_normalize(vec3_load(axis));
    const double size = vec3_dot(v, unit) < 0 ? -vec3_length(v) : vec3_length(v);
    const Vec3 turned = vec3_scale(unit, size);
    quat_store(rotation, quat_normalize((Quat){turned.x, turned.y, turned.z, q.w}));
}

static bool has_fixed_axis(const PmxBone *bone)
{
    return (bone->flags & PMX_BONE_FIXED_AXIS) && vec3_length(vec3_load(bone->fixed_axis)) > 0;
}

static const VmdBoneKey *projected(const VmdBoneKey *key, const PmxBone *bone, Arena *arena)
{
    VmdBoneKey *copy = arena_copy(arena, key, sizeof *key);
    project_on_axis(copy->rotation, bone->fixed_axis);
    return copy;
}

static void bind_bone(BoneTrack *track, const MotionLayer *layer, TimelineItem *items,
                      uint32_t count, const PmxBone *bone, bool project, Arena *arena)
{
    *track = (BoneTrack){.time = layer->time, .key_count = timeline_order(items, count)};
    track->keys = arena_array(arena, const VmdBoneKey *, track->key_count);
    track->frames = arena_array(arena, uint32_t, track->key_count);
    for (uint32_t i = 0; i < track->key_count; i++) {
        const VmdBoneKey *key = &layer->vmd->bone_keys[items[i].index];
        track->keys[i] = project && has_fixed_axis(bone) ? projected(key, bone, arena) : key;
        track->frames[i] = items[i].frame;
    }
}

static void bind_bones(ModelMotion *out, const Model *model, const MotionLayer *layer,
                       const MotionNames *names, bool project, NameTally *tally, Arena *arena)
{
    const VmdMotion *vmd = layer->vmd;
    const uint32_t count = vmd->bone_key_count, bone_count = model->pmx.bone_count;
    KeyRef *refs = arena_array(arena, KeyRef, count);
    *tally = name_tally_create(count, arena);
    for (uint32_t i = 0; i < count; i++) {
        const VmdName *name = &vmd->bone_keys[i].name;
        refs[i] = (KeyRef){motion_names_bone(names, name), vmd->bone_keys[i].frame};
        name_tally_add(tally, name, refs[i].track);
    }

    const Grouping group = group_keys(refs, count, bone_count, arena);
    for (uint32_t b = 0; b < bone_count; b++) {
        const uint32_t first = group.first[b], end = group.first[b + 1];
        if (first < end)
            bind_bone(&out->bones[b], layer, group.items + first, end - first, &model->pmx.bones[b],
                      project, arena);
    }
}

/* ---- morphs ---- */

static void bind_morph(MorphTrack *track, const MotionLayer *layer, TimelineItem *items,
                       uint32_t count, Arena *arena)
{
    *track = (MorphTrack){.time = layer->time, .key_count = timeline_order(items, count)};
    track->keys = arena_array(arena, const VmdMorphKey *, track->key_count);
    track->frames = arena_array(arena, uint32_t, track->key_count);
    for (uint32_t i = 0; i < track->key_count; i++) {
        track->keys[i] = &layer->vmd->morph_keys[items[i].index];
        track->frames[i] = items[i].frame;
    }
}

static void bind_morphs(ModelMotion *out, const Model *model, const MotionLayer *layer,
                        const MotionNames *names, NameTally *tally, Arena *arena)
{
    const VmdMotion *vmd = layer->vmd;
    const uint32_t count = vmd->morph_key_count, morph_count = model->pmx.morph_count;
    KeyRef *refs = arena_array(arena, KeyRef, count);
    *tally = name_tally_create(count, arena);
    for (uint32_t i = 0; i < count; i++) {
        const VmdName *name = &vmd->morph_keys[i].name;
        refs[i] = (KeyRef){motion_names_morph(names, name), vmd->morph_keys[i].frame};
        name_tally_add(tally, name, refs[i].track);
    }

    const Grouping group = group_keys(refs, count, morph_count, arena);
    for (uint32_t m = 0; m < morph_count; m++) {
        const uint32_t first = group.first[m], end = group.first[m + 1];
        if (first < end)
            bind_morph(&out->morphs[m], layer, group.items + first, end - first, arena);
    }
    /* A name that several morphs share drives all of them (scene/README.md 1.3). */
    for (uint32_t m = 0; m < morph_count; m++) {
        const int32_t namesake = name_table_find(&names->morphs, &model->morph_names[m]);
        if (namesake >= 0 && group.first[namesake] < group.first[namesake + 1])
            out->morphs[m] = out->morphs[namesake];
    }
}

/* ---- properties ---- */

static SwitchTrack bind_visible(const MotionLayer *layer, const TimelineItem *items, uint32_t count,
                                Arena *arena)
{
    SwitchTrack track = {.time = layer->time,
                         .frames = arena_array(arena, uint32_t, count),
                         .on = arena_array(arena, bool, count),
                         .key_count = count};
    for (uint32_t i = 0; i < count; i++) {
        track.frames[i] = items[i].frame;
        track.on[i] = layer->vmd->property_keys[items[i].index].visible;
    }
    return track;
}

static const VmdIkSwitch *find_switch(const VmdPropertyKey *key, const MotionNames *names,
                                      const VmdName *bone)
{
    for (uint32_t i = 0; i < key->ik_count; i++)
        if (vmd_name_equal(motion_names_renamed_bone(names, &key->ik[i].bone), bone))
            return &key->ik[i];
    return NULL;
}

static SwitchTrack bind_ik(const MotionLayer *layer, const TimelineItem *items, uint32_t count,
                           const MotionNames *names, const VmdName *bone, Arena *arena)
{
    SwitchTrack track = {.time = layer->time,
                         .frames = arena_array(arena, uint32_t, count),
                         .on = arena_array(arena, bool, count)};
    for (uint32_t i = 0; i < count; i++) {
        const VmdIkSwitch *found =
            find_switch(&layer->vmd->property_keys[items[i].index], names, bone);
        if (found) {
            track.frames[track.key_count] = items[i].frame;
            track.on[track.key_count++] = found->enabled;
        }
    }
    return track;
}

static void bind_properties(ModelMotion *out, const Model *model, const MotionLayer *layer,
                            const MotionNames *names, Arena *arena)
{
    const VmdMotion *vmd = layer->vmd;
    TimelineItem *items = arena_array(arena, TimelineItem, vmd->property_key_count);
    for (uint32_t i = 0; i < vmd->property_key_count; i++)
        items[i] = (TimelineItem){vmd->property_keys[i].frame, i};
    const uint32_t count = timeline_order(items, vmd->property_key_count);
    if (!count)
        return;

    out->visible = bind_visible(layer, items, count, arena);
    for (uint32_t i = 0; i < model->ik_count; i++) {
        const uint32_t bone = model->ik_bones[i];
        const SwitchTrack track =
            bind_ik(layer, items, count, names, &model->bone_names[bone], arena);
        if (track.key_count)
            out->ik[bone] = track;
    }
}

static bool bind_layer(ModelMotion *out, MotionFit *fit, const Model *model,
                       const MotionLayer *layer, MotionNames *names, bool fixed_axis_keys,
                       Arena *arena, Diag *diag)
{
    NameTally bones = {0}, morphs = {0};
    if (!motion_names_set_layer(names, layer, arena, diag))
        return false;
    if (layer->parts & MOTION_BONES)
        bind_bones(out, model, layer, names, fixed_axis_keys, &bones, arena);
    if (layer->parts & MOTION_MORPHS)
        bind_morphs(out, model, layer, names, &morphs, arena);
    if (layer->parts & MOTION_PROPERTIES)
        bind_properties(out, model, layer, names, arena);
    return motion_names_report(fit, names, layer, &bones, &morphs, arena, diag);
}

bool motion_bind(ModelMotion *out, const Model *model, const MotionLayer *layers,
                 size_t layer_count, bool fixed_axis_keys, Arena *arena, Diag *diag)
{
    const uint32_t bone_count = model->pmx.bone_count, morph_count = model->pmx.morph_count;
    *out = (ModelMotion){.bones = arena_array(arena, BoneTrack, bone_count),
                         .morphs = arena_array(arena, MorphTrack, morph_count),
                         .ik = arena_array(arena, SwitchTrack, bone_count),
                         .fits = arena_array(arena, MotionFit, layer_count),
                         .fit_count = layer_count};
    MotionNames names = motion_names_create(model, arena);
    bool good = true; /* strict makes warnings errors */

    for (size_t i = 0; i < layer_count; i++) {
        diag_file(diag, layers[i].file);
        good &=
            bind_layer(out, &out->fits[i], model, &layers[i], &names, fixed_axis_keys, arena, diag);
    }
    diag_file(diag, NULL);
    return good;
}

/* ---- sampling ---- */

static double key_time(TimeMap time, double frame)
{
    return (frame - time.offset) * time.speed;
}

BoneSample motion_bone(const BoneTrack *track, double frame, int halvings)
{
    if (!track->key_count)
        return (BoneSample){.rotation = {0, 0, 0, 1}};

    const double time = key_time(track->time, frame);
    const TimelineSpan span = timeline_span(track->frames, track->key_count, time);
    const VmdBoneKey *a = track->keys[span.left], *b = track->keys[span.right];
    BoneSample sample = {.physics = VMD_PHYSICS_UNSPECIFIED};
    if (time >= (double)a->frame)
        sample.physics = (VmdPhysics)a->physics;
    if (a == b) {
        memcpy(sample.translation, a->translation, sizeof sample.translation);
        memcpy(sample.rotation, a->rotation, sizeof sample.rotation);
        return sample;
    }
    for (int i = 0; i < 3; i++)
        sample.translation[i] = scalar_lerp_float(a->translation[i], b->translation[i],
                                                  curve_eval(b->curves[i], span.t, halvings));
    const double t = curve_eval(b->curves[3], span.t, halvings);
    quat_store(sample.rotation, quat_slerp(quat_load(a->rotation), quat_load(b->rotation), t));
    return sample;
}

float motion_morph(const MorphTrack *track, double frame)
{
    if (!track->key_count)
        return 0;
    const TimelineSpan span =
        timeline_span(track->frames, track->key_count, key_time(track->time, frame));
    return scalar_lerp_float(track->keys[span.left]->weight, track->keys[span.right]->weight,
                             span.t);
}

bool motion_switch(const SwitchTrack *track, double frame)
{
    const double time = key_time(track->time, frame);
    if (!track->key_count || time < (double)track->frames[0])
        return true;
    return track->on[timeline_span(track->frames, track->key_count, time).left];
}
