/*
 * flags.h - the table of flags
 */
#ifndef CLI_FLAGS_H
#define CLI_FLAGS_H

#include <stddef.h>

typedef enum FlagType {
    FLAG_SWITCH, /* bool at offset */
    FLAG_TEXT,   /* const char * at offset */
    FLAG_CHOICE, /* int at offset, index in `choices` */
    FLAG_SET,    /* one more of args.sets */
    FLAG_KEY     /* one more of args.keys, for the key `key` */
} FlagType;

typedef struct Flag {
    const char *name; /* without dashes */
    char letter;      /* or 0 */
    FlagType type;
    size_t offset;
    const char *value; /* how help calls its value; NULL for a switch */
    const char *const *choices;
    const char *key;
    const char *help;
} Flag;

extern const Flag flags[]; /* ends with a row without name */

const Flag *flag_find(const char *name, size_t size);
const Flag *flag_of_letter(char letter);

#endif
