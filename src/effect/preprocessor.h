// SPDX-License-Identifier: MIT
/*
 * preprocessor.h - the text of an effect and of what it includes to one list of tokens
 *
 * Directives: include, define, undef, if, ifdef, ifndef, elif, else, endif, error, pragma, line and
 * warning; of pragmas, once.  Macros have parameters, # and ##.  Files are read by the callback of
 * the EffectSource, and may be in any encoding (README 1).  Errors are reported with the files that
 * include each other; messages about a token later on get them through preprocessor_error.
 */
#pragma once

#include "effect/effect.h"
#include "effect/lexer.h"

/* A file that was read, each time that it is included. */
typedef struct IncludedFile {
    const char *name;
    Place includer; /* of the #include; line 0: it is the effect itself */
} IncludedFile;

typedef ARENA_LIST(Token) TokenList;

typedef struct Preprocessed {
    TokenList tokens; /* ends with TOKEN_END */
    ARENA_LIST(IncludedFile) files;
    ARENA_LIST(const char *) names; /* of the files, each once */
} Preprocessed;

/* False after an error.  Tokens and files are in the arena. */
bool preprocess(Preprocessed *out, const EffectSource *source, Names *names, Arena *arena,
                Diag *diag);

/* Reports an error at a place: "a.fxsub:3:7: text; included by ray.fx:12".  Returns false. */
bool preprocessor_error(const Preprocessed *text, Place place, Diag *diag, const char *format,
                        va_list args) __attribute__((format(printf, 4, 0)));
