// SPDX-License-Identifier: MIT
/*
 * motion.h - motions bound to a model: sorted keys per bone and morph
 *
 * Time is in frames, 30 a second, and may be fractional.  Each track stores the time mapping of its
 * motion: key time = (frame - offset) * speed. Sampling allocates nothing and keeps no state
 * (binary search).  Rules: scene/README.md 1 and 2.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "format/motion/vmd.h"
#include "math/timeline.h"
#include "scene/model.h"

typedef struct TimeMap {
    double offset; /* frames */
    double speed;  /* > 0 */
} TimeMap;

/* The keys of one bone, morph, camera, ... of a motion. */
typedef struct KeyTrack {
    TimeMap time;
    const void **keys; /* VmdBoneKey, VmdMorphKey, ...: ascending frames, one key per frame */
    uint32_t *frames;  /* [key_count] frames of the keys, for the search */
    uint32_t key_count;
} KeyTrack;

typedef KeyTrack BoneTrack; /* fixed-axis keys are projected */
typedef KeyTrack MorphTrack;

typedef struct SwitchTrack { /* on/off over time: an IK, or the visibility of a model */
    TimeMap time;
    uint32_t *frames;
    bool *on;
    uint32_t key_count;
} SwitchTrack;

/* How many of the names in a motion the model has; of the parts that are used. */
typedef struct MotionFit {
    const char *file, *made_for; /* UTF-8; "" if the motion does not name a model */
    uint32_t bones, bones_found, morphs, morphs_found;
} MotionFit;

/* All motions of one model, overlaid: per bone and per morph, later ones override earlier ones. */
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

/* One motion of a model. */
typedef struct MotionLayer {
    const VmdMotion *vmd;
    const char *file; /* for messages */
    TimeMap time;
    unsigned parts; /* MotionPart bits */
    const MotionRename *renames;
    size_t rename_count;
    const DiagLocation *location; /* where the job names it, or NULL */
} MotionLayer;

/*
 * Binds the layers to a model.  Names that the model does not have are reported as one warning per
 * layer: misfit if less than a quarter of the names exist, otherwise partial-fit, with the names
 * that would match English names of the model (scene/README.md 1.6).
 *
 * fixed_axis_keys  project the rotation keys of fixed-axis bones (compat.fixed_axis: keys)
 */
bool motion_bind(ModelMotion *out, const Model *model, const MotionLayer *layers,
                 size_t layer_count, bool fixed_axis_keys, Arena *arena, Diag *diag);

/* "59 of 72 bones and 0 of 12 morphs"; a kind without names is omitted. */
const char *motion_fit_text(const MotionFit *fit, Arena *arena);

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
