/*
 * option_rows.h - macros for the rows of option tables (options.c and options_look.c)
 */
#ifndef JOB_OPTION_ROWS_H
#define JOB_OPTION_ROWS_H

#include <stddef.h>

#include "job/options.h"

/* clang-format off */
#define TABLE(rows_of, Struct, short_name)                                                        \
    {.rows = (rows_of), .count = sizeof(rows_of) / sizeof *(rows_of), .size = sizeof(Struct),     \
     .short_key = (short_name)}
#define FIELD(Struct, name) .key = #name, .offset = offsetof(Struct, name)
#define COUNTED(Struct, items, number)                                                            \
    .offset = offsetof(Struct, items), .count_offset = offsetof(Struct, number)
#define T(name) .type = OPTION_##name
#define RANGE(low, high) .min = (low), .max = (high)
#define AUTO(number) .word = "auto", .word_value = (number)

/* Ranges that many keys share.  A coordinate beyond the first one has lost its precision. */
#define COORDINATES RANGE(-1e6, 1e6), .unit = "MMD units"
#define ROTATION RANGE(-3600, 3600), .unit = "degrees"

#define ROTATION_HELP "rotation about the z, then the x, then the y axis"
/* clang-format on */

#endif
