// SPDX-License-Identifier: MIT
/* text_escape: nothing that is shown can move the cursor, start a line or reverse the text */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_escape.h"
#include "unit_test.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct {
    const char *text, *shown;
} rows[] = {
    {"", ""},
    {"plain name \\ '\"", "plain name \\ '\""},
    {"\xE5\x88\x9D\xE9\x9F\xB3 \xF0\x9F\x92\x83", "\xE5\x88\x9D\xE9\x9F\xB3 \xF0\x9F\x92\x83"},
    {"a\nb\r\tc", "a\\nb\\r\\tc"},
    {"\x1B[2J\x07\x7F", "\\x1B[2J\\x07\\x7F"},
    {"\xC2\x9B", "\\x9B"},                     /* CSI as a C1 control */
    {"\xC2\xA0", "\xC2\xA0"},                  /* the first character behind C1 */
    {"\xE2\x80\xAEgnp.exe", "\\u202Egnp.exe"}, /* right-to-left override */
    {"\xE2\x80\xA8\xE2\x81\xA6\xD8\x9C\xEF\xBB\xBF", "\\u2028\\u2066\\u061C\\uFEFF"},
    {"\xFF\xE2\x80", "\\xFF\\xE2\\x80"},                  /* not UTF-8, also at the end */
    {"\xCC\xF9\xCD\xBC.png", "\\xCC\\xF9\\xCD\\xBC.png"}, /* GBK; CD BC would be a letter */
    /* commands of the runners of CI systems */
    {"::add-mask::x", "\\x3A:add-mask::x"},
    {"  ::error::x", "  \\x3A:error::x"},
    {"a ::error::x", "a ::error::x"},
    {":x", ":x"},
    {"a##[group]b", "a\\x23#[group]b"},
    {"###[x]", "#\\x23#[x]"},
    {"##vso[x]##teamcity[y]", "\\x23#vso[x]\\x23#teamcity[y]"},
    {"## a", "## a"},
};

static void test_rows(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *written;
        size_t size;
        FILE *out = open_memstream(&written, &size);
        text_write_escaped(out, rows[i].text);
        fclose(out);
        assert_string_equal(text_escape(rows[i].text, arena), rows[i].shown);
        assert_string_equal(written, rows[i].shown);
        free(written);
    }
    arena_destroy(arena);
}

static void test_line(void **state)
{
    (void)state;
    char *written;
    size_t size;
    FILE *out = open_memstream(&written, &size);
    text_printf(out, "%s: %d\n", "a\nb", 7);
    text_printf(out, "%s", "c\n");
    text_printf(out, "\n");
    text_printf(out, "  %s: ok\n", "::x::");
    fclose(out);
    assert_string_equal(written, "a\\nb: 7\nc\\n\n  \\x3A:x::: ok\n");
    free(written);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
