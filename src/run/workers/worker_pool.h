// SPDX-License-Identifier: MIT
/*
 * worker_pool.h - worker processes that render frames, and an encoder process that gets them in
 * order
 *
 *   main --state--> ring slot --> worker (renders) --> the slot's pixels --> encoder (in order) -->
 * free
 *
 * The ring is shared memory with a fixed number of slots, so memory does not grow with the film.
 * Workers are forked by a spawner, a process that has no threads of ours, so that a dead worker can
 * be replaced at any time.  Its frame is rendered once more
 * by another worker; a frame that costs two workers ends the run.  All children end when main does,
 * however it ends.  Frames that depend on those drawn before go to one worker, whose end is that of
 * the pool.
 *
 * After a stop no new frame is assigned, and frames in progress are completed, for a second at
 * most: they reach the encoder and `done` as usual.  After 1.5 s the children are killed.
 *
 * Time limits count only while main checks the children: while it was busy or stopped itself, they
 * are extended.  So a process group that was suspended resumes as if nothing had happened.
 *
 * The callbacks run in the child processes, on a copy-on-write copy of the memory at the time of
 * worker_pool_create.  The children block INT, TERM, HUP, ALRM and USR1 and leave them to main.
 * Not thread-safe.
 */
#pragma once

#include <signal.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/limit.h"
#include "render/frame_stages.h"

enum { WORKER_POOL_MAX_WORKERS = 256, WORKER_RECEIPT_SIZE = 1124 };

/*
 * What a frame stored in outputs with one file per frame; travels with the frame from its worker to
 * main.  The user of the pool defines the struct, of at most WORKER_RECEIPT_SIZE bytes, without
 * pointers.
 */
typedef struct FrameReceipt FrameReceipt;

/* The processes, measured once a second. */
typedef struct WorkerPoolStatus {
    int workers, alive;
    int64_t main_mib, worker_mib, encoder_mib; /* private memory (base/process_memory.h); worker_mib
                                                * of the largest one */
} WorkerPoolStatus;

typedef struct WorkerPoolSpec {
    int workers;        /* 1..WORKER_POOL_MAX_WORKERS */
    size_t state_bytes; /* one frame's packed state */
    size_t pixel_bytes; /* the pixels of one frame */
    double
        frame_timeout_s; /* a worker that needs longer is killed and the run ends (DIAG_INCOMPLETE);
                          * the encoder has as much for each frame that waits for it */
    int64_t memory_mib;  /* more private memory in one process ends the run (DIAG_RESOURCE); 0: no
                          * limit */
    const char *frame_origin, *memory_origin; /* their sources, for messages; or NULL */
    Limit total_mib;  /* private memory of all processes together (DIAG_RESOURCE) */
    Limit cpu_s;      /* CPU time of all processes together (DIAG_INCOMPLETE) */
    bool restartable; /* the end by a signal of the encoder, the spawner or a worker with frames of
                       * its own is only a warning, see WorkerPoolResult */
    void *user;

    /* In the process that forks the workers, first: gives up what neither it nor a worker needs.
     * False after an error.  May be NULL. */
    bool (*confine)(void *user, Diag *diag);

    /* In the same process, before it forks a worker: makes what they share, copied on
     * write, and returns it; NULL if they cannot share it, or after an error, which is not
     * reported: they are then forked by another process, and each opens its own.  May be NULL.
     * prepared: in main, after it. */
    void *(*prepare)(void *user, Diag *diag);
    void (*prepared)(void *user);

    /* In each worker.  open: once, NULL after an error; shared: of `prepare`, or NULL.  render:
     * fills the pixels and writes the outputs that workers write. */
    void *(*open)(void *user, void *shared, Diag *diag);
    bool (*render)(void *worker, uint8_t *pixels, FrameTimes *times, FrameReceipt *receipt,
                   const void *state, int64_t frame, Diag *diag);
    void (*close)(void *worker);

    /* In the encoder process, which exists unless encoder_open is NULL.  write: gets the frames in
     * order and must not change the pixels.  finish commits; close without finish removes
     * everything that is not committed. */
    void *(*encoder_open)(void *user, Diag *diag);
    bool (*encoder_write)(void *encoder, uint8_t *pixels, int64_t frame, Diag *diag);
    bool (*encoder_finish)(void *encoder, Diag *diag);
    void (*encoder_close)(void *encoder);

    /* In main, after a frame was rendered and, with an encoder, encoded; the pixels are valid until
     * it returns.  False ends the run. */
    bool (*done)(void *user, int64_t frame, uint8_t *pixels, const FrameTimes *times,
                 const FrameReceipt *receipt, Diag *diag);

    /* In main, at each check of the children: each frame, and each second.  May be NULL. */
    void (*tick)(void *user, const WorkerPoolStatus *status);

    /* In main, after a child has ended in any way: its temporary files can be removed.  In the
     * spawner for its workers and for main, if main was killed.  May be NULL. */
    void (*child_exited)(void *user, pid_t pid);
} WorkerPoolSpec;

typedef struct WorkerPool WorkerPool;

/* Forks spawner, encoder and workers.  When *stop is not 0, this and the waiting calls return NULL
 * or false without an error, the latter after completing the frames in progress.  `diag` must
 * outlive the pool. */
WorkerPool *worker_pool_create(const WorkerPoolSpec *spec, const volatile sig_atomic_t *stop,
                               Diag *diag);

/* Where to write the packed state of the next frame; waits for a free slot.  NULL after an error or
 * a stop. */
void *worker_pool_begin(WorkerPool *pool, Diag *diag);

/* Submits the state just written.  Frames must be submitted in the order of the encoder. */
bool worker_pool_submit(WorkerPool *pool, int64_t frame, Diag *diag);

/*
 * Submits it for one worker, which renders its frames in the order in which they are submitted.
 *
 * worker    0..workers - 1
 * is_prior  `render` is called, because later frames of the worker depend on this one, but neither
 *           the encoder nor `done` gets it
 */
bool worker_pool_submit_to(WorkerPool *pool, int64_t frame, int worker, bool is_prior, Diag *diag);

/* Waits until all frames are rendered and the encoder has committed. */
bool worker_pool_finish(WorkerPool *pool, Diag *diag);

typedef struct WorkerPoolResult {
    bool lost_child; /* a call returned false, without an error, because the encoder, the spawner or
                      * a worker with frames of its own was killed: another pool can be created for
                      * what is not committed */
    double encoder_cpu_s; /* up to its last frame */
    int respawned;        /* workers that were replaced */
} WorkerPoolResult;

WorkerPoolResult worker_pool_result(const WorkerPool *pool);

/* Ends all children; they have 2 s to clean up.  After a stop that no waiting call has handled yet
 * it completes the frames in progress.  NULL is fine. */
void worker_pool_destroy(WorkerPool *pool);
