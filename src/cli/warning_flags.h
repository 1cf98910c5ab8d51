/*
 * warning_flags.h - the flags --strict and -W, and the list of the classes of warnings
 */
#ifndef CLI_WARNING_FLAGS_H
#define CLI_WARNING_FLAGS_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/arguments.h"

/* Sets the rules by --strict, -W and -v.  Errors: DIAG_USAGE for an unknown class. */
bool warning_flags_parse(DiagRules *rules, const Arguments *args, Arena *arena, Diag *diag);

/* Appends to `words` the flags that give another run of the program the same rules. */
void warning_flags_forward(TextList *words, const Arguments *args, Arena *arena);

/* `odori help warnings`: all classes with what they mean. */
void warning_flags_write_help(FILE *out);

#endif
