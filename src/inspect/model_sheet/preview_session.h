// SPDX-License-Identifier: MIT
/*
 * preview_session.h - a model alone in a film, to be rendered from several sides
 *
 * The film has one model in its rest pose, without physics, and a camera that frames a part of it
 * (evaluate/follow/README.md).
 */
#pragma once

#include "film/film.h"
#include "inspect/frame_capture.h"
#include "run/progress.h"

typedef struct PreviewSession {
    Job job;
    Film film;
    FrameCapture capture; /* the frames of the last render */
    Progress *progress;
    const volatile sig_atomic_t *stop;
    Arena *arena;
} PreviewSession;

typedef struct PreviewSessionView {
    FollowShot shot;
    double turn_deg;           /* turn of the camera around the model; 0: from the front */
    int width, height;         /* pixels */
    float closer;              /* factor of the distance; 0: 1 */
    const CameraState *camera; /* instead of shot, turn and factor; or NULL */
} PreviewSessionView;

/* job: that of the model file, without outputs. */
bool preview_session_open(PreviewSession *session, const Job *job, Progress *progress,
                          const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);

/* The only model. */
const SceneModel *preview_session_scene_model(const PreviewSession *session);
const Model *preview_session_model(const PreviewSession *session);

/* Whether it has a head, which a shot of the face needs. */
bool preview_session_has_head(const PreviewSession *session);

/* Points the camera; it stays there for all frames.  In SHOT_FULL the whole model at rest is in the
 * frame. */
bool preview_session_set_view(PreviewSession *session, const PreviewSessionView *view, Diag *diag);

/* Renders frames 0 to count - 1, and returns one of them. */
bool preview_session_render(PreviewSession *session, int64_t count, Diag *diag);
Image preview_session_image(const PreviewSession *session, int64_t frame, Arena *arena);
