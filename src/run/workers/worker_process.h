// SPDX-License-Identifier: MIT
/*
 * worker_process.h - the child processes of a worker pool, their messages and how they end
 *
 * Every message is one packet of a SOCK_SEQPACKET socket, so none arrives in parts, and a closed
 * socket means that the other side has ended.  Only worker_pool.c and worker_process.c use this.
 */
#pragma once

#include <stdatomic.h>
#include <sys/types.h>

#include "run/workers/worker_pool.h"

typedef enum WorkerMessageKind {
    WORKER_RENDER,   /* main -> worker: slot, frame */
    WORKER_RENDERED, /* worker -> main: slot, frame, times */
    WORKER_ENCODE,   /* main -> encoder: slot, frame */
    WORKER_ENCODED,  /* encoder -> main: slot, frame, cpu_s */
    WORKER_FINISH,   /* main -> encoder: no more frames */
    WORKER_FINISHED,
    WORKER_DIAGNOSTIC, /* child -> main: level, problem, text */
    WORKER_FAILED,     /* child -> main: the error has been sent; the child ends */
    WORKER_SPAWN, /* main -> spawner; answered by WORKER_SPAWNED with the pid and a passed socket,
                   * or with pid -1 and the errno in slot */
    WORKER_SPAWNED,
    WORKER_READY, /* spawner -> main: it has prepared what the workers share; else it ends */
    WORKER_REAP,  /* main -> spawner: pid; answered by WORKER_REAPED with the wait status in slot */
    WORKER_REAPED
} WorkerMessageKind;

enum { WORKER_TEXT_SIZE = 2048 };

typedef struct WorkerMessage {
    int32_t kind; /* WorkerMessageKind */
    int32_t slot;
    int64_t frame;
    int32_t level, problem; /* DiagLevel, DiagKind */
    int64_t pid;
    int64_t memory_mib; /* private memory of the sender, when a frame is complete */
    double cpu_s;       /* CPU time of the encoder so far */
    FrameTimes times;   /* WORKER_RENDERED */
    char text[WORKER_TEXT_SIZE];
    _Alignas(8) uint8_t receipt[WORKER_RECEIPT_SIZE]; /* WORKER_RENDERED: a FrameReceipt */
} WorkerMessage;

/* Shared memory: a page with a flag, then slots that hold a state and an image each. */
typedef struct WorkerRing {
    atomic_bool *stopping;                 /* set by main: workers begin no new frame */
    uint8_t *memory;                       /* the slots */
    size_t bytes, slot_bytes, state_bytes; /* bytes: with the first page */
    int slots;
} WorkerRing;

uint8_t *worker_ring_state(const WorkerRing *ring, int slot);
uint8_t *worker_ring_pixels(const WorkerRing *ring, int slot);

bool worker_send(int fd, const WorkerMessage *message); /* false: the other side has ended */
bool worker_receive(int fd, WorkerMessage *message);    /* likewise */
bool worker_receive_fd(int fd, WorkerMessage *message, int *passed);

/* Both never return. `fd` is the child's end. */
_Noreturn void worker_spawner_main(int fd, const WorkerPoolSpec *spec, const WorkerRing *ring);
_Noreturn void worker_encoder_main(int fd, const WorkerPoolSpec *spec, const WorkerRing *ring);

/*
 * Reports the end of a process; always false.
 *
 * kills   process_memory_oom_kills at the start of the run
 * subject  of the sentence: the process
 * status  of waitpid
 */
bool worker_report_death(const WorkerPoolSpec *spec, int64_t kills, const char *subject, int status,
                         Diag *diag);

/* Waits until all children have ended, at most until end_s (clock_monotonic_s).  pids: [count], 0
 * for those that have ended. */
void worker_wait_until_ended(double end_s, pid_t *pids, int count);
