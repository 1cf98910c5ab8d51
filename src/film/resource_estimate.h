/*
 * resource_estimate.h - what a film will cost before it is drawn: memory, disk, time
 *
 * Memory comes from what is loaded and what will be made of it, by the measures that costs.c lists.
 * It is meant to be asked of a scheduler: never less than what is used, and seldom twice as much.
 * Bytes on disk and time are rough, since they depend on what the pictures show and on the machine,
 * unless a trial (trial.h) measured them.
 */
#ifndef FILM_RESOURCE_ESTIMATE_H
#define FILM_RESOURCE_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#include "film/film.h"

/* Bytes of physical memory in use at most; what processes share counts once, in `main`. */
typedef struct MemoryEstimate {
    uint64_t main;    /* the job with its models and pictures, and its evaluation; the spawner */
    uint64_t worker;  /* of each worker, beside what it shares */
    uint64_t encoder; /* 0: there is none */
    uint64_t ring;    /* pictures on their way */
    uint64_t peak;    /* all of them together */
} MemoryEstimate;

/*
 * loaded   arena_bytes of the arena that film_load filled
 * workers  processes that draw; film_workers(film->job) where nothing else is known
 */
MemoryEstimate estimate_memory(const Film *film, size_t loaded, int workers);

/* What a frame takes: CPU seconds, and bytes on disk. */
typedef struct FrameEstimate {
    bool measured;                 /* else rough: of a core of 3 GHz */
    double evaluate_s;             /* in main, frame after frame */
    double draw_s;                 /* in a worker */
    double encode_s;               /* in the encoder, all outputs */
    double start_s;                /* once a run: loading, and what the first frame takes more */
    double bytes[JOB_MAX_OUTPUTS]; /* of each output */
} FrameEstimate;

FrameEstimate estimate_frame(const Film *film);

/* Seconds that a run takes, on as many cores as it has workers.  Frames `before` the first that it
 * draws are evaluated only. */
double estimate_seconds(const FrameEstimate *frame, int64_t before, int64_t frames, int workers);

/* Bytes on disk: the outputs; and what the state folder holds at most, beside them. */
typedef struct DiskEstimate {
    uint64_t outputs, state;
} DiskEstimate;

DiskEstimate estimate_disk(const Film *film, const FrameEstimate *frame);

/* Shards that are worth it: each draws 64 frames at least, and for twenty times as long as it takes
 * to start; never more than there are pieces.  1..1000, the largest array that Slurm takes by
 * itself. */
int estimate_shards(const Film *film, const FrameEstimate *frame, int workers);

#endif
