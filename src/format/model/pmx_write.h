/*
 * pmx_write.h - serializes a PmxModel as PMX 2.0, or as 2.1 if the model needs it
 *
 * For the built-in demo and for test fixtures.  Texts are UTF-16LE and index sizes the smallest
 * possible, unless the options say otherwise.  The bytes are in the arena.  The model must satisfy
 * pmx.h.
 */
#pragma once

#include "format/model/pmx.h"

typedef struct PmxWriteOptions {
    bool utf8;      /* texts in UTF-8 instead of UTF-16LE */
    int index_size; /* least size of all indices, 1, 2 or 4 bytes; 0: smallest possible */
} PmxWriteOptions;

Bytes pmx_write(const PmxModel *model, PmxWriteOptions options, Arena *arena);
