#include "scene/motion.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "math/rotation.h"
#include "scene/timeline.h"

/* ---- names ---- */

typedef struct NamedIndex {
    const VmdName *name;
    uint32_t index;
} NamedIndex;

/* The sorted names of a model, to look up the names of tracks. */
typedef struct NameTable {
    NamedIndex *items;
    uint32_t count;
} NameTable;

static int by_name_and_index(const void *a, const void *b)
{
    const NamedIndex *left = a, *right = b;
    const int order = memcmp(left->name->bytes, right->name->bytes, VMD_NAME_SIZE);
    return order ? order : left->index < right->index ? -1 : left->index > right->index;
}

static NameTable name_table(const VmdName *names, uint32_t count, Arena *arena)
{
    NameTable table = {.items = arena_array(arena, NamedIndex, count), .count = count};
    for (uint32_t i = 0; i < count; i++)
        table.items[i] = (NamedIndex){&names[i], i};
    if (count > 1)
        qsort(table.items, count, sizeof *table.items, by_name_and_index);
    return table;
}

/* The lowest index with this name, or -1. */
static int32_t name_find(const NameTable *table, const VmdName *name)
{
    if (!name->bytes[0]) /* empty names never match */
        return -1;
    uint32_t low = 0, high = table->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (memcmp(table->items[middle].name->bytes, name->bytes, VMD_NAME_SIZE) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == table->count || !vmd_name_equal(table->items[low].name, name))
        return -1;
    return (int32_t)table->items[low].index;
}

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

/* Names of the motion that the model does not have. */
typedef struct Unknown {
    VmdName *names;
    uint32_t count;
} Unknown;

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, VMD_NAME_SIZE);
}

static uint32_t count_distinct(VmdName *names, uint32_t count)
{
    if (count > 1)
        qsort(names, count, sizeof *names, by_bytes);
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < count; i++)
        distinct += i == 0 || by_bytes(&names[i - 1], &names[i]) != 0;
    return distinct;
}

static void warn_unknown(Unknown *unknown, const char *what, const Model *model, Arena *arena,
                         Diag *diag)
{
    if (!unknown->count)
        return;
    const VmdName example = unknown->names[0]; /* the first in the file */
    const uint32_t distinct = count_distinct(unknown->names, unknown->count);
    diag_warn(diag, WARN_PARTIAL_FIT, "%u %s%s not in %s, e.g. '%s'", distinct, what,
              distinct > 1 ? "s" : "", path_name(model->file), vmd_name_to_utf8(&example, arena));
}

