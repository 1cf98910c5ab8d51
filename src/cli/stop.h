// SPDX-License-Identifier: MIT
/*
 * stop.h - stop requests: signals and the time limit of a run
 *
 * INT, TERM and HUP stop a run after the frames in progress.  A second signal, at least one second
 * later, ends the process at once, and so does a timer 1.5 s after the first if the process still
 * computes: the files on disk are then as after a crash, which the next run resumes.  Reaching the
 * time limit stops a run as the first signal does. USR1 requests a status line.
 *
 * These are the only mutable global variables of the program, because a signal handler has no other
 * way to communicate.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* Nonzero after a stop request.  Its lowest byte is the number of the signal. */
extern volatile sig_atomic_t stop_signal;

/* Number of status requests (USR1), modulo 2^23. */
extern volatile sig_atomic_t stop_status_requests;

/* Installs the signal handlers.  Signals that the parent set to be ignored stay ignored. */
void stop_install(void);

/* Limits the run to `seconds` from now, by the monotonic clock; 0 or less sets no limit.  A process
 * that has not ended 10 s after the limit is terminated with exit status 75.  `origin` names the
 * limit in messages and is not copied.  Of several calls the earliest time counts. */
void stop_set_timeout(double seconds, const char *origin);

/* Forgets the time limit, in a process that waits, or was forked from one that has one. */
void stop_clear_timeout(void);

/* Limits the CPU time of this process, and of each process that it starts; 0 or less: no limit.
 * Reaching it is the same as reaching the time limit. */
void stop_set_cpu_limit(double seconds, const char *origin);

/* Counts it from now on, in a process that begins another run. */
void stop_restart_cpu_limit(double seconds);

/* "wall_s: limits.yaml:4: time limit exceeded": the limit that stop_timed_out() is about. */
const char *stop_timeout_text(void);

/* The number of the signal that requested the stop, or 0 (also after a timeout). */
int stop_signal_number(void);

/* Whether the time limit requested the stop. */
bool stop_timed_out(void);

/* Ends the process by the received signal, so that the parent process sees the cause. */
void stop_reraise(void);
