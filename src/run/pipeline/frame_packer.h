/*
 * frame_packer.h - evaluates a frame and packs all of its states (film/sub_frames.h)
 *
 * Physics only goes forward, so the states of whole frames are kept until the frame after them,
 * whose motion vectors need them, was packed.
 */
#pragma once

#include <signal.h>

#include "base/progress.h"
#include "evaluate/frame.h"
#include "job/job.h"

typedef struct FramePacker FramePacker;

/* camera: instead of the one of the scene; or NULL.  progress: updated while physics catches up
 * with a frame.  The packer is in the arena; _destroy ends its evaluator, NULL is fine. */
FramePacker *frame_packer_create(const Scene *scene, const Job *job, const CameraState *camera,
                                 Progress *progress, const volatile sig_atomic_t *stop,
                                 Arena *arena);
void frame_packer_destroy(FramePacker *packer);

/* Frames must increase.  Polls *stop also while it evaluates the frames before: a value other than
 * 0 makes it return false without an error. */
bool frame_packer_pack(void *packed, FramePacker *packer, int64_t frame, Diag *diag);
