// SPDX-License-Identifier: MIT
/*
 * shot_extent.h - the part of a model that a shot shows, as a few points that bones move
 *
 * Made from the vertices at rest, once per model and shot (evaluate/follow/README.md 1): the
 * vertices of the shot are grouped by the bone with the largest weight, and of each group those are
 * kept that are extreme in one of 26 directions.  So the extent of a posed model in any direction
 * is found from some hundred points.  Vertices that physics moves do not count, nor those of hidden
 * or transparent materials.
 */
#pragma once

#include "base/arena.h"
#include "evaluate/frame_state.h"
#include "scene/follow.h"

typedef struct ShotBone {
    uint32_t bone;
    bool optional; /* a forearm or a hand, which may leave the frame */
    Vec3 *points;  /* [count] relative to the rest position of the bone, model space */
    uint32_t count;
} ShotBone;

/* A forearm and its hand. */
typedef struct ShotHand {
    int32_t wrist;   /* bone; the hand is raised while it is above the bone of the head */
    ShotBone *bones; /* [bone_count] */
    uint32_t bone_count;
} ShotHand;

/* The visible vertices that the bone of the head moves, from its height upwards, as a sphere. */
typedef struct ShotHead {
    int32_t bone; /* -1: none, or without such vertices */
    Vec3 center;  /* relative to the rest position of the bone, model space */
    double radius;
} ShotHead;

typedef struct ShotExtent {
    ShotBone *bones; /* [bone_count]; none if the model has neither vertices nor bones */
    uint32_t bone_count;
    ShotHand hands[2]; /* without bones except for SHOT_WAIST and SHOT_BUST */
    ShotHead head;
    double radius; /* radius of a sphere around each point: 0 except for SHOT_FACE */
    double height; /* extent in y of required points at rest, MMD units without placement */
    double width;  /* the larger one of their extents in x and z */
} ShotExtent;

/* [vertex_count] those of faces that can be seen. */
bool *shot_extent_seen_vertices(const SceneModel *model, Arena *arena);

void shot_extent_create(ShotExtent *out, const SceneModel *model, FollowShot shot, Arena *arena);

enum { SHOT_MAX_DIRECTIONS = 8 };

/* For each direction, the largest dot product of a point of the posed model, in the world, with it.
 */
typedef struct ShotSupport {
    double required[SHOT_MAX_DIRECTIONS]; /* of the points that must be in the frame */
    double raised[SHOT_MAX_DIRECTIONS];   /* of these and raised hands */
    double all[SHOT_MAX_DIRECTIONS];      /* of these and the optional points */
} ShotSupport;

/* The directions are of any length.  The extent must have a bone. */
ShotSupport shot_extent_support(const ShotExtent *extent, const ModelState *state,
                                const Vec3 *directions, int count);

/* The center of the head in the world; its radius there is that at rest times the scale. */
Vec3 shot_extent_head(const ShotHead *head, const ModelState *state);
