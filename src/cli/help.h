// SPDX-License-Identifier: MIT
/*
 * help.h - the texts of `odori help` and the manual pages, from the tables of verbs, flags and keys
 *
 * The prose is in text/: overview.txt, verbs.txt, flags.txt, examples.txt, and the pages odori.1
 * and odori-*.5 in roff, with fields for the tables.
 */
#pragma once

#include <stdio.h>

#include "cli/verbs.h"
#include "record/options.h"

/* A file with keys: job, manifest or limits file. */
typedef struct HelpFormat {
    const char *name, *title; /* "job", "job file" */
    const OptionTable *table;
} HelpFormat;

/* All formats; ends with a row without a name. */
const HelpFormat *help_formats(Arena *arena);

/* What is neither a verb nor a key; ends with a row without a name. */
typedef struct HelpTopic {
    const char *name;
    void (*write)(FILE *out, Arena *arena);
} HelpTopic;

extern const HelpTopic help_topics[];

/* "usage: odori VERB ..." and one line per verb. */
void help_write_overview(FILE *out, Arena *arena);

/* The synopsis, the description and the flags of a verb. */
void help_write_verb(FILE *out, const Verb *verb, Arena *arena);

/*
 * The help for `topic`: a verb, "job", a key of the job file or of a batch manifest, or else a list
 * of every verb, flag and key whose name or text contains the word.  Errors: DIAG_USAGE, with the
 * nearest name, if nothing matches.
 */
bool help_write_topic(FILE *out, const char *topic, Arena *arena, Diag *diag);

/* Writes the page odori(1) for "odori" or NULL, odori-job(5) for "job", odori-batch(5) for "batch",
 * odori-limits(5) for "limits".  False if there is no such page. */
bool help_write_manual(FILE *out, const char *page, Arena *arena);
