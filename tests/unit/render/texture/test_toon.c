// SPDX-License-Identifier: MIT
/* toon: the rows of the shared ramps (render/texture/README.md 2) */

#include "render/texture/toon.h"
#include "unit_test.h"

static void test_rows(void **unused)
{
    static const struct {
        int toon, row; /* toon 1..10 */
        uint32_t rgb;
    } rows[] = {
        {1, 0, 0xffffff},  {1, 15, 0xffffff}, {1, 16, 0xcdcdcd}, {1, 31, 0xcdcdcd},
        {2, 15, 0xffffff}, {2, 16, 0xf5e1e1}, {3, 15, 0xffffff}, {3, 16, 0x9a9a9a},
        {4, 15, 0xffffff}, {4, 16, 0xf8efeb}, {5, 18, 0xffffff}, {5, 19, 0xfffefe},
        {5, 20, 0xfffaf8}, {5, 21, 0xfff6f2}, {5, 22, 0xfff0ea}, {5, 23, 0xffece5},
        {5, 24, 0xffe9e0}, {5, 25, 0xffe7de}, {5, 26, 0xffe7dd}, {5, 29, 0xffe7dd},
        {5, 30, 0xffe7de}, {5, 31, 0xfee8df}, {6, 0, 0xffed61},  {6, 7, 0xffed61},
        {6, 8, 0xffee6a},  {6, 9, 0xfff6af},  {6, 10, 0xfffef2}, {6, 11, 0xfff28a},
        {6, 12, 0xffed61}, {6, 21, 0xffed61}, {6, 22, 0xfeeb5e}, {6, 23, 0xeeda45},
        {6, 24, 0xd1bb18}, {6, 25, 0xc5ae06}, {6, 26, 0xc3ac03}, {6, 31, 0xc3ac03},
        {7, 31, 0xffffff}, {8, 31, 0xffffff}, {9, 31, 0xffffff}, {10, 31, 0xffffff},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t ramp[TOON_ROWS][4];
        toon_ramp(ramp, rows[i].toon - 1);
        const uint8_t *p = ramp[rows[i].row];
        if (((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]) != rows[i].rgb || p[3] != 255)
            fail_msg("toon%02d, row %d: %02x%02x%02x", rows[i].toon, rows[i].row, p[0], p[1], p[2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
