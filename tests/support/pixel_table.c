// SPDX-License-Identifier: MIT
#include "pixel_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit_test.h"

PixelTable pixel_table_begin(const char *title)
{
    const PixelTable table = {.shown = getenv("ODORI_PIXELS") != NULL};

    if (table.shown)
        printf("%s\n  expected      actual        \n", title);
    return table;
}

void pixel_table_check(PixelTable *table, const char *what, const uint8_t *actual,
                       const uint8_t expected[3], int slack)
{
    int worst = 0;

    for (int c = 0; c < 3; c++) {
        const int off = abs(actual[c] - expected[c]);

        worst = off > worst ? off : worst;
    }
    table->checked++;
    table->wrong += worst > slack;
    table->largest = worst > table->largest ? worst : table->largest;
    if (table->shown || worst > slack)
        printf("  %3d %3d %3d   %3d %3d %3d   %s%s\n", expected[0], expected[1], expected[2],
               actual[0], actual[1], actual[2], what, worst > slack ? "   <- WRONG" : "");
}

void pixel_table_end(const PixelTable *table)
{
    if (table->shown)
        printf("  %d pixels, largest difference %d of 255\n", table->checked, table->largest);
    if (table->wrong > 0)
        fail_msg("%d of %d pixels are wrong", table->wrong, table->checked);
}
