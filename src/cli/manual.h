/*
 * manual.h - manual pages in roff (man macros)
 *
 * The pages are the files text/odori.1 and text/odori-*.5, with fields for what the tables of
 * verbs, flags and keys say.
 */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"

/* Writes odori(1) for "odori" or NULL, odori-job(5) for "job", odori-batch(5) for "batch",
 * odori-limits(5) for "limits".  False if there is no such page. */
bool manual_write(FILE *out, const char *page, Arena *arena);

#endif
