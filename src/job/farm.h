/*
 * farm.h - worker processes that draw and an encoder process that takes their pictures in order
 *
 *   main --state--> ring slot --> worker (draws) --> the slot's picture --> encoder (in order) --> free
 *
 * The ring is shared memory with a fixed number of slots, so memory does not grow with the film.
 * Workers are forked by a spawner, a process forked before anything here has threads or a GL context;
 * so a dead worker can be replaced at any time.  Its frame is drawn once more by another; a frame that
 * costs two workers ends the run.  All children end when main does, however it ends.
 *
 * On a stop nothing new is handed out, and what is being drawn is taken in, for a second at most: pictures
 * go to the encoder and to done as ever.  After 1.5 s the children are killed.
 *
 * Time counts only while main looks: when it was away (itself stopped, or evaluating), the children's
 * time limits are put off.  So a process group that was stopped goes on as if nothing had been.
 *
 * The callbacks run in the child processes, on copy-on-write memory of the moment of farm_create.
 * The children block INT, TERM, HUP, ALRM and USR1 and leave them to main.
 */
#ifndef JOB_FARM_H
#define JOB_FARM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"

enum { FARM_TIMES = 10, FARM_MAX_WORKERS = 256, FARM_NOTE_SIZE = 512 };

/* How the processes are, once a second. */
typedef struct FarmLife {
    int workers, alive;
    int64_t main_mib, worker_mib, encoder_mib; /* private memory (base/memory.h); of the largest worker */
} FarmLife;

typedef struct FarmSpec {
    int workers;          /* 1..FARM_MAX_WORKERS */
    size_t state_bytes;   /* of one frame's packed state */
    size_t picture_bytes; /* of one picture */
    double frame_timeout_s; /* a worker that draws longer is killed and the run ends (DIAG_INCOMPLETE);
                             * the encoder has as much for each picture that waits for it */
    int64_t memory_mib;     /* more private memory in one process ends the run (DIAG_RESOURCE); 0: any */
    void *user;

    /* In each worker.  open: once, NULL after an error.  draw: fills the picture and, where wanted,
     * writes it; times are CPU seconds, added up by main. */
    void *(*open)(void *user, Diag *diag);
    bool (*draw)(void *worker, uint8_t *picture, double times[FARM_TIMES], void *note,
                 const void *state, int64_t frame, Diag *diag);
    void (*close)(void *worker);

    /* In the encoder process; encoder_open NULL: there is none.  finish commits; close without
     * finish takes everything unfinished away. */
    void *(*encoder_open)(void *user, Diag *diag);
    bool (*encoder_write)(void *encoder, const uint8_t *picture, int64_t frame, Diag *diag);
    bool (*encoder_finish)(void *encoder, Diag *diag);
    void (*encoder_close)(void *encoder);

    /* In main, after a frame was drawn and, with an encoder, taken by it.  False ends the run. */
    bool (*done)(void *user, int64_t frame, const double times[FARM_TIMES], const void *note,
                 Diag *diag);

    /* In main, whenever it looks at the children: each frame, and each second.  May be NULL. */
    void (*tick)(void *user, const FarmLife *life);

    /* In main, after a child has ended, however it did: what it left behind can be taken away. */
    void (*gone)(void *user, pid_t pid);
} FarmSpec;

typedef struct Farm Farm;

/* Forks spawner, encoder and workers.  `stop` not 0 makes this and the waiting calls return without error,
 * these after taking in what is being drawn.  `diag` must outlive the farm. */
Farm *farm_create(const FarmSpec *spec, const volatile sig_atomic_t *stop, Diag *diag);

/* Room for the next frame's packed state; waits for a free slot.  NULL: an error was told, or stopped. */
void *farm_begin(Farm *farm, Diag *diag);

/* Hands the state just written to a worker.  Frames must come in the order the encoder wants them. */
bool farm_submit(Farm *farm, int64_t frame, Diag *diag);

/* Waits until all is drawn and the encoder has committed. */
bool farm_finish(Farm *farm, Diag *diag);

double farm_encoder_cpu_s(const Farm *farm); /* after the last frame it took */
int farm_respawned(const Farm *farm);

/* Ends all children; gives them 2 s to clean up after themselves.  On a stop that no waiting call has met
 * yet it takes in what is being drawn.  NULL is fine. */
void farm_destroy(Farm *farm);

#endif
