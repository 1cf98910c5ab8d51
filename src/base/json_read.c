// SPDX-License-Identifier: MIT
#include "base/json_read.h"

#include <string.h>

#include <utf8proc.h>

#include "base/parser_entry.h"
#include "base/text.h"

JsonReader json_read_init(const void *text, size_t size, Arena *arena)
{
    parser_enter("json");
    return (JsonReader){
        .start = text, .at = text, .end = (const char *)text + size, .arena = arena};
}

JsonReader json_read_init_own(const void *text, size_t size, Arena *arena)
{
    JsonReader r = json_read_init(text, size, arena);
    r.own = true;
    return r;
}

static void fail(JsonReader *r)
{
    r->failed = true;
}

static void skip_spaces(JsonReader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
}

char json_read_peek(JsonReader *r)
{
    skip_spaces(r);
    return r->failed || r->at == r->end ? '\0' : *r->at;
}

static bool accept(JsonReader *r, char expected)
{
    if (json_read_peek(r) != expected || !expected)
        return false;
    r->at++;
    return true;
}

void json_read_open(JsonReader *r, char bracket)
{
    if (r->depth + 1 >= JSON_READ_DEPTH || !accept(r, bracket)) {
        fail(r);
        return;
    }
    r->depth++;
    r->begun &= ~(UINT64_C(1) << r->depth);
}

/* Consumes the comma before an item, or the closing bracket. */
static bool has_more(JsonReader *r, char closing)
{
    const uint64_t bit = UINT64_C(1) << r->depth;
    if (accept(r, closing)) {
        r->depth--;
        return false;
    }
    if ((r->begun & bit) && !accept(r, ','))
        fail(r);
    r->begun |= bit;
    if (!json_read_peek(r))
        fail(r);
    return !r->failed;
}

bool json_read_item(JsonReader *r)
{
    return !r->failed && r->depth && has_more(r, ']');
}

bool json_read_key(const char **key, JsonReader *r)
{
    *key = "";
    if (r->failed || !r->depth || !has_more(r, '}'))
        return false;
    *key = json_read_text(r);
    if (!accept(r, ':'))
        fail(r);
    return !r->failed;
}

/* The value of four hex digits at `at`, or -1. */
static int32_t hex4(const char *at, const char *end)
{
    int32_t code = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *found = at[i] ? strchr(digits, at[i]) : NULL;
        if (!found)
            return -1;
        code = code << 4 | (int32_t)((found - digits) & 15);
    }
    return code;
}

/* The code point after "\u", or -1; two surrogates form one code point. */
static int32_t read_code_point(JsonReader *r)
{
    const int32_t first = hex4(r->at, r->end);
    r->at += first < 0 ? 0 : 4;
    if (first < 0xD800 || first > 0xDFFF)
        return first ? first : -1;
    if (first > 0xDBFF || r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u')
        return -1;
    const int32_t second = hex4(r->at + 2, r->end);
    r->at += 6;
    return second < 0xDC00 || second > 0xDFFF
               ? -1
               : 0x10000 + ((first - 0xD800) << 10) + second - 0xDC00;
}

/* The byte after "\u" that json.h wrote because it is not UTF-8, or -1, then nothing is read. */
static int32_t read_byte(JsonReader *r)
{
    const int32_t code = r->own ? hex4(r->at, r->end) : -1;
    if (code < 0xDC80 || code > 0xDCFF)
        return -1;
    r->at += 4;
    return code & 0xFF;
}

/* Decodes an escape after its backslash; returns the number of bytes written. */
static size_t decode_escape(char *out, JsonReader *r)
{
    static const char names[] = "\"\\/bfnrt", letters[] = "\"\\/\b\f\n\r\t";
    const char name = r->at < r->end ? *r->at++ : '\0';
    const char *found = name ? strchr(names, name) : NULL;
    if (found) {
        *out = letters[found - names];
        return 1;
    }
    const int32_t byte = name == 'u' ? read_byte(r) : -1;
    if (byte >= 0) {
        *out = (char)byte;
        return 1;
    }
    const int32_t code = name == 'u' ? read_code_point(r) : -1;
    if (code < 0) {
        fail(r);
        return 0;
    }
    return (size_t)utf8proc_encode_char(code, (utf8proc_uint8_t *)out);
}

/* Copies one character; returns the number of bytes written. */
static size_t copy_character(char *out, JsonReader *r)
{
    utf8proc_int32_t code;
    const utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)r->at,
                                                (utf8proc_ssize_t)(r->end - r->at), &code);
    if (n <= 0 || code < 0x20) {
        fail(r);
        return 0;
    }
    memcpy(out, r->at, (size_t)n);
    r->at += n;
    return (size_t)n;
}

