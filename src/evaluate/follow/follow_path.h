// SPDX-License-Identifier: MIT
/*
 * follow_path.h - computes the path of a camera that follows models
 *
 * The bones of the models are evaluated by their keys, IK and appends every few motion frames over
 * the whole film, without physics; the path is a smooth envelope of what they show
 * (evaluate/follow/README.md).  It depends on the scene and the specification only, never on the
 * frames that a process renders.
 */
#pragma once

#include "base/arena.h"
#include "scene/follow.h"
#include "scene/scene.h"

typedef struct FollowSpec {
    const char *const *models; /* ids that are models of the scene */
    size_t model_count;        /* 0: models that move; if none does, all but stages */
    const FollowShot *shots;   /* in turn, a new one after each cut */
    size_t shot_count;         /* 0: full; with cuts, a sequence of all shots and directions */
    double smooth;             /* motion frames by which the camera looks ahead and back */
    double margin;             /* 0..0.4: free part of the frame at each side */
    double fov_deg;            /* vertical, 1..179 */
    float rotation[3];         /* radians, as in CameraState */
    double aspect;             /* width / height of the frames */
    const double *cuts;        /* [cut_count] motion frames, ascending */
    size_t cut_count;
} FollowSpec;

/* A scene without anything to show gives a track without segments. */
void follow_path_create(FollowTrack *out, const Scene *scene, const FollowSpec *spec, Arena *arena);
