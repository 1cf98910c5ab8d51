// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/text_stream.h"
#include "record/help/roff.h"
#include "unit_test.h"

static void escapes_and_wraps(void **state)
{
    static const struct {
        const char *what, *text, *expected;
    } rows[] = {
        {"dash and backslash", "a-b \\c", "a\\-b \\ec\n"},
        {"dot at the start", ".x .y", "\\&.x .y\n"},
        {"apostrophe at the start", "'odori' 'plan'", "\\&'odori' 'plan'\n"},
        {"two paragraphs", "one.\n.two\n", "one.\n.PP\n\\&.two\n"},
        {"a wrapped line that would be a request",
         "0123456789012345678901234567890123456789012345678901234567890123456789 1234567 'x'",
         "0123456789012345678901234567890123456789012345678901234567890123456789 "
         "1234567\n\\&'x'\n"},
    };
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TextStream stream;
        roff_text(text_stream_open(&stream, arena), ".PP", rows[i].text);
        const char *text = text_stream_close(&stream);
        if (strcmp(text, rows[i].expected) != 0)
            fail_msg("%s: %s", rows[i].what, text);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(escapes_and_wraps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
