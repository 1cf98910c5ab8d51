/*
 * worker_death.h - the end of child processes of a worker pool: errors, waiting
 */
#pragma once

#include "run/workers/worker_pool.h"

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
