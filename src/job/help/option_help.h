/*
 * option_help.h - the keys of a file format for people: help, man page, Markdown
 *
 * Keys are written as they can be passed to option_help(): "models.N.file" stands for every item of
 * the list.
 */
#ifndef JOB_HELP_OPTION_HELP_H
#define JOB_HELP_OPTION_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "job/options.h"

/* All keys of a table (NULL), a section with its keys ("render"), or one key ("render.fps",
 * "models.0.file").  False if there is no such key. */
bool option_help(FILE *out, const OptionTable *table, const char *dotted, Arena *arena);

/* All keys as the body of a man page in man(7) macros: a subsection per section, a tagged paragraph
 * per key.  The caller writes .TH, .SH and the other sections. */
void option_manual(FILE *out, const OptionTable *table, Arena *arena);

/* All keys of a job as a Markdown table. */
void option_markdown(FILE *out, Arena *arena);

/* The help text with its unit: "width and height [pixels]" */
const char *option_description(const Option *option, Arena *arena);

#endif
