/*
 * pmx_write.h - a PmxModel to bytes (PMX 2.0, 2.1 when the model needs it), UTF-16LE texts
 *
 * For the built-in demo and for test fixtures.  Index sizes are the smallest that fit.
 * The bytes are in the arena.  The model must keep the promises of pmx.h.
 */
#ifndef FORMAT_MODEL_PMX_WRITE_H
#define FORMAT_MODEL_PMX_WRITE_H

#include "format/model/pmx.h"

typedef struct PmxWriteOptions {
    bool utf8;      /* texts in UTF-8 instead of UTF-16LE */
    int index_size; /* 0: smallest; else 1, 2 or 4 for all indices, where that is enough */
} PmxWriteOptions;

Bytes pmx_write(const PmxModel *model, PmxWriteOptions options, Arena *arena);

#endif
