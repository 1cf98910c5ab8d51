// SPDX-License-Identifier: MIT
/*
 * markdown.h - text from files and jobs in a page of Markdown
 *
 * A page is shown by sites that turn more than markup into links: "@name" notifies a person, "#12"
 * refers to an issue, and an address needs no brackets.  GitHub looks for these behind its
 * Markdown, where a backslash has no effect, so that a space without width breaks them.
 */
#pragma once

#include <stdio.h>

/* Writes text, also into a cell of a table, so that it contains no markup, mention or link. */
void markdown_write_text(FILE *out, const char *text);
