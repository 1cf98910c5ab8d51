// SPDX-License-Identifier: MIT
/*
 * text.h - Unicode, comparison of names, numbers in text
 *
 * All text inside the program is valid UTF-8 without NUL.  Nothing depends on the locale.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Ends at the first NUL; a BOM is removed; lone surrogates and an odd last byte become U+FFFD. */
char *text_from_utf16le(const void *bytes, size_t size, Arena *arena);

/* Invalid sequences become U+FFFD; ends at the first NUL; a BOM is removed. */
char *text_from_utf8(const void *bytes, size_t size, Arena *arena);

bool text_is_utf8(const void *bytes, size_t size);

/* FNV-1a, 64 bits: for tables in memory, not against collisions that somebody makes. */
uint64_t text_hash(const char *text, size_t size);

/* Canonical composition (NFC) with case folded, for comparing file names. */
char *text_fold(const char *utf8, Arena *arena);

/* Orders pointers to texts by their bytes, for qsort. */
int text_compare(const void *a, const void *b);

/* ASCII only: 'A'..'Z' equal 'a'..'z'. */
bool text_equal_ignoring_case(const char *a, const char *b);

/*
 * Edit distance (insert, delete, replace, transpose) of two short texts, by bytes.  Only the first
 * TEXT_SHORT bytes count.
 */
enum { TEXT_SHORT = 64 };
unsigned text_distance(const char *a, const char *b);

/* Names to choose from: the text at `offset` in each of `count` items of `size` bytes. */
typedef struct TextNames {
    const void *items;
    size_t count, size, offset;
} TextNames;

/* The names in an array of structs, which each have a `char *` named `field`. */
#define TEXT_NAMES(Type, field, items, count) \
    ((TextNames){(items), (count), sizeof(Type), offsetof(Type, field)})

/* The texts of an array of pointers, and of one whose size the compiler knows. */
#define TEXT_WORDS(items, count) ((TextNames){(items), (count), sizeof(char *), 0})
#define TEXT_ARRAY(words) TEXT_WORDS(words, sizeof(words) / sizeof *(words))

/* Those before NULL; none of NULL itself. */
TextNames text_choices(const char *const *words);

/* The index of the first of the names, of which some may be NULL, that is `name`; -1 if there is
 * none. */
int32_t text_find(TextNames names, const char *name);
int32_t text_find_ignoring_case(TextNames names, const char *name);

/* The most similar of `count` names, or the shortest one that contains the text; NULL if there is
 * none. */
const char *text_nearest(const char *text, const char *const *names, size_t count);

/* The index of the first of names in ascending order that is not before `name`; count if there is
 * none. */
size_t text_lower_bound(TextNames names, const char *name);

/* "; did you mean 'x'?" for the most similar of the names; else the first of them, "; known here:
 * a, b, ... (13)"; "" without names. */
const char *text_suggestion(const char *text, TextNames names, Arena *arena);

/* Parse a complete finite decimal number in C notation; independent of the locale. */
bool text_to_double(double *out, const char *text);
bool text_to_int64(int64_t *out, const char *text);

/* "1 frame", "2 frames". */
typedef struct TextCount {
    char text[32];
} TextCount;
TextCount text_frames(int64_t count);

/* A word of a command as a POSIX shell reads it: in single quotes, always or where it needs them.
 */
const char *text_shell_quote(const char *word, Arena *arena);
const char *text_shell_word(const char *word, Arena *arena);
