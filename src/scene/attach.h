// SPDX-License-Identifier: MIT
/*
 * attach.h - models, single bones and the camera attached to bones of other models, over time
 *
 * MMD calls them outside parents (scene/README.md 4.4).  A key holds until the next one; before the
 * first key its values hold.  Frames are 30 a second.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "scene/scene_options.h"

typedef struct Scene Scene;

typedef struct AttachKey {
    double frame;        /* ascending */
    int32_t model, bone; /* in the scene; -1: not attached */
} AttachKey;

typedef struct AttachTrack {
    int32_t own_bone;      /* -1: the whole model, or the camera */
    const AttachKey *keys; /* [key_count], at least one */
    uint32_t key_count;
} AttachTrack;

/*
 * Binds keys, in any order of bones, with ascending frames for each, to the loaded models of a
 * scene: a track for each own bone.  False after an error.
 *
 * list  of the keys in the job, "models.0.attach_keys", for messages
 * own   the index of the model that is attached; -1 for the camera
 */
bool attach_bind(const AttachTrack **tracks, uint32_t *track_count, const AttachKeySpec *specs,
                 size_t spec_count, const char *list, const Scene *scene, int32_t own, Arena *arena,
                 Diag *diag);

/* The same for the camera if it is always attached to one bone. */
bool attach_bind_camera(const AttachTrack **track, const AttachSpec *spec, const Scene *scene,
                        Arena *arena, Diag *diag);

AttachKey attach_at(const AttachTrack *track, double frame);

/*
 * An order of evaluation: a model comes after those that it, or one of its bones, is attached to at
 * the frame.
 *
 * order    [model_count]
 * returns  -1, or the index of a model that is part of a cycle
 */
int32_t attach_order_at(uint32_t *order, const Scene *scene, double frame);

/* Whether that order is one at all frames; reports a cycle. */
bool attach_check(const Scene *scene, Arena *arena, Diag *diag);

/* Sets the flags of a model and of all models that it is attached to at any time.  marked:
 * [model_count] */
void attach_mark(bool *marked, const Scene *scene, size_t model);
