/*
 * gl_threads.h - the threads of an OpenGL driver, for a process that forks after it has a context
 *
 * fork copies the calling thread alone.  What another thread was doing stays undone in the child,
 * and what it had locked stays locked.  One kind of thread is harmless while it sleeps: Mesa's
 * writer of the shader cache, which holds nothing while it waits for shaders to write.  In the
 * child the shaders that it would write are kept in its queue.
 */
#ifndef GL_GL_THREADS_H
#define GL_GL_THREADS_H

#include <stdbool.h>

enum { GL_MAX_THREADS = 4 };

/* Descriptors of /proc, which a confined process could not open later. */
typedef struct GlThreads {
    int list;                  /* of all threads; -1: unknown */
    int stats[GL_MAX_THREADS]; /* of the threads but this one */
    int count;
} GlThreads;

/* The threads that this process has now. */
void gl_threads_open(GlThreads *threads);

/* Whether there are no others than these, and all of these are asleep, after waiting for it for a
 * tenth of a second at most. */
bool gl_threads_allow_fork(const GlThreads *threads);

void gl_threads_close(GlThreads *threads);

#endif
