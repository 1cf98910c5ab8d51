// SPDX-License-Identifier: MIT
/*
 * lexer.h - the text of one file to tokens
 *
 * A token has its text as a terminated string that the Names keep once, so that equal texts are
 * equal pointers.  Comments and continued lines (a back-slash at the end) separate tokens as blanks
 * do.  Bytes above 127 belong to names.  A lexer does not fail: an unknown byte is a punctuator,
 * and a string without end is a token of kind TOKEN_BAD.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Texts that are kept once. */
typedef struct Names Names;

Names *names_create(Arena *arena);
const char *names_keep(Names *names, const char *text, size_t size);

typedef enum TokenKind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_NUMBER, /* as written: "1.0f", "0x1F" */
    TOKEN_STRING, /* without its quotes; \\ and \" are resolved */
    TOKEN_PUNCTUATOR,
    TOKEN_BAD
} TokenKind;

/* Where a token is: in which inclusion of a file (preprocessor.h), from line 1, column 1 in bytes.
 */
typedef struct Place {
    uint32_t line;
    uint16_t column, file;
} Place;

typedef struct Token {
    const char *text;
    Place place;
    uint8_t kind;
    bool starts_line;  /* the first of its line */
    bool after_blank;  /* blanks before it, or it starts the line */
    bool never_expand; /* the name of a macro within its own expansion */
} Token;

/* Whether the token is a punctuator or a name with the text. */
bool token_is(const Token *token, const char *text);

typedef struct Lexer {
    Names *names;
    Arena *arena;
    const char *at, *end;
    uint32_t line;
    const char *line_start; /* for columns */
    uint16_t file;
    bool new_line; /* the next token is the first of its line */
    char *buffer;  /* the text of the token that is read */
    size_t capacity;
} Lexer;

void lexer_init(Lexer *lexer, const char *text, size_t size, uint16_t file, Names *names,
                Arena *arena);

/* The next token; within a directive TOKEN_END at the end of the line, which it does not pass. */
Token lexer_next(Lexer *lexer, bool in_directive);

/* The rest of the line without comments and blanks at its ends, up to but not past its end. */
const char *lexer_rest_of_line(Lexer *lexer);

/* Passes the line break that the lexer is at, after the functions above. */
void lexer_pass_line(Lexer *lexer);
