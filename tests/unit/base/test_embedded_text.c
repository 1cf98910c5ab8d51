// SPDX-License-Identifier: MIT
/* embedded_text: the tables of the program, and texts with fields */
#include <string.h>

#include "base/embedded_text.h"
#include "base/text_stream.h"
#include "unit_test.h"

static void finds_files(void **state)
{
    (void)state;
    assert_non_null(strstr(embedded_text_find(embedded_shaders, "skin.vert"), "void main()"));
    assert_memory_equal(embedded_text_find(embedded_texts, "page.html"), "<!DOCTYPE html>\n", 16);
    assert_null(embedded_text_find(embedded_texts, "skin.vert"));
    assert_null(embedded_text_find(embedded_texts, "page"));
}

static void joins_the_lines_of_a_section(void **state)
{
    static const char text[] = "# one\n\na\nb\n\n# two\n\n-- x\n\ny\nz\n\n\nw #\n\n# three\n\n1";
    static const char *const rows[][2] = {
        {"one", "a b\n"}, {"two", "-- x\ny z\nw #\n"}, {"three", "1\n"}};
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(embedded_text_section(text, rows[i][0], arena), rows[i][1]);
    arena_destroy(arena);
}

static void write_word(FILE *out, const void *user)
{
    fputs(user, out);
}

static void write_lines(FILE *out, const void *user)
{
    fprintf(out, "1 %s\n2\n", (const char *)user);
}

static void write_nothing(FILE *out, const void *user)
{
    (void)out;
    (void)user;
}

static void replaces_fields(void **state)
{
    static const TextField fields[] = {{"lines", .write = write_lines},
                                       {"word", .write = write_word},
                                       {"words", .write = write_nothing},
                                       {"text", .text = "T"},
                                       {0}};
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"", ""},
        {"@ {word} @[word] $@ @", "@ {word} @[word] $@ @"},
        {"a @{word}.\n", "a W.\n"},
        {"@{word}@{words}@{word}\n", "WW\n"},
        {"@{lines}\nb\n", "1 W\n2\nb\n"},
        {"a\n@{lines}\n@{words}\nb\n", "a\n1 W\n2\nb\n"},
        {"a\n@{word} \nb", "a\nW \nb"},
        {"@{word}", "W"},
        {"@{text}@{word}", "TW"},
    };
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TextStream stream;
        embedded_text_write(text_stream_open(&stream, arena), rows[i].text, fields, "W");
        assert_string_equal(text_stream_close(&stream), rows[i].expected);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_files),
                                       cmocka_unit_test(joins_the_lines_of_a_section),
                                       cmocka_unit_test(replaces_fields)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
