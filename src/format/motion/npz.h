// SPDX-License-Identifier: MIT
/*
 * npz.h - arrays of numbers as NumPy saves them: a zip archive (.npz) of .npy files
 *
 * Arrays are read when they are asked for, so one of texts or of Python objects that is not needed
 * does not matter.  Objects are pickles, which can run code when they are read: they are refused.
 */
#pragma once

#include "base/archive.h"
#include "base/file.h"

enum { NPZ_MAX_DIMS = 8, NPZ_MAX_VALUE = 1000000 };

/* In C order, whatever the file has: the last index changes fastest. */
typedef struct NpzArray {
    const char *name;
    const float *items; /* [count] finite, at most NPZ_MAX_VALUE in magnitude */
    size_t count;       /* product of the shape; 1 for a single number */
    uint32_t dims;
    uint32_t shape[NPZ_MAX_DIMS];
} NpzArray;

/* The .npy files of an .npz; at most as many bytes as base/archive.h allows. */
bool npz_load(Archive *out, Bytes bytes, Arena *arena, Diag *diag);

/* The first of names, which end with NULL, that is there; or NULL. */
const char *npz_find(const Archive *npz, const char *const *names);

/* False after an error: not an array of numbers, or damaged. */
bool npz_array(NpzArray *out, const Archive *npz, const char *name, Arena *arena, Diag *diag);
