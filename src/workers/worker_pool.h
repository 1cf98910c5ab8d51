/*
 * worker_pool.h - worker processes that draw and an encoder process that takes their pictures in
 * order
 *
 *   main --state--> ring slot --> worker (draws) --> the slot's picture --> encoder (in order) -->
 * free
 *
 * The ring is shared memory with a fixed number of slots, so memory does not grow with the film.
 * Workers are forked by a spawner, a process forked before anything here has threads or a GL
 * context; so a dead worker can be replaced at any time.  Its frame is drawn once more by another;
 * a frame that costs two workers ends the run.  All children end when main does, however it ends.
 *
 * On a stop nothing new is handed out, and what is being drawn is taken in, for a second at most:
 * pictures go to the encoder and to done as ever.  After 1.5 s the children are killed.
 *
 * Time counts only while main looks: when it was away (itself stopped, or evaluating), the
 * children's time limits are put off.  So a process group that was stopped goes on as if nothing
 * had been.
 *
 * The callbacks run in the child processes, on copy-on-write memory of the moment of
 * worker_pool_create. The children block INT, TERM, HUP, ALRM and USR1 and leave them to main.
 */
#ifndef WORKERS_WORKER_POOL_H
#define WORKERS_WORKER_POOL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"

enum { WORKER_TIMES = 10, WORKER_POOL_MAX_WORKERS = 256, WORKER_RECEIPT_SIZE = 512 };

/* How the processes are, once a second. */
typedef struct WorkerPoolStatus {
    int workers, alive;
    int64_t main_mib, worker_mib,
        encoder_mib; /* private memory (base/process_memory.h); of the largest worker */
} WorkerPoolStatus;

typedef struct WorkerPoolSpec {
    int workers;          /* 1..WORKER_POOL_MAX_WORKERS */
    size_t state_bytes;   /* of one frame's packed state */
    size_t picture_bytes; /* of one picture */
    double
        frame_timeout_s; /* a worker that draws longer is killed and the run ends (DIAG_INCOMPLETE);
                          * the encoder has as much for each picture that waits for it */
    int64_t
        memory_mib; /* more private memory in one process ends the run (DIAG_RESOURCE); 0: any */
    void *user;

    /* In each worker.  open: once, NULL after an error.  draw: fills the picture and, where wanted,
     * writes it; times are CPU seconds, added up by main. */
    void *(*open)(void *user, Diag *diag);
    bool (*draw)(void *worker, uint8_t *picture, double times[WORKER_TIMES], void *note,
                 const void *state, int64_t frame, Diag *diag);
    void (*close)(void *worker);

    /* In the encoder process; encoder_open NULL: there is none.  finish commits; close without
     * finish takes everything unfinished away. */
    void *(*encoder_open)(void *user, Diag *diag);
    bool (*encoder_write)(void *encoder, const uint8_t *picture, int64_t frame, Diag *diag);
    bool (*encoder_finish)(void *encoder, Diag *diag);
    void (*encoder_close)(void *encoder);

    /* In main, after a frame was drawn and, with an encoder, taken by it.  False ends the run. */
    bool (*done)(void *user, int64_t frame, const double times[WORKER_TIMES], const void *note,
                 Diag *diag);

    /* In main, whenever it looks at the children: each frame, and each second.  May be NULL. */
    void (*tick)(void *user, const WorkerPoolStatus *life);

    /* In main, after a child has ended, however it did: what it left behind can be taken away. */
    void (*gone)(void *user, pid_t pid);
} WorkerPoolSpec;

typedef struct WorkerPool WorkerPool;

/* Forks spawner, encoder and workers.  `stop` not 0 makes this and the waiting calls return without
 * error, these after taking in what is being drawn.  `diag` must outlive the farm. */
WorkerPool *worker_pool_create(const WorkerPoolSpec *spec, const volatile sig_atomic_t *stop,
                               Diag *diag);

/* Room for the next frame's packed state; waits for a free slot.  NULL: an error was told, or
 * stopped. */
void *worker_pool_begin(WorkerPool *farm, Diag *diag);

/* Hands the state just written to a worker.  Frames must come in the order the encoder wants them.
 */
bool worker_pool_submit(WorkerPool *farm, int64_t frame, Diag *diag);

/* Waits until all is drawn and the encoder has committed. */
bool worker_pool_finish(WorkerPool *farm, Diag *diag);

double worker_pool_encoder_cpu_s(const WorkerPool *farm); /* after the last frame it took */
int worker_pool_respawned(const WorkerPool *farm);

/* Ends all children; gives them 2 s to clean up after themselves.  On a stop that no waiting call
 * has met yet it takes in what is being drawn.  NULL is fine. */
void worker_pool_destroy(WorkerPool *farm);

#endif
