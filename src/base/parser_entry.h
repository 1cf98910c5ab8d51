// SPDX-License-Identifier: MIT
/*
 * parser_entry.h - where the bytes of a stranger begin to be interpreted
 *
 * Every parser calls parser_enter first: of a format, of a file of a checkpoint, or a library that
 * decodes.  It does nothing.  A test program defines it anew (tests/parsers/probe.c) and tries
 * there what the process that parses can do to other files; `make lint-fast` finds a parser without
 * it.
 */
#pragma once

/* parser: its name, a word of its own, such as "pmx" */
void parser_enter(const char *parser);
