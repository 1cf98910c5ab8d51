/*
 * stop.h - what comes from outside in the middle of a run: signals, and the end of its time
 *
 * INT, TERM and HUP end a run after the frames in hand; a second one, a second later, at once.  The
 * end of the time that a job may take does the same as the first.  USR1 asks for a line of status.
 *
 * The program's only global variables are here, since a signal handler can reach nothing else: one
 * for each of the two questions, stop? and status?
 */
#ifndef CLI_STOP_H
#define CLI_STOP_H

#include <signal.h>
#include <stdbool.h>

/* Not 0 once a signal came or the time is over.  Its lowest byte is the signal's number. */
extern volatile sig_atomic_t stop_signal;

/* Rises with each USR1. */
extern volatile sig_atomic_t stop_status_asked;

void stop_install(void);

/* From now on the run has so long, by the monotonic clock; 0: as long as it likes.  If it does not
 * heed the end of its time within 10 s, because it hangs, the process ends with status 75. */
void stop_after(double seconds);

/* The signal that came, or 0. */
int stop_number(void);

/* Is the time over?  Then no signal came. */
bool stop_timed_out(void);

/* Ends the process by that signal, so that the parent sees what happened. */
void stop_raise(void);

#endif
