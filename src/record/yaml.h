// SPDX-License-Identifier: MIT
/*
 * yaml.h - a YAML document as a tree with source positions
 *
 * Supports maps, lists and scalars.  Errors, each with its position: anchors, aliases, tags, merge
 * keys, directives, a second document, duplicate keys of a map, keys that are not scalars, nesting
 * deeper than YAML_MAX_DEPTH, more than YAML_MAX_NODES values, more than YAML_MAX_SIZE bytes, bytes
 * that are not UTF-8, two apostrophes in a row in single quotes.  Scalars have no types: `plain` is
 * set if a scalar has no quotes, so that the caller may read it as a number, true or null.  Trees
 * are in the arena given; the functions keep no state.
 */
#pragma once

#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"

enum { YAML_MAX_SIZE = 1 << 20, YAML_MAX_DEPTH = 32, YAML_MAX_NODES = 100000 };

/* Text to parse.  It must outlive the tree, because errors quote its lines. */
typedef struct YamlSource {
    const char *name; /* the name in messages */
    const char *text;
    size_t size;
    size_t start; /* the document starts here, in the first line ("key=value": after the =) */
} YamlSource;

typedef enum YamlKind { YAML_SCALAR, YAML_LIST, YAML_MAP } YamlKind;

typedef struct YamlNode YamlNode;
struct YamlNode {
    YamlKind kind;
    bool plain;          /* scalar without quotes */
    const char *text;    /* scalar: UTF-8, "" if empty */
    const YamlNode *key; /* in a map: the key of this value */
    YamlNode *first;     /* list and map: children in file order */
    YamlNode *next;
    size_t count; /* children */

    const YamlSource *source;
    unsigned line, column; /* 1-based, in characters */
};

/* *root is in the arena; an empty document is an empty plain scalar.  Errors: DIAG_JOB. */
bool yaml_load(YamlNode **root, const YamlSource *source, Arena *arena, Diag *diag);

/* The value of a key, or NULL if there is none or the node is not a map. */
YamlNode *yaml_find(const YamlNode *map, const char *key);

/* The item with this index, or NULL. */
YamlNode *yaml_item(const YamlNode *list, size_t index);

/* True for plain null, ~ or an empty plain scalar. */
bool yaml_is_null(const YamlNode *node);

/* A new node with the position of `origin`; `text` is not copied. */
YamlNode *yaml_new_node(YamlKind kind, const char *text, const YamlNode *origin, Arena *arena);

/* Appends `child`; in a map `key` is its key, in a list NULL. */
void yaml_append(YamlNode *parent, const YamlNode *key, YamlNode *child);

/* A copy of a tree with the same positions; the root has neither key nor sibling. */
YamlNode *yaml_copy(const YamlNode *node, Arena *arena);

/* Writes a tree as one line that parses to the same tree: [640, 360], "a b". */
void yaml_write_flow(FILE *out, const YamlNode *node);

/* The location of a node, with the excerpt that yaml_error would show, for diag_fail_at. */
DiagLocation *yaml_location(const YamlNode *node, const char *key, Arena *arena);

/*
 * Reports an error (DIAG_JOB) at a node and returns false: "job.yaml:14:8: MESSAGE", then an
 * excerpt of the line and a caret below the column.
 */
bool yaml_error(const YamlNode *node, Diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
