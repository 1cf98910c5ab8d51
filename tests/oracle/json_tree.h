// SPDX-License-Identifier: MIT
/*
 * json_tree.h - a JSON text as a tree, for the dumps of other programs
 *
 * For trusted files: no limit on depth, no \u escapes beyond keeping them as they are.
 */
#ifndef ORACLE_JSON_TREE_H
#define ORACLE_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef enum JsonKind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_ARRAY,
    JSON_OBJECT
} JsonKind;

typedef struct JsonTree {
    JsonKind kind;
    double number; /* also of a bool */
    const char *text;
    const char *key; /* inside an object */
    struct JsonTree *items;
    size_t count;
} JsonTree;

/* `text` ends with NUL.  False if it is not JSON. */
bool json_tree_parse(JsonTree *out, const char *text, Arena *arena);

/* A member of an object, or a null value. */
const JsonTree *json_tree_get(const JsonTree *object, const char *key);

/* Numbers of an array into floats; missing ones stay 0. */
void json_tree_floats(float *out, size_t count, const JsonTree *array);

#endif
