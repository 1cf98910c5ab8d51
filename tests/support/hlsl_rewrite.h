// SPDX-License-Identifier: MIT
/*
 * hlsl_rewrite.h - the entries of an effect as HLSL that other translators read
 *
 * Each entry becomes a text without effect syntax: techniques, annotations and semantics are left
 * out; uniforms are static variables with values made from their number; samplers are numbers, and
 * texture functions formulas of the coordinates.  `float4 oracle(float4 c : TEXCOORD0)` calls the
 * entry with inputs made from c.x, and adds up its outputs.
 */
#ifndef SUPPORT_HLSL_REWRITE_H
#define SUPPORT_HLSL_REWRITE_H

#include "effect/effect.h"

typedef struct HlslEntry {
    const char *name, *text;
} HlslEntry;

typedef ARENA_LIST(HlslEntry) HlslEntries;

/* Each function that a pass compiles, once. */
bool hlsl_rewrite(HlslEntries *out, const EffectSource *source, Arena *arena, Diag *diag);

#endif
