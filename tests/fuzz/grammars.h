// SPDX-License-Identifier: MIT
/*
 * grammars.h - the grammar (layout.h) or the words of each format
 */
#ifndef FUZZ_GRAMMARS_H
#define FUZZ_GRAMMARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Grammar {
    const char *format;    /* as in fuzz_<format>.c */
    const char *signature; /* the grammar is for files that begin so; NULL: for all */
    size_t signature_offset;
    const char *layout;       /* NULL: a text */
    const char *const *words; /* of a text, besides those of the file; ends with NULL; or NULL */
} Grammar;

/* NULL: a format, or a variant of one, without a grammar. */
const Grammar *grammar_find(const char *format, const uint8_t *data, size_t size);

#endif
