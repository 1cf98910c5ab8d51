// SPDX-License-Identifier: MIT
/* Time codes: by hand, by the rules of SMPTE ST 12-1 for dropped numbers and for pairs of frames.
 */

#include "media/exr/time_code.h"
#include "unit_test.h"

static const struct {
    const char *what;
    int64_t frame;
    int num, den;
    uint32_t
        expected; /* hours, minutes, seconds, frames as pairs of digits; 0x40 drop, 0x8000 field */
} CASES[] = {
    {"the first", 0, 24, 1, 0},
    {"01:01:01:05", 24 * 3661 + 5, 24, 1, 0x01010105},
    {"12:34:56:24 of 25", (12 * 3600 + 34 * 60 + 56) * 25 + 24, 25, 1, 0x12345624},
    {"the same rate as another fraction", 50, 50, 2, 0x00000200},
    {"a day later", 25 * 86400, 25, 1, 0},
    {"23.976 drops nothing", 24, 24000, 1001, 0x00000100},
    {"00:00:59;29", 1799, 30000, 1001, 0x00005969},
    {"00:01:00;02", 1800, 30000, 1001, 0x00010042},
    {"00:09:59;29", 17981, 30000, 1001, 0x00095969},
    {"00:10:00;00", 17982, 30000, 1001, 0x00100040},
    {"01:00:00;00", 107892, 30000, 1001, 0x01000040},
    {"the second of a pair", 119, 60, 1, 0x00008129},
    {"a pair of 50", 50 * 3 + 48, 50, 1, 0x00000324},
    {"59.94: the first of 00:01:00;02", 3600, 60000, 1001, 0x00010042},
    {"59.94: the second of it", 3601, 60000, 1001, 0x00018042},
};

static void test_codes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        uint32_t code = 0;
        assert_true(time_code_of(&code, CASES[i].frame, CASES[i].num, CASES[i].den));
        if (code != CASES[i].expected)
            fail_msg("%s: %08x instead of %08x", CASES[i].what, code, CASES[i].expected);
    }
}

static void test_rates_without(void **state)
{
    static const int rates[][2] = {{120, 1}, {31, 1}, {25, 2}, {0, 1}, {30, 0}, {12345, 1001}};
    uint32_t code;
    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        assert_false(time_code_of(&code, 0, rates[i][0], rates[i][1]));
    assert_false(time_code_of(&code, -1, 24, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_codes),
                                       cmocka_unit_test(test_rates_without)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