static void note_unknown(Unknown *unknown, const VmdName *name)
{
    if (name->bytes[0])
        unknown->names[unknown->count++] = *name;
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
                       const NameTable *names, bool project, Arena *arena, Diag *diag)
{
    const VmdMotion *vmd = layer->vmd;
    const uint32_t count = vmd->bone_key_count, bone_count = model->pmx.bone_count;
    KeyRef *refs = arena_array(arena, KeyRef, count);
    Unknown unknown = {.names = arena_array(arena, VmdName, count)};
    for (uint32_t i = 0; i < count; i++) {
        refs[i] = (KeyRef){name_find(names, &vmd->bone_keys[i].name), vmd->bone_keys[i].frame};
        if (refs[i].track < 0)
            note_unknown(&unknown, &vmd->bone_keys[i].name);
    }

    const Grouping group = group_keys(refs, count, bone_count, arena);
    for (uint32_t b = 0; b < bone_count; b++) {
        const uint32_t first = group.first[b], end = group.first[b + 1];
        if (first < end)
            bind_bone(&out->bones[b], layer, group.items + first, end - first, &model->pmx.bones[b],
                      project, arena);
    }
    warn_unknown(&unknown, "bone", model, arena, diag);
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
                        const NameTable *names, Arena *arena, Diag *diag)
{
    const VmdMotion *vmd = layer->vmd;
    const uint32_t count = vmd->morph_key_count, morph_count = model->pmx.morph_count;
    KeyRef *refs = arena_array(arena, KeyRef, count);
    Unknown unknown = {.names = arena_array(arena, VmdName, count)};
    for (uint32_t i = 0; i < count; i++) {
        refs[i] = (KeyRef){name_find(names, &vmd->morph_keys[i].name), vmd->morph_keys[i].frame};
        if (refs[i].track < 0)
            note_unknown(&unknown, &vmd->morph_keys[i].name);
    }

    const Grouping group = group_keys(refs, count, morph_count, arena);
    for (uint32_t m = 0; m < morph_count; m++) {
        const uint32_t first = group.first[m], end = group.first[m + 1];
        if (first < end)
            bind_morph(&out->morphs[m], layer, group.items + first, end - first, arena);
    }
    /* A name that several morphs share drives all of them (scene/README.md 1.3). */
    for (uint32_t m = 0; m < morph_count; m++) {
        const int32_t namesake = name_find(names, &model->morph_names[m]);
        if (namesake >= 0 && group.first[namesake] < group.first[namesake + 1])
            out->morphs[m] = out->morphs[namesake];
    }
    warn_unknown(&unknown, "morph", model, arena, diag);
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

static const VmdIkSwitch *find_switch(const VmdPropertyKey *key, const VmdName *bone)
{
    for (uint32_t i = 0; i < key->ik_count; i++)
        if (vmd_name_equal(&key->ik[i].bone, bone))
            return &key->ik[i];
    return NULL;
}

static SwitchTrack bind_ik(const MotionLayer *layer, const TimelineItem *items, uint32_t count,
                           const VmdName *bone, Arena *arena)
{
    SwitchTrack track = {.time = layer->time,
                         .frames = arena_array(arena, uint32_t, count),
                         .on = arena_array(arena, bool, count)};
    for (uint32_t i = 0; i < count; i++) {
        const VmdIkSwitch *found = find_switch(&layer->vmd->property_keys[items[i].index], bone);
        if (found) {
            track.frames[track.key_count] = items[i].frame;
            track.on[track.key_count++] = found->enabled;
        }
    }
    return track;
}

static void bind_properties(ModelMotion *out, const Model *model, const MotionLayer *layer,
                            Arena *arena)
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
        const SwitchTrack track = bind_ik(layer, items, count, &model->bone_names[bone], arena);
        if (track.key_count)
            out->ik[bone] = track;
    }
}

bool motion_bind(ModelMotion *out, const Model *model, const MotionLayer *layers,
                 size_t layer_count, bool fixed_axis_keys, Arena *arena, Diag *diag)
{
    const uint32_t bone_count = model->pmx.bone_count, morph_count = model->pmx.morph_count;
    *out = (ModelMotion){.bones = arena_array(arena, BoneTrack, bone_count),
                         .morphs = arena_array(arena, MorphTrack, morph_count),
                         .ik = arena_array(arena, SwitchTrack, bone_count)};
    const NameTable bones = name_table(model->bone_names, bone_count, arena);
    const NameTable morphs = name_table(model->morph_names, morph_count, arena);
    const unsigned errors = diag->errors;

    for (size_t i = 0; i < layer_count; i++) {
        diag_file(diag, layers[i].file);
        if (layers[i].parts & MOTION_BONES)
            bind_bones(out, model, &layers[i], &bones, fixed_axis_keys, arena, diag);
        if (layers[i].parts & MOTION_MORPHS)
            bind_morphs(out, model, &layers[i], &morphs, arena, diag);
        if (layers[i].parts & MOTION_PROPERTIES)
            bind_properties(out, model, &layers[i], arena);
    }
    diag_file(diag, NULL);
    return diag->errors == errors; /* strict makes warnings errors */
}

/* ---- sampling ---- */

static double key_time(TimeMap time, double frame)
{
    return (frame - time.offset) * time.speed;
}

static float mix(float a, float b, double t)
{
    return (float)((double)a + ((double)b - (double)a) * t);
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
        sample.translation[i] =
            mix(a->translation[i], b->translation[i], curve_eval(b->curves[i], span.t, halvings));
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
    return mix(track->keys[span.left]->weight, track->keys[span.right]->weight, span.t);
}

bool motion_switch(const SwitchTrack *track, double frame)
{
    const double time = key_time(track->time, frame);
    if (!track->key_count || time < (double)track->frames[0])
        return true;
    return track->on[timeline_span(track->frames, track->key_count, time).left];
}
