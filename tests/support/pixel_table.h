// SPDX-License-Identifier: MIT
/*
 * pixel_table.h - compares single pixels with expected values
 *
 * If the variable ODORI_PIXELS is set, every check is printed as a row of a table (`make pixels`).
 * All rows are checked before the test fails.
 */
#ifndef SUPPORT_PIXEL_TABLE_H
#define SUPPORT_PIXEL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct PixelTable {
    bool shown;
    int checked, wrong;
    int largest; /* difference of any channel of any row */
} PixelTable;

PixelTable pixel_table_begin(const char *title);

/* Compares red, green and blue with a tolerance of `slack`. */
void pixel_table_check(PixelTable *table, const char *what, const uint8_t *actual,
                       const uint8_t expected[3], int slack);

/* Fails the running test if a row differs. */
void pixel_table_end(const PixelTable *table);

#endif
