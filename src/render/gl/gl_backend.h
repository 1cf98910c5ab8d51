/*
 * gl_backend.h - interface of the two context backends (included by gl*.c only)
 */
#ifndef RENDER_GL_GL_BACKEND_H
#define RENDER_GL_GL_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef void (*GlFunction)(void);

enum { GL_REASON_SIZE = 512 };

typedef struct GlBackendOps {
    const char *name;
    /* Creates an OpenGL 4.5 core context, makes it current and returns its state, allocated in the
     * arena.  Returns NULL and writes the reason on failure. */
    void *(*open)(Arena *arena, char reason[GL_REASON_SIZE]);
    GlFunction (*find)(const void *state, const char *function);
    void (*close)(void *state);
} GlBackendOps;

extern const GlBackendOps GL_OSMESA_OPS, GL_EGL_OPS;

/* dlsym with a function pointer as result; NULL if the symbol does not exist. */
GlFunction gl_library_symbol(void *library, const char *function);

#endif
