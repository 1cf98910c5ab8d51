// SPDX-License-Identifier: MIT
/*
 * Hashes against values that other implementations of MurmurHash3_x86_32 give; ids, manifests and
 * ranks by hand.
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "media/exr/cryptomatte.h"
#include "unit_test.h"

static void test_hash(void **unused)
{
    static const struct {
        const char *text;
        uint32_t hash;
    } rows[] = {
        {"", 0},
        {"test", 0xba6bd213},
        {"Hello, world!", 0xc0363e43},
        {"The quick brown fox jumps over the lazy dog", 0x2e4ff723},
        {"hello", 0x248bfa47},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (cryptomatte_hash(rows[i].text) != rows[i].hash)
            fail_msg("'%s': %08x, expected %08x", rows[i].text, cryptomatte_hash(rows[i].text),
                     rows[i].hash);
}

/* One name of 128 has an exponent of 0 or 255. */
static void test_id(void **unused)
{
    int changed = 0;
    (void)unused;

    for (int i = 0; i < 4000; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        const uint32_t hash = cryptomatte_hash(name), id = cryptomatte_id(name);
        assert_true(isnormal(cryptomatte_float(id)));
        assert_true(id == hash || id == (hash ^ 0x00800000u));
        changed += id != hash;
        assert_true(id == hash || !isnormal(cryptomatte_float(hash)));
    }
    assert_true(changed >= 10 && changed <= 80);
}

static void test_attributes(void **unused)
{
    static const char *const names[] = {"test", "hello", "test"};
    ExrAttribute a[CRYPTOMATTE_ATTRIBUTES];
    Arena *arena = arena_create();
    (void)unused;

    cryptomatte_attributes(a, "hello", names, 3, arena);
    assert_string_equal(a[0].name, "cryptomatte/248bfa4/conversion");
    assert_string_equal(a[0].value, "uint32_to_float32");
    assert_string_equal(a[1].value, "MurmurHash3_32");
    assert_string_equal(a[2].name, "cryptomatte/248bfa4/manifest");
    assert_string_equal(a[2].value, "{\"hello\":\"248bfa47\",\"test\":\"ba6bd213\"}");
    assert_string_equal(a[3].name, "cryptomatte/248bfa4/name");
    assert_string_equal(a[3].value, "hello");
    arena_destroy(arena);
}

static void test_ranks(void **unused)
{
    static const uint32_t ids[] = {9, 0, 5, 5, 0, 7, 9, 5};
    CryptomatteRank ranks[CRYPTOMATTE_MAX_SAMPLES];
    (void)unused;

    assert_int_equal(cryptomatte_rank(ranks, ids, 8), 3);
    assert_int_equal(ranks[0].id, 5);
    assert_int_equal(ranks[0].count, 3);
    assert_int_equal(ranks[1].id, 9);
    assert_int_equal(ranks[1].count, 2);
    assert_int_equal(ranks[2].id, 7);
    assert_int_equal(cryptomatte_rank(ranks, ids, 6), 3); /* 5 twice; 7 and 9 once: by id */
    assert_int_equal(ranks[1].id, 7);
    assert_int_equal(cryptomatte_rank(ranks, ids + 1, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_id),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
