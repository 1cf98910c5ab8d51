// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/hash.h"
#include "unit_test.h"

/* The examples of FIPS 180-2, and the digest of nothing. */
static void test_published_digests(void **state)
{
    (void)state;
    static const struct {
        const char *text, *digest;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[DIGEST_TEXT_SIZE];
        const Digest digest = hash_bytes(rows[i].text, strlen(rows[i].text));
        digest_text(text, &digest);
        assert_string_equal(text, rows[i].digest);
    }
}

static void test_a_million_in_pieces(void **state)
{
    (void)state;
    char piece[997], text[DIGEST_TEXT_SIZE];
    memset(piece, 'a', sizeof piece);
    Hash *hash = hash_create();
    size_t left = 1000000;
    while (left) {
        const size_t size = left < sizeof piece ? left : sizeof piece;
        hash_add(hash, piece, size);
        left -= size;
    }
    const Digest digest = hash_finish(hash);
    digest_text(text, &digest);
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_digests),
        cmocka_unit_test(test_a_million_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
