/*
 * gl.h - an off-screen OpenGL core context, and its functions
 *
 * Two backends of the same size behind four functions: OSMesa (default) and EGL surfaceless (also
 * EGL on a GPU device).  Both libraries are opened at run time, so a machine needs only the one it
 * uses. One context a process, in the thread that made it: contexts in several threads of one
 * process wait for each other and crash.  Make it after fork, never before.
 *
 * gl_create sets LP_NUM_THREADS=0 (workers are processes, each draws alone) and
 * LP_NATIVE_VECTOR_WIDTH=256 (512 crashes; a fixed width keeps pixels equal) for Mesa's llvmpipe.
 */
#ifndef RENDER_GL_H
#define RENDER_GL_H

#include <stdbool.h>

#include "base/diag.h"
#include "render/gl_api.h"

typedef enum GlBackend { GL_OSMESA, GL_EGL, GL_AUTO } GlBackend; /* AUTO: OSMesa, else EGL */

typedef struct GlContext GlContext;

/* Creates and makes current; NULL after an error (DIAG_RESOURCE). */
GlContext *gl_create(GlBackend backend, Diag *diag);
void gl_destroy(GlContext *gl);
const char *gl_describe(const GlContext *gl); /* "OSMesa, llvmpipe (LLVM 15.0.6, 256 bits), 4.5" */

const GlApi *gl_api(const GlContext *gl);

#endif
