/*
 * completion.h - completion scripts for shells, from the tables of verbs, flags and keys
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdio.h>

#include "cli/arguments.h"

/* Writes the script for "bash", "zsh" or "fish".  False if the shell is another one. */
bool completion_write(FILE *out, const Verb *verbs, const char *shell, Arena *arena);

#endif
