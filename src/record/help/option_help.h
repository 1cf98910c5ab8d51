// SPDX-License-Identifier: MIT
/*
 * option_help.h - the keys of a file format as a list, and for people: help, man page, Markdown
 *
 * Keys are written as they can be passed to option_help(): "models.N.file" stands for every item of
 * the list.
 */
#pragma once

#include <stdio.h>

#include "base/arena.h"
#include "record/options.h"

typedef struct OptionKey {
    const char *name; /* "models.N.file"; N stands for an index */
    const Option *option;
    const OptionTable *table; /* in which it is a row */
} OptionKey;

typedef ARENA_LIST(OptionKey) OptionKeys;

/* All keys of `table` and of the tables below it, in the order of the rows, sections first. */
OptionKeys option_help_list(const OptionTable *table, Arena *arena);

/* A copy of `name` in which each numeric index is replaced by N: "models.N.file". */
const char *option_help_general_name(const char *name, Arena *arena);

/* All keys of a table (NULL), a section with its keys ("render"), or one key ("render.fps",
 * "models.0.file").  False if there is no such key. */
bool option_help(FILE *out, const OptionTable *table, const char *dotted, Arena *arena);

/* All keys as the body of a man page in man(7) macros: a subsection per section, a tagged paragraph
 * per key.  The caller writes .TH, .SH and the other sections. */
void option_manual(FILE *out, const OptionTable *table, Arena *arena);

/* All keys as a Markdown table. */
void option_markdown(FILE *out, const OptionTable *table, Arena *arena);

/* The help text with its unit: "width and height [pixels]" */
const char *option_description(const Option *option, Arena *arena);
