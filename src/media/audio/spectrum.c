// SPDX-License-Identifier: MIT
#include "media/audio/spectrum.h"

#include <math.h>

#include "base/units.h"

void spectrum_roots(Complex *roots, size_t size)
{
    for (size_t i = 0; i < size / 2; i++) {
        const double angle = 2 * PI * (double)i / (double)size;
        roots[i] = (Complex){cos(angle), -sin(angle)};
    }
}

void spectrum_transform(Complex *values, const Complex *roots, size_t size)
{
    for (size_t i = 1, j = 0; i < size; i++) {
        size_t bit = size / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            const Complex swap = values[i];
            values[i] = values[j];
            values[j] = swap;
        }
    }
    for (size_t half = 1; half < size; half *= 2)
        for (size_t start = 0; start < size; start += 2 * half)
            for (size_t k = 0; k < half; k++) {
                Complex *a = &values[start + k], *b = &values[start + k + half];
                const Complex w = roots[k * (size / 2 / half)];
                const Complex t = {b->re * w.re - b->im * w.im, b->re * w.im + b->im * w.re};
                *b = (Complex){a->re - t.re, a->im - t.im};
                *a = (Complex){a->re + t.re, a->im + t.im};
            }
}
