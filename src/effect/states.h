// SPDX-License-Identifier: MIT
/*
 * states.h - names of the states of passes and samplers, and of their values in Direct3D 9
 *
 * Constant tables; names match without case.
 */
#pragma once

#include "effect/effect.h"

/* The kind of values of a state, which decides what a word means: ZERO is a blend factor or a
 * stencil operation. */
typedef enum StateValues {
    VALUES_NUMBER,
    VALUES_COMPARISON,
    VALUES_BLEND,
    VALUES_BLEND_OP,
    VALUES_CULL,
    VALUES_FILL,
    VALUES_STENCIL_OP,
    VALUES_COLOR_WRITE,
    VALUES_ADDRESS,
    VALUES_FILTER
} StateValues;

/* The state of a pass with the name, or -1; its values. */
int state_find(const char *name);
StateValues state_values(EffectStateKind kind);

/* Whether Direct3D knows the name as a state of a pass that has no effect here. */
bool state_is_ignored(const char *name);

/* The number of a word; false if it is none.  "D3DBLEND_ONE" is "ONE". */
bool state_word(double *out, StateValues values, const char *word);

/* States of samplers. */
typedef enum SamplerState {
    SAMPLER_TEXTURE,
    SAMPLER_ADDRESS_U,
    SAMPLER_ADDRESS_V,
    SAMPLER_ADDRESS_W,
    SAMPLER_MIN_FILTER,
    SAMPLER_MAG_FILTER,
    SAMPLER_MIP_FILTER,
    SAMPLER_FILTER, /* all three; of later versions of Direct3D */
    SAMPLER_BORDER_COLOR,
    SAMPLER_LOD_BIAS,
    SAMPLER_MAX_MIP_LEVEL,
    SAMPLER_MAX_ANISOTROPY,
    SAMPLER_SRGB,
    SAMPLER_IGNORED
} SamplerState;

/* The state with the name, or -1; its values. */
int sampler_state_find(const char *name);
StateValues sampler_state_values(SamplerState state);
