// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "unit_test.h"

static void write_records(Json *j)
{
    json_print(j, "{");
    json_key(j, "a\"b");
    json_int(j, INT64_MIN);
    json_key(j, "list");
    json_print(j, "[");
    json_print(j, "%hhd", true);
    json_text(j, NULL);
    json_text(j, "x\n\\\x01\x7F カ \xFF##[y]");
    json_print(j, "{");
    json_print(j, "}");
    json_print(j, "]");
    json_key(j, "floats");
    json_floats(j, (float[]){1.0f, 0.1f, -0.0f, NAN, INFINITY}, 5);
    json_print(j, "}");
    json_print(j, "\n");
    json_print(j, "[");
    json_print(j, "\n");
    json_int(j, 1);
    json_print(j, "\n");
    json_int(j, 2);
    json_print(j, "\n");
    json_print(j, "]");
    json_print(j, "\n");
}

static void test_text(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    Json json = json_init(out);
    write_records(&json);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(
        text, "{\"a\\\"b\":-9223372036854775808,"
              "\"list\":[true,null,\"x\\u000a\\\\\\u0001\\u007f カ \\udcff\\u0023#[y]\",{}],"
              "\"floats\":[1,0.100000001,-0,null,null]}\n"
              "[\n1,\n2\n]\n");
    free(text);
}

static void test_format(void **state)
{
    (void)state;
    char text[512] = {0};
    const char *volatile none = NULL;
    FILE *out = fmemopen(text, sizeof text, "w");
    Json json = json_init(out);
    json_print(&json, "{$id:%s, none:%s list:[%d %u, %zu]\n", "a'b", none, -1, 2u, (size_t)3);
    json_print(&json, "big:[%jd, %ju]", (intmax_t)INT64_MIN, (uintmax_t)INT64_MAX);
    json_print(&json, "real:[%g %.9g %.17g %g] is:%hhd not:%hhd", 1.0 / 3, (double)0.1f, 0.1,
               (double)NAN, true, false);
    json_print(&json, "constant:[0.9 8 true 'x y' {}]}\n");
    fclose(out);
    assert_string_equal(text, "{\"$id\":\"a'b\",\"none\":null,\"list\":[-1,2,3],\n"
                              "\"big\":[-9223372036854775808,9223372036854775807],"
                              "\"real\":[0.3333333333,0.100000001,0.10000000000000001,null],"
                              "\"is\":true,\"not\":false,"
                              "\"constant\":[0.9,8,true,\"x y\",{}]}\n");
}

/* What is read back is the same number, to the bit. */
static void test_numbers_survive(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double d;
        float f;
        char text[64] = {0};
        const uint32_t bits = (uint32_t)(seed >> 32);
        memcpy(&d, &seed, sizeof d);
        memcpy(&f, &bits, sizeof f);
        if (!isfinite(d) || !isfinite(f))
            continue;
        FILE *out = fmemopen(text, sizeof text, "w");
        Json json = json_init(out);
        json_print(&json, "%.17g", d);
        json_print(&json, "%.9g", (double)f);
        fclose(out);
        char *comma = strchr(text, ',');
        assert_true(strtod(text, NULL) == d);
        assert_true(strtof(comma + 1, NULL) == f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_numbers_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
