// SPDX-License-Identifier: MIT
#include "scene/sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/rotation.h"
#include "scene/motion_merge.h"

enum {
    MAX_KEYS = 1 << 23,
    MAX_FRAME = 30000000, /* ten days */
    MAX_DENSE = 3000,     /* keys of a part of a curve */
    HALVINGS = 12
};

static const char too_many_keys[] = "the sequence of motions has more than 8 million keys";

/* ---- mirroring ---- */

/* 左 and 右 at the start of a name in CP932, and the names that have no such pair. */
static VmdName mirrored_name(const VmdName *name)
{
    static const char *const pairs[][2] = {{"ウィンク", "ウィンク右"}, {"ウィンク２", "ｳｨﾝｸ２右"}};
    static const char left[] = "\x8d\xb6", right[] = "\x89\x45";
    VmdName out = *name;
    if (!memcmp(name->bytes, left, 2))
        memcpy(out.bytes, right, 2);
    else if (!memcmp(name->bytes, right, 2))
        memcpy(out.bytes, left, 2);
    for (size_t i = 0; i < 2 * (sizeof pairs / sizeof *pairs); i++) {
        const VmdName from = vmd_name_from_utf8(pairs[i / 2][i % 2]);
        if (vmd_name_equal(name, &from))
            return vmd_name_from_utf8(pairs[i / 2][1 - i % 2]);
    }
    return out;
}

/* Mirrored at the plane x = 0. */
static const VmdMotion *mirror_motion(const VmdMotion *vmd, Arena *arena)
{
    VmdMotion *out = arena_copy(arena, vmd, sizeof *vmd);
    out->bone_keys =
        arena_copy(arena, vmd->bone_keys, vmd->bone_key_count * sizeof *vmd->bone_keys);
    for (uint32_t i = 0; i < vmd->bone_key_count; i++) {
        VmdBoneKey *key = &out->bone_keys[i];
        key->name = mirrored_name(&key->name);
        key->translation[0] = -key->translation[0];
        key->rotation[1] = -key->rotation[1];
        key->rotation[2] = -key->rotation[2];
    }
    out->morph_keys =
        arena_copy(arena, vmd->morph_keys, vmd->morph_key_count * sizeof *vmd->morph_keys);
    for (uint32_t i = 0; i < vmd->morph_key_count; i++)
        out->morph_keys[i].name = mirrored_name(&out->morph_keys[i].name);
    out->property_keys =
        arena_copy(arena, vmd->property_keys, vmd->property_key_count * sizeof *vmd->property_keys);
    for (uint32_t i = 0; i < vmd->property_key_count; i++) {
        VmdPropertyKey *key = &out->property_keys[i];
        key->ik = arena_copy(arena, key->ik, key->ik_count * sizeof *key->ik);
        for (uint32_t k = 0; k < key->ik_count; k++)
            key->ik[k].bone = mirrored_name(&key->ik[k].bone);
    }
    return out;
}

/* ---- tracks by name ---- */

typedef struct Entry { /* a key of a bone or morph */
    const VmdName *name;
    uint32_t frame, index;
} Entry;

typedef struct NamedTrack {
    const VmdName *name;
    KeyTrack track;
} NamedTrack;

typedef struct Tracks {
    NamedTrack *items; /* by name */
    size_t count;
} Tracks;

static int compare_entries(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    const int names = memcmp(x->name->bytes, y->name->bytes, VMD_NAME_SIZE);
    return names ? names : x->index < y->index ? -1 : x->index > y->index;
}

static int compare_names(const void *a, const void *b)
{
    const NamedTrack *x = a, *y = b;
    return memcmp(x->name->bytes, y->name->bytes, VMD_NAME_SIZE);
}

