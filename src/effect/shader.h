// SPDX-License-Identifier: MIT
/*
 * shader.h - the shaders of a pass as GLSL 330: an entry with its inputs, outputs and constants
 *
 * Vertex and fragment shader are linked by semantic: each semantic that the fragment shader reads
 * is a vec4, which the vertex shader writes, zeros if its function does not (README 4).
 */
#pragma once

#include "effect/parser.h"

typedef struct PassShaders {
    const EffectShader *vertex, *fragment; /* NULL: none */
} PassShaders;

/* False after an error.  *size: bytes of the GLSL of the effect so far; it grows. */
bool shaders_print(PassShaders *out, Parser *parser, const PassSource *source, size_t *size,
                   unsigned *stamp);
