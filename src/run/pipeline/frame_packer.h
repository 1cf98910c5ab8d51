/*
 * frame_packer.h - evaluates a frame and packs all of its states (film/sub_frames.h)
 *
 * Physics only goes forward, so the states of whole frames are kept until the frame after them,
 * whose motion vectors need them, was packed.
 */
#ifndef RUN_PIPELINE_FRAME_PACKER_H
#define RUN_PIPELINE_FRAME_PACKER_H

#include "evaluate/frame.h"
#include "job/job.h"

enum { FRAME_PACKER_KEPT = 3 };

typedef struct FramePacker {
    const Scene *scene;
    const Job *job;
    Evaluator *evaluator;
    FrameState *state;
    struct {
        int64_t frame; /* -1: none */
        void *packed;
    } kept[FRAME_PACKER_KEPT];
} FramePacker;

/* Everything is in the arena; the evaluator belongs to the caller. */
FramePacker *frame_packer_create(const Scene *scene, const Job *job, Evaluator *evaluator,
                                 Arena *arena);

/* The first motion of an output frame that frame_packer_pack evaluates. */
int64_t frame_packer_first(const FramePacker *packer, int64_t frame);

/* Frames must increase.  camera: instead of the one of the scene; or NULL.  False after a stop or
 * an error. */
bool frame_packer_pack(void *packed, FramePacker *packer, int64_t frame, const CameraState *camera,
                       Diag *diag);

#endif
