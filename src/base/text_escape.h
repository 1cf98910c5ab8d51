// SPDX-License-Identifier: MIT
/*
 * text_escape.h - text from files and jobs, shown so that it cannot change a terminal or a page
 *
 * Names in models, motions, jobs and directories are arbitrary.  Control characters (C0, C1, DEL),
 * line and paragraph separators, and characters that change the direction of text are shown as
 * escapes: \n, \t, \r, \x1B, \u202E; bytes that are not UTF-8 as \xFF, with those from 80 on
 * beside them, some of which would look like other characters.  All other text stays,
 * except what the runner of a CI system takes for a command: "##[group]", "##vso[...]" or
 * "##teamcity[...]" anywhere, and "::command::" at the start of a line.  Their first character is
 * shown as an escape.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

enum { TEXT_ESCAPE_SIZE = 8 };

/* Whether a code point is shown as an escape. */
bool text_is_control(int32_t code);

/* Whether "##[", "##vso[" or the like begins here. */
bool text_begins_command(const char *text);

/* Moves *at behind the next character, which is not the terminator, and stores how it is shown,
 * terminated.  Returns its length. */
size_t text_escape_next(char out[TEXT_ESCAPE_SIZE], const char **at);

/* The bytes from 80 on at the start of a text, if not all of them are UTF-8: each is to be shown as
 * an escape; else 0. */
size_t text_foreign_bytes(const char *text);

/* A complete text, which may become the start of a line. */
char *text_escape(const char *text, Arena *arena);
void text_write_escaped(FILE *out, const char *text);

/* fprintf of a line that contains such text.  The only line break, if any, is the end of the
 * format. */
void text_printf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
