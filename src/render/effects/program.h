// SPDX-License-Identifier: MIT
/*
 * program.h - the shaders of a pass as a program of OpenGL, and the values of its uniforms
 */
#pragma once

#include "base/diag.h"
#include "effect/effect.h"
#include "render/gl/gl.h"

typedef struct FxUniform {
    GLint location;
    int parameter;
} FxUniform;

typedef struct FxSamplerSlot { /* its texture unit is its index */
    int parameter;
    EffectDimension dimension;
} FxSamplerSlot;

typedef struct FxProgram {
    GLuint name;
    GLint viewport, fragment, alpha_reference; /* locations; -1: not used */
    FxUniform *uniforms;
    FxSamplerSlot *samplers;
    size_t uniform_count, sampler_count;
    bool discards; /* some pixels may not be written */
    bool drawn;    /* before: the driver has compiled it */
} FxProgram;

/* alpha_test: the operator that fx_states_alpha_test gives, or NULL.  Returns false after an error
 * was reported: the shaders do not compile or link. */
bool fx_program_build(FxProgram *out, const EffectPass *pass, const char *alpha_test,
                      const GlApi *gl, Arena *arena, Diag *diag);

/* values: as many numbers as the type has. */
void fx_uniform_set(const GlApi *gl, GLint location, const EffectType *type, const float *values);

/* A sampler object with the states of Direct3D 9, but at most `anisotropy` samples. */
GLuint fx_sampler_create(const GlApi *gl, const EffectSampler *sampler, int anisotropy);