/* Sorts the entries and makes a track of those of each name. */
static Tracks make_tracks(Entry *entries, uint32_t count, const void *keys, size_t key_size,
                          const void *rest, Arena *arena)
{
    Tracks tracks = {arena_array(arena, NamedTrack, count), 0};
    TimelineItem *items = arena_array(arena, TimelineItem, count);
    if (count)
        qsort(entries, count, sizeof *entries, compare_entries);
    for (uint32_t i = 0; i < count;) {
        uint32_t length = 0;
        const VmdName *name = entries[i].name;
        for (; i < count && !memcmp(entries[i].name->bytes, name->bytes, VMD_NAME_SIZE); i++)
            items[length++] = (TimelineItem){entries[i].frame, entries[i].index};
        KeyTrack track = motion_track((TimeMap){0, 1}, items, length, keys, key_size, arena);
        motion_add_rest(&track, rest, 0, arena);
        tracks.items[tracks.count++] = (NamedTrack){name, track};
    }
    return tracks;
}

static Tracks bone_tracks(const VmdMotion *vmd, Arena *arena)
{
    Entry *entries = arena_array(arena, Entry, vmd->bone_key_count);
    for (uint32_t i = 0; i < vmd->bone_key_count; i++)
        entries[i] = (Entry){&vmd->bone_keys[i].name, vmd->bone_keys[i].frame, i};
    return make_tracks(entries, vmd->bone_key_count, vmd->bone_keys, sizeof *vmd->bone_keys,
                       &motion_bone_rest, arena);
}

static Tracks morph_tracks(const VmdMotion *vmd, Arena *arena)
{
    Entry *entries = arena_array(arena, Entry, vmd->morph_key_count);
    for (uint32_t i = 0; i < vmd->morph_key_count; i++)
        entries[i] = (Entry){&vmd->morph_keys[i].name, vmd->morph_keys[i].frame, i};
    return make_tracks(entries, vmd->morph_key_count, vmd->morph_keys, sizeof *vmd->morph_keys,
                       &motion_morph_rest, arena);
}

/* A track without keys if there is none of this name. */
static const KeyTrack *find_track(const Tracks *tracks, const VmdName *name)
{
    static const KeyTrack none;
    const NamedTrack wanted = {.name = name};
    const NamedTrack *found = tracks->count ? bsearch(&wanted, tracks->items, tracks->count,
                                                      sizeof *tracks->items, compare_names)
                                            : NULL;
    return found ? &found->track : &none;
}

/* ---- segments ---- */

/* One play of a part.  From `solo` to the start of the next one it is alone. */
typedef struct Segment {
    const VmdMotion *vmd;
    Tracks bones, morphs;
    int64_t from, length; /* frames of the motion */
    int64_t start, solo;  /* frames of the film */
    int64_t end;          /* of the solo, inclusive */
} Segment;

typedef struct Sequence {
    Segment *segments;
    size_t count;
    ARENA_LIST(VmdBoneKey) bones;
    ARENA_LIST(VmdMorphKey) morphs;
    ARENA_LIST(VmdPropertyKey) properties;
    Arena *arena; /* of the result */
} Sequence;

static bool fail(const MotionLayer *part, const char *problem, Diag *diag)
{
    return diag_fail_at(diag, diag_key(diag, "%s.file", part->spec.key), DIAG_JOB, "%s", problem);
}

/* A lower bound of the keys that a range gives each time that it is played: those in it. */
static uint64_t count_keys(const Segment *segment)
{
    const VmdMotion *vmd = segment->vmd;
    const int64_t from = segment->from, end = from + segment->length;
    uint64_t count = 0;
    for (uint32_t i = 0; i < vmd->bone_key_count; i++)
        count += vmd->bone_keys[i].frame >= from && vmd->bone_keys[i].frame < end;
    for (uint32_t i = 0; i < vmd->morph_key_count; i++)
        count += vmd->morph_keys[i].frame > from && vmd->morph_keys[i].frame < end - 1;
    return count;
}

