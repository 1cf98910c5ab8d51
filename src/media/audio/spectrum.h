// SPDX-License-Identifier: MIT
/*
 * spectrum.h - the fast Fourier transform of analyses of sounds
 *
 * Radix 2, in double precision and in a fixed order, so that the result depends on nothing but the
 * values.
 */
#pragma once

#include <stddef.h>

typedef struct Complex {
    double re, im;
} Complex;

/* The first size / 2 powers of exp(-2 pi i / size). */
void spectrum_roots(Complex *roots, size_t size);

/* Transforms in place; the size is a power of two, the roots are those of this size. */
void spectrum_transform(Complex *values, const Complex *roots, size_t size);
