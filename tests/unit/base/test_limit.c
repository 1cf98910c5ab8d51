// SPDX-License-Identifier: MIT
/* limits of the host: what exceeds them, and the message */

#include <math.h>
#include <string.h>

#include "base/limit.h"
#include "diag_log.h"
#include "unit_test.h"

static void test_values_at_the_limit(void **state)
{
    static const struct {
        double max, value;
        bool exceeded;
    } rows[] = {
        {10, 10, false},
        {10, 11, true},
        {10, 10.5, true},
        {0, 1e300, false},
        {10, -1, false},
        {10, (double)NAN, true},
        {0.5, (double)INFINITY, true},
        {0, (double)NAN, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Limit limit = {rows[i].max, "frames", "l.yaml:3"};
        DiagLog log;
        diag_log_init(&log);
        assert_int_equal(limit_exceeded(&limit, rows[i].value), rows[i].exceeded);
        assert_int_equal(limit_check(&limit, rows[i].value, "", &log.diag), !rows[i].exceeded);
        assert_int_equal(log.diag.errors, rows[i].exceeded);
    }
}

static void test_message_names_limit_value_and_place(void **state)
{
    const Limit limit = {1000000, "vertices", "l.yaml:3"};
    DiagLog log;
    (void)state;
    diag_log_init(&log);
    assert_false(limit_check(&limit, 1200000, "", &log.diag));
    assert_int_equal(log.diag.kind, DIAG_RESOURCE);
    assert_non_null(strstr(log.text, "vertices: 1200000 exceeds the limit of 1000000 (l.yaml:3)"));

    const Limit small = {1, "output_mib", "l.yaml:4"};
    diag_log_init(&log);
    assert_false(limit_check(&small, 1.399922371, " MiB", &log.diag));
    assert_non_null(strstr(log.text, "output_mib: 1.4 MiB exceeds the limit of 1 MiB (l.yaml:4)"));
    diag_log_init(&log);
    assert_false(limit_check(&small, 1.00001, " MiB", &log.diag));
    assert_non_null(strstr(log.text, "output_mib: 1.01 MiB exceeds the limit of 1 MiB (l.yaml:4)"));
}

static void test_lower_of_two(void **state)
{
    const Limit none = {0, "n", "s"}, ten = {10, "n", "s"};
    (void)state;
    assert_true(limit_lower(&none, 5) == 5);
    assert_true(limit_lower(&none, 0) == 0);
    assert_true(limit_lower(&ten, 0) == 10);
    assert_true(limit_lower(&ten, 5) == 5);
    assert_true(limit_lower(&ten, 20) == 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_at_the_limit),
        cmocka_unit_test(test_message_names_limit_value_and_place),
        cmocka_unit_test(test_lower_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
