// SPDX-License-Identifier: MIT
/*
 * table.h - rows of differences with their tolerances
 */
#ifndef ORACLE_TABLE_H
#define ORACLE_TABLE_H

#include <stddef.h>

#include "base/arena.h"

typedef struct Sample {
    double units, degrees; /* 0 where there is none */
    double frame;
    size_t index; /* of the bone, morph, vertex */
} Sample;

/* Differences of one kind. */
typedef struct Errors {
    Sample *items;
    size_t count, capacity;
} Errors;

typedef struct Tolerance {
    double units, degrees, median_degrees; /* 0: not compared */
} Tolerance;

typedef struct Table {
    unsigned passed, failed, excepted;
    Arena *arena;
} Table;

typedef struct Statistics {
    double units, degrees; /* the largest */
    double median_units, median_degrees;
    Sample worst; /* by units, else by degrees */
} Statistics;

Statistics errors_statistics(const Errors *errors, Arena *arena);

void table_title(const char *title);

/*
 * Prints a row, if there is anything to print.  `exception` is the reason why the tolerance does
 * not hold here; NULL: it holds.  The row is then shown and counted apart.
 */
void table_row(Table *table, const char *what, const char *quantity, const Errors *errors,
               Tolerance tolerance, const char *exception);

#endif
