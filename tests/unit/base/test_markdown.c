// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/markdown.h"
#include "unit_test.h"

static const struct {
    const char *text, *written;
} rows[] = {
    {"plain name.vmd", "plain name.vmd"},
    {"a|b<i>\\", "a\\|b\\<i\\>\\\\"},
    {"x\ny", "x\\\\ny"},
    {"thanks @user", "thanks \\@&#8203;user"},
    {"a@b.c", "a\\@&#8203;b.c"},
    {"fixes #12", "fixes \\#&#8203;12"},
    {"https://x.y", "https:&#8203;//x.y"},
    {"www.x.y: 1", "w&#8203;ww.x.y: 1"},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *written;
        size_t size;
        FILE *out = open_memstream(&written, &size);
        markdown_write_text(out, rows[i].text);
        fclose(out);
        assert_string_equal(written, rows[i].written);
        free(written);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
