/*
 * key_list.h - the keys of an option table as a flat list of dotted names
 */
#ifndef JOB_HELP_KEY_LIST_H
#define JOB_HELP_KEY_LIST_H

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

/* All keys of `table` and of the tables below it, in the order of the rows, sections first. */
KeyList key_list_of(const OptionTable *table, Arena *arena);

/* A key by its dotted name, and all keys below it; their names begin with `name`. */
KeyList key_list_below(const char *name, const Option *option, Arena *arena);

/* A copy of `name` in which each numeric index is replaced by N: "models.N.file". */
const char *key_general_name(const char *name, Arena *arena);

#endif
