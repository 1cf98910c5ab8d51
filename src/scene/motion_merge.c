// SPDX-License-Identifier: MIT
#include "scene/motion_merge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"

/* Frames of the film are compared in this fraction of a frame: less than any two moments of keys
 * are apart, and more than the rounding of offset + frame / speed. */
static const double TICKS = 1 << 20;

MotionMerge motion_merge_init(const MotionLayer *layers, size_t layer_count,
                              const uint32_t track_counts[TRACK_KINDS], Arena *scratch)
{
    MotionMerge merge = {.layers = layers, .layer_count = layer_count, .scratch = scratch};
    for (int kind = 0; kind < TRACK_KINDS; kind++) {
        merge.track_counts[kind] = track_counts[kind];
        merge.tracks[kind] = arena_array(scratch, MergeTrack, track_counts[kind]);
    }
    return merge;
}

void motion_merge_add(MotionMerge *merge, TrackKind kind, uint32_t track, uint32_t frame,
                      uint32_t index, const void *key)
{
    const TimeMap time = merge->layers[merge->layer].spec.time;
    const double exact = time.offset + frame / time.speed, whole = round(exact);
    const double at = fabs(exact - whole) * TICKS < 1 ? whole : exact;
    *arena_push(merge->scratch, &merge->tracks[kind][track].keys) =
        (MergeKey){at, llround(at * TICKS), key, frame, index, (uint32_t)merge->layer};
}

/* ---- merging ---- */

static int compare_keys(const void *a, const void *b)
{
    const MergeKey *x = a, *y = b;
    return x->tick != y->tick     ? (x->tick < y->tick ? -1 : 1)
           : x->layer != y->layer ? (x->layer < y->layer ? -1 : 1)
                                  : (x->index > y->index) - (x->index < y->index);
}

/* Sorts keys and keeps the last one of each frame.
 * replaced  marks the layers whose keys one of another layer has replaced; or NULL
 * returns   the number of remaining keys */
static size_t order_keys(MergeKey *keys, size_t count, bool *replaced)
{
    size_t kept = 0, sorted = 1;
    while (sorted < count && compare_keys(&keys[sorted - 1], &keys[sorted]) < 0)
        sorted++;
    if (sorted < count)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++) {
        if (kept && keys[kept - 1].tick == keys[i].tick) {
            kept--;
            if (replaced && keys[kept].layer != keys[i].layer)
                replaced[keys[kept].layer] = true;
        }
        keys[kept++] = keys[i];
    }
    return kept;
}

bool motion_same_value(const void *a, const void *b, TrackKind kind)
{
    if (kind == TRACK_SWITCHES)
        return *(const bool *)a == *(const bool *)b;
    if (kind == TRACK_MORPHS)
        return ((const VmdMorphKey *)a)->weight == ((const VmdMorphKey *)b)->weight;
    const VmdBoneKey *x = a, *y = b;
    bool same = x->physics == y->physics;
    for (size_t i = 0; i < 3; i++)
        same &= x->translation[i] == y->translation[i];
    for (size_t i = 0; i < 4; i++)
        same &= x->rotation[i] == y->rotation[i];
    return same;
}

static bool is_moving(const MergeKey *keys, size_t count, TrackKind kind)
{
    for (size_t i = 1; i < count; i++)
        if (!motion_same_value(keys[0].key, keys[i].key, kind))
            return true;
    return false;
}

/* ---- what a motion contributes ---- */

typedef struct Others { /* motions before the current one, marked */
    bool *moving, *replaced, *overridden;
} Others;

/* Names of the files of marked motions, each once. */
static NameList names_of(const MotionMerge *merge, const bool *marked, Arena *arena)
{
    NameList names = {arena_array(arena, const char *, merge->layer), 0};
    for (size_t i = 0; i < merge->layer; i++) {
        const char *name = path_name(merge->layers[i].spec.file);
        if (marked[i] && text_find(TEXT_WORDS(names.items, names.count), name) < 0)
            names.items[names.count++] = arena_strdup(arena, name);
    }
    return names;
}

