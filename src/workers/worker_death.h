/*
 * worker_death.h - errors for child processes of a worker pool that have ended
 */
#ifndef WORKERS_WORKER_DEATH_H
#define WORKERS_WORKER_DEATH_H

#include "workers/worker_pool.h"

/* The names of two limits, for messages. */
const char *worker_memory_origin(const WorkerPoolSpec *spec);
const char *worker_frame_origin(const WorkerPoolSpec *spec);

/*
 * Reports the end of a process; always false.
 *
 * kills   process_memory_oom_kills at the start of the run
 * what    the process, the subject of the sentence
 * status  of waitpid
 */
bool worker_report_death(const WorkerPoolSpec *spec, int64_t kills, const char *what, int status,
                         Diag *diag);

#endif
