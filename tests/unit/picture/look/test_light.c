// SPDX-License-Identifier: MIT
/* light: values of IEC 61966-2-1, and an exact round trip */

#include "near.h"
#include "picture/look/light.h"
#include "unit_test.h"

static void test_curve(void **state)
{
    static const double rows[][2] = {{0, 0}, {0.04045, 0.0031308}, {0.5, 0.2140411}, {1, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_near(light_of_stored(rows[i][0]), rows[i][1], 1e-7);
        assert_near(light_to_stored(rows[i][1]), rows[i][0], 1e-6);
    }
}

static void test_tables(void **state)
{
    Arena *arena = arena_create();
    const LightTables *tables = light_tables_create(arena);
    (void)state;
    for (int i = 0; i < 256; i++) {
        const uint16_t light = tables->light[i];
        assert_int_equal(tables->nearest[light], i);
        assert_near((double)tables->stored[light], i, 0.06);
        assert_true(i == 0 || light > tables->light[i - 1]);
    }
    assert_int_equal(tables->light[255], LIGHT_ONE);
    assert_int_equal(tables->light[188], 32957); /* half the light is 188 of 255 */
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curve),
        cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
