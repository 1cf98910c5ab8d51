// SPDX-License-Identifier: MIT
/*
 * clean_track.h - the keys of bones as samples of every frame, their noise, and both without it
 *                 (scene/mocap/README.md 7)
 *
 * Time is in frames of the motion, from 0.  Angles are in radians, lengths in MMD units.
 */
#pragma once

#include "scene/motion.h"

typedef struct CleanTrack {
    BoneTrack keys;       /* as in the motion; key_count 0: none */
    uint32_t first, last; /* frames of its first and last key, or sample */
    bool dense;           /* while it moves, it has a key on most frames */
    bool trembles;        /* it has the noise of a trace */
    bool changed;         /* the samples replace the keys */
    Vec3 *offset;         /* [last + 1] samples; NULL: the keys are used */
    Quat *rotation;       /* [last + 1] */
    double turns, shifts; /* standard deviation of the noise, of all axes together */
} CleanTrack;

/* All bones of a model. */
typedef struct CleanBody {
    const Model *model;
    CleanTrack *tracks; /* [bone_count] */
    uint32_t frames;    /* from 0 to the last key of a bone */
    Arena *arena;
} CleanBody;

/* A track of sorted keys; nothing is sampled. */
CleanTrack clean_track(const BoneTrack *keys);

/* The keys at a frame. */
BoneSample clean_track_keys_at(const CleanTrack *track, uint32_t frame);

/* Samples at least the frames 0..last, unless that is done. */
void clean_track_sample(CleanTrack *track, uint32_t last, Arena *arena);

/* Measures the noise of a track that is sampled. */
void clean_track_measure(CleanTrack *track);

/* Removes turns of more than 90 degrees in a frame.  Returns how many. */
uint32_t clean_track_steady(CleanTrack *track);

/* Smooths by local polynomials whose width follows the noise.  strength: factor of the noise */
void clean_track_smooth(CleanTrack *track, double strength);

/* Places and rotations of bones in the world, without IK, append transforms and physics. */
typedef struct CleanPose {
    Vec3 *place;    /* [bone_count] */
    Quat *rotation; /* [bone_count] */
} CleanPose;

CleanPose clean_pose_create(const CleanBody *body);

/* Evaluates the bones of `wanted`, [bone_count], with which are their parents. */
void clean_pose_at(CleanPose *pose, const CleanBody *body, const bool *wanted, uint32_t frame);

/* The rotation of the parent of a bone. */
Quat clean_parent_rotation(const CleanPose *pose, const CleanBody *body, uint32_t bone);