static bool add_segments(Sequence *s, const MotionLayer *part, Arena *arena, Diag *diag)
{
    const MotionSpec *spec = &part->spec;
    const VmdMotion *vmd = spec->mirror ? mirror_motion(part->vmd, s->arena) : part->vmd;
    const Segment *before = s->count ? &s->segments[s->count - 1] : NULL;
    Segment segment = {.vmd = vmd,
                       .bones = bone_tracks(vmd, arena),
                       .morphs = morph_tracks(vmd, arena),
                       .from = spec->from,
                       .length =
                           (spec->to < 0 ? (int64_t)vmd_last_frame(vmd) : spec->to) - spec->from};
    const int64_t end = before ? before->start + before->length : 0;
    const int64_t fade = before ? spec->fade : 0;
    segment.start = spec->at >= 0 ? spec->at : end - fade > 0 ? end - fade : 0;
    if (segment.length < 1 && !vmd->is_pose)
        return fail(part,
                    "the range of the motion is empty: `to`, or its last key, is not after `from`",
                    diag);
    if (fade > segment.length && spec->loop == 1 && !vmd->is_pose)
        return fail(part, "its fade is longer than the range of the motion", diag);
    if (before && segment.start < before->solo)
        return fail(part, "it begins before the motion before it has faded in", diag);
    if (segment.start + segment.length * spec->loop > MAX_FRAME)
        return fail(part, "it ends more than ten days after the start of the film", diag);
    if (count_keys(&segment) * (uint64_t)(spec->loop - 1) > MAX_KEYS)
        return fail(part, too_many_keys, diag);
    for (int i = 0; i < spec->loop; i++, segment.start += segment.length) {
        segment.solo = segment.start + (i ? 0 : fade);
        if (s->count)
            s->segments[s->count - 1].end = segment.start - 1;
        segment.end = segment.start + segment.length;
        s->segments[s->count++] = segment;
    }
    return true;
}

/* The frame of the motion at a frame of the film; before and after its range that is held. */
static double frame_of(const Segment *segment, int64_t film)
{
    const int64_t at = film - segment->start;
    return (double)(segment->from + (at < 0 ? 0 : at > segment->length ? segment->length : at));
}

/* ---- keys ---- */

static void add_bone(Sequence *s, const VmdName *name, int64_t frame, const BoneSample *sample)
{
    VmdBoneKey key = {.name = *name, .frame = (uint32_t)frame, .physics = (uint8_t)sample->physics};
    memcpy(key.translation, sample->translation, sizeof key.translation);
    memcpy(key.rotation, sample->rotation, sizeof key.rotation);
    for (size_t i = 0; i < 4; i++)
        key.curves[i] = CURVE_LINEAR;
    *arena_push(s->arena, &s->bones) = key;
}

static double smooth(double t)
{
    t = fmin(fmax(t, 0), 1);
    return t * t * (3 - 2 * t);
}

/*
 * The targets of both feet would slide over the floor while one pose becomes the other.  They step
 * instead, first the left one and then the right one, and are lifted by a quarter of the way, at
 * most one unit.
 */
static int step_of(const VmdName *name)
{
    const VmdName feet[] = {vmd_name_from_utf8("左足ＩＫ"), vmd_name_from_utf8("右足ＩＫ")};
    return vmd_name_equal(name, &feet[0]) ? 0 : vmd_name_equal(name, &feet[1]) ? 1 : -1;
}

static BoneSample blend(const BoneSample *a, const BoneSample *b, double t, int step)
{
    BoneSample out = *b;
    const double weight = step < 0 ? smooth(t) : smooth(2 * t - step);
    for (size_t i = 0; i < 3; i++)
        out.translation[i] =
            (float)((double)a->translation[i] +
                    ((double)b->translation[i] - (double)a->translation[i]) * weight);
    quat_store(out.rotation, quat_slerp(quat_load(a->rotation), quat_load(b->rotation), weight));
    if (step >= 0) {
        const double way = hypot((double)b->translation[0] - (double)a->translation[0],
                                 (double)b->translation[2] - (double)a->translation[2]);
        out.translation[1] += (float)(fmin(way / 4, 1) * 4 * weight * (1 - weight));
    }
    return out;
}

