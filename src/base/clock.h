// SPDX-License-Identifier: MIT
/*
 * clock.h - elapsed time and CPU time, in seconds
 *
 * Only differences are meaningful: the start of each clock is arbitrary.  Nothing that these
 * functions return may reach a pixel.  Thread-safe and async-signal-safe.
 */
#pragma once

#include <sys/types.h>

double clock_monotonic_s(void);  /* elapsed time; not affected by changes of the system's time */
double clock_thread_cpu_s(void); /* CPU time of the calling thread */
double clock_process_cpu_s(void);

double clock_cpu_s_of(pid_t pid); /* CPU time of another process; 0 if it has ended */
