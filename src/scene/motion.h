// SPDX-License-Identifier: MIT
/*
 * motion.h - motions bound to a model: sorted keys per bone and morph
 *
 * Time is in frames, 30 a second, and may be fractional.  Each track stores a time mapping:
 * key time = (frame - offset) * speed. Sampling allocates nothing and keeps no state
 * (binary search).  Rules: scene/README.md 1 and 2.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "format/motion/vmd.h"
#include "math/timeline.h"
#include "scene/model.h"
#include "scene/motion_share.h"
#include "scene/scene_options.h"

/* The keys of one bone, morph, switch, camera, ... */
typedef struct KeyTrack {
    TimeMap time;      /* of its motion; {0, 1} if motions of different times are merged in it */
    const void **keys; /* VmdBoneKey, VmdMorphKey, ...: ascending frames, one key per frame */
    double *frames;    /* [key_count] frames of the keys, for the search */
    uint32_t key_count;
} KeyTrack;

typedef KeyTrack BoneTrack; /* fixed-axis keys are projected */
typedef KeyTrack MorphTrack;
typedef KeyTrack SwitchTrack; /* bool: an IK, or the visibility of a model */

/* How many of the names in a motion that have a key away from rest the model has, and what the
 * motion contributes; of the parts that are used. */
typedef struct MotionFit {
    const char *file, *made_for; /* UTF-8; "" if the motion does not name a model */
    uint32_t bones, bones_found, morphs, morphs_found;
    NameList missing_bones, missing_morphs; /* in the order of the file */
    MotionShare share;
} MotionFit;

/* All motions of one model, merged (motion_merge.h). */
typedef struct ModelMotion {
    BoneTrack *bones;   /* [bone_count]; key_count 0: no keys */
    MorphTrack *morphs; /* [morph_count] */
    SwitchTrack *ik;    /* [bone_count] */
    SwitchTrack visible;
    MotionFit *fits; /* [fit_count] one per motion */
    size_t fit_count;
} ModelMotion;

typedef enum MotionPart { /* of MotionSpec.only */
                          MOTION_BONES = 1,
                          MOTION_MORPHS = 2,
                          MOTION_PROPERTIES = 4,
                          MOTION_ALL = 7
} MotionPart;

/* The settings of a motion that is used as it is. */
#define MOTION_DEFAULT .time = {0, 1}, .only = MOTION_ALL, .to = -1, .at = -1, .loop = 1

/* Whether it is a part of a sequence (sequence.h). */
static inline bool motion_is_part(const MotionSpec *m)
{
    return m->from || m->to >= 0 || m->at >= 0 || m->fade || m->loop > 1 || m->mirror;
}

/* One motion of a model.  Keys of a bone or morph that `spec` renames move the one of the new name.
 */
typedef struct MotionLayer {
    const VmdMotion *vmd;
    MotionSpec spec;
} MotionLayer;

/*
 * Binds the layers to a model.  Names with a key away from rest that the model does not have are
 * reported as one warning per layer: misfit if less than a quarter of these names exist, otherwise
 * partial-fit, with the names that would match English names of the model (scene/README.md 1.6).
 *
 * fixed_axis_keys  project the rotation keys of fixed-axis bones (compat.fixed_axis: keys)
 */
bool motion_bind(ModelMotion *out, const Model *model, const MotionLayer *layers,
                 size_t layer_count, bool fixed_axis_keys, Arena *arena, Diag *diag);

/* "59 of 72 bones and 0 of 12 morphs"; a kind without names is omitted. */
const char *motion_fit_text(const MotionFit *fit, Arena *arena);

/* Whether a key is at the value of a track without keys, or too near for a difference to be seen.
 */
bool motion_bone_rests(const VmdBoneKey *key);
bool motion_morph_rests(const VmdMorphKey *key);

extern const VmdBoneKey motion_bone_rest;
extern const VmdMorphKey motion_morph_rest;

/* Adds a key at a frame of the film if all keys of the track are later. */
void motion_add_rest(KeyTrack *track, const void *rest, double frame, Arena *arena);

/* The track of the keys that `items` name: their frames, and indices in `keys`, an array of structs
 * of key_size bytes.  Sorts the items. */
KeyTrack motion_track(TimeMap time, TimelineItem *items, uint32_t count, const void *keys,
                      size_t key_size, Arena *arena);

typedef struct BoneSample {
    float translation[3], rotation[4];
    VmdPhysics physics; /* from the last key at or before the frame, or VMD_PHYSICS_UNSPECIFIED */
} BoneSample;

BoneSample motion_bone(const BoneTrack *track, double frame, int halvings);
float motion_morph(const MorphTrack *track, double frame);
bool motion_switch(const SwitchTrack *track, double frame); /* true without keys, and before them */
