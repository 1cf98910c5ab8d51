// SPDX-License-Identifier: MIT
#include "scene/motion.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "math/rotation.h"
#include "math/scalar.h"
#include "scene/motion_merge.h"

enum { MAX_SUGGESTED = 3 /* names that a message suggests */ };

/* ---- names of the model, and what renames make of those of a motion ---- */

typedef struct NamedIndex {
    const VmdName *name;
    uint32_t index;
} NamedIndex;

/* Sorted names of a model. */
typedef struct NameTable {
    NamedIndex *items;
    uint32_t count;
} NameTable;

typedef struct Rename { /* of MotionSpec.rename, with indices */
    VmdName from;
    int32_t bone, morph; /* -1: the model has no bone or morph with the new name */
} Rename;

typedef struct Names {
    const Model *model;
    NameTable bones, morphs;
    const Rename *renames; /* renames of the current layer */
    size_t rename_count;
} Names;

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
static int32_t find_name(const NameTable *table, const VmdName *name)
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

static const Rename *find_rename(const Names *names, const VmdName *name)
{
    for (size_t i = 0; i < names->rename_count; i++)
        if (vmd_name_equal(&names->renames[i].from, name))
            return &names->renames[i];
    return NULL;
}

/* The bone, or the morph, that a name in the motion moves; or -1. */
static int32_t find_track(const Names *names, const VmdName *name, bool bones)
{
    const Rename *rename = find_rename(names, name);
    if (rename)
        return bones ? rename->bone : rename->morph;
    return find_name(bones ? &names->bones : &names->morphs, name);
}

/* The name of bone or morph key `index` of a motion; bones come first. */
static const VmdName *key_name(const VmdMotion *vmd, uint32_t index)
{
    return index < vmd->bone_key_count ? &vmd->bone_keys[index].name
                                       : &vmd->morph_keys[index - vmd->bone_key_count].name;
}

typedef ARENA_LIST(const char *) Candidates;

/* Reports a name of a rename that is not known. */
static bool report_unknown(const NamePair *rename, const MotionLayer *layer, const char *what,
                           const char *name, const char *file, const Candidates *known, Diag *diag)
{
    return diag_unknown_name(diag, diag_named_key(diag, rename->from, "%s.rename", layer->spec.key),
                             what, name, file,
                             (TextNames){known->items, known->count, sizeof *known->items, 0});
}

/* Whether the motion has keys of the name that a rename replaces; reports it. */
static bool check_from(const NamePair *rename, const VmdName *from, const MotionLayer *layer,
                       Arena *arena, Diag *diag)
{
    const VmdMotion *vmd = layer->vmd;
    const uint32_t count = vmd->bone_key_count + vmd->morph_key_count;
    Candidates known = {0};
    for (uint32_t i = 0; i < count; i++)
        if (vmd_name_equal(key_name(vmd, i), from))
            return true;
    for (uint32_t i = 0; i < count; i++) /* a name that repeats that of the key before, once */
        if (!i || memcmp(key_name(vmd, i), key_name(vmd, i - 1), VMD_NAME_SIZE) != 0)
            *arena_push(arena, &known) = vmd_name_to_utf8(key_name(vmd, i), arena);
    return report_unknown(rename, layer, "keys of", rename->from, layer->spec.file, &known, diag);
}

/* Resolves the renames of a layer.  Errors (DIAG_JOB): a name that the motion or the model does not
 * have. */
static bool set_renames(Names *names, const MotionLayer *layer, Arena *arena, Diag *diag)
{
    const Model *model = names->model;
    const MotionSpec *spec = &layer->spec;
    Rename *renames = arena_array(arena, Rename, spec->rename_count);
    bool good = true;
    for (size_t i = 0; i < spec->rename_count; i++) {
        const NamePair *rename = &spec->rename[i];
        renames[i] = (Rename){.from = vmd_name_from_utf8(rename->from),
                              .bone = model_find_bone(model, rename->to),
                              .morph = model_find_morph(model, rename->to)};
        good &= check_from(rename, &renames[i].from, layer, arena, diag);
        if (renames[i].bone >= 0 || renames[i].morph >= 0)
            continue;
        Candidates known = {0};
        for (uint32_t b = 0; b < model->pmx.bone_count; b++)
            *arena_push(arena, &known) = model->pmx.bones[b].name;
        for (uint32_t m = 0; m < model->pmx.morph_count; m++)
            *arena_push(arena, &known) = model->pmx.morphs[m].name;
        good =
            report_unknown(rename, layer, "bone or morph", rename->to, model->file, &known, diag);
    }
    names->renames = renames;
    names->rename_count = spec->rename_count;
    return good;
}

