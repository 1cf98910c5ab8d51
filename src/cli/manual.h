/*
 * manual.h - manual pages in roff (man macros), from the tables of verbs, flags and keys
 */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include <stdio.h>

#include "cli/arguments.h"

/* odori(1) */
void manual_write(FILE *out, const Verb *verbs);

#endif
