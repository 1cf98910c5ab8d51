// SPDX-License-Identifier: MIT
/*
 * capture.h - the evaluated dance of a model: every bone and morph at 30 frames a second
 *
 * Physics and IK are in it, as in the film; cloth and soft bodies are not, as they have no bones.
 * Units and axes are those of MMD (src/README.md).  All memory is in the arena.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "job/job.h"
#include "scene/scene.h"

/* A bone relative to its parent, which for a root is the model. */
typedef struct LocalPose {
    float offset[3];   /* from the rest position */
    float rotation[4]; /* x y z w, unit */
} LocalPose;

typedef struct CapturedModel {
    const SceneModel *model;
    LocalPose *bones;      /* [frame_count][bone_count] */
    LocalPose *keys;       /* the same as keys of a motion without IK and physics */
    float *key_weights;    /* [frame_count][morph_count] from motion and job alone */
    float *leaf_weights;   /* [frame_count][morph_count] after groups and flips */
    Placement *placements; /* [frame_count] */
    bool *visible;         /* [frame_count] */
} CapturedModel;

typedef struct Capture {
    uint32_t first;       /* motion frame of the first one */
    uint32_t frame_count; /* one frame of a motion each */
    CameraState *cameras; /* [frame_count] */
    int width, height;    /* size of the film, pixels */
    CapturedModel *models;
    size_t model_count;
} Capture;

/*
 * Evaluates frames first..first + count - 1 of the motion.
 *
 * models, model_count  indices in the scene
 */
bool capture_run(Capture *capture, const Scene *scene, const Job *job, const size_t *models,
                 size_t model_count, uint32_t first, uint32_t count, Arena *arena, Diag *diag);

/* The pose of a bone at a frame (an index from 0), and its weights. */
const LocalPose *capture_bone(const CapturedModel *model, uint32_t frame, uint32_t bone);

/* The place of a bone with an offset from its rest position, beside its parent. */
void capture_place(float out[3], const PmxModel *pmx, uint32_t bone, const float offset[3]);
