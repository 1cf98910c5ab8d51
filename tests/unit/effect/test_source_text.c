// SPDX-License-Identifier: MIT
#include <string.h>

#include "effect/number.h"
#include "effect/source_text.h"
#include "unit_test.h"

static void test_paths(void **state)
{
    static const struct {
        const char *beside, *path, *expected;
    } rows[] = {
        {"a.fx", "b.fxsub", "b.fxsub"},
        {"pack/ray.fx", "Shader\\..\\a.fxsub", "pack/a.fxsub"},
        {"pack/ray.fx", "./x//y.fxsub", "pack/x/y.fxsub"},
        {"pack/sub/a.fx", "..\\..\\b.fxsub", "b.fxsub"},
        {"pack/a.fx", "../../b.fxsub", "../b.fxsub"},
        {"pack/a.fx", "../../../b/../c", "../../c"},
        {"/top/pack/a.fx", "../b", "/top/b"},
        {"../pack/a.fx", "../b", "../b"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        assert_string_equal(source_text_path(rows[i].beside, rows[i].path, arena),
                            rows[i].expected);
        arena_destroy(arena);
    }
}

static void test_numbers(void **state)
{
    static const struct {
        const char *text;
        double value;
        bool valid, is_float;
    } rows[] = {
        {"12", 12, true, false},
        {"0", 0, true, false},
        {"0x1F", 31, true, false},
        {"017", 15, true, false},
        {"0xFFFFFFFF", 4294967295.0, true, false},
        {"1.5", 1.5, true, true},
        {"1.", 1, true, true},
        {".5", 0.5, true, true},
        {"1e-3", 1e-3, true, true},
        {"1f", 1, true, true},
        {"2.5h", 2.5, true, true},
        {"3u", 3, true, false},
        {"2D", 0, false, false},
        {"0x", 0, false, false},
        {"089", 0, false, false},
        {"1e999", 0, false, false},
        {"99999999999", 99999999999.0, true, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Number number;
        if (number_parse(&number, rows[i].text) != rows[i].valid)
            fail_msg("%s: valid or not", rows[i].text);
        if (rows[i].valid && (number.value != rows[i].value || number.is_float != rows[i].is_float))
            fail_msg("%s: %g %d", rows[i].text, number.value, number.is_float);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
