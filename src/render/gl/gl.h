// SPDX-License-Identifier: MIT
/*
 * gl.h - an off-screen OpenGL 4.5 core context and its functions
 *
 * There are two backends: OSMesa, and EGL without a surface, also on the device of a GPU.  Both
 * libraries are opened at run time, so a machine needs only one of them.  Create contexts in the
 * one thread that uses them, after fork and never before: contexts in several threads of one
 * process block each other and crash.  Details: render/gl/README.md.
 *
 * gl_create sets LP_NUM_THREADS=0 (each worker process draws with one thread) and
 * LP_NATIVE_VECTOR_WIDTH=256 (512 crashes, and a fixed width keeps pixels equal) for llvmpipe.
 */
#pragma once

#include "base/diag.h"
#include "render/gl/gl_api.h"

/* GL_AUTO: OSMesa, else EGL.  GL_GPU: a device of EGL that is no software renderer. */
typedef enum GlBackend { GL_AUTO, GL_OSMESA, GL_EGL, GL_GPU } GlBackend;

/* A backend and a device of EGL, with which GL_AUTO is GL_EGL: its number and 1, so that zeros are
 * what works by default. */
typedef struct GlChoice {
    GlBackend backend;
    int device;
} GlChoice;

/* The number of devices of EGL; 0 without EGL.  Loads its library, and creates no context. */
int gl_device_count(void);

/* Whether a renderer draws on the CPU, by its name. */
bool gl_is_software(const char *renderer);

typedef struct GlContext GlContext;

/* Loads OSMesa where it may be used, without a context, for the processes that are forked then:
 * relocating LLVM takes each 0.1 s and some MiB.  gl_create reports what is missing. */
void gl_load(GlChoice choice);

/* Creates a context and makes it current; NULL after an error (DIAG_RESOURCE). */
GlContext *gl_create(GlChoice choice, Diag *diag);
void gl_destroy(GlContext *gl);

/* Makes one of several contexts current.  False after an error (DIAG_RESOURCE). */
bool gl_use(GlContext *gl, Diag *diag);

/* Contexts that this process creates from now on compile all shaders and start no thread that
 * writes them to Mesa's cache. */
void gl_disable_shader_cache(void);

/*
 * For a process that forks after it has a context.  fork copies the calling thread alone: what
 * another thread was doing stays undone in the child, what it had locked stays locked, and a
 * condition variable that it waited for may block whoever signals it.  So a process with any other
 * thread, as drivers of devices have, must not fork.
 *
 * _open returns the list of threads in /proc, which a confined process could not open later; -1:
 * unknown.  _allow_fork closes it, and tells whether the calling thread is the only one.
 */
int gl_threads_open(void);
bool gl_threads_allow_fork(int list);

/* "OSMesa" or "EGL". */
const char *gl_backend_name(const GlContext *gl);

/* Identifies the implementation that decides pixels: "Mesa 22.3.6, llvmpipe (LLVM 15.0.6, 256
 * bits)".  The backend is not part of it. */
const char *gl_renderer(const GlContext *gl);

const GlApi *gl_api(const GlContext *gl);

/* Creates a buffer of at least one byte; `data` may be NULL. */
GLuint gl_buffer(const GlApi *gl, size_t size, const void *data, GLbitfield flags);

/* The first `size` bytes of a buffer that was created with GL_MAP_READ_BIT, until it is unmapped;
 * NULL without memory. */
const void *gl_map(const GlApi *gl, GLuint buffer, size_t size);

/* Creates a 2D texture with undefined contents. */
GLuint gl_texture(const GlApi *gl, GLenum format, int levels, int width, int height);

/* wrap: in both directions */
GLuint gl_sampler(const GlApi *gl, GLint wrap, GLint minify, GLint magnify);

/* Creates a renderbuffer in a framebuffer. */
GLuint gl_attach_buffer(const GlApi *gl, GLuint framebuffer, GLenum attachment, int samples,
                        GLenum format, int width, int height);

/* Whether OpenGL has no error to report and the framebuffer can be drawn on. */
bool gl_is_complete(const GlApi *gl, GLuint framebuffer);

void gl_set_enabled(const GlApi *gl, GLenum capability, bool on);

/* Draws indices of type uint32_t of the current vertex array. */
void gl_draw_indices(const GlApi *gl, GLenum mode, size_t first, size_t count);
