// SPDX-License-Identifier: MIT
/*
 * json_read.h - reading JSON: values in the order of the text
 *
 *     json_read_open(&r, '{');
 *     for (const char *key; json_read_key(&key, &r);)
 *         if (!strcmp(key, "frames")) frames = json_read_int(&r); else json_read_skip(&r);
 *     if (json_read_failed(&r)) ...
 *
 * Strict (RFC 8259); besides, strings must be UTF-8 without NUL, and nesting is limited to
 * JSON_READ_DEPTH.  Each value must be opened, read or skipped. Like
 * a Reader it never reads past the end; after an error it stays failed, returns empty values, and
 * loops end.  Strings are copied to the arena.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum { JSON_READ_DEPTH = 32 };

typedef struct JsonReader {
    const char *start, *at, *end;
    bool failed, own;
    unsigned depth;
    uint64_t begun; /* bit d: the value at depth d has an item already */
    Arena *arena;
} JsonReader;

JsonReader json_read_init(const void *text, size_t size, Arena *arena);

/* For files of this program: the escapes \udc80 to \udcff that json.h writes are bytes again, so
 * that strings are not always UTF-8. */
JsonReader json_read_init_own(const void *text, size_t size, Arena *arena);

void json_read_open(JsonReader *r, char bracket); /* '{' or '[' */

/* The first character of the next value, which tells its kind; NUL after an error or at the end. */
char json_read_peek(JsonReader *r);

/* The next member of an object, or item of a list; false at its end, which is consumed. */
bool json_read_key(const char **key, JsonReader *r);
bool json_read_item(JsonReader *r);

const char *json_read_text(JsonReader *r); /* "" after a failure */
int64_t json_read_int(JsonReader *r);      /* 0 after a failure; a fraction or an exponent fails */
double json_read_number(JsonReader *r);    /* finite; 0 after a failure */
void json_read_skip(JsonReader *r);        /* any value */

/* Whether reading failed, or text follows the value. */
bool json_read_failed(JsonReader *r);
unsigned json_read_line(const JsonReader *r); /* current line, from 1 */
