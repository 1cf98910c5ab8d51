// SPDX-License-Identifier: MIT
/*
 * keypoints.h - the keypoints of dancers: joints of the body and hands, points of face and feet
 *
 * The points of COCO-18 as OpenPose and ControlNet number them, 21 of each hand, 70 of the face and
 * 3 of each foot, from the true bones and vertices instead of a detector (README.md 2).  "Right" is
 * the dancer's right.
 */
#pragma once

#include "base/arena.h"
#include "evaluate/frame_state.h"
#include "scene/scene.h"

enum {
    KEYPOINT_NOSE,
    KEYPOINT_NECK,
    KEYPOINT_R_SHOULDER, /* elbow and wrist follow, then the left arm */
    KEYPOINT_R_HIP = 8,  /* knee and ankle follow, then the left leg */
    KEYPOINT_R_EYE = 14,
    KEYPOINT_L_EYE,
    KEYPOINT_R_EAR,
    KEYPOINT_L_EAR,
    KEYPOINT_LEFT_HAND, /* wrist, then four points of each finger, from the thumb */
    KEYPOINT_HAND_COUNT = 21,
    KEYPOINT_RIGHT_HAND = KEYPOINT_LEFT_HAND + KEYPOINT_HAND_COUNT,
    KEYPOINT_BODY_COUNT = KEYPOINT_LEFT_HAND,
    KEYPOINT_FACE = KEYPOINT_RIGHT_HAND + KEYPOINT_HAND_COUNT, /* README.md 2.1 */
    KEYPOINT_FACE_COUNT = 70,
    KEYPOINT_FEET = KEYPOINT_FACE + KEYPOINT_FACE_COUNT, /* left: big toe, small toe, heel; right */
    KEYPOINT_FOOT_COUNT = 6,
    KEYPOINT_COUNT = KEYPOINT_FEET + KEYPOINT_FOOT_COUNT
};

typedef struct Keypoint {
    float x, y;       /* pixels from the upper left corner of the image */
    float depth;      /* distance along the view, MMD units */
    float confidence; /* 1 visible; 0.5 behind a surface; 0 unknown, not in the image, or of a face
                       * that is hidden: then x, y and depth are 0 */
} Keypoint;

typedef struct Person {
    Keypoint points[KEYPOINT_COUNT];
} Person;

/* The smallest box around the known points; false if none is known. */
bool keypoints_bounds(float low[2], float high[2], const Keypoint *points, int count);

/* How a vertex morph moves a point. */
typedef struct SkeletonMorph {
    uint32_t morph;
    float offset[3];
} SkeletonMorph;

/* A point that moves with a bone. */
typedef struct SkeletonPoint {
    int32_t bone;    /* -1: the model has no such point */
    float rest[3];   /* in model space */
    float tolerance; /* a surface nearer by more than this hides it, MMD units at scale 1 */
    const SkeletonMorph *morphs;
    size_t morph_count;
} SkeletonPoint;

typedef struct Skeleton {
    uint32_t model; /* index in the scene */
    SkeletonPoint points[KEYPOINT_COUNT];
} Skeleton;

/* The name that a model has for a bone with one of MMD's names, for all models. */
typedef struct BoneAlias {
    const char *standard, *name;
} BoneAlias;

/* Finds the skeletons of all models, without stages, that have a neck, shoulders and hips, in the
 * order of the scene.  They are in the arena. */
Skeleton *skeletons_find(size_t *count, const Scene *scene, const BoneAlias *aliases,
                         size_t alias_count, Arena *arena);

/* Where the eyes of a model, right and left, are seen: the visible surface of each, in the same way
 * for models that are no persons.  Returns false if the model has neither eyes nor a place for
 * them.  Morphs are in the arena. */
bool skeleton_find_eyes(SkeletonPoint eyes[2], const Model *model, Arena *arena);

/*
 * The points in an image of a frame.
 *
 * depth    [width * height] of the nearest surfaces (render/geometry_image.h); NULL: nothing is
 *          hidden
 * returns  false if the model is not visible
 */
bool keypoints_project(Person *out, const Skeleton *skeleton, const Scene *scene,
                       const FrameState *state, int width, int height, const float *depth);
