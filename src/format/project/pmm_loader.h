// SPDX-License-Identifier: MIT
/*
 * pmm_loader.h - what the parts of the reader of projects share; only for format/project/pmm*.c
 *
 * A Reader that failed returns zeros; each part checks it once (pmm_fail_end).
 */
#pragma once

#include "base/reader.h"
#include "format/project/pmm.h"

enum { PMM_PATH_SIZE = 256 };

typedef struct PmmLoader {
    Reader r;
    int version; /* 1 or 2 */
    PmmProject *project;
    const PmmModelNames *names; /* the names of a project of version 1 */
    Arena *arena;
    Diag *diag;
} PmmLoader;

bool pmm_fail_end(PmmLoader *l);

const char *pmm_read_fixed(PmmLoader *l, size_t size); /* text of a fixed size */
const char *pmm_read_text(PmmLoader *l);               /* after a byte with its length */
const char *pmm_read_path(PmmLoader *l); /* of its author's Windows, in any of its encodings */
bool pmm_read_bool(PmmLoader *l);
void pmm_skip(PmmLoader *l, size_t count);

/* A count of records of at least `size` bytes each. */
bool pmm_read_count(uint32_t *out, PmmLoader *l, size_t size, const char *what);

/* False if a number is not finite or larger than VMD_MAX_VALUE. */
bool pmm_check_floats(const float *values, size_t count, PmmLoader *l);
bool pmm_read_vector(float *out, size_t count, PmmLoader *l);

/* The start of every key: its number (not of the first keys), frame, and its neighbours. */
typedef struct PmmBase {
    uint32_t index, frame, next;
} PmmBase;

PmmBase pmm_read_base(PmmLoader *l, bool numbered);
Curve pmm_read_curve(PmmLoader *l);
PmmParent pmm_read_parent(PmmLoader *l);

/* Reads a key without its last byte, which tells whether the editor has selected it.  numbered: not
 * the first one. */
typedef bool PmmReadKey(void *key, PmmLoader *l, bool numbered);

/* The first key of a list, the count of the others, and these.  NULL after an error.
 *
 * size         of the struct of a key
 * record_size  the smallest of a numbered key in the file */
void *pmm_read_keys(uint32_t *count, PmmLoader *l, size_t size, size_t record_size,
                    const char *what, PmmReadKey *read);

/* A copy of keys, structs that begin with a uint32_t frame, by frame; of several on a frame the
 * last one remains. */
void *pmm_sort_keys(const void *keys, size_t size, uint32_t *count, Arena *arena);

bool pmm_read_models(PmmLoader *l);