/* A key of each frame, for a part of a curve. */
static void add_dense_bones(Sequence *s, const VmdName *name, const Segment *segment,
                            const BoneTrack *track, int64_t first, int64_t last)
{
    const int64_t step = (last - first) / MAX_DENSE + 1;
    for (int64_t at = first; at <= last; at += step) {
        const BoneSample sample = motion_bone(track, frame_of(segment, at), HALVINGS);
        add_bone(s, name, at, &sample);
    }
}

/* Whether a frame of the motion is between two keys. */
static bool is_between(const KeyTrack *track, double frame)
{
    return track->key_count && frame > track->frames[0] &&
           frame < track->frames[track->key_count - 1];
}

/* A value that holds needs a key where it ends, a curve that is cut a key of each frame. */
static void add_solo_bones(Sequence *s, const VmdName *name, const Segment *segment)
{
    const BoneTrack *track = find_track(&segment->bones, name);
    const int64_t shift = segment->start - segment->from, solo = segment->solo;
    const int64_t stop = segment->start + segment->length; /* of the motion */
    const int64_t last = stop < segment->end ? stop : segment->end;
    int64_t done = solo - 1; /* frame of the film up to which there are keys */
    for (uint32_t i = 0; i < track->key_count; i++) {
        const int64_t at = (int64_t)track->frames[i] + shift;
        if (at < solo || at > last)
            continue;
        if (done < solo && at > solo)
            add_dense_bones(s, name, segment, track, solo,
                            is_between(track, frame_of(segment, solo)) ? at - 1 : solo);
        VmdBoneKey key = *(const VmdBoneKey *)track->keys[i];
        key.name = *name; /* a key of rest has none */
        key.frame = (uint32_t)at;
        *arena_push(s->arena, &s->bones) = key;
        done = at;
    }
    const bool cut = is_between(track, frame_of(segment, last));
    if (done < solo && solo <= segment->end) {
        add_dense_bones(s, name, segment, track, solo, cut ? last : solo);
        done = cut ? last : solo;
    } else if (done < last && cut) {
        add_dense_bones(s, name, segment, track, done + 1, last);
        done = last;
    }
    if (done < segment->end)
        add_dense_bones(s, name, segment, track, segment->end, segment->end);
}

static void add_fade_bones(Sequence *s, const VmdName *name, const Segment *a, const Segment *b)
{
    const BoneTrack *left = find_track(&a->bones, name), *right = find_track(&b->bones, name);
    const double length = (double)(b->solo - b->start);
    const int step = step_of(name);
    for (int64_t at = b->start; at < b->solo; at++) {
        const BoneSample from = motion_bone(left, frame_of(a, at), HALVINGS);
        const BoneSample to = motion_bone(right, frame_of(b, at), HALVINGS);
        const BoneSample sample = blend(&from, &to, (double)(at - b->start) / length, step);
        add_bone(s, name, at, &sample);
    }
}

static void add_morph(Sequence *s, const VmdName *name, int64_t frame, double weight)
{
    *arena_push(s->arena, &s->morphs) =
        (VmdMorphKey){.name = *name, .frame = (uint32_t)frame, .weight = (float)weight};
}

