/*
 * manual.h - manual pages in roff (man macros), from the tables of verbs, flags and keys
 */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include <stdio.h>

#include "cli/arguments.h"

/* Writes odori(1) for "odori" or NULL, odori-job(5) for "job", odori-batch(5) for "batch".  False
 * if there is no such page. */
bool manual_write(FILE *out, const Verb *verbs, const char *page);

#endif
