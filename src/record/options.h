// SPDX-License-Identifier: MIT
/*
 * options.h - tables of options: the rows of a record
 *
 * A row per key: name, type, offset in the struct that it fills, default, range or choices, unit,
 * help text, role and stage.  Parsing (option_read.h), --set (option_set.h), writing
 * (option_value.h), JSON Schema (option_schema.h), help and man pages (option_help.h) all use it:
 * a value that a row accepts is a value that the program accepts.  Structs and tables are made of
 * the same declarations (begin.inc).  Constant data only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The type of the field at Option.offset.  Each type has an entry in option_value.c. */
typedef enum OptionType {
    OPTION_BOOL,     /* bool */
    OPTION_INT,      /* int */
    OPTION_NUMBER,   /* double */
    OPTION_FLOAT,    /* float: the number times `scale` */
    OPTION_INTS,     /* int[length] */
    OPTION_NUMBERS,  /* double[length] */
    OPTION_COLOR,    /* double[3], 0..1; "#rrggbb" or [r, g, b] */
    OPTION_TEXT,     /* const char * */
    OPTION_PATH,     /* const char *, relative to the job file; one of `choices` is kept as it is */
    OPTION_CHOICE,   /* int, index in `choices` */
    OPTION_FLAGS,    /* unsigned, bits by index in `choices` */
    OPTION_RATE,     /* Rational: 60, 29.97 or "30000/1001" */
    OPTION_FRAMES,   /* FrameRanges; times by the rate that an earlier row gave */
    OPTION_LENGTH,   /* int, output frames: 15, m15, 0.5s; as FRAMES */
    OPTION_TEXTS,    /* const char **, and its count */
    OPTION_NAMES,    /* as TEXTS, also from a single text */
    OPTION_CHOICES,  /* int *, indices in `choices`, and its count; also from a single text */
    OPTION_CUTS,     /* double, seconds: 4 or 4s; 0 for none, -1 for auto */
    OPTION_WEIGHTS,  /* NamedNumber *, and its count: a map from name to number */
    OPTION_RENAMES,  /* NamePair *, and its count: a map from name to name */
    OPTION_FILES,    /* NamedFile *, and its count: a map from name to file, or to a choice */
    OPTION_CAPSULES, /* NamedCapsule *, and its count: auto or [bone, bone, radius] each */
    OPTION_TREE,     /* nothing: the caller reads the YAML tree itself */
    OPTION_SECTION,  /* an embedded struct, by `table`; from here on all types have a table */
    OPTION_OPTIONAL, /* a pointer to such a struct; NULL if the file has none */
    OPTION_LIST      /* a pointer to an array of such structs, and their count */
} OptionType;

/* The first stage of a run whose results differ when the value differs.  The fingerprint of a
 * checkpoint covers the stages up to STAGE_ENCODING (run/checkpoint/fingerprint.h), jobs of a batch
 * that differ only in later stages than STAGE_EVALUATION can share a bake. */
typedef enum OptionStage {
    STAGE_EVALUATION, /* the evaluated frames: poses, physics, the camera and the light */
    STAGE_PICTURE,    /* the images */
    STAGE_ENCODING,   /* the encoded video, and the sound */
    STAGE_PREVIEW,    /* only the previews */
    STAGE_NONE        /* no frame and no sound: limits, number of processes, titles in metadata */
} OptionStage;

/* The use of a text.  The text of anything but a value does not affect frames: an input file counts
 * by its contents, a model by its index. */
typedef enum OptionRole {
    ROLE_VALUE,
    ROLE_MODEL_ID,  /* the id of a model of the job */
    ROLE_INPUT_JOB, /* a job of a batch */
    ROLE_INPUT_MODEL,
    ROLE_INPUT_MOTION,
    ROLE_INPUT_EFFECT,  /* with the files of its directory */
    ROLE_INPUT_TEXTURE, /* texture of a mesh that the job describes */
    ROLE_INPUT_IMAGE,
    ROLE_INPUT_VIDEO,
    ROLE_INPUT_SOUND,
    ROLE_INPUT_SOUNDFONT,
    ROLE_INPUT_FONT,
    ROLE_INPUT_SUBTITLES,
    ROLE_INPUT_LUT,
    ROLE_INPUT_SHADERS, /* a directory */
    ROLE_INPUT_BAKE,
    ROLE_OUTPUT,
    ROLE_COUNT
} OptionRole;

typedef struct OptionTable OptionTable;

typedef struct Option {
    const char *key;
    OptionType type;
    size_t offset;
    size_t count_offset; /* offset of the size_t that belongs to a pointer */
    const char *value;   /* default, as YAML; NULL: the key is required; "null": absent, which
                          * is stored as NULL in a pointer and as NaN in numbers */
    const char *unless; /* a list of the same map; if it has items, a required key may be missing */
    const char *at_most_one; /* keys of the same map, separated by blanks, with this one as the
                              * last: only one of them may be given; or NULL */
    const char *needs;       /* a key of the same map that must be given with this one; or NULL */
    float scale;             /* FLOAT: from the unit of the file to that of the field */
    double min, max;         /* range of numbers, or of a list's count; both 0: no limits */
    const int *values;       /* INT: all accepted values, ended by 0; NULL: all of the range */
    int length;              /* INTS, NUMBERS */
    const char *const *choices; /* NULL-terminated */
    const char *word;           /* INT: a word, "auto", that stands for `word_value` */
    int word_value;
    const OptionTable *table;
    const char *unit; /* for help; or NULL */
    const char *help; /* noun phrase, without the unit */
    const char *flag; /* names of the flag that sets the key, separated by blanks: that of this
                       * program, then those of others; NULL: none */
    bool by_x;        /* INTS: also as "640x360" */
    bool kilo;        /* INT: also as "4000k" or "4M", in thousands */
    OptionRole role;  /* PATH, FILES: never ROLE_VALUE */
    OptionStage stage;
} Option;

struct OptionTable {
    const Option *rows;
    size_t count;
    size_t size;           /* size of the struct */
    const char *short_key; /* a text in place of a map is the value of this key; or NULL */
};

enum { OPTION_MAX_ITEMS = 1000 }; /* limit of every list */

/* The row of a key, or NULL. */
const Option *option_find(const OptionTable *table, const char *key);

/* The row of a dotted key, "render.size" or "models.motions"; an item of a list may be written as
 * an index or as N ("models.0.file", "models.N.file").  NULL if there is no such key. */
const Option *option_at_table(const OptionTable *table, const char *dotted);

/* Whether a value of the key affects the frames or the sound of a film; of files the contents do.
 */
bool option_affects_film(const Option *option);

/* True if numbers, or the count of a list, are limited to min..max. */
bool option_is_ranged(const Option *option);

/* True for a number of seconds, which may also be written 3s. */
bool option_is_seconds(const Option *option);