/* Weights are linear between keys, so that a value at both ends is enough. */
static void add_solo_morphs(Sequence *s, const VmdName *name, const Segment *segment)
{
    const MorphTrack *track = find_track(&segment->morphs, name);
    const int64_t shift = segment->start - segment->from;
    const int64_t stop = segment->start + segment->length;
    add_morph(s, name, segment->solo,
              (double)motion_morph(track, frame_of(segment, segment->solo)));
    for (uint32_t i = 0; i < track->key_count; i++) {
        const int64_t at = (int64_t)track->frames[i] + shift;
        if (at > segment->solo && at < segment->end && at < stop)
            add_morph(s, name, at, (double)((const VmdMorphKey *)track->keys[i])->weight);
    }
    if (stop > segment->solo && stop < segment->end)
        add_morph(s, name, stop, (double)motion_morph(track, frame_of(segment, stop)));
    if (segment->end > segment->solo)
        add_morph(s, name, segment->end,
                  (double)motion_morph(track, frame_of(segment, segment->end)));
}

static void add_fade_morphs(Sequence *s, const VmdName *name, const Segment *a, const Segment *b)
{
    const MorphTrack *left = find_track(&a->morphs, name), *right = find_track(&b->morphs, name);
    for (int64_t at = b->start; at < b->solo; at++) {
        const double weight = smooth((double)(at - b->start) / (double)(b->solo - b->start));
        const double from = (double)motion_morph(left, frame_of(a, at));
        const double to = (double)motion_morph(right, frame_of(b, at));
        add_morph(s, name, at, from + (to - from) * weight);
    }
}

/* ---- properties ---- */

/* Every IK that a motion names, on. */
static VmdPropertyKey default_properties(const Sequence *s)
{
    VmdPropertyKey out = {.visible = true};
    for (size_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; k < s->segments[i].vmd->property_key_count; k++)
            if (s->segments[i].vmd->property_keys[k].ik_count > out.ik_count)
                out.ik_count = s->segments[i].vmd->property_keys[k].ik_count,
                out.ik = s->segments[i].vmd->property_keys[k].ik;
    out.ik = arena_copy(s->arena, out.ik, out.ik_count * sizeof *out.ik);
    for (uint32_t i = 0; i < out.ik_count; i++)
        out.ik[i].enabled = true;
    return out;
}

/* They change in the middle of a fade; what held before a range holds at its start. */
static void add_properties(Sequence *s, const Segment *segment, const VmdPropertyKey *initial)
{
    const int64_t start = (segment->start + segment->solo) / 2;
    const VmdPropertyKey *held = initial;
    for (uint32_t i = 0; i < segment->vmd->property_key_count; i++) {
        const VmdPropertyKey *key = &segment->vmd->property_keys[i];
        if ((int64_t)key->frame <= segment->from && (held == initial || key->frame >= held->frame))
            held = key;
    }
    VmdPropertyKey key = *held;
    key.frame = (uint32_t)start;
    *arena_push(s->arena, &s->properties) = key;
    for (uint32_t i = 0; i < segment->vmd->property_key_count; i++) {
        key = segment->vmd->property_keys[i];
        const int64_t at = (int64_t)key.frame - segment->from + segment->start;
        key.frame = (uint32_t)at;
        if (at > start && at <= segment->end)
            *arena_push(s->arena, &s->properties) = key;
    }
}

/* ---- joining ---- */

/* All names of the tracks, each once. */
static Tracks all_names(const Sequence *s, bool morphs, Arena *arena)
{
    size_t total = 0;
    for (size_t i = 0; i < s->count; i++)
        total += morphs ? s->segments[i].morphs.count : s->segments[i].bones.count;
    Tracks names = {arena_array(arena, NamedTrack, total), 0};
    for (size_t i = 0; i < s->count; i++) {
        const Tracks *tracks = morphs ? &s->segments[i].morphs : &s->segments[i].bones;
        if (i && s->segments[i].vmd == s->segments[i - 1].vmd)
            continue; /* repeated */
        memcpy(names.items + names.count, tracks->items, tracks->count * sizeof *tracks->items);
        names.count += tracks->count;
    }
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, compare_names);
    size_t kept = 0;
    for (size_t i = 0; i < names.count; i++)
        if (!kept || compare_names(&names.items[kept - 1], &names.items[i]) != 0)
            names.items[kept++] = names.items[i];
    names.count = kept;
    return names;
}

