// SPDX-License-Identifier: MIT
/*
 * intrinsics.h - the functions of HLSL: their arguments, results and GLSL
 *
 * A constant table.  Where GLSL differs, a function of the same shape is written into the text
 * that uses it (README 4.2).
 */
#pragma once

#include "effect/tree.h"

/* How the types of arguments and result depend on each other. */
typedef enum IntrinsicRule {
    RULE_FLOAT,         /* floats of one shape, the smallest; the result has it too */
    RULE_NUMBER,        /* the same; integers remain integers */
    RULE_SIGN,          /* a float shape to integers */
    RULE_CLASSIFY,      /* a float shape to bools */
    RULE_REDUCE,        /* float vectors of one size to a float */
    RULE_TEST,          /* a bool shape to a bool */
    RULE_CROSS,         /* float3 */
    RULE_REFRACT,       /* two float vectors of one size and a float */
    RULE_NOISE,         /* a float vector, filled up to float4, to a float */
    RULE_LIT,           /* three floats to float4 */
    RULE_DST,           /* float4, float4 to float4 */
    RULE_MULTIPLY,      /* mul */
    RULE_TRANSPOSE,     /* a matrix to one of exchanged size */
    RULE_DETERMINANT,   /* a square matrix to a float */
    RULE_OUT,           /* sincos, modf, frexp: the arguments after the first are outputs */
    RULE_CLIP,          /* a float shape; no result */
    RULE_COLOR_TO_INT,  /* float4 to int4 */
    RULE_BITS_TO_INT,   /* a float shape to integers */
    RULE_BITS_TO_FLOAT, /* an integer shape to floats */
    RULE_TEXTURE        /* a sampler and coordinates to float4 */
} IntrinsicRule;

typedef enum IntrinsicLookup {
    LOOKUP_PLAIN,
    LOOKUP_BIAS, /* in the fourth coordinate */
    LOOKUP_LOD,
    LOOKUP_PROJ, /* coordinates are divided by the fourth */
    LOOKUP_GRAD  /* derivatives are arguments */
} IntrinsicLookup;

struct Intrinsic {
    const char *name;
    IntrinsicRule rule;
    uint8_t count;    /* of arguments */
    const char *glsl; /* the function that is called; NULL: the printer knows it */

    /* The text of that function, with $T for the type and $B for bools of its size; where scalars
     * differ from vectors, both texts with '@' between; NULL: GLSL has it. */
    const char *helper;

    double (*fold)(double a, double b, double c); /* exact in IEEE arithmetic; or NULL */

    /* Of RULE_TEXTURE. */
    IntrinsicLookup lookup;
    EffectDimension dimension;
    uint8_t coordinates; /* components of the coordinates */
};

/* The function with the name and number of arguments, SIZE_MAX for any; NULL if there is none. */
const Intrinsic *intrinsic_find(const char *name, size_t count);

/* Whether the function of a float matrix is that of each of its elements. */
bool intrinsic_takes_rows(const Intrinsic *intrinsic);
