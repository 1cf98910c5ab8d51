#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <utf8proc.h>

#include "base/text_escape.h"

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

void json_open(Json *json, char bracket)
{
    separate(json);
    fputc(bracket, json->out);
    json->comma = false;
    json->depth++;
}

void json_close(Json *json, char bracket)
{
    json->comma = false;
    separate(json);
    fputc(bracket, json->out);
    json->depth--;
}

void json_close_all(Json *json, const char *brackets)
{
    for (; *brackets; brackets++)
        json_close(json, *brackets);
}

static void write_quoted(Json *json, const char *text)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    size_t left = strlen(text);

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

void json_key(Json *json, const char *key)
{
    separate(json);
    write_quoted(json, key);
    fputc(':', json->out);
    json->after_key = true;
}

void json_text(Json *json, const char *value)
{
    separate(json);
    if (value)
        write_quoted(json, value);
    else
        fputs("null", json->out);
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

void json_float(Json *json, float value)
{
    write_number(json, (double)value, 9);
}

void json_double(Json *json, double value)
{
    write_number(json, value, 17);
}

void json_short(Json *json, double value)
{
    write_number(json, value, 10);
}

void json_bool(Json *json, bool value)
{
    separate(json);
    fputs(value ? "true" : "false", json->out);
}

void json_floats(Json *json, const float *values, size_t count)
{
    json_open(json, '[');
    for (size_t i = 0; i < count; i++)
        json_float(json, values[i]);
    json_close(json, ']');
}

void json_newline(Json *json)
{
    if (json->depth) {
        json->line_due = true;
    } else {
        fputc('\n', json->out);
        json->comma = false;
    }
}

void json_pair_open(Json *json, const char *key, char bracket)
{
    json_key(json, key);
    json_open(json, bracket);
}

void json_pair_text(Json *json, const char *key, const char *value)
{
    json_key(json, key);
    json_text(json, value);
}

void json_pair_int(Json *json, const char *key, int64_t value)
{
    json_key(json, key);
    json_int(json, value);
}

void json_pair_short(Json *json, const char *key, double value)
{
    json_key(json, key);
    json_short(json, value);
}

void json_pair_bool(Json *json, const char *key, bool value)
{
    json_key(json, key);
    json_bool(json, value);
}
