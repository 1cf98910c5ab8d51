// SPDX-License-Identifier: MIT
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

#include "base/arena.h"

typedef struct Json {
    FILE *out;
    bool comma, after_key, line_due;
    bool one_line; /* of the caller: structs in lists stay on the line */
    unsigned depth;
} Json;

Json json_init(FILE *out);

/*
 * Writes parts of JSON by a format:
 *
 *     json_print(&json, "{name:%s size:[%d, %d] depth:8 mode:'rgb'}\n", name, w, h);
 *
 * Brackets open and close objects and arrays, `name:` is a key, 'rgb' a text, 8 a number; commas
 * and spaces are only for the reader.  A line break at the top level ends the line of a complete
 * value (JSON Lines); inside a value the next item starts on a new line.  Values are %s (NULL
 * becomes null), %d, %u, %zu, %jd and %ju (64 bits), %hhd (a bool), %g (10 digits, for reports),
 * %.9g (a float) and %.17g (a double).
 */
void json_print(Json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

void json_key(Json *json, const char *key);
void json_text(Json *json, const char *value);          /* NULL becomes null */
const char *json_quote(const char *text, Arena *arena); /* a text as JSON */
void json_int(Json *json, int64_t value);
void json_floats(Json *json, const float *values, size_t count); /* an array */
