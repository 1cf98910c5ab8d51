/*
 * json.h - writing JSON to a stream
 *
 * The writer inserts commas and line breaks.  Numbers are written so that reading them back gives
 * the same float (9 significant digits) or double (17); NaN and infinity become null.
 * Names of files may contain bytes that are not UTF-8, such as those of CP932: such a byte, 0xNN,
 * is written as the escape \udcNN, as Python's "surrogateescape" reads it (PEP 383). A Json belongs
 * to the caller; `out` is any FILE, such as one of base/text_stream.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Json {
    FILE *out;
    bool comma, after_key, line_due;
    unsigned depth;
} Json;

Json json_init(FILE *out);
void json_open(Json *json, char bracket); /* '{' or '[' */
void json_close(Json *json, char bracket);
void json_close_all(Json *json, const char *brackets); /* from the innermost: "}]" */
void json_key(Json *json, const char *key);
void json_text(Json *json, const char *value); /* NULL becomes null */
void json_int(Json *json, int64_t value);
void json_float(Json *json, float value);
void json_double(Json *json, double value);
void json_short(Json *json, double value); /* 10 digits, for reports: 3.849 */
void json_bool(Json *json, bool value);
void json_floats(Json *json, const float *values, size_t count); /* an array */

/* A key and its value; of json_pair_open an object or array, until json_close. */
void json_pair_open(Json *json, const char *key, char bracket);
void json_pair_text(Json *json, const char *key, const char *value);
void json_pair_int(Json *json, const char *key, int64_t value);
void json_pair_short(Json *json, const char *key, double value);
void json_pair_bool(Json *json, const char *key, bool value);

/*
 * Writes parts of JSON by a format:
 *
 *     json_print(&json, "{name:%s size:[%d, %d] mode:'rgb'}\n", name, width, height);
 *
 * Brackets open and close objects and arrays, `name:` is a key, 'rgb' a text and a line break
 * json_newline; commas and spaces are only for the reader.  Values are %s (NULL becomes null), %d,
 * %u, %zu, %jd and %ju (64 bits), %hhd (a bool), %g (10 digits, for reports), %.9g (a float) and
 * %.17g (a double).
 */
void json_print(Json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* At the top level: ends the line of a complete value (JSON Lines).  Inside a value: the next item
 * starts on a new line. */
void json_newline(Json *json);
