// SPDX-License-Identifier: MIT
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/text_escape.h"
#include "base/text_stream.h"

enum { REPORT_DIGITS = 10 };

Json json_init(FILE *out)
{
    return (Json){.out = out};
}

/* Writes the separator between the last item and the next. */
static void separate(Json *json)
{
    if (json->comma && !json->after_key)
        fputc(',', json->out);
    if (json->line_due)
        fputc('\n', json->out);
    json->comma = true;
    json->after_key = json->line_due = false;
}

static void write_quoted(Json *json, const char *text, size_t left)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    fputc('"', json->out);
    while (left) {
        utf8proc_int32_t code;
        const utf8proc_ssize_t n =
            utf8proc_iterate(at, left > 4 ? 4 : (utf8proc_ssize_t)left, &code);
        if (n <= 0) /* a file name may contain any bytes */
            fprintf(json->out, "\\udc%02x", *at);
        else if (code == '"' || code == '\\')
            fprintf(json->out, "\\%c", (char)code);
        else if (text_is_control(code) || text_begins_command((const char *)at))
            /* valid JSON, and harmless when it is shown */
            fprintf(json->out, "\\u%04" PRIx32, (uint32_t)code);
        else
            fwrite(at, 1, (size_t)n, json->out);
        at += n > 0 ? n : 1;
        left -= n > 0 ? (size_t)n : 1;
    }
    fputc('"', json->out);
}

static void write_key(Json *json, const char *key, size_t size)
{
    separate(json);
    write_quoted(json, key, size);
    fputc(':', json->out);
    json->after_key = true;
}

void json_key(Json *json, const char *key)
{
    write_key(json, key, strlen(key));
}

void json_text(Json *json, const char *value)
{
    separate(json);
    if (value)
        write_quoted(json, value, strlen(value));
    else
        fputs("null", json->out);
}

const char *json_quote(const char *text, Arena *arena)
{
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    json_text(&json, text);
    return text_stream_close(&stream);
}

void json_int(Json *json, int64_t value)
{
    separate(json);
    fprintf(json->out, "%" PRId64, value);
}

static void write_number(Json *json, double value, int digits)
{
    separate(json);
    if (isfinite(value))
        fprintf(json->out, "%.*g", digits, value);
    else
        fputs("null", json->out);
}

void json_floats(Json *json, const float *values, size_t count)
{
    json_print(json, "[");
    for (size_t i = 0; i < count; i++)
        json_print(json, "%.9g", (double)values[i]);
    json_print(json, "]");
}

/* ---- by a format ---- */

/* Writes a value by its conversion; returns the rest of the format. */
static const char *print_value(Json *json, const char *at, va_list *args)
{
    const bool has_digits = *at == '.';
    const int digits = has_digits ? atoi(at + 1) : REPORT_DIGITS;
    at += has_digits ? strspn(at, ".0123456789") : 0;
    switch (*at) {
    case 's':
        json_text(json, va_arg(*args, const char *));
        break;
    case 'd':
        json_int(json, va_arg(*args, int));
        break;
    case 'u':
        json_int(json, va_arg(*args, unsigned));
        break;
    case 'g':
        write_number(json, va_arg(*args, double), digits);
        break;
    case 'h':
        separate(json);
        fputs(va_arg(*args, int) ? "true" : "false", json->out);
        break;
    default:
        assert(*at == 'j' || *at == 'z');
        json_int(json, *at == 'j' ? va_arg(*args, intmax_t) : (int64_t)va_arg(*args, size_t));
    }
    return at + strspn(at, "hjz") + 1;
}

/* A bracket or a line break; blanks and commas have no effect. */
static void print_mark(Json *json, char mark)
{
    const bool opens = mark == '{' || mark == '[', closes = mark == '}' || mark == ']';
    if (closes)
        json->comma = false;
    if (opens || closes) {
        separate(json);
        fputc(mark, json->out);
        json->comma = closes;
        json->depth = opens ? json->depth + 1 : json->depth - 1;
    } else if (mark == '\n' && json->depth) {
        json->line_due = true;
    } else if (mark == '\n') {
        fputc('\n', json->out);
        json->comma = false;
    }
}

void json_print(Json *json, const char *format, ...)
{
    static const char name[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.";
    va_list args;
    va_start(args, format);
    for (const char *at = format; *at;) {
        const size_t word = strspn(at, name), text = strcspn(at + 1, "'");
        if (word && at[word] == ':') {
            write_key(json, at, word);
            at += word + 1;
        } else if (word) {
            separate(json);
            fwrite(at, 1, word, json->out);
            at += word;
        } else if (*at == '\'') {
            separate(json);
            write_quoted(json, at + 1, text);
            at += text + 2;
        } else if (*at == '%') {
            at = print_value(json, at + 1, &args);
        } else {
            print_mark(json, *at++);
        }
    }
    va_end(args);
}