/* The first key of a track that has one value in the whole sequence; else NULL.  More keys would
 * change nothing, but replace those of a motion that is merged with the sequence. */
static const void *constant_key(const Sequence *s, const VmdName *name, bool morphs)
{
    const void *first = NULL;
    for (size_t i = 0; i < s->count; i++) {
        const Segment *segment = &s->segments[i];
        if (i && segment->vmd == s->segments[i - 1].vmd)
            continue; /* repeated */
        const KeyTrack *track = find_track(morphs ? &segment->morphs : &segment->bones, name);
        const void *rest =
            morphs ? (const void *)&motion_morph_rest : (const void *)&motion_bone_rest;
        for (uint32_t k = 0; k < track->key_count || !k; k++) {
            const void *key = track->key_count ? track->keys[k] : rest;
            first = first ? first : key;
            if (!motion_same_value(first, key, morphs ? TRACK_MORPHS : TRACK_BONES))
                return NULL;
        }
    }
    return first;
}

static void add_constant(Sequence *s, const VmdName *name, const void *key, bool morphs)
{
    const int64_t start = s->segments[0].start;
    if (morphs) {
        add_morph(s, name, start, (double)((const VmdMorphKey *)key)->weight);
        return;
    }
    VmdBoneKey *copy = arena_push(s->arena, &s->bones);
    *copy = *(const VmdBoneKey *)key;
    copy->name = *name;
    copy->frame = (uint32_t)start;
}

static bool join_tracks(Sequence *s, const MotionLayer *part, Arena *arena, Diag *diag)
{
    for (int morphs = 0; morphs < 2; morphs++) {
        const Tracks names = all_names(s, morphs, arena);
        for (size_t n = 0; n < names.count; n++) {
            const void *constant = constant_key(s, names.items[n].name, morphs);
            if (constant)
                add_constant(s, names.items[n].name, constant, morphs);
            for (size_t i = 0; i < s->count && !constant; i++) {
                const Segment *b = &s->segments[i], *a = i ? b - 1 : b;
                (morphs ? add_fade_morphs : add_fade_bones)(s, names.items[n].name, a, b);
                (morphs ? add_solo_morphs : add_solo_bones)(s, names.items[n].name, b);
                if (s->bones.count + s->morphs.count > MAX_KEYS)
                    return fail(part, too_many_keys, diag);
            }
        }
    }
    return true;
}

const VmdMotion *sequence_join(const MotionLayer *parts, size_t count, Arena *arena, Diag *diag)
{
    Arena *scratch = arena_create();
    Sequence s = {.arena = arena};
    size_t plays = 0;
    for (size_t i = 0; i < count; i++)
        plays += (size_t)parts[i].spec.loop;
    s.segments = arena_array(scratch, Segment, plays);
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = add_segments(&s, &parts[i], scratch, diag);
    good = good && join_tracks(&s, &parts[0], scratch, diag);
    VmdMotion *out = arena_alloc(arena, sizeof *out);
    if (good) {
        bool has_properties = false;
        for (size_t i = 0; i < s.count; i++)
            has_properties |= s.segments[i].vmd->property_key_count > 0;
        const VmdPropertyKey initial = default_properties(&s);
        for (size_t i = 0; has_properties && i < s.count; i++)
            add_properties(&s, &s.segments[i], &initial);
        *out = (VmdMotion){.model_name = parts[0].vmd->model_name,
                           .bone_keys = s.bones.items,
                           .morph_keys = s.morphs.items,
                           .property_keys = s.properties.items,
                           .bone_key_count = (uint32_t)s.bones.count,
                           .morph_key_count = (uint32_t)s.morphs.count,
                           .property_key_count = (uint32_t)s.properties.count};
    }
    arena_destroy(scratch);
    return good ? out : NULL;
}
