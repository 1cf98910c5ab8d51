/*
 * key_list.h - all keys of an option table as a flat list of dotted names
 */
#ifndef JOB_HELP_KEY_LIST_H
#define JOB_HELP_KEY_LIST_H

#include "base/arena.h"
#include "job/options.h"

typedef struct Key {
    const char *name; /* "models.N.file"; N stands for an index */
    const Option *option;
} Key;

typedef ARENA_LIST(Key) KeyList;

/* All keys of `table` and of the tables below it, in the order of the rows, sections first. */
KeyList key_list_of(const OptionTable *table, Arena *arena);

/* A copy of `name` in which each numeric index is replaced by N: "models.N.file". */
const char *key_general_name(const char *name, Arena *arena);

#endif
