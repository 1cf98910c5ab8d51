// SPDX-License-Identifier: MIT
#include "record/json_read.h"

#include <string.h>

#include <utf8proc.h>

#include "base/parser_entry.h"
#include "base/text.h"

enum { BLOCK = 16 };

typedef struct Parser {
    const char *start, *at, *end;
    bool failed, own;
    unsigned depth;
    JsonValue *free; /* values that are allocated and not used */
    size_t free_count;
    Arena *arena;
} Parser;

static void fail(Parser *r)
{
    r->failed = true;
}

static void skip_spaces(Parser *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
}

/* The first character of the next value, which shows its kind; NUL after an error or at the end. */
static char peek(Parser *r)
{
    skip_spaces(r);
    return r->failed || r->at == r->end ? '\0' : *r->at;
}

static bool accept(Parser *r, char expected)
{
    if (peek(r) != expected)
        return false;
    r->at++;
    return true;
}

/* ---- texts ---- */

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
static int32_t read_code_point(Parser *r)
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
static int32_t read_byte(Parser *r)
{
    const int32_t code = r->own ? hex4(r->at, r->end) : -1;
    if (code < 0xDC80 || code > 0xDCFF)
        return -1;
    r->at += 4;
    return code & 0xFF;
}

/* Decodes an escape after its backslash; returns the number of bytes written. */
static size_t decode_escape(char *out, Parser *r)
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
static size_t copy_character(char *out, Parser *r)
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

static const char *read_text(Parser *r)
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

/* ---- literals and numbers ---- */

static void skip_literal(Parser *r, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        fail(r);
    else
        r->at += length;
}

static size_t skip_digits(Parser *r)
{
    size_t n = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
        n++;
    return n;
}

static bool accept_one_of(Parser *r, const char *letters)
{
    if (r->at == r->end || !*r->at || !strchr(letters, *r->at))
        return false;
    r->at++;
    return true;
}

static void skip_number(Parser *r)
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

static void read_number(JsonValue *value, Parser *r)
{
    enum { MAX_DIGITS = 63, MAX_INTEGER = 18 };
    char digits[MAX_DIGITS + 1];
    const char *first = r->at;
    skip_number(r);
    const size_t size = (size_t)(r->at - first);
    if (r->failed || size > MAX_DIGITS) {
        fail(r);
        return;
    }
    memcpy(digits, first, size);
    digits[size] = '\0';
    if (!text_to_double(&value->number, digits))
        fail(r);
    const bool is_integer =
        size <= MAX_INTEGER + (digits[0] == '-') && text_to_int64(&value->integer, digits);
    if (!is_integer)
        value->integer = JSON_NO_INTEGER;
}

/* ---- values ---- */

static JsonValue *add_value(Parser *r)
{
    if (!r->free_count) {
        r->free = arena_array(r->arena, JsonValue, BLOCK);
        r->free_count = BLOCK;
    }
    r->free_count--;
    return r->free++;
}

static JsonValue *read_value(Parser *r);

static void read_items(JsonValue *value, Parser *r)
{
    const bool is_object = value->kind == JSON_OBJECT;
    const char closing = is_object ? '}' : ']';
    JsonValue *first = NULL, **end = &first;
    r->at++;
    if (++r->depth >= JSON_READ_DEPTH)
        fail(r);
    if (!accept(r, closing)) {
        do {
            const char *key = is_object ? read_text(r) : NULL;
            if (r->failed || (is_object && !accept(r, ':')))
                fail(r);
            JsonValue *item = r->failed ? NULL : read_value(r);
            if (!item)
                return;
            item->key = key;
            *end = item;
            end = &item->next;
            value->count++;
        } while (accept(r, ','));
        if (!accept(r, closing))
            fail(r);
    }
    r->depth--;
    value->items = arena_array(r->arena, const JsonValue *, value->count);
    uint32_t i = 0;
    for (const JsonValue *item = first; item; item = item->next)
        value->items[i++] = item;
}

/* The depth of this recursion is limited by JSON_READ_DEPTH. */
static JsonValue *read_value(Parser *r)
{
    JsonValue *value = add_value(r);
    switch (peek(r)) {
    case '{':
    case '[':
        value->kind = *r->at == '{' ? JSON_OBJECT : JSON_LIST;
        read_items(value, r);
        break;
    case '"':
        value->kind = JSON_TEXT;
        value->text = read_text(r);
        break;
    case 't':
    case 'f':
        value->kind = JSON_BOOL;
        value->number = *r->at == 't';
        skip_literal(r, *r->at == 't' ? "true" : "false");
        break;
    case 'n':
        skip_literal(r, "null");
        break;
    case '\0':
        fail(r);
        break;
    default:
        value->kind = JSON_NUMBER;
        read_number(value, r);
    }
    return value;
}

static unsigned current_line(const Parser *r)
{
    unsigned line = 1;
    for (const char *at = r->start; at < r->at; at++)
        line += *at == '\n';
    return line;
}

static const JsonValue *read_root(unsigned *line, const void *text, size_t size, bool own,
                                  Arena *arena)
{
    parser_enter("json");
    Parser r = {
        .start = text, .at = text, .end = (const char *)text + size, .own = own, .arena = arena};
    const JsonValue *root = read_value(&r);
    skip_spaces(&r);
    if (line)
        *line = current_line(&r);
    return r.failed || r.at != r.end ? NULL : root;
}

const JsonValue *json_read(unsigned *line, const void *text, size_t size, Arena *arena)
{
    return read_root(line, text, size, false, arena);
}

const JsonValue *json_read_own(unsigned *line, const void *text, size_t size, Arena *arena)
{
    return read_root(line, text, size, true, arena);
}

/* ---- access ---- */

const JsonValue *json_member(const JsonValue *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    for (uint32_t i = 0; i < object->count && i < JSON_SEARCHED; i++)
        if (!strcmp(object->items[i]->key, key))
            return object->items[i];
    return NULL;
}

const JsonValue *json_item(const JsonValue *list, uint32_t index)
{
    return index < json_count(list) ? list->items[index] : NULL;
}

uint32_t json_count(const JsonValue *list)
{
    return list ? list->count : 0;
}

double json_number(const JsonValue *value, double otherwise)
{
    return value && value->kind == JSON_NUMBER ? value->number : otherwise;
}

bool json_bool(const JsonValue *value, bool otherwise)
{
    return value && value->kind == JSON_BOOL ? value->number != 0 : otherwise;
}

const char *json_string(const JsonValue *value, const char *otherwise)
{
    return value && value->kind == JSON_TEXT ? value->text : otherwise;
}

int32_t json_index(const JsonValue *value)
{
    const double number = json_number(value, -1);
    return number >= 0 && number <= INT32_MAX && number == (double)(int32_t)number ? (int32_t)number
                                                                                   : -1;
}

bool json_numbers(double *out, size_t count, const JsonValue *list)
{
    if (list && (list->kind != JSON_LIST || list->count != count))
        return false;
    for (uint32_t i = 0; i < json_count(list); i++) {
        if (list->items[i]->kind != JSON_NUMBER)
            return false;
        out[i] = list->items[i]->number;
    }
    return true;
}

bool json_get_integer(int64_t *out, const JsonValue *value)
{
    if (value && value->kind == JSON_NUMBER && value->integer != JSON_NO_INTEGER)
        *out = value->integer;
    else
        return !value;
    return true;
}

bool json_get_text(const char **out, const JsonValue *value)
{
    *out = json_string(value, *out);
    return !value || value->kind == JSON_TEXT;
}
