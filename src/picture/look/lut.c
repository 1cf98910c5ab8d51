// SPDX-License-Identifier: MIT
#include "picture/look/lut.h"

#include <math.h>

typedef struct Cell {
    size_t index; /* index of the entry before, at most size - 2 */
    float part;   /* 0..1 of the way to the next one */
} Cell;

static Cell find_cell(const Cube *lut, int channel, float value)
{
    const float low = lut->domain_min[channel], last = (float)(lut->size - 1);
    const float at = (value - low) / (lut->domain_max[channel] - low) * last;
    const float clamped = fminf(fmaxf(at, 0.0f), last); /* NaN becomes 0 */
    const float index = fminf(floorf(clamped), last - 1.0f);
    return (Cell){(size_t)index, clamped - index};
}

static void eval_1d(float out[3], const Cube *lut, const float in[3])
{
    for (int c = 0; c < 3; c++) {
        const Cell cell = find_cell(lut, c, in[c]);
        const float a = lut->entries[cell.index][c], b = lut->entries[cell.index + 1][c];
        out[c] = a + (b - a) * cell.part;
    }
}

/* Walks from the corner of the cell nearest to black to the one nearest to white, along the
 * channels in descending order of their parts. */
static void eval_3d(float out[3], const Cube *lut, const float in[3])
{
    const size_t strides[3] = {1, lut->size, lut->size * lut->size};
    Cell cells[3];
    size_t entry = 0;
    int order[3] = {0, 1, 2};

    for (int c = 0; c < 3; c++) {
        cells[c] = find_cell(lut, c, in[c]);
        entry += cells[c].index * strides[c];
    }
    for (int pass = 0; pass < 3; pass++) { /* 0 1, 1 2, 0 1: sorted */
        const int i = pass & 1, a = order[i], b = order[i + 1];
        if (cells[a].part < cells[b].part) {
            order[i] = b;
            order[i + 1] = a;
        }
    }
    const float *corner = lut->entries[entry];
    for (int c = 0; c < 3; c++)
        out[c] = corner[c];
    for (int step = 0; step < 3; step++) {
        const int channel = order[step];
        entry += strides[channel];
        const float *next = lut->entries[entry];
        for (int c = 0; c < 3; c++)
            out[c] += (next[c] - corner[c]) * cells[channel].part;
        corner = next;
    }
}

void lut_eval(float out[3], const Cube *lut, const float in[3])
{
    if (lut->is_3d)
        eval_3d(out, lut, in);
    else
        eval_1d(out, lut, in);
}
