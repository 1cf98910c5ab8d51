// SPDX-License-Identifier: MIT
/*
 * roff.h - text for manual pages, in roff with the man macros
 *
 * Texts are escaped: '\' and '-' anywhere, '.' and ''' at the start of a line, which would
 * otherwise begin a request.  Lines are wrapped at 79 bytes.  Thread-safe.
 */
#pragma once

#include <stdio.h>

/* Escaped text for the line of a macro, without a line break. */
void roff_inline(FILE *out, const char *text);

/* One wrapped paragraph that ends with a line break.  '\n' starts another one: with .PP, or after
 * roff_item, where it stays indented, with .IP; `macro` names it. */
void roff_text(FILE *out, const char *macro, const char *text);

/* An indented paragraph (.TP) with a bold tag; its text follows. */
void roff_item(FILE *out, const char *tag);
