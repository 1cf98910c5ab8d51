// SPDX-License-Identifier: MIT
#include <string.h>

#include "diag_log.h"
#include "format/model/vac.h"
#include "shared_data.h"
#include "unit_test.h"

static void expect_values(const char *what, const Vac *got, const Vac *expected)
{
    if (strcmp(got->name, expected->name) || strcmp(got->file, expected->file) ||
        strcmp(got->bone, expected->bone))
        fail_msg("%s: '%s', '%s', '%s'", what, got->name, got->file, got->bone);
    if (got->scale != expected->scale ||
        memcmp(got->position, expected->position, sizeof got->position) ||
        memcmp(got->rotation_deg, expected->rotation_deg, sizeof got->rotation_deg))
        fail_msg("%s: scale %g, position %g %g %g, rotation %g %g %g", what, (double)got->scale,
                 (double)got->position[0], (double)got->position[1], (double)got->position[2],
                 (double)got->rotation_deg[0], (double)got->rotation_deg[1],
                 (double)got->rotation_deg[2]);
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        Vac expected;
    } rows[] = {
        {"all of it, in CP932",
         "\x83\x81\r\n\x83\x81.x\r\n1.5\r\n0.0,-1.0,0.5\r\n90,0,-1e1\r\n\x93\xAA\r\n",
         {"メ", "メ.x", 1.5f, {0, -1, 0.5f}, {90, 0, -10}, "頭"}},
        {"in UTF-8, without a last line's end",
         "メ\nb.x\n2\n1, 2 ,3\n\t4,5,6 \n頭",
         {"メ", "b.x", 2, {1, 2, 3}, {4, 5, 6}, "頭"}},
        {"only what it needs", "\nb.x", {"", "b.x", 1, {0, 0, 0}, {0, 0, 0}, ""}},
        {"empty lines", "a\nb.x\n\n\n\nc\n", {"a", "b.x", 1, {0, 0, 0}, {0, 0, 0}, "c"}},
        {"the smallest scale, the largest coordinates",
         "a\nb.x\n0.0001\n1e6,-1e6,0\n-1e6,0,1e6\n",
         {"a", "b.x", 1e-4f, {1e6f, -1e6f, 0}, {-1e6f, 0, 1e6f}, ""}},
        {"the largest scale", "a\nb.x\n10000\n", {"a", "b.x", 1e4f, {0, 0, 0}, {0, 0, 0}, ""}},
        {"lines after the last",
         "a\nb.x\n1\n0,0,0\n0,0,0\nc\nd\n",
         {"a", "b.x", 1, {0, 0, 0}, {0, 0, 0}, "c"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        Vac vac;
        diag_log_init(&log);
        const Bytes bytes = {(const uint8_t *)rows[i].text, strlen(rows[i].text)};
        if (!vac_load(&vac, bytes, arena, &log.diag) || log.text[0])
            fail_msg("%s: %s", rows[i].what, log.text);
        expect_values(rows[i].what, &vac, &rows[i].expected);
        arena_destroy(arena);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *expected;
    } rows[] = {
        {"empty file", "", "a.vac:2:1: expected the name of the .x file"},
        {"no file", "a\n\n1\n", "expected the name of the .x file"},
        {"scale is a word", "a\nb.x\nbig\n", "a.vac:3:1: scale: expected a number"},
        {"scale is 0", "a\nb.x\n0\n", "a.vac:3:1: scale: 0 is out of range (0.0001..10000)"},
        {"scale is large", "a\nb.x\n20000\n", "scale: 20000 is out of range (0.0001..10000)"},
        {"scale is just too large", "a\nb.x\n10000.01\n", "is out of range (0.0001..10000)"},
        {"scale is just too small", "a\nb.x\n0.0000999\n", "is out of range (0.0001..10000)"},
        {"scale below 0", "a\nb.x\n-1\n", "scale: -1 is out of range (0.0001..10000)"},
        {"just too large position", "a\nb.x\n1\n0,0,1000001\n", "position: expected three numbers"},
        {"just too small angle", "a\nb.x\n1\n0,0,0\n-1000001,0,0\n",
         "rotation: expected three numbers"},
        {"large position", "a\nb.x\n1\n0,1e7,0\n", "position: expected three numbers"},
        {"scale is two", "a\nb.x\n1,2\n", "scale: expected a number"},
        {"two coordinates", "a\nb.x\n1\n1,2\n", "a.vac:4:1: position: expected three numbers"},
        {"four angles", "a\nb.x\n1\n1,2,3\n1,2,3,4\n",
         "a.vac:5:1: rotation: expected three numbers"},
        {"beyond a float", "a\nb.x\n1e39\n", "scale: expected a number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        Vac vac;
        diag_log_init(&log);
        diag_file(&log.diag, "a.vac");
        const Bytes bytes = {(const uint8_t *)rows[i].text, strlen(rows[i].text)};
        if (vac_load(&vac, bytes, arena, &log.diag) || !strstr(log.text, rows[i].expected))
            fail_msg("%s: reported '%s', expected '%s'", rows[i].what, log.text, rows[i].expected);
        arena_destroy(arena);
    }
}

static void test_real(void **state)
{
    (void)state;
    static const Vac expected = {
        "test_quad", "test_quad_accessory.x", 1.5f, {0, -1, 0.5f}, {90, 0, 0}, "center"};
    Arena *arena = arena_create();
    DiagLog log;
    Bytes bytes;
    Vac vac;
    diag_log_init(&log);
    if (!shared_data_load(&bytes, "yohawing-fixtures/accessory/test_quad_accessory.vac", arena)) {
        arena_destroy(arena);
        skip();
    }
    assert_true(vac_load(&vac, bytes, arena, &log.diag));
    expect_values("the quad's", &vac, &expected);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_real),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
