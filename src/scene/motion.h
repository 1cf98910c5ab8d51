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

typedef struct TimeMap {
    double offset; /* frames */
    double speed;  /* > 0 */
} TimeMap;

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

typedef enum MotionPart {
    MOTION_BONES = 1,
    MOTION_MORPHS = 2,
    MOTION_PROPERTIES = 4,
    MOTION_ALL = 7
} MotionPart;

/* Keys of the bone or morph `from` of a motion move the bone or morph `to` of the model. */
typedef struct MotionRename {
    const char *from, *to;
    const DiagLocation *location; /* or NULL */
} MotionRename;

/* How a motion is joined with those before it. */
typedef enum LayerMode {
    LAYER_AUTO,     /* a pose overrides, any other motion merges */
    LAYER_MERGE,    /* its keys replace those on the same frame */
    LAYER_OVERRIDE, /* per bone, morph and switch, it drops all keys of those before */
} LayerMode;

/* One motion of a model. */
typedef struct MotionLayer {
    const VmdMotion *vmd;
    const char *file; /* for messages */
    TimeMap time;
    unsigned parts; /* MotionPart bits */
    LayerMode mode;
    const MotionRename *renames;
    size_t rename_count;
    const DiagLocation *location; /* where the job names it, or NULL */
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
