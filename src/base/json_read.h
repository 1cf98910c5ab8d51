/*
 * json_read.h - JSON in: values in the order in which they stand
 *
 *     json_read_open(&r, '{');
 *     for (const char *key; json_read_key(&key, &r);)
 *         if (!strcmp(key, "frames")) frames = json_read_int(&r); else json_read_skip(&r);
 *     if (json_read_failed(&r)) ...
 *
 * Strict (RFC 8259), but numbers are read where they are whole only, texts must be UTF-8 without
 * NUL, and nesting ends at JSON_READ_DEPTH.  Every value must be taken: opened, read or skipped.
 * Like a Reader it never passes the end; after trouble it stays failed, yields nothing, and loops
 * end. Texts go into the arena.
 */
#ifndef BASE_JSON_READ_H
#define BASE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { JSON_READ_DEPTH = 32 };

typedef struct JsonReader {
    const char *start, *at, *end;
    bool failed;
    unsigned depth;
    uint64_t begun; /* bit d: what is open at depth d has an item already */
    Arena *arena;
} JsonReader;

JsonReader json_read_init(const void *text, size_t size, Arena *arena);

void json_read_open(JsonReader *r, char bracket); /* '{' or '[' */

/* The next member of an object, the next item of a list; false at its end, which is passed then. */
bool json_read_key(const char **key, JsonReader *r);
bool json_read_item(JsonReader *r);

const char *json_read_text(JsonReader *r); /* "" when failed */
int64_t json_read_int(JsonReader *r);      /* 0 when failed; a fraction or an exponent fails */
void json_read_skip(JsonReader *r);        /* any value */

/* Failed, or something follows the value. */
bool json_read_failed(JsonReader *r);
unsigned json_read_line(const JsonReader *r); /* where it stands, from 1 */

#endif
