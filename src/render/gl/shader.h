// SPDX-License-Identifier: MIT
/*
 * shader.h - programs from the files in shaders/, which are embedded in the binary
 *
 * The files have no #version line; it is prepended, with the definitions of the variant.
 */
#pragma once

#include "base/diag.h"
#include "render/gl/gl_api.h"

typedef struct ShaderDefine {
    const char *name;
    int value;
} ShaderDefine;

typedef struct ShaderSpec {
    const char *vertex, *fragment; /* file names; fragment NULL: no fragment stage */
    const char *library;           /* file of functions for the fragment stage; NULL: none */
    const ShaderDefine *defines;
    size_t define_count;
    const char *const *feedback; /* outputs of the vertex stage to capture, interleaved */
    int feedback_count;
} ShaderSpec;

/* shader_dir: directory to read the files from, or NULL.  Returns 0 after an error was reported
 * with the first line of the compiler's log. */
GLuint shader_build(const GlApi *gl, const ShaderSpec *spec, const char *shader_dir, Diag *diag);

enum { SHADER_LOG_SIZE = 1024 };

/* A shader of the texts in their order.  Returns 0 with the first line of the compiler's log. */
GLuint shader_compile(char log[SHADER_LOG_SIZE], const GlApi *gl, GLenum stage,
                      const char *const *texts, int count);

/* A program of shaders, which stay; fragment 0: no such stage.  feedback: outputs of the vertex
 * stage to capture, interleaved.  Returns 0 with the first line of the linker's log. */
GLuint shader_link(char log[SHADER_LOG_SIZE], const GlApi *gl, GLuint vertex, GLuint fragment,
                   const char *const *feedback, int feedback_count);
