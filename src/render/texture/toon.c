// SPDX-License-Identifier: MIT
#include "render/texture/toon.h"

#include <assert.h>
#include <stddef.h>

/* Rows up to and including `last` have this color. */
typedef struct Band {
    int last;
    uint32_t rgb;
} Band;

enum { MAX_BANDS = 15 };

static const Band BANDS[TOON_COUNT][MAX_BANDS] = {
    {{15, 0xffffff}, {31, 0xcdcdcd}},
    {{15, 0xffffff}, {31, 0xf5e1e1}},
    {{15, 0xffffff}, {31, 0x9a9a9a}},
    {{15, 0xffffff}, {31, 0xf8efeb}},
    {{18, 0xffffff},
     {19, 0xfffefe},
     {20, 0xfffaf8},
     {21, 0xfff6f2},
     {22, 0xfff0ea},
     {23, 0xffece5},
     {24, 0xffe9e0},
     {25, 0xffe7de},
     {29, 0xffe7dd},
     {30, 0xffe7de},
     {31, 0xfee8df}},
    {{7, 0xffed61},
     {8, 0xffee6a},
     {9, 0xfff6af},
     {10, 0xfffef2},
     {11, 0xfff28a},
     {21, 0xffed61},
     {22, 0xfeeb5e},
     {23, 0xeeda45},
     {24, 0xd1bb18},
     {25, 0xc5ae06},
     {31, 0xc3ac03}},
    {{31, 0xffffff}},
    {{31, 0xffffff}},
    {{31, 0xffffff}},
    {{31, 0xffffff}},
};

void toon_ramp(uint8_t rows[TOON_ROWS][4], int index)
{
    assert(index >= 0 && index < TOON_COUNT);

    const Band *band = BANDS[index];
    for (int row = 0; row < TOON_ROWS; row++) {
        if (row > band->last)
            band++;
        rows[row][0] = (uint8_t)(band->rgb >> 16);
        rows[row][1] = (uint8_t)(band->rgb >> 8);
        rows[row][2] = (uint8_t)band->rgb;
        rows[row][3] = 255;
    }
}
