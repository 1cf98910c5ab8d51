// SPDX-License-Identifier: MIT
#include "math/key_span.h"
#include "unit_test.h"

typedef struct Key {
    double frame;
    char other;
} Key;

static const Key KEYS[] = {{2, 0}, {10, 0}, {11, 0}, {11.5, 0}, {20, 0}};

/* Keys at 10, 11 and 11.5 are cuts: each holds until the next one. */
static void spans_by_hand(void **state)
{
    static const struct {
        double frame;
        size_t left, right;
        double t;
    } rows[] = {
        {-5, 0, 0, 0},   {2, 0, 0, 0},     {6, 0, 1, 0.5}, {9, 0, 1, 0.875},
        {10, 1, 1, 0},   {10.99, 1, 1, 0}, {11, 2, 2, 0},  {11.25, 2, 2, 0},
        {11.5, 3, 3, 0}, {20, 4, 4, 0},    {1e9, 4, 4, 0}, {13.625, 3, 4, 0.25},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const KeySpan span = key_span(KEYS, sizeof *KEYS, 5, rows[i].frame);
        if (span.left != rows[i].left || span.right != rows[i].right || span.t != rows[i].t)
            fail_msg("%g: %zu %zu %g", rows[i].frame, span.left, span.right, span.t);
        assert_int_equal(key_span_find(KEYS, sizeof *KEYS, 5, rows[i].frame), rows[i].left);
    }
    assert_int_equal(key_span_find(KEYS, sizeof *KEYS, 1, 100), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spans_by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
