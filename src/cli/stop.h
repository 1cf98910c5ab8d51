/*
 * stop.h - INT, TERM and HUP end a run after the frames in hand; a second one at once
 *
 * The program's only global variable is here, since a signal handler can reach nothing else.
 */
#ifndef CLI_STOP_H
#define CLI_STOP_H

#include <signal.h>

/* Not 0 once a signal came.  Its lowest byte is the signal's number. */
extern volatile sig_atomic_t stop_signal;

void stop_install(void);

/* The signal that came, or 0. */
int stop_number(void);

/* Ends the process by that signal, so that the parent sees what happened. */
void stop_raise(void);

#endif
