// SPDX-License-Identifier: MIT
/* cube: tables as the specification writes them; everything else is refused with its line */

#include <string.h>

#include "diag_log.h"
#include "format/cube.h"
#include "unit_test.h"

static bool load(Cube *cube, DiagLog *log, const char *text, size_t size, Arena *arena)
{
    diag_log_init(log);
    diag_file(&log->diag, "a.cube");
    return cube_load(cube, (Bytes){(const uint8_t *)text, size}, arena, &log->diag);
}

#define EIGHT "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n.5 -2e1 +1\n"

static void test_values(void **state)
{
    static const struct {
        const char *what, *text;
        bool is_3d;
        size_t size;
        float low, high; /* of green's domain */
        float last[3];
    } rows[] = {
        {"3-D", "LUT_3D_SIZE 2\n" EIGHT, true, 2, 0, 1, {0.5f, -20, 1}},
        {"comments, a title, unknown words, blank lines",
         "\xEF\xBB\xBF# a\nTITLE \"LUT_3D_SIZE 9\"\n\nX_Y a b c d e\r\nLUT_3D_SIZE\t2 # b\r\n"
         "\n" EIGHT "\n# c\n",
         true,
         2,
         0,
         1,
         {0.5f, -20, 1}},
        {"domain",
         "DOMAIN_MAX 1 4 1\nDOMAIN_MIN 0 -1.5 0\nLUT_3D_SIZE 2\n" EIGHT,
         true,
         2,
         -1.5f,
         4,
         {0.5f, -20, 1}},
        {"1-D, without the last line's end",
         "LUT_1D_SIZE 3\n0 0 0\n1 1 1\n3 4 5",
         false,
         3,
         0,
         1,
         {3, 4, 5}},
        {"input range",
         "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE -1 2\n0 0 0\n1 2 3\n",
         false,
         2,
         -1,
         2,
         {1, 2, 3}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        Cube cube;
        if (!load(&cube, &log, rows[i].text, strlen(rows[i].text), arena) || log.text[0])
            fail_msg("%s: %s", rows[i].what, log.text);
        const size_t count = rows[i].is_3d ? 8 : rows[i].size;
        if (cube.is_3d != rows[i].is_3d || cube.size != rows[i].size ||
            cube.domain_min[1] != rows[i].low || cube.domain_max[1] != rows[i].high ||
            cube_count(&cube) != count ||
            memcmp(cube.entries[count - 1], rows[i].last, sizeof rows[i].last) != 0)
            fail_msg("%s: size %zu, domain %g..%g, last %g %g %g", rows[i].what, cube.size,
                     (double)cube.domain_min[1], (double)cube.domain_max[1],
                     (double)cube.entries[count - 1][0], (double)cube.entries[count - 1][1],
                     (double)cube.entries[count - 1][2]);
        arena_destroy(arena);
    }
}

#define TEXT(text) text, sizeof(text) - 1

static void test_refused(void **state)
{
    static const struct {
        const char *what, *text;
        size_t size;
        const char *expected;
    } rows[] = {
        {"empty file", TEXT(""), "a.cube: the file is empty"},
        {"no table", TEXT("TITLE \"x\"\n"), "no entries of a table"},
        {"no size", TEXT("0 0 0\n"), "a.cube:1:1: entries before LUT_3D_SIZE or LUT_1D_SIZE"},
        {"size 1", TEXT("LUT_3D_SIZE 1\n0 0 0\n"),
         "a.cube:1:1: LUT_3D_SIZE: expected a size (2..256)"},
        {"size 257", TEXT("LUT_3D_SIZE 257\n0 0 0\n"), "expected a size (2..256)"},
        {"large 1-D size", TEXT("LUT_1D_SIZE 65537\n0 0 0\n"), "expected a size (2..65536)"},
        {"size is a word", TEXT("LUT_3D_SIZE two\n0 0 0\n"), "expected a size (2..256)"},
        {"two sizes", TEXT("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n"), "a.cube:2:1: a second table size"},
        {"more than the file has", TEXT("LUT_3D_SIZE 256\n0 0 0\n"),
         "16777216 entries exceed the file size"},
        {"seven entries", TEXT("LUT_3D_SIZE 2\n0 0 0\n0 0 0\n0 0 0\n0 0 0\n0 0 0\n0 0 0\n0 0 0\n"),
         "7 of 8 entries"},
        {"nine entries", TEXT("LUT_3D_SIZE 2\n" EIGHT "0 0 0\n"),
         "a.cube:10:1: text after the last of 8 entries"},
        {"two numbers", TEXT("LUT_1D_SIZE 2\n0 0\n1 1 1\n"), "a.cube:2:1: expected 3 numbers"},
        {"four numbers", TEXT("LUT_1D_SIZE 2\n0 0 0 0\n1 1 1\n"), "expected 3 numbers"},
        {"not a number", TEXT("LUT_1D_SIZE 2\n0 nan 0\n1 1 1\n"),
         "'nan' is not a number (-1000000..1000000)"},
        {"large", TEXT("LUT_1D_SIZE 2\n0 1e7 0\n1 1 1\n"), "'1e7' is not a number"},
        {"just too large", TEXT("LUT_1D_SIZE 2\n0 1000001 0\n1 1 1\n"), "'1000001' is not a"},
        {"just too small", TEXT("LUT_1D_SIZE 2\n0 -1000001 0\n1 1 1\n"), "'-1000001' is not a"},
        {"domain of two", TEXT("DOMAIN_MIN 0 0\n"), "expected 3 numbers after DOMAIN_MIN"},
        {"empty domain", TEXT("DOMAIN_MIN 0 1 0\nLUT_1D_SIZE 2\n0 0 0\n1 1 1\n"),
         "empty domain: 1..1"},
        {"NUL", TEXT("LUT_1D_SIZE 2\n0 0\0 0\n1 1 1\n"), "a.cube:2:1: not a text file"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        Cube cube;
        if (load(&cube, &log, rows[i].text, rows[i].size, arena) ||
            !strstr(log.text, rows[i].expected))
            fail_msg("%s: reported '%s', expected '%s'", rows[i].what, log.text, rows[i].expected);
        assert_int_equal(log.diag.errors, 1);
        arena_destroy(arena);
    }
}

/* 250 bytes are the limit of a line. */
static void test_long_line(void **state)
{
    (void)state;
    for (size_t length = 250; length < 260; length++) {
        Arena *arena = arena_create();
        DiagLog log;
        Cube cube;
        char *comment = arena_array(arena, char, length + 1);
        memset(comment, '#', length);
        const char *text = arena_printf(arena, "%s\nLUT_1D_SIZE 2\n0 0 0\n1 1 1\n", comment);
        const bool loaded = load(&cube, &log, text, strlen(text), arena);
        if (loaded != (length <= 251))
            fail_msg("%zu bytes: %d %s", length, loaded, log.text);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_long_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
