/*
 * clock.h - elapsed time and CPU time, in seconds
 *
 * Only differences are meaningful: the start of each clock is arbitrary.  Nothing that these
 * functions return may reach a pixel.  Thread-safe and async-signal-safe.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

double clock_monotonic_s(void);   /* elapsed time; not affected by changes of the system's time */
double clock_thread_cpu_s(void);  /* CPU time of the calling thread */
double clock_process_cpu_s(void); /* CPU time of all threads of this process */

#endif