/* ---- how many names fit ---- */

typedef struct TallyItem { /* a key; then a name, from its first key away from rest */
    VmdName name;
    int32_t track;  /* -1: not in the model */
    uint32_t order; /* in the file */
} TallyItem;

typedef struct NameTally {
    TallyItem *items;
    uint32_t count;
} NameTally;

static int by_name_and_order(const void *a, const void *b)
{
    const TallyItem *left = a, *right = b;
    const int order = memcmp(left->name.bytes, right->name.bytes, VMD_NAME_SIZE);
    return order ? order : left->order < right->order ? -1 : left->order > right->order;
}

static int by_order(const void *a, const void *b)
{
    const TallyItem *left = a, *right = b;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* Keeps the first item of each name, in file order.  Returns how many the model has. */
static uint32_t keep_distinct(NameTally *tally)
{
    uint32_t kept = 0, found = 0;
    if (!tally->count)
        return 0;
    qsort(tally->items, tally->count, sizeof *tally->items, by_name_and_order);
    for (uint32_t i = 0; i < tally->count; i++)
        if (!kept || memcmp(tally->items[kept - 1].name.bytes, tally->items[i].name.bytes,
                            VMD_NAME_SIZE) != 0) {
            found += tally->items[i].track >= 0;
            tally->items[kept++] = tally->items[i];
        }
    tally->count = kept;
    qsort(tally->items, kept, sizeof *tally->items, by_order);
    return found;
}

/* A growing text "a: b, c: d" of renames that are suggested. */
typedef struct Suggestion {
    const char *pairs;
    unsigned count;
} Suggestion;

static bool is_moved(const NameTally *tally, uint32_t index)
{
    for (uint32_t i = 0; i < tally->count; i++)
        if (tally->items[i].track == (int32_t)index)
            return true;
    return false;
}

/* The first bone or morph in file order with this English name that no name of the motion moves. */
static const char *find_english(const PmxModel *pmx, const NameTally *tally, bool bones,
                                const VmdName *name)
{
    const uint32_t count = bones ? pmx->bone_count : pmx->morph_count;
    for (uint32_t i = 0; i < count; i++) {
        const VmdName english =
            vmd_name_from_utf8(bones ? pmx->bones[i].name_en : pmx->morphs[i].name_en);
        if (vmd_name_equal(&english, name) && !is_moved(tally, i))
            return bones ? pmx->bones[i].name : pmx->morphs[i].name;
    }
    return NULL;
}

static void suggest_english(Suggestion *out, const PmxModel *pmx, const NameTally *tally,
                            bool bones, Arena *arena)
{
    for (uint32_t i = 0; i < tally->count; i++) {
        const VmdName *name = &tally->items[i].name;
        const char *to = tally->items[i].track < 0 ? find_english(pmx, tally, bones, name) : NULL;
        if (to && out->count++ < MAX_SUGGESTED)
            out->pairs = arena_printf(arena, "%s%s%s: %s", out->pairs, *out->pairs ? ", " : "",
                                      vmd_name_to_utf8(name, arena), to);
    }
}

/* "; use rename: { center: X, ... } (12 names of the motion are English names of the model)" */
static const char *english_hint(const Names *names, const NameTally *bones, const NameTally *morphs,
                                Arena *arena)
{
    Suggestion s = {.pairs = ""};
    suggest_english(&s, &names->model->pmx, bones, true, arena);
    suggest_english(&s, &names->model->pmx, morphs, false, arena);
    return s.count ? arena_printf(arena,
                                  "; use rename: { %s%s } (%u name%s of the motion %s English in "
                                  "the model)",
                                  s.pairs, s.count > MAX_SUGGESTED ? ", ..." : "", s.count,
                                  s.count == 1 ? "" : "s", s.count == 1 ? "is" : "are")
                   : "";
}

/* The names that the model does not have. */
static NameList missing_names(const NameTally *tally, uint32_t found, Arena *arena)
{
    NameList list = {arena_array(arena, const char *, tally->count - found), 0};
    for (uint32_t i = 0; i < tally->count; i++)
        if (tally->items[i].track < 0)
            list.items[list.count++] = vmd_name_to_utf8(&tally->items[i].name, arena);
    return list;
}

const char *motion_fit_text(const MotionFit *fit, Arena *arena)
{
    const char *bones = arena_printf(arena, "%" PRIu32 " of %" PRIu32 " bone%s", fit->bones_found,
                                     fit->bones, fit->bones == 1 ? "" : "s");
    const char *morphs = arena_printf(arena, "%" PRIu32 " of %" PRIu32 " morph%s",
                                      fit->morphs_found, fit->morphs, fit->morphs == 1 ? "" : "s");
    return !fit->morphs  ? bones
           : !fit->bones ? morphs
                         : arena_printf(arena, "%s and %s", bones, morphs);
}

/* Fills *fit and warns about names that do not fit.  False if the warning is an error. */
static bool report_fit(MotionFit *fit, const Names *names, const MotionLayer *layer,
                       NameTally *bones, NameTally *morphs, Arena *arena, Diag *diag)
{
    const uint32_t bones_found = keep_distinct(bones), morphs_found = keep_distinct(morphs);
    *fit = (MotionFit){.file = layer->spec.file,
                       .made_for = layer->vmd->model_name ? layer->vmd->model_name : "",
                       .bones = bones->count,
                       .bones_found = bones_found,
                       .morphs = morphs->count,
                       .morphs_found = morphs_found,
                       .missing_bones = missing_names(bones, bones_found, arena),
                       .missing_morphs = missing_names(morphs, morphs_found, arena)};
    const uint32_t total = fit->bones + fit->morphs, found = bones_found + morphs_found;
    if (found == total)
        return true;
    const char *first_missing =
        fit->missing_bones.count ? fit->missing_bones.items[0] : fit->missing_morphs.items[0];
    const DiagLocation *place = diag_key(diag, "%s.file", layer->spec.key);
    const char *in_file = diag_locate(diag, place)
                              ? arena_printf(arena, " of '%s'", path_name(layer->spec.file))
                              : "";
    const char *made_for =
        *fit->made_for ? arena_printf(arena, "; made for '%s'", fit->made_for) : "";
    return diag_warn_at(diag, place, 4 * found < total ? WARN_MISFIT : WARN_PARTIAL_FIT,
                        "%s%s fit %s, but not '%s'%s%s", motion_fit_text(fit, arena), in_file,
                        path_name(names->model->file), first_missing, made_for,
                        english_hint(names, bones, morphs, arena));
}

/* ---- tracks ---- */

static double key_time(TimeMap time, double frame)
{
    return (frame - time.offset) * time.speed;
}

const VmdBoneKey motion_bone_rest = {.rotation = {0, 0, 0, 1}};
const VmdMorphKey motion_morph_rest = {.weight = 0};

static const float SEEN = 1e-4f; /* MMD units; sine of half an angle; weight */

bool motion_bone_rests(const VmdBoneKey *key)
{
    bool rests = true;
    for (size_t i = 0; i < 3; i++)
        rests &= fabsf(key->translation[i]) < SEEN && fabsf(key->rotation[i]) < SEEN;
    return rests;
}

bool motion_morph_rests(const VmdMorphKey *key)
{
    return fabsf(key->weight) < SEEN;
}

void motion_add_rest(KeyTrack *track, const void *rest, double frame, Arena *arena)
{
    const double at = key_time(track->time, frame);
    const uint32_t count = track->key_count;
    if (!count || track->frames[0] <= at)
        return;
    const void **keys = arena_array(arena, const void *, count + 1);
    double *frames = arena_array(arena, double, count + 1);
    keys[0] = rest;
    frames[0] = at;
    memcpy(keys + 1, track->keys, count * sizeof *keys);
    memcpy(frames + 1, track->frames, count * sizeof *frames);
    *track = (KeyTrack){track->time, keys, frames, count + 1};
}

KeyTrack motion_track(TimeMap time, TimelineItem *items, uint32_t count, const void *keys,
                      size_t key_size, Arena *arena)
{
    KeyTrack track = {.time = time, .key_count = timeline_order(items, count)};
    track.keys = arena_array(arena, const void *, track.key_count);
    track.frames = arena_array(arena, double, track.key_count);
    for (uint32_t i = 0; i < track.key_count; i++) {
        track.keys[i] = (const char *)keys + items[i].index * key_size;
        track.frames[i] = items[i].frame;
    }
    return track;
}

/* ---- keys of one motion ---- */

/* PMD models have a morph of this name that moves nothing, and MMD writes a key of it. */
static bool is_base(const VmdName *name)
{
    return !strcmp(name->bytes, "base");
}

/* Counts a name, unless it is one that no model has to have. */
static void count_name(NameTally *tally, const VmdName *name, int32_t track, bool rests)
{
    if (rests || !name->bytes[0] || (track < 0 && is_base(name)))
        return;
    tally->items[tally->count] = (TallyItem){*name, track, tally->count};
    tally->count++;
}

static void add_bones(MotionMerge *merge, NameTally *tally, const VmdMotion *vmd,
                      const Names *names)
{
    tally->items = arena_array(merge->scratch, TallyItem, vmd->bone_key_count);
    for (uint32_t i = 0; i < vmd->bone_key_count; i++) {
        const VmdBoneKey *key = &vmd->bone_keys[i];
        const int32_t track = find_track(names, &key->name, true);
        count_name(tally, &key->name, track, motion_bone_rests(key));
        if (track >= 0)
            motion_merge_add(merge, TRACK_BONES, (uint32_t)track, key->frame, i, key);
    }
}

static void add_morphs(MotionMerge *merge, NameTally *tally, const VmdMotion *vmd,
                       const Names *names)
{
    tally->items = arena_array(merge->scratch, TallyItem, vmd->morph_key_count);
    for (uint32_t i = 0; i < vmd->morph_key_count; i++) {
        const VmdMorphKey *key = &vmd->morph_keys[i];
        const int32_t track = find_track(names, &key->name, false);
        count_name(tally, &key->name, track, motion_morph_rests(key));
        if (track >= 0)
            motion_merge_add(merge, TRACK_MORPHS, (uint32_t)track, key->frame, i, key);
    }
}

/* The switch of the IK of a bone in a key, or NULL. */
static const VmdIkSwitch *find_switch(const VmdPropertyKey *key, const Names *names,
                                      const VmdName *bone)
{
    for (uint32_t i = 0; i < key->ik_count; i++) {
        const Rename *rename = find_rename(names, &key->ik[i].bone);
        const VmdName *name = rename && rename->bone >= 0 ? &names->model->bone_names[rename->bone]
                                                          : &key->ik[i].bone;
        if (vmd_name_equal(name, bone))
            return &key->ik[i];
    }
    return NULL;
}

/* The switches of the IK bones of the model, in its order, and then its visibility. */
static void add_properties(MotionMerge *merge, const VmdMotion *vmd, const Names *names)
{
    const Model *model = names->model;
    for (uint32_t i = 0; i < vmd->property_key_count; i++) {
        const VmdPropertyKey *key = &vmd->property_keys[i];
        for (uint32_t k = 0; k < model->ik_count; k++) {
            const VmdIkSwitch *ik = find_switch(key, names, &model->bone_names[model->ik_bones[k]]);
            if (ik)
                motion_merge_add(merge, TRACK_SWITCHES, k, key->frame, i, &ik->enabled);
        }
        motion_merge_add(merge, TRACK_SWITCHES, model->ik_count, key->frame, i, &key->visible);
    }
}

/* ---- the merged tracks ---- */

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

static void project_keys(BoneTrack *track, const PmxBone *bone, Arena *arena)
{
    if (!(bone->flags & PMX_BONE_FIXED_AXIS) || !(vec3_length(vec3_load(bone->fixed_axis)) > 0))
        return;
    for (uint32_t i = 0; i < track->key_count; i++) {
        VmdBoneKey *copy = arena_copy(arena, track->keys[i], sizeof *copy);
        project_on_axis(copy->rotation, bone->fixed_axis);
        track->keys[i] = copy;
    }
}

static void set_tracks(ModelMotion *out, const MotionMerge *merge, const Names *names,
                       bool fixed_axis_keys, Arena *arena)
{
    const Model *model = names->model;
    for (uint32_t b = 0; b < model->pmx.bone_count; b++) {
        out->bones[b] = motion_merge_track(merge, TRACK_BONES, b, &motion_bone_rest, arena);
        if (fixed_axis_keys)
            project_keys(&out->bones[b], &model->pmx.bones[b], arena);
    }
    /* A name that several morphs share drives all of them (scene/README.md 1.3). */
    for (uint32_t m = 0; m < model->pmx.morph_count; m++) {
        const int32_t namesake = find_name(&names->morphs, &model->morph_names[m]);
        out->morphs[m] =
            namesake >= 0 && (uint32_t)namesake < m
                ? out->morphs[namesake]
                : motion_merge_track(merge, TRACK_MORPHS, m, &motion_morph_rest, arena);
    }
    for (uint32_t i = 0; i < model->ik_count; i++)
        out->ik[model->ik_bones[i]] = motion_merge_track(merge, TRACK_SWITCHES, i, NULL, arena);
    out->visible = motion_merge_track(merge, TRACK_SWITCHES, model->ik_count, NULL, arena);
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
    Names names = {.model = model,
                   .bones = name_table(model->bone_names, bone_count, arena),
                   .morphs = name_table(model->morph_names, morph_count, arena)};
    Arena *scratch = arena_create();
    const uint32_t counts[TRACK_KINDS] = {bone_count, morph_count, model->ik_count + 1};
    MotionMerge merge = motion_merge_init(layers, layer_count, counts, scratch);
    bool good = true; /* strict makes warnings errors */

    for (size_t i = 0; i < layer_count; i++) {
        const MotionLayer *layer = &layers[i];
        NameTally bones = {0}, morphs = {0};
        diag_file(diag, layer->spec.file);
        const bool named = set_renames(&names, layer, arena, diag);
        if (named && layer->spec.only & MOTION_BONES)
            add_bones(&merge, &bones, layer->vmd, &names);
        if (named && layer->spec.only & MOTION_MORPHS)
            add_morphs(&merge, &morphs, layer->vmd, &names);
        if (named && layer->spec.only & MOTION_PROPERTIES)
            add_properties(&merge, layer->vmd, &names);
        good &= named && report_fit(&out->fits[i], &names, layer, &bones, &morphs, arena, diag);
        out->fits[i].share = motion_merge_next(&merge, arena);
    }
    set_tracks(out, &merge, &names, fixed_axis_keys, arena);
    arena_destroy(scratch);
    diag_file(diag, NULL);
    return good;
}

/* ---- sampling ---- */

BoneSample motion_bone(const BoneTrack *track, double frame, int halvings)
{
    if (!track->key_count)
        return (BoneSample){.rotation = {0, 0, 0, 1}};

    const double time = key_time(track->time, frame);
    const TimelineSpan span = timeline_span(track->frames, track->key_count, time);
    const VmdBoneKey *a = track->keys[span.left], *b = track->keys[span.right];
    BoneSample sample = {.physics = VMD_PHYSICS_UNSPECIFIED};
    if (time >= track->frames[span.left])
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
    const VmdMorphKey *a = track->keys[span.left], *b = track->keys[span.right];
    return scalar_lerp_float(a->weight, b->weight, span.t);
}

bool motion_switch(const SwitchTrack *track, double frame)
{
    const double time = key_time(track->time, frame);
    if (!track->key_count || time < track->frames[0])
        return true;
    return *(const bool *)track->keys[timeline_span(track->frames, track->key_count, time).left];
}
