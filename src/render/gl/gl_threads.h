/*
 * gl_threads.h - the threads of an OpenGL driver, for a process that forks after it has a context
 *
 * fork copies the calling thread alone.  What another thread was doing stays undone in the child,
 * what it had locked stays locked, and a condition variable that it waited for may block whoever
 * signals it.  So a process with any other thread must not fork.
 */
#pragma once

#include <stdbool.h>

/* The list of threads in /proc, which a confined process could not open later. */
typedef struct GlThreads {
    int list; /* -1: unknown */
} GlThreads;

void gl_threads_open(GlThreads *threads);

/* Whether the calling thread is the only one of this process. */
bool gl_threads_allow_fork(const GlThreads *threads);

void gl_threads_close(GlThreads *threads);
