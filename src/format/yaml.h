/*
 * yaml.h - a small YAML tree that knows where everything stood
 *
 * A part of YAML: maps, lists and scalars.  Refused, each with its place: anchors, aliases, tags,
 * merge keys, directives, a second document, a key twice in one map, keys that are no scalars,
 * nesting deeper than YAML_MAX_DEPTH, more than YAML_MAX_NODES values, more than YAML_MAX_SIZE
 * bytes, bytes that are not UTF-8.  Nothing is typed here: `plain` says that a scalar stood without
 * quotes, so that the reader may take it for a number, true or null.
 */
#ifndef FORMAT_YAML_H
#define FORMAT_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"

enum { YAML_MAX_SIZE = 1 << 20, YAML_MAX_DEPTH = 32, YAML_MAX_NODES = 100000 };

/* Text to parse.  It must outlive the tree, for the lines that errors quote. */
typedef struct YamlSource {
    const char *name; /* for messages */
    const char *text;
    size_t size;
    size_t start; /* the document begins here, in the first line ("key=value": behind the =) */
} YamlSource;

typedef enum YamlKind { YAML_SCALAR, YAML_LIST, YAML_MAP } YamlKind;

typedef struct YamlNode YamlNode;
struct YamlNode {
    YamlKind kind;
    bool plain;          /* scalar without quotes */
    const char *text;    /* scalar, UTF-8; "" when empty */
    const YamlNode *key; /* in a map: the scalar before the colon */
    YamlNode *first;     /* list and map: children in file order */
    YamlNode *next;
    size_t count; /* children */

    const YamlSource *source;
    unsigned line, column; /* 1-based, in characters */
};

/* *root is in the arena; an empty document is an empty plain scalar.  Errors: DIAG_JOB. */
bool yaml_load(YamlNode **root, const YamlSource *source, Arena *arena, Diag *diag);

/* The value of a key, or NULL. */
YamlNode *yaml_find(const YamlNode *map, const char *key);
YamlNode *yaml_item(const YamlNode *list, size_t index);

/* Plain null, ~ or nothing at all. */
bool yaml_is_null(const YamlNode *node);

/* A node made by hand, standing where `place` stands. */
YamlNode *yaml_new_node(YamlKind kind, const char *text, const YamlNode *place, Arena *arena);

/* Adds `child` at the end.  In a map `key` is its key, in a list NULL. */
void yaml_append(YamlNode *parent, const YamlNode *key, YamlNode *child);

/* The same tree again, each node standing where it stood; without key and neighbours. */
YamlNode *yaml_copy(const YamlNode *node, Arena *arena);

/* A tree as text in one line, which reads back as the same tree: [640, 360], "a b". */
void yaml_write_flow(FILE *out, const YamlNode *node);

/*
 * Reports an error (DIAG_JOB) at a node and returns false: "job.yaml:14:8: MESSAGE", then an excerpt
 * of the line and a caret below the column.
 */
bool yaml_error(const YamlNode *node, Diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
