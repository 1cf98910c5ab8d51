// SPDX-License-Identifier: MIT
/*
 * resource_estimate.h - estimates of memory, disk space and time before a film is rendered
 *
 * Memory is computed from the loaded assets with measured constants (inspect/README.md 1).  It is
 * meant to be requested from a scheduler: not less than what is used, and rarely twice as much.
 * Disk space and time are rough, because they depend on the contents of the frames and on the
 * machine, unless a sample of the film (inspect/plan.h) measured them.  Pure functions.
 */
#pragma once

#include "base/diag.h"
#include "film/film_types.h"
#include "job/job.h"

/* Largest number of bytes of physical memory; memory that processes share counts once: assets in
 * `main`, textures and meshes of several workers in `shared`. */
typedef struct MemoryEstimate {
    uint64_t main;    /* the job with its assets, and evaluation */
    uint64_t shared;  /* the renderer that the workers share; 0: each has its own */
    uint64_t worker;  /* memory of each worker, without shared memory */
    uint64_t encoder; /* 0: no encoder process */
    uint64_t ring;    /* ring of frames between processes */
    uint64_t peak;    /* sum for all processes */
} MemoryEstimate;

/*
 * loaded   arena_bytes of the arena that film_load filled
 * workers  number of render processes, by default film_workers
 */
MemoryEstimate estimate_memory(const Film *film, size_t loaded, int workers);

/* Cost of a frame: CPU seconds, and bytes on disk. */
typedef struct FrameEstimate {
    bool measured;     /* false: rough, for a core of 3 GHz */
    double evaluate_s; /* in the main process, one frame after another */
    double draw_s;     /* in a worker */
    double encode_s;   /* in the encoder process, all outputs */
    double start_s;    /* once per run: loading, and additional time of the first frame */
    double bytes[JOB_MAX_OUTPUTS]; /* per output */
} FrameEstimate;

FrameEstimate estimate_frame(const Film *film);

/* Seconds of a run on as many cores as it has workers.  The frames before the first one are
 * evaluated but not rendered; `before` is their number. */
double estimate_seconds(const FrameEstimate *frame, int64_t before, int64_t frames, int workers);

/* Frames that are simulated but not rendered: before the first one, and between ranges. */
int64_t estimate_before(const Film *film);

/* Bytes on disk: outputs and previews, and the largest size of the checkpoint directory. */
typedef struct DiskEstimate {
    uint64_t outputs, state;
} DiskEstimate;

DiskEstimate estimate_disk(const Film *film, const FrameEstimate *frame);

/* Warns where the run needs more CPU time or disk space than the host allows.  Returns false if the
 * warning is an error. */
bool estimate_warn(const Film *film, const FrameEstimate *frame, Diag *diag);

/* Recommended number of shards, 1..1000 (the default limit of a Slurm array): each renders at least
 * 64 frames and at least one segment, and for at least twenty times its start-up time. */
int estimate_shards(const Film *film, const FrameEstimate *frame, int workers);
