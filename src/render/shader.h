/*
 * shader.h - programs from the files in shaders/, which are built into the binary
 *
 * A file has no #version line; it is put in front, with the definitions of the variant.
 */
#ifndef RENDER_SHADER_H
#define RENDER_SHADER_H

#include <stddef.h>

#include "base/diag.h"
#include "render/gl_api.h"

typedef struct ShaderDefine {
    const char *name;
    int value;
} ShaderDefine;

typedef struct ShaderSpec {
    const char *vertex, *fragment; /* file names; fragment NULL: only transform feedback */
    const ShaderDefine *defines;
    size_t define_count;
    const char *const *feedback; /* outputs of the vertex stage to be captured, interleaved */
    int feedback_count;
} ShaderSpec;

/* folder: where to read the files instead, or NULL.  0 after an error, with the compiler's own
 * words. */
GLuint shader_build(const GlApi *gl, const ShaderSpec *spec, const char *folder, Diag *diag);

/* The embedded files; the build makes this list (Makefile). */
typedef struct ShaderSource {
    const char *name, *text;
} ShaderSource;

extern const ShaderSource SHADER_SOURCES[];
extern const size_t SHADER_SOURCE_COUNT;

#endif
