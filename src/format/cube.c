// SPDX-License-Identifier: MIT
#include "format/cube.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/parser_entry.h"
#include "base/text.h"

/*
 *   # comment                       DOMAIN_MIN 0 0 0          of the three channels
 *   TITLE "warm"                    LUT_3D_INPUT_RANGE 0 1    the same for all (Resolve)
 *   LUT_3D_SIZE 33                  0.1 0.2 0.3               entries, the last lines
 */
enum { MAX_LINE = 250, MAX_WORDS = 4, MIN_ENTRY_BYTES = 6 }; /* "0 0 0\n" */
static const double MAX_VALUE = 1e6;

typedef struct Lines {
    const uint8_t *at, *end;
    unsigned number;
    char text[MAX_LINE + 1]; /* the current line; words end with NUL */
    char *words[MAX_WORDS];
    size_t word_count; /* MAX_WORDS: that many or more */
    bool failed;       /* an error was reported */
} Lines;

static bool fail_line(Lines *l, Diag *diag, const char *what)
{
    l->failed = true;
    return diag_error(diag, "%s", what);
}

static void split(Lines *l)
{
    static const char blanks[] = " \t\r\v\f";
    char *at = l->text;

    l->word_count = 0;
    while (l->word_count < MAX_WORDS) {
        at += strspn(at, blanks);
        if (!*at || *at == '#')
            return;
        l->words[l->word_count++] = at;
        at += strcspn(at, blanks);
        if (*at)
            *at++ = '\0';
    }
}

/* The next line that has a word.  False at the end and after an error. */
static bool next_line(Lines *l, Diag *diag)
{
    l->word_count = 0;
    while (l->at < l->end && !l->word_count) {
        const uint8_t *newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
        const size_t length = (size_t)((newline ? newline : l->end) - l->at);

        diag_line(diag, ++l->number, 1);
        if (length > MAX_LINE + 1) /* with a carriage return */
            return fail_line(l, diag, "line of more than 250 bytes");
        if (memchr(l->at, '\0', length))
            return fail_line(l, diag, "not a text file: it contains a NUL byte");
        memcpy(l->text, l->at, length < MAX_LINE ? length : MAX_LINE);
        l->text[length < MAX_LINE ? length : MAX_LINE] = '\0';
        l->at += length + (newline != NULL);
        split(l);
    }
    return l->word_count > 0;
}

static bool parse_number(float *out, const char *word, Diag *diag)
{
    double value;
    if (!text_to_double(&value, word) || !(fabs(value) <= MAX_VALUE))
        return diag_error(diag, "'%s' is not a number (-1000000..1000000)", word);
    *out = (float)value;
    return true;
}

static bool parse_numbers(float *out, const Lines *l, size_t first, size_t count, Diag *diag)
{
    if (l->word_count != first + count)
        return diag_error(diag, "expected %zu numbers%s%s", count, first ? " after " : "",
                          first ? l->words[0] : "");
    for (size_t i = 0; i < count; i++)
        if (!parse_number(&out[i], l->words[first + i], diag))
            return false;
    return true;
}

static bool read_size(Cube *cube, const Lines *l, bool is_3d, Diag *diag)
{
    const int max = is_3d ? CUBE_MAX_3D : CUBE_MAX_1D;
    int64_t size;

    if (cube->size)
        return diag_error(diag, "a second table size; files with several tables are not supported");
    if (l->word_count != 2 || !text_to_int64(&size, l->words[1]) || size < 2 || size > max)
        return diag_error(diag, "%s: expected a size (2..%d)", l->words[0], max);
    cube->is_3d = is_3d;
    cube->size = (size_t)size;
    return true;
}

static bool read_range(Cube *cube, const Lines *l, Diag *diag)
{
    float range[2] = {0};
    if (!parse_numbers(range, l, 1, 2, diag))
        return false;
    for (int c = 0; c < 3; c++) {
        cube->domain_min[c] = range[0];
        cube->domain_max[c] = range[1];
    }
    return true;
}

static bool read_keyword(Cube *cube, const Lines *l, Diag *diag)
{
    const char *word = l->words[0];

    assert(word);
    if (!strcmp(word, "LUT_3D_SIZE") || !strcmp(word, "LUT_1D_SIZE"))
        return read_size(cube, l, word[4] == '3', diag);
    if (!strcmp(word, "DOMAIN_MIN"))
        return parse_numbers(cube->domain_min, l, 1, 3, diag);
    if (!strcmp(word, "DOMAIN_MAX"))
        return parse_numbers(cube->domain_max, l, 1, 3, diag);
    if (!strcmp(word, "LUT_3D_INPUT_RANGE") || !strcmp(word, "LUT_1D_INPUT_RANGE"))
        return read_range(cube, l, diag);
    return true;
}

static bool is_entry(const Lines *l)
{
    assert(l->words[0]);
    return strchr("+-.0123456789", l->words[0][0]) != NULL;
}

/* From the line after the keywords on. */
static bool read_entries(Cube *cube, Lines *l, Arena *arena, Diag *diag)
{
    const size_t count = cube_count(cube);
    const size_t left = (size_t)(l->end - l->at) + MAX_LINE; /* with the current line */

    if (count > left / MIN_ENTRY_BYTES)
        return diag_error(diag, "%zu entries exceed the file size", count);
    cube->entries = arena_calloc(arena, count, sizeof *cube->entries);
    for (size_t i = 0; i < count; i++) {
        if (i && !next_line(l, diag))
            return l->failed ? false : diag_error(diag, "%zu of %zu entries", i, count);
        if (!parse_numbers(cube->entries[i], l, 0, 3, diag))
            return false;
    }
    if (next_line(l, diag))
        return diag_error(diag, "text after the last of %zu entries", count);
    return !l->failed;
}

static bool check_domain(const Cube *cube, Diag *diag)
{
    for (int c = 0; c < 3; c++)
        if (!(cube->domain_min[c] < cube->domain_max[c]))
            return diag_error(diag, "empty domain: %g..%g", (double)cube->domain_min[c],
                              (double)cube->domain_max[c]);
    return true;
}

static bool read_cube(Cube *cube, Lines *l, Arena *arena, Diag *diag)
{
    while (next_line(l, diag)) {
        if (!is_entry(l)) {
            if (!read_keyword(cube, l, diag))
                return false;
            continue;
        }
        if (!cube->size)
            return diag_error(diag, "entries before LUT_3D_SIZE or LUT_1D_SIZE");
        return check_domain(cube, diag) && read_entries(cube, l, arena, diag);
    }
    return l->failed ? false : diag_error(diag, "no entries of a table");
}

bool cube_load(Cube *cube, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("cube");
    static const uint8_t mark[] = {0xEF, 0xBB, 0xBF};
    if (!bytes.size)
        return diag_error(diag, "the file is empty");
    const bool marked = bytes.size >= sizeof mark && !memcmp(bytes.data, mark, sizeof mark);
    Lines lines = {.at = bytes.data + (marked ? sizeof mark : 0), .end = bytes.data + bytes.size};

    *cube = (Cube){.domain_max = {1, 1, 1}};
    const bool ok = read_cube(cube, &lines, arena, diag);
    diag_line(diag, 0, 0);
    return ok;
}

size_t cube_count(const Cube *cube)
{
    return cube->is_3d ? cube->size * cube->size * cube->size : cube->size;
}
