#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "unit_test.h"

static void write_records(Json *j)
{
    json_open(j, '{');
    json_key(j, "a\"b");
    json_int(j, INT64_MIN);
    json_key(j, "list");
    json_open(j, '[');
    json_bool(j, true);
    json_text(j, NULL);
    json_text(j, "x\n\\\x01\x7F カ \xFF##[y]");
    json_open(j, '{');
    json_close(j, '}');
    json_close(j, ']');
    json_key(j, "floats");
    json_floats(j, (float[]){1.0f, 0.1f, -0.0f, NAN, INFINITY}, 5);
    json_close(j, '}');
    json_newline(j);
    json_open(j, '[');
    json_newline(j);
    json_int(j, 1);
    json_newline(j);
    json_int(j, 2);
    json_newline(j);
    json_close(j, ']');
    json_newline(j);
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
        json_double(&json, d);
        json_float(&json, f);
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
        cmocka_unit_test(test_numbers_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
