// SPDX-License-Identifier: MIT
#include "base/reader.h"
#include "unit_test.h"

static const uint8_t bytes[] = {0x01, 0x02, 0x03, 0x84, 0xFF, 0xFE, 0x00, 0x00, 0x80, 0x3F, 0xAA};

static void test_little_endian(void **state)
{
    (void)state;
    Reader r = reader_init(bytes, sizeof bytes);
    assert_int_equal(read_u32(&r), 0x84030201);
    assert_int_equal(read_i8(&r), -1);
    assert_int_equal(read_u8(&r), 0xFE);
    assert_float_equal(read_f32(&r), 1.0f, 0);
    assert_int_equal(reader_left(&r), 1);
    assert_false(r.failed);

    r = reader_init(bytes + 2, 6);
    assert_int_equal(read_u16(&r), 0x8403);
    assert_int_equal(read_i16(&r), -257);
    r = reader_init(bytes + 1, 4);
    assert_int_equal(read_i32(&r), (int32_t)0xFF840302);
}

/* After one attempt too much: failed for good, and zeros. */
static void test_never_past_the_end(void **state)
{
    (void)state;
    Reader r = reader_init(bytes, sizeof bytes);
    assert_null(read_bytes(&r, sizeof bytes + 1));
    assert_true(r.failed);
    assert_int_equal(reader_left(&r), 0);
    assert_int_equal(read_u8(&r), 0);
    assert_int_equal(read_u32(&r), 0);
    assert_null(read_bytes(&r, 0));

    r = reader_init(bytes, 3);
    assert_int_equal(read_u32(&r), 0);
    assert_int_equal(read_u8(&r), 0);

    r = reader_init(bytes, 4);
    read_u8(&r);
    assert_null(read_bytes(&r, SIZE_MAX));
    float values[2] = {5, 5};
    r = reader_init(bytes + 6, 4);
    read_floats(values, 2, &r);
    assert_float_equal(values[0], 1.0f, 0);
    assert_float_equal(values[1], 0.0f, 0);
    r = reader_init(NULL, 0);
    assert_int_equal(read_u8(&r), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_little_endian),
        cmocka_unit_test(test_never_past_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
