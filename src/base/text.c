// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <utf8proc.h>

#include "base/memory.h"

enum { REPLACEMENT = 0xFFFD };

static char *write_char(char *at, int32_t code)
{
    return at + utf8proc_encode_char(code, (utf8proc_uint8_t *)at);
}

static uint32_t unit_at(const uint8_t *bytes, size_t i)
{
    return (uint32_t)bytes[2 * i] | (uint32_t)bytes[2 * i + 1] << 8;
}

char *text_from_utf16le(const void *bytes, size_t size, Arena *arena)
{
    const uint8_t *b = bytes;
    const size_t count = size / 2;
    char *text = arena_calloc(arena, count + 2, 3);
    char *out = text;
    size_t i = count && unit_at(b, 0) == 0xFEFF ? 1 : 0;

    for (; i < count && unit_at(b, i); i++) {
        const uint32_t unit = unit_at(b, i);
        const uint32_t next = i + 1 < count ? unit_at(b, i + 1) : 0;
        const bool is_high = unit >= 0xD800 && unit < 0xDC00;
        if (is_high && next >= 0xDC00 && next < 0xE000) {
            out = write_char(out, (int32_t)(0x10000 + ((unit - 0xD800) << 10) + (next - 0xDC00)));
            i++;
        } else {
            out = write_char(out, unit >= 0xD800 && unit < 0xE000 ? REPLACEMENT : (int32_t)unit);
        }
    }
    if (i == count && size % 2 && b[size - 1])
        out = write_char(out, REPLACEMENT);
    *out = '\0';
    return text;
}

/* Length of the character at `at`, or 0 if it is invalid. */
static size_t char_length(const uint8_t *at, size_t left)
{
    utf8proc_int32_t code;
    const utf8proc_ssize_t n = utf8proc_iterate(at, left > 4 ? 4 : (utf8proc_ssize_t)left, &code);
    return n > 0 ? (size_t)n : 0;
}

bool text_is_utf8(const void *bytes, size_t size)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; i < size;) {
        const size_t n = char_length(b + i, size - i);
        if (!n)
            return false;
        i += n;
    }
    return true;
}

uint64_t text_hash(const char *text, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3;
    return hash;
}

char *text_from_utf8(const void *bytes, size_t size, Arena *arena)
{
    const uint8_t *b = bytes;
    size_t count = strnlen(bytes, size);
    if (count >= 3 && !memcmp(b, "\xEF\xBB\xBF", 3)) {
        b += 3;
        count -= 3;
    }
    if (text_is_utf8(b, count))
        return arena_strndup(arena, (const char *)b, count);

    char *text = arena_calloc(arena, count + 1, 3);
    char *out = text;
    for (size_t i = 0; i < count;) {
        const size_t n = char_length(b + i, count - i);
        if (n)
            memcpy(out, b + i, n);
        out = n ? out + n : write_char(out, REPLACEMENT);
        i += n ? n : 1;
    }
    *out = '\0';
    return text;
}

char *text_fold(const char *utf8, Arena *arena)
{
    const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD;
    const utf8proc_uint8_t *source = (const utf8proc_uint8_t *)utf8;
    const utf8proc_ssize_t length = (utf8proc_ssize_t)strlen(utf8);
    const utf8proc_ssize_t count = utf8proc_decompose(source, length, NULL, 0, options);
    assert(count >= 0); /* it is UTF-8 */
    if (count < 0)
        return arena_strdup(arena, utf8);

    /* utf8proc turns the code points into bytes in place, and adds a terminator. */
    int32_t *codes = arena_array(arena, int32_t, (size_t)count + 1);
    utf8proc_decompose(source, length, codes, count, options);
    utf8proc_reencode(codes, count, options);
    return (char *)codes;
}

