// SPDX-License-Identifier: MIT
/* The paths that belong to a pattern of names, and those that do not. */

#include "sandbox/file_names.h"
#include "unit_test.h"

typedef struct Row {
    const char *pattern, *path;
    bool match;
} Row;

static const Row rows[] = {
    {"film.mp4", "film.mp4", true},
    {"film.mp4", ".film.mp4.123.tmp", true},
    {"film.mp4", ".film.mp4.pictures.123.tmp", true},
    {"film.mp4", ".film.mp4.odori-lock", true},
    {"film.mp4", ".film.mp4.odori", true},
    {"film.mp4", ".film.mp4.odori/ledger/0001-of-0001.jsonl", true},
    {"film.mp4", ".film.mp4.odori/../film.txt", false},
    {"film.mp4", ".film.mp4.odori/a/../../film.txt", false},
    {"film.mp4", ".film.mp4", false},
    {"film.mp4", ".film.mp4rc", false},
    {"bash", ".bashrc", false},
    {"film.mp4", "film.mp4.bak", false},
    {"film.mp4", "film.mp4/x", false},
    {"film.mp4", "film.mp", false},
    {"film.mp4", "film_mp4", false},
    {"film.mp4", "other.mp4", false},
    {"film.mp4", ".profile", false},
    {"film.mp4", ".", false},
    {"film.mp4", "..", false},
    {"film.mp4", "../film.mp4", false},
    {"%05d.png", "00012.png", true},
    {"%05d.png", "123456.png", true},
    {"%05d.png", ".00012.png.7.tmp", true},
    {"%05d.png", ".%05d.png.odori/lock", true},
    {"%05d.png", ".00012.pngs", false},
    {"%05d.png", "%05d.png", true},
    {"%05d.png", "00012.jpg", false},
    {"%05d.png", "x.png", false},
    {"%05d.png", ".png", false},
    {"%05d.png", "00012.png.bak", false},
    {"a%db", "a7b", true},
    {"a%db", "ab", false},
    {"100%", "100%", true},
    {"100%", "1000", false},
    {"100%d.mp4", "100%d.mp4", true},
    {"100%d.mp4", ".100%d.mp4.7.tmp", true},
    {"%date%.mp4", "%date%.mp4", true},
    {"%d-%d.png", "1-2.png", false},
    {"%03d.png", "001", false},
    {"%03d.png", "001/image.png", false},
    {".film.mp4.odori", ".film.mp4.odori/written.jsonl", true},
    {".film.mp4.odori", ".film.mp4.odori2", false},
};

static void matches_what_belongs_to_a_pattern(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (file_names_match(rows[i].pattern, rows[i].path) != rows[i].match)
            fail_msg("'%s', '%s': expected %d", rows[i].pattern, rows[i].path, rows[i].match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(matches_what_belongs_to_a_pattern)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
