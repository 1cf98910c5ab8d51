// SPDX-License-Identifier: MIT
/*
 * option_error.h - the state of reading options, and messages about wrong values
 *
 * A message has the place in the file, the key, the value and what is accepted:
 * "job.yaml:14:8: render.fps: 'sixty' is not a number (1..240)".
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "record/options.h"
#include "record/values.h"
#include "record/yaml.h"

enum { OPTION_MAX_ERRORS = 20, OPTION_NAME_SIZE = 256 };

/* The keys that are not defaults, and where each was set. */
typedef ARENA_LIST(OptionSetting) OptionTrace;

typedef struct OptionReader {
    const char *directory; /* of the file, with its slash: paths are relative to it */
    Arena *arena;
    Diag *diag;
    unsigned errors;
    Rational fps;             /* the frame rate that was read last; 0/0: none */
    const char *prefix;       /* of the keys in the messages of checks: "scenes.0."; or NULL */
    const char *optional;     /* a required key of the root that may be missing; or NULL */
    const char *confined;     /* directory that paths of the file may not leave; or NULL */
    const char *confined_by;  /* where that was set */
    const OptionTable *whole; /* searched for keys in the wrong section; NULL: that of the root */
    OptionTrace *trace;       /* receives all values that are not defaults; or NULL */
} OptionReader;

/* The name of the source of values that only a command line gave. */
#define OPTION_COMMAND_LINE "command line"

/* Whether a value comes from the command line and not from a file. */
bool option_is_from_command_line(const YamlNode *node);

/* A place in the file, from the inside out, for messages: "models.0.motions.1.speed". */
typedef struct OptionLocation {
    const struct OptionLocation *parent; /* NULL: the root */
    const char *key;                     /* NULL: item `index` of a list */
    size_t index;
} OptionLocation;

void option_write_location(char *out, size_t size, const OptionLocation *location);

/* One value to be read. */
typedef struct OptionSlot {
    const Option *option;
    const YamlNode *node;
    const OptionLocation *location;
    void *out; /* the struct with the field */
} OptionSlot;

/* Reports "KEY: ..." at a node and counts it.  Returns false; silent after OPTION_MAX_ERRORS. */
bool option_error(OptionReader *reader, const YamlNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports that the value at `node` is not `expected`, with the range of the option. */
bool option_wrong_value(const OptionSlot *slot, const YamlNode *node, const char *expected,
                        OptionReader *reader);

/* Reports that a number is outside the range of the option. */
bool option_out_of_range(const OptionSlot *slot, const YamlNode *node, OptionReader *reader);

/* "a, b, c" */
void option_write_choices(char *out, size_t size, const Option *option);

/* "auto or 1..64", "1, 4", "0..1"; "" if all values are accepted. */
void option_write_range(char *out, size_t size, const Option *option);
