/*
 * gl_backend.h - what differs between the two ways to an off-screen context (inside gl.c only)
 */
#ifndef RENDER_GL_BACKEND_H
#define RENDER_GL_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef void (*GlFunction)(void);

enum { GL_WHY_SIZE = 512 };

typedef struct GlBackendOps {
    const char *name;
    /* A current OpenGL 4.5 core context; its state lives in the arena.  NULL, and why in words. */
    void *(*open)(Arena *arena, char why[GL_WHY_SIZE]);
    GlFunction (*find)(const void *state, const char *function);
    void (*close)(void *state);
} GlBackendOps;

extern const GlBackendOps GL_OSMESA_OPS, GL_EGL_OPS;

/* dlsym as a function pointer; NULL if it is not there. */
GlFunction gl_library_find(void *library, const char *function);

#endif
