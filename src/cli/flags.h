// SPDX-License-Identifier: MIT
/*
 * flags.h - the table of flags
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

typedef enum FlagType {
    FLAG_SWITCH,   /* sets the bool at `offset` */
    FLAG_TEXT,     /* sets the const char * at `offset` */
    FLAG_WORDS,    /* the same, but the text may be empty: no options for another program */
    FLAG_OPTIONAL, /* sets the const char * at `offset` to the text after =, or to "" */
    FLAG_LIST,     /* appends to the TextList at `offset` */
    FLAG_CHOICE,   /* sets the int at `offset` to an index in `choices` */
    FLAG_SET,      /* appends to Arguments.sets */
    FLAG_KEY       /* appends to Arguments.keys a value of the job key `key` */
} FlagType;

typedef struct Flag {
    const char *name; /* without dashes */
    char letter;      /* short form; 0 if there is none */
    FlagType type;
    size_t offset;     /* in Arguments */
    const char *value; /* placeholder in help; "FILE" and "DIR" complete as such; NULL: a switch */
    const char *const *choices;
    const char *key;
    const char *id; /* in lists of verbs and in text/flags.txt; NULL: its name, of one row only */
    const char
        *other_names; /* in other programs and earlier versions, separated by blanks: accepted
                       * after one dash (-c:v), as ffmpeg writes them, suggested after two */
} Flag;

/* All rows; ends with one without a name.  After those of flags.c come those of the keys that have
 * a flag (Option.flag), with the help of the key; they are set like any value of --set. */
const Flag *flag_table(void);
bool flag_is_of_key(const Flag *flag);

/* Whether a list of words, separated by blanks, contains a name, in any case. */
bool flag_is_listed(const char *list, const char *name);

const char *flag_id(const Flag *flag);

/* The row of a flag, or NULL. */
const Flag *flag_find(const char *name);
const Flag *flag_find_letter(char letter);

/* Whether the next argument is the value of the flag, if no value follows `=`. */
bool flag_takes_value(const Flag *flag);

/* The accepted values, ended by NULL: of a flag that sets a key, those of the key.  NULL: any. */
const char *const *flag_choices(const Flag *flag);

/* A noun phrase, in text/flags.txt the paragraph of its section. */
const char *flag_help(const Flag *flag, Arena *arena);
