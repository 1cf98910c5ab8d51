/*
 * key_list.h - all keys of an option table as a flat list of dotted names
 */
#ifndef CLI_KEY_LIST_H
#define CLI_KEY_LIST_H

#include "base/arena.h"
#include "job/options.h"

typedef struct Key {
    const char *name; /* "models.N.file"; N stands for an index */
    const Option *option;
} Key;

typedef struct KeyList {
    Key *items;
    size_t count, capacity;
} KeyList;

/* Appends the keys of `table` and of the tables below it, in the order of the rows, sections first.
 * `prefix` precedes each name: "" or "run.". */
void key_list_add(KeyList *list, const OptionTable *table, const char *prefix, Arena *arena);

/* All keys of the job file. */
KeyList key_list_of_job(Arena *arena);

/* A copy of `name` in which each numeric index, and N, is replaced by `index` ("N" or "0"). */
const char *key_with_index(const char *name, const char *index, Arena *arena);

#endif
