// SPDX-License-Identifier: MIT
/* Names of image sequences: the number in the file name, and other signs of percent. */

#include <string.h>

#include "base/name_pattern.h"
#include "unit_test.h"

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        int64_t frame;
        const char *name; /* NULL: too long */
    } rows[] = {
        {"f/%05d.png", 7, "f/00007.png"},
        {"%d.png", 1234567, "1234567.png"},
        {"%03d.png", 12345, "12345.png"},
        {"take%d/a.png", 3, "take%d/a.png"}, /* only the name has a number */
        {"50%done/%02d.png", 3, "50%done/03.png"},
        {"one.png", 9, "one.png"},
        {"%%%%s%5d-%d.png", 1, "%%%%s%5d-1.png"},
        {"100%-%d.png", 1, "100%-1.png"},
        {"%05d%d.png", 1, "%05d%d.png"}, /* two numbers: refused by the sinks */
        {"%s.png", 1, "%s.png"},
        {"%5d.png", 1, "%5d.png"}, /* would be padded with spaces */
        {"%n.png", 1, "%n.png"},
        {"%099999999999d.png", 1, "%099999999999d.png"},
        {"%", 1, "%"},
        {"%0", 1, "%0"},
        {"a-name-of-more-than-thirty-two-bytes-%d.png", 1, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[32];
        const bool ok = name_pattern_file(name, sizeof name, rows[i].pattern, rows[i].frame);
        if (ok && name_pattern_has_number(rows[i].pattern))
            assert_int_equal(name_pattern_frame(rows[i].pattern, name), rows[i].frame);
        if (ok != (rows[i].name != NULL) || (ok && strcmp(name, rows[i].name) != 0))
            fail_msg("'%s', frame %d: %s", rows[i].pattern, (int)rows[i].frame,
                     ok ? name : "rejected");
    }
}

static void test_names_of_no_frame(void **state)
{
    static const char *const rows[][2] = {
        {"f/%05d.png", "f/0007.png"}, {"f/%05d.png", "f/000007.png"},
        {"f/%05d.png", "00007.png"},  {"f/%05d.png", "f/00007.jpg"},
        {"f/%05d.png", "f/.png"},     {"f/%05d.png", "f/0000a.png"},
        {"%d.png", "-1.png"},         {"%d.png", "07.png"},
        {"one.png", "one.png"},       {"%d.png", "12345678901234567890.png"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (name_pattern_frame(rows[i][0], rows[i][1]) != -1)
            fail_msg("'%s': '%s'", rows[i][0], rows[i][1]);
}

static void test_matches(void **state)
{
    static const struct {
        const char *pattern, *path;
        size_t size;
    } rows[] = {
        {"f%d.png", "f007.png.7.tmp", 8}, {"f%03d.png", "f7.png", 6},  {"f%d.png", "f.png", 0},
        {"100%.png", "100%.png", 8},      {"100%.png", "1000.png", 0}, {"%d-%d", "1-2", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (name_pattern_match(rows[i].pattern, rows[i].path) != rows[i].size)
            fail_msg("'%s', '%s'", rows[i].pattern, rows[i].path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_names_of_no_frame),
                                       cmocka_unit_test(test_matches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
