// SPDX-License-Identifier: MIT
/*
 * json_read.h - a JSON text as a tree
 *
 * Strict (RFC 8259); besides, nesting is limited to JSON_READ_DEPTH, numbers are finite, and texts
 * are UTF-8 without NUL.  Values are in the arena.
 * Every function takes a value that may be NULL, as a member that does not exist is, and a value
 * of another kind than it asks for is treated as one that does not exist.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef enum JsonKind {
    JSON_OTHER, /* null */
    JSON_BOOL,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_LIST,
    JSON_OBJECT
} JsonKind;

typedef struct JsonValue {
    JsonKind kind;
    const char *key;  /* of a member of an object; otherwise NULL */
    const char *text; /* JSON_TEXT */
    double number;    /* JSON_NUMBER; JSON_BOOL: 0 or 1 */
    uint32_t count;   /* items or members */
    union {
        const struct JsonValue **items; /* [count] of a list or an object */
        int64_t integer;                /* JSON_NUMBER, see below */
    };
    struct JsonValue *next; /* in its list or object */
} JsonValue;

/* The integer of a number that has a fraction, an exponent or more than 18 digits. */
#define JSON_NO_INTEGER INT64_MIN

enum { JSON_READ_DEPTH = 32 };

/* NULL if the text is not valid.  *line (or NULL) is the line of the error, else the last one. */
const JsonValue *json_read(unsigned *line, const void *text, size_t size, Arena *arena);

/* For files of this program: the escapes \udc80 to \udcff that base/json.h writes are bytes again,
 * so that texts are not always UTF-8. */
const JsonValue *json_read_own(unsigned *line, const void *text, size_t size, Arena *arena);

/* Members of an object that are searched, so that the time of a search is bounded. */
enum { JSON_SEARCHED = 1024 };

/* The first member with this key, or NULL. */
const JsonValue *json_member(const JsonValue *object, const char *key);

/* An item of a list or a member of an object by its index, or NULL. */
const JsonValue *json_item(const JsonValue *list, uint32_t index);
uint32_t json_count(const JsonValue *list);

double json_number(const JsonValue *value, double otherwise);
bool json_bool(const JsonValue *value, bool otherwise);
const char *json_string(const JsonValue *value, const char *otherwise);

/* A whole number from 0 to INT32_MAX; -1 for anything else. */
int32_t json_index(const JsonValue *value);

/* Sets `count` numbers from a list, which may be NULL; false if it is not of so many numbers. */
bool json_numbers(double *out, size_t count, const JsonValue *list);

/* Set *out from a value; false if it is of another kind.  They leave *out where there is none. */
bool json_get_integer(int64_t *out, const JsonValue *value);
bool json_get_text(const char **out, const JsonValue *value);
