/*
 * options.h - the one table of all keys of a job file
 *
 * A row per key: name, type, place in the Job, default, range or choices, unit, a line of help.
 * Parsing (option_read.h), --set, --dump-config, `odori schema`, `odori help` and the README's
 * table (option_text.h) all come from it.
 */
#ifndef JOB_OPTIONS_H
#define JOB_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum OptionType {                 /* what stands at `offset` */
                          OPTION_BOOL,    /* bool */
                          OPTION_INT,     /* int */
                          OPTION_NUMBER,  /* double */
                          OPTION_INTS,    /* int[length] */
                          OPTION_NUMBERS, /* double[length] */
                          OPTION_COLOR,   /* double[3], 0..1; "#rrggbb" or [r, g, b] */
                          OPTION_TEXT,    /* const char * */
                          OPTION_PATH, /* const char *, relative to the job file; a choice stays as
                                          it is */
                          OPTION_CHOICE,  /* int, index of `choices` */
                          OPTION_FLAGS,   /* unsigned, bits by index of `choices` */
                          OPTION_RATE,    /* JobRational: 60, 29.97 or "30000/1001" */
                          OPTION_FRAMES,  /* JobFrames */
                          OPTION_TEXTS,   /* const char **, and its count */
                          OPTION_WEIGHTS, /* JobMorph *, and its count: a map from name to number */
                          OPTION_CAPSULES, /* JobCapsule *, and its count: [bone, bone, radius] each
                                            */
                          OPTION_SECTION,  /* a struct in place, by `table` */
                          OPTION_MAYBE, /* a pointer to such a struct; NULL when the file has none
                                         */
                          OPTION_TREE,  /* nothing: its reader takes it from the tree */
                          OPTION_LIST   /* a pointer to such structs, and their count */
} OptionType;

/* What can be of another sort when the value is another one (checkpoint/fingerprint.h). */
typedef enum OptionAffects {
    AFFECTS_PICTURE, /* a picture or the sound */
    AFFECTS_FILE,    /* only what else is in the files or stands beside them */
    AFFECTS_NOTHING  /* neither: where files lie (their bytes count), how many processes draw */
} OptionAffects;

typedef struct OptionTable OptionTable;

typedef struct Option {
    const char *key;
    OptionType type;
    size_t offset;
    size_t count_offset; /* of the size_t that goes with a pointer */
    const char *value;   /* default as YAML; NULL: must be given; "null": nothing there, which
                          * leaves NULL in a pointer and NaN in numbers */
    double min, max;     /* of numbers; of the count, for lists; both 0: any finite number */
    int length;          /* INTS, NUMBERS */
    const char *const *choices; /* NULL-terminated */
    const char *word;           /* stands for `word_value` in an INT: "auto" */
    int word_value;
    const OptionTable *table;
    const char *unit; /* for help; NULL for none */
    const char *help;
    bool written; /* of a PATH: we make the file; others are looked for in other spellings too */
    OptionAffects reach; /* of a section: of all in it; paths reach nothing by themselves */
} Option;

struct OptionTable {
    const Option *rows;
    size_t count;
    size_t size;           /* of the struct */
    const char *short_key; /* a text instead of a map stands for this key; or NULL */
};

enum { OPTION_MAX_ITEMS = 1000 }; /* of any list */

extern const OptionTable option_job;

/* The row of a key, or NULL. */
const Option *option_find(const OptionTable *table, const char *key);

/* The row that "render.size" or "models.motions" names (list indices may stand in it), or NULL. */
const Option *option_at(const char *dotted);

#endif