/* The closing quote of the string that begins at `at`, or NULL. */
static const char *text_end(const char *at, const char *end)
{
    for (; at < end && *at != '"'; at++)
        if (*at == '\\')
            at++;
    return at < end ? at : NULL;
}

const char *json_read_text(JsonReader *r)
{
    const char *end = accept(r, '"') ? text_end(r->at, r->end) : NULL;
    if (!end) {
        fail(r);
        return "";
    }
    /* No character is longer decoded than escaped; utf8proc may write four bytes. */
    char *text = arena_alloc(r->arena, (size_t)(end - r->at) + 5);
    size_t used = 0;
    while (!r->failed && r->at < end)
        if (*r->at == '\\') {
            r->at++;
            used += decode_escape(text + used, r);
        } else {
            used += copy_character(text + used, r);
        }
    r->at = end + 1;
    text[used] = '\0';
    return r->failed ? "" : text;
}

int64_t json_read_int(JsonReader *r)
{
    enum { MAX_DIGITS = 18 };
    const char first = json_read_peek(r);
    if (first == '-')
        r->at++;
    const char *digits = r->at;
    int64_t value = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9' && r->at - digits < MAX_DIGITS; r->at++)
        value = 10 * value + (*r->at - '0');
    if (!first || r->at == digits || (*digits == '0' && r->at - digits > 1) ||
        (r->at < r->end && strchr("0123456789.eE", *r->at))) {
        fail(r);
        return 0;
    }
    return first == '-' ? -value : value;
}

static void skip_literal(JsonReader *r, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        fail(r);
    else
        r->at += length;
}

static size_t skip_digits(JsonReader *r)
{
    size_t n = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
        n++;
    return n;
}

static bool accept_one_of(JsonReader *r, const char *letters)
{
    if (r->at == r->end || !*r->at || !strchr(letters, *r->at))
        return false;
    r->at++;
    return true;
}

static void skip_number(JsonReader *r)
{
    accept_one_of(r, "-");
    const char *first = r->at;
    const size_t whole = skip_digits(r);
    bool good = whole == 1 || (whole > 1 && *first != '0');
    if (accept_one_of(r, "."))
        good &= skip_digits(r) > 0;
    if (accept_one_of(r, "eE")) {
        accept_one_of(r, "+-");
        good &= skip_digits(r) > 0;
    }
    if (!good)
        fail(r);
}

double json_read_number(JsonReader *r)
{
    enum { MAX_DIGITS = 63 };
    char digits[MAX_DIGITS + 1];
    double value = 0;
    json_read_peek(r);
    const char *first = r->at;
    skip_number(r);
    const size_t size = (size_t)(r->at - first);
    if (!r->failed && size <= MAX_DIGITS) {
        memcpy(digits, first, size);
        digits[size] = '\0';
    }
    if (r->failed || size > MAX_DIGITS || !text_to_double(&value, digits)) {
        fail(r);
        return 0;
    }
    return value;
}

void json_read_skip(JsonReader *r)
{
    const char *key;
    switch (json_read_peek(r)) {
    case '{':
        json_read_open(r, '{');
        while (json_read_key(&key, r))
            json_read_skip(r);
        break;
    case '[':
        json_read_open(r, '[');
        while (json_read_item(r))
            json_read_skip(r);
        break;
    case '"':
        json_read_text(r);
        break;
    case 't':
        skip_literal(r, "true");
        break;
    case 'f':
        skip_literal(r, "false");
        break;
    case 'n':
        skip_literal(r, "null");
        break;
    case '\0':
        fail(r);
        break;
    default:
        skip_number(r);
    }
}

bool json_read_failed(JsonReader *r)
{
    skip_spaces(r);
    return r->failed || r->depth || r->at != r->end;
}

unsigned json_read_line(const JsonReader *r)
{
    unsigned line = 1;
    for (const char *at = r->start; at < r->at; at++)
        line += *at == '\n';
    return line;
}
