// SPDX-License-Identifier: MIT
/*
 * embedded_text.h - text files that are part of the program, and texts with fields to fill in
 *
 * The Makefile makes a table of the files in shaders/, and one of the files in the directories
 * named text/ below src/.
 */
#pragma once

#include <stdio.h>

#include "base/arena.h"

typedef struct EmbeddedText {
    const char *name; /* the name of the file, without directories */
    const char *text;
} EmbeddedText;

/* Each ends with a row without a name. */
extern const EmbeddedText embedded_shaders[], embedded_texts[];

/* The text of a file, or NULL if the table does not contain it. */
const char *embedded_text_find(const EmbeddedText *table, const char *name);

/*
 * A section of a text that consists of headings "# name" and paragraphs with blank lines between
 * them.  Each paragraph becomes a line.
 */
const char *embedded_text_section(const char *text, const char *name, Arena *arena);

typedef struct TextField {
    const char *name;
    void (*write)(FILE *out, const void *user);
    const char *text; /* if `write` is NULL */
} TextField;

/*
 * Writes a text in which each "@{name}" is replaced by what its field writes.  A field that is
 * alone on its line replaces the whole line.
 *
 * fields   all fields of the text; ends with a row without a name
 */
void embedded_text_write(FILE *out, const char *text, const TextField *fields, const void *user);
