// SPDX-License-Identifier: MIT
/*
 * Differences of images that are made by hand: largest ones, missing channels, what is not finite,
 * ids.
 */

#include <math.h>
#include <string.h>

#include "media/exr/exr_difference.h"
#include "unit_test.h"

enum { WIDTH = 2, HEIGHT = 2, SAMPLES = WIDTH * HEIGHT };

static ExrChannel names[] = {{"A", EXR_TYPE_HALF}, {"Id00.R", EXR_TYPE_FLOAT}};
static ExrAttribute attributes[] = {{"cryptomatte/1234567/name", "Id"}};

/* The first channel, and the second one if `ids` is not NULL. */
static ExrImage image_of(float *values[2], float *samples, float *ids)
{
    values[0] = samples;
    values[1] = ids;
    return (ExrImage){.width = WIDTH,
                      .height = HEIGHT,
                      .window = {0, 0, WIDTH, HEIGHT},
                      .channels = names,
                      .values = values,
                      .channel_count = ids ? 2 : 1,
                      .attributes = attributes,
                      .attribute_count = 1};
}

static ExrDifference difference;

static int set_up(void **state)
{
    (void)state;
    difference = (ExrDifference){.arena = arena_create()};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(difference.arena);
    return 0;
}

static ExrPair add(float *a, float *ids_a, float *b, float *ids_b, int64_t frame, double tolerance)
{
    float *values_a[2], *values_b[2];
    const ExrImage left = image_of(values_a, a, ids_a), right = image_of(values_b, b, ids_b);
    return exr_difference_add(&difference, &left, &right, frame, tolerance);
}

/* Outside of its data window an image has zeros: one of the right column and one of a pixel beyond.
 */
static void test_windows(void **state)
{
    float a[] = {1, 2}, b[] = {2, 0, 0, 5, 0, 6}, *values_a[2], *values_b[2];
    ExrImage left = image_of(values_a, a, NULL), right = image_of(values_b, b, NULL);
    (void)state;

    left.window = (ImageRect){1, 0, 2, 2};  /* 1 and 2 */
    right.window = (ImageRect){1, 0, 3, 3}; /* 2 0, 0 5, 0 6 */
    const ExrPair pair = exr_difference_add(&difference, &left, &right, 0, 0);
    assert_false(pair.equal);
    assert_int_equal(difference.channels.items[0].differing, 4);
    assert_true(pair.max == 6);
    const ExrPair turned = exr_difference_add(&difference, &right, &left, 1, 0);
    assert_true(turned.max == 6);
    assert_int_equal(difference.channels.items[0].differing, 8);
    right.window = (ImageRect){0, 0, 2, 2};
    float c[] = {0, 1, 0, 2};
    values_b[0] = c;
    assert_true(exr_difference_add(&difference, &left, &right, 2, 0).equal);
}

static void test_largest_difference(void **state)
{
    float a[SAMPLES] = {0, 1, 2, 3}, b[SAMPLES] = {0, 1.5f, 2, 2.75f}, c[SAMPLES] = {0, 1, 4, 3};
    (void)state;
    ExrPair pair = add(a, NULL, a, NULL, 0, 0);
    assert_true(pair.equal && pair.within && pair.max == 0);
    assert_int_equal(difference.channels.items[0].max_frame, -1);
    pair = add(a, NULL, b, NULL, 1, 0.5);
    assert_true(!pair.equal && pair.within && pair.max == 0.5);
    pair = add(a, NULL, b, NULL, 2, 0.49);
    assert_true(!pair.equal && !pair.within);
    pair = add(a, NULL, c, NULL, 3, 0);
    assert_true(pair.max == 2);
    assert_int_equal(difference.channels.count, 1);
    const ExrChannelDifference *d = &difference.channels.items[0];
    assert_string_equal(d->name, "A");
    assert_true(d->max == 2);
    assert_int_equal(d->max_frame, 3);
    assert_int_equal(d->differing, 5);
    assert_int_equal(d->not_finite, 0);
}

static void test_not_finite(void **state)
{
    float a[SAMPLES] = {NAN, INFINITY, -INFINITY, 0.0f};
    float b[SAMPLES] = {NAN, INFINITY, -INFINITY, -0.0f};
    float c[SAMPLES] = {1, INFINITY, INFINITY, NAN};
    (void)state;
    ExrPair pair = add(a, NULL, b, NULL, 0, 0);
    assert_true(pair.equal && pair.within);
    pair = add(a, NULL, c, NULL, 1, INFINITY);
    assert_true(!pair.equal && !pair.within && pair.max == 0);
    assert_int_equal(difference.channels.items[0].differing, 3);
    assert_int_equal(difference.channels.items[0].not_finite, 3);
}

/* Ids are tiny numbers: no tolerance makes two of them equal. */
static void test_ids(void **state)
{
    float a[SAMPLES] = {0}, ids_a[SAMPLES] = {1e-30f, 0, 0, 0}, ids_b[SAMPLES] = {2e-30f, 0, 0, 0};
    (void)state;
    ExrPair pair = add(a, ids_a, a, ids_a, 0, 1);
    assert_true(pair.equal && pair.within);
    pair = add(a, ids_a, a, ids_b, 1, 1);
    assert_true(!pair.equal && !pair.within && pair.max == 0);
    assert_true(difference.channels.items[1].is_id);
    assert_int_equal(difference.channels.items[1].differing, 1);
}

static void test_missing_channels(void **state)
{
    float a[SAMPLES] = {0};
    (void)state;
    ExrPair pair = add(a, NULL, a, a, 0, 1);
    assert_true(!pair.equal && !pair.within);
    pair = add(a, a, a, NULL, 1, 1);
    assert_true(!pair.equal && !pair.within);
    assert_int_equal(difference.channels.count, 2);
    assert_int_equal(difference.channels.items[0].only_a + difference.channels.items[0].only_b, 0);
    assert_string_equal(difference.channels.items[1].name, "Id00.R");
    assert_int_equal(difference.channels.items[1].only_a, 1);
    assert_int_equal(difference.channels.items[1].only_b, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_windows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_largest_difference, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_finite, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ids, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_channels, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
