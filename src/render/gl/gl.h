/*
 * gl.h - an off-screen OpenGL 4.5 core context and its functions
 *
 * There are two backends: OSMesa, and EGL without a surface (also on a GPU device).  Both libraries
 * are opened at run time, so a machine needs only one of them.  Create one context per process, in
 * the thread that uses it, after fork and never before: contexts in several threads of one process
 * block each other and crash.  Details: render/gl/README.md.
 *
 * gl_create sets LP_NUM_THREADS=0 (each worker process draws with one thread) and
 * LP_NATIVE_VECTOR_WIDTH=256 (512 crashes, and a fixed width keeps pixels equal) for llvmpipe.
 */
#ifndef RENDER_GL_GL_H
#define RENDER_GL_GL_H

#include <stdbool.h>

#include "base/diag.h"
#include "render/gl/gl_api.h"

typedef enum GlBackend { GL_AUTO, GL_OSMESA, GL_EGL } GlBackend; /* GL_AUTO: OSMesa, else EGL */

typedef struct GlContext GlContext;

/* Creates a context and makes it current; NULL after an error (DIAG_RESOURCE). */
GlContext *gl_create(GlBackend backend, Diag *diag);
void gl_destroy(GlContext *gl);

/* Contexts that this process creates from now on compile all shaders and start no thread that
 * writes them to Mesa's cache (gl_threads.h). */
void gl_disable_shader_cache(void);

/* "OSMesa" or "EGL". */
const char *gl_backend_name(const GlContext *gl);

/* Identifies the implementation that decides pixels: "Mesa 22.3.6, llvmpipe (LLVM 15.0.6, 256
 * bits)".  The backend is not part of it. */
const char *gl_renderer(const GlContext *gl);

const GlApi *gl_api(const GlContext *gl);

#endif
