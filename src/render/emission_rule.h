/*
 * emission_rule.h - which materials glow, and how much
 *
 * The convention of AutoLuminous (render/README.md 15): specular color black and specular power
 * above 100, after morphs.
 */
#pragma once

#include <stddef.h>

#include "evaluate/frame_state.h"

typedef struct EmissionOptions {
    const char *const *materials; /* names of materials that glow in any case, or NULL */
    size_t material_count;
} EmissionOptions;

#define EMISSION_MAX_STRENGTH 32.0f

/* Strength of a material's light: 0 if it does not glow, 1 at the power 107, at most
 * EMISSION_MAX_STRENGTH. */
float emission_strength(const MaterialState *state, const char *name,
                        const EmissionOptions *options);