static void merge_track(MotionShare *share, const MotionMerge *merge, MergeTrack *track,
                        TrackKind kind, Others *others)
{
    if (track->keys.count == track->merged)
        return;
    const MotionLayer *layer = &merge->layers[merge->layer];
    const bool overrides =
        layer->spec.layer == LAYER_AUTO ? layer->vmd->is_pose : layer->spec.layer == LAYER_OVERRIDE;
    if (overrides && track->merged) {
        for (size_t i = 0; i < track->merged; i++)
            others->overridden[track->keys.items[i].layer] = true;
        track->keys.count -= track->merged;
        memmove(track->keys.items, track->keys.items + track->merged,
                track->keys.count * sizeof *track->keys.items);
        track->merged = 0;
        track->mover = 0;
        share->overriding.of[kind]++;
    }
    MergeKey *own = track->keys.items + track->merged;
    const size_t count = order_keys(own, track->keys.count - track->merged, NULL);
    const bool moving = is_moving(own, count, kind);
    const double at = own->at;
    track->keys.count = order_keys(track->keys.items, track->merged + count, others->replaced);
    const bool replaces = track->keys.count < track->merged + count;
    track->merged = track->keys.count;
    if (moving) {
        share->moving.of[kind]++;
        if (track->mover) {
            share->moved_before.of[kind]++;
            others->moving[track->mover - 1] = true;
        }
        track->mover = (uint32_t)merge->layer + 1;
    } else if (count > 1) {
        share->constant.of[kind]++;
    } else {
        bool first = true;
        for (int k = 0; k < TRACK_KINDS; k++)
            first &= !share->single.of[k] && !share->replacing.of[k];
        share->single_at = first || share->single_at == at ? at : (double)NAN;
        (replaces ? &share->replacing : &share->single)->of[kind]++;
    }
}

MotionShare motion_merge_next(MotionMerge *merge, Arena *arena)
{
    MotionShare share = {0};
    Others others = {arena_array(merge->scratch, bool, merge->layer_count),
                     arena_array(merge->scratch, bool, merge->layer_count),
                     arena_array(merge->scratch, bool, merge->layer_count)};
    for (int kind = 0; kind < TRACK_KINDS; kind++)
        for (uint32_t t = 0; t < merge->track_counts[kind]; t++)
            merge_track(&share, merge, &merge->tracks[kind][t], (TrackKind)kind, &others);
    share.moved_in = names_of(merge, others.moving, arena);
    share.replaced = names_of(merge, others.replaced, arena);
    share.overridden = names_of(merge, others.overridden, arena);
    merge->layer++;
    return share;
}

/* ---- tracks ---- */

/* Where the value at rest begins: at frame 0 of the film, or of a motion that begins before. */
static double rest_frame(const MotionMerge *merge, const MergeTrack *track)
{
    double frame = 0;
    for (size_t i = 0; i < track->merged; i++)
        frame = fmin(frame, merge->layers[track->keys.items[i].layer].spec.time.offset);
    return frame;
}

KeyTrack motion_merge_track(const MotionMerge *merge, TrackKind kind, uint32_t track,
                            const void *rest, Arena *arena)
{
    const MergeTrack *from = &merge->tracks[kind][track];
    const MergeKey *keys = from->keys.items;
    const uint32_t count = (uint32_t)from->merged;
    if (!count)
        return (KeyTrack){.time = {0, 1}};
    KeyTrack out = {.time = merge->layers[keys[0].layer].spec.time,
                    .keys = arena_array(arena, const void *, count),
                    .frames = arena_array(arena, double, count),
                    .key_count = count};
    bool one_time = true;
    for (uint32_t i = 0; i < count; i++) {
        const TimeMap time = merge->layers[keys[i].layer].spec.time;
        one_time &= time.offset == out.time.offset && time.speed == out.time.speed;
    }
    for (uint32_t i = 0; i < count; i++) {
        out.keys[i] = keys[i].key;
        out.frames[i] = one_time ? keys[i].frame : keys[i].at;
    }
    if (!one_time)
        out.time = (TimeMap){0, 1};
    if (rest)
        motion_add_rest(&out, rest, rest_frame(merge, from), arena);
    return out;
}
