// SPDX-License-Identifier: MIT
/*
 * damage.h - the fuzz targets in the program damage, a table that the Makefile writes
 */
#ifndef FUZZ_DAMAGE_H
#define FUZZ_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

typedef int FuzzTarget(const uint8_t *data, size_t size); /* LLVMFuzzerTestOneInput of a format */

typedef struct DamageFormat {
    const char *name; /* as in fuzz_<name>.c; NULL in the last */
    FuzzTarget *target;
} DamageFormat;

extern const DamageFormat DAMAGE_FORMATS[];

#endif
