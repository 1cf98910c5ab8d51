/*
 * help.h - what `odori help` prints, from the tables of verbs and flags
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "cli/arguments.h"

typedef struct HelpStatus { /* an exit status and its meaning */
    int status;
    const char *text;
} HelpStatus;

extern const HelpStatus help_statuses[]; /* ends with a row without text */

/* "usage: odori VERB ..." with all verbs; one verb with its flags; the manual page, as roff. */
void help_write_usage(FILE *out, const Verb *verbs);
void help_write_verb(FILE *out, const Verb *verb);
void help_write_manual(FILE *out, const Verb *verbs);

#endif
