// SPDX-License-Identifier: MIT
/*
 * option_value.h - the types of options: for each one how it is read and written
 *
 * option_value_type() has an entry per OptionType.  Values that fit on one line (all types but
 * sections and lists of sections) are implemented here; option_read.c, job_visit.c,
 * option_schema.c and option_help.c walk the tables and call these functions.
 */
#pragma once

#include <stdio.h>

#include "record/option_error.h"

void *option_field(const OptionSlot *slot);

/* Whether a text is one of the choices of a row, such as "auto" in place of a path. */
bool option_has_choice(const Option *option, const char *text);

/* Whether a path is used as it is written: it is such a choice, or an output that is discarded. */
bool option_keeps_path(const Option *option, const char *path);

/* Whether a field is written as its default is; the default must be in the form of a dump. */
bool option_is_default(const Option *option, const void *base, Arena *arena);

/* The structs of a section, of an optional section or of a list; base: the struct around them. */
typedef struct OptionItems {
    char *first;
    size_t count;
} OptionItems;
OptionItems option_items(const Option *option, void *base);

typedef struct OptionValueType {
    /* YAML to the field; false after an error was reported.  NULL: see option_read.c. */
    bool (*read)(const OptionSlot *slot, OptionReader *reader);
    /* Stores the absence of a value (a default of "null"); NULL: read() handles null. */
    void (*clear)(const OptionSlot *slot);
    /* The field to YAML on one line; `base` is the struct.  NULL: see job_visit.c. */
    void (*write)(FILE *out, const Option *option, const void *base);
    const char *json_types; /* types in JSON Schema, separated by spaces; "" for any */
    const char *accepts;    /* for help; NULL: the range or the choices */
} OptionValueType;

const OptionValueType *option_value_type(OptionType type);

/* Whether --set can address items of the value by index. */
bool option_is_list(const Option *option);

/* Checks the kind of a list or map and the number of its items. */
bool option_check_items(const OptionSlot *slot, YamlKind kind, const char *expected,
                        OptionReader *reader);

/* Stores the items of a pointer with a count.  Checks go on after a refused value, so that `count`
 * is only what was read; a value that was refused has none. */
void option_set_items(const OptionSlot *slot, void *items, size_t count);