int text_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool text_equal_ignoring_case(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

static unsigned minimum(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned text_distance(const char *a, const char *b)
{
    const size_t a_size = strnlen(a, TEXT_SHORT), b_size = strnlen(b, TEXT_SHORT);
    unsigned rows[3][TEXT_SHORT + 1]; /* the edits from the first i of a to the first j of b */

    for (unsigned j = 0; j <= b_size; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= a_size; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            const unsigned replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = minimum(replaced, minimum(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = minimum(row[j], above2[j - 2] + 1);
        }
    }
    return rows[a_size % 3][b_size];
}

/* The shortest name that contains the text; NULL if there is none or the text is short. */
static const char *find_containing(const char *text, const char *const *names, size_t count)
{
    const char *found = NULL;
    for (size_t i = 0; strlen(text) >= 3 && i < count; i++)
        if (strstr(names[i], text) && (!found || strlen(names[i]) < strlen(found)))
            found = names[i];
    return found;
}

const char *text_nearest(const char *text, const char *const *names, size_t count)
{
    const size_t size = strlen(text);
    unsigned best = size <= 4 ? 1 : (unsigned)(size / 3); /* one typing error in three characters */
    const char *nearest = NULL;

    for (size_t i = 0; i < count; i++) {
        if (text_equal_ignoring_case(text, names[i]))
            return names[i];
        const unsigned distance = text_distance(text, names[i]);
        if (distance < best + !nearest && distance < strlen(names[i])) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest ? nearest : find_containing(text, names, count);
}

/* "; known here: a, b, c, ... (13)" */
static const char *list_names(const char *const *names, size_t count, Arena *arena)
{
    enum { SHOWN = 6 };
    const char *text = "; known here: ";
    for (size_t i = 0; i < count && i < SHOWN; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", names[i]);
    return count > SHOWN ? arena_printf(arena, "%s, ... (%zu)", text, count) : text;
}

static const char *name_at(TextNames names, size_t index)
{
    const char *name;
    memcpy(&name, (const char *)names.items + index * names.size + names.offset, sizeof name);
    return name;
}

TextNames text_choices(const char *const *words)
{
    size_t count = 0;
    while (words && words[count])
        count++;
    return TEXT_WORDS(words, count);
}

static int32_t find(TextNames names, const char *name, int (*compare)(const char *, const char *))
{
    for (size_t i = 0; i < names.count; i++)
        if (name_at(names, i) && !compare(name_at(names, i), name))
            return (int32_t)i;
    return -1;
}

int32_t text_find(TextNames names, const char *name)
{
    return find(names, name, strcmp);
}

int32_t text_find_ignoring_case(TextNames names, const char *name)
{
    return find(names, name, strcasecmp);
}

size_t text_lower_bound(TextNames names, const char *name)
{
    size_t low = 0, high = names.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(name_at(names, middle), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *text_suggestion(const char *text, TextNames names, Arena *arena)
{
    const char **list = arena_array(arena, const char *, names.count);
    for (size_t i = 0; i < names.count; i++)
        list[i] = name_at(names, i);
    const char *nearest = text_nearest(text, list, names.count);
    return nearest       ? arena_printf(arena, "; did you mean '%s'?", nearest)
           : names.count ? list_names(list, names.count, arena)
                         : "";
}

bool text_to_double(double *out, const char *text)
{
    if (!*text || text[strspn(text, "0123456789+-.eE")])
        return false; /* no blanks, "inf", "nan" or hexadecimal */
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        memory_exhausted(0);
    char *end;
    const double value = strtod_l(text, &end, c_locale);
    freelocale(c_locale);
    if (end == text || *end || !isfinite(value))
        return false;
    *out = value;
    return true;
}

bool text_to_int64(int64_t *out, const char *text)
{
    if (!*text || text[strspn(text, "0123456789+-")])
        return false;
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno)
        return false;
    *out = value;
    return true;
}

TextCount text_frames(int64_t count)
{
    TextCount out;
    snprintf(out.text, sizeof out.text, "%" PRId64 " frame%s", count, count == 1 ? "" : "s");
    return out;
}

const char *text_shell_quote(const char *word, Arena *arena)
{
    char *out = arena_array(arena, char, 4 * strlen(word) + 3), *to = out;
    *to++ = '\'';
    for (const char *at = word; *at; at++)
        if (*at == '\'')
            to = stpcpy(to, "'\\''");
        else
            *to++ = *at;
    *to = '\'';
    return out;
}

const char *text_shell_word(const char *word, Arena *arena)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_%+:,./=-";
    return *word && !word[strspn(word, plain)] ? word : text_shell_quote(word, arena);
}
