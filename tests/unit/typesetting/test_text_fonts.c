// SPDX-License-Identifier: MIT
/* text_fonts: characters that no installed font has are reported */

#include <string.h>

#include "diag_log.h"
#include "typesetting/text_fonts.h"
#include "unit_test.h"

/* The last private character of Unicode is in no font; control characters are shown as escapes. */
static void reports_missing_characters(void **state)
{
    static const struct {
        const char *text, *reported;
    } rows[] = {
        {"frame 12  0:00.40", ""},
        {"a\nb\x1B", ""},
        {"a\U0010FFFDb\U0010FFFD",
         "1 character of the labels is in no font of this machine, e.g. U+10FFFD"},
        {"\U0010FFFD\U0010FFFC", "2 characters of the labels are in no font of this machine"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        FontSources fonts;
        diag_log_init(&log);
        assert_true(text_fonts_find_for_labels(&fonts, rows[i].text, arena, &log.diag));
        if (*rows[i].reported ? !strstr(log.text, rows[i].reported) : *log.text)
            fail_msg("row %zu: %s", i, log.text);
        assert_true(!*rows[i].reported || strstr(log.text, text_fonts_advice()));
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reports_missing_characters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
