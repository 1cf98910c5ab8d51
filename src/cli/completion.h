// SPDX-License-Identifier: MIT
/*
 * completion.h - completion scripts for shells
 *
 * The scripts are the files text/completion.*, with fields for what the tables of verbs, flags and
 * keys say.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"

/* Writes the script for "bash", "zsh" or "fish".  False if the shell is another one. */
bool completion_write(FILE *out, const char *shell, Arena *arena);
