// SPDX-License-Identifier: MIT
/*
 * fold.h - values of constant expressions
 *
 * Only operations that IEEE arithmetic defines exactly are computed, in float as a shader does;
 * trigonometric and such functions are left to the shader, so that a text does not depend on a
 * library.
 */
#pragma once

#include "effect/tree.h"

enum { FOLD_MAX = 16 }; /* components of a matrix */

typedef struct Value {
    unsigned count; /* components of the type */
    double numbers[FOLD_MAX];
} Value;

/* The value of a number, vector or matrix; false if it is not constant. */
bool fold(Value *out, const Node *node);

/* The numbers in the order of elements and members, for values of any type; NULL if one is not
 * constant. */
const double *fold_all(const Node *node, Arena *arena);
