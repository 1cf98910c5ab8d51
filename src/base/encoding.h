// SPDX-License-Identifier: MIT
/*
 * encoding.h - text in the encodings that Windows used before Unicode
 *
 * CP932 is Microsoft's Shift-JIS (Japanese), GBK the simplified Chinese, read as its superset
 * GB18030; CP949 is Korean, Big5 traditional Chinese, read with the extensions of Hong Kong.  Such
 * a text does not say which one it is in, and most bytes are characters in several of them:
 * EncodingScores compares how frequent those characters are (base/README.md 6).  Conversion is done
 * by iconv.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef enum Encoding {
    ENCODING_CP932,
    ENCODING_GBK,
    ENCODING_CP949,
    ENCODING_BIG5,
    ENCODINGS
} Encoding;

/* Exit status of a child on a system without one of the converters; its parent reports it.  Main
 * reports it by itself and ends with status 69. */
enum { ENCODING_CONVERTER_EXIT = 71 };

/* "CP932", "GBK", "CP949", "Big5". */
const char *encoding_name(Encoding encoding);

/* The text in UTF-8, up to the first NUL or `size`; invalid bytes (and a truncated last character)
 * become U+FFFD. */
char *encoding_decode(const void *bytes, size_t size, Encoding encoding, Arena *arena);

/* How unlikely texts are in each of the encodings, in tenths of a bit; zero-initialized. */
typedef struct EncodingScores {
    int64_t cost[ENCODINGS];
} EncodingScores;

/* Adds a text, up to the first NUL; `cut`: its last character may be incomplete. */
void encoding_score(EncodingScores *scores, const void *bytes, size_t size, bool cut);

/* The most likely encoding; CP932 if there is little evidence against it. */
Encoding encoding_choose(const EncodingScores *scores);

/* A text of unknown encoding, up to the first NUL: UTF-16 with a byte order mark; UTF-8 if it is
 * valid as such; else in the most likely encoding. */
char *encoding_decode_text(const void *bytes, size_t size, Arena *arena);

/*
 * UTF-8 to CP932 as Windows writes it, at most `size` bytes, NUL-padded, not terminated when full;
 * a two-byte character may be cut in the middle, as MMD does.  A character outside CP932 becomes
 * '?' (as the first one: a NUL byte, so the name is empty).  Returns false if there was any.
 */
bool encoding_encode_cp932(char *out, size_t size, const char *utf8);

/* Replaces the codes of characters that CP932 has several times by the ones that Windows writes. */
void encoding_unify_cp932(char *bytes, size_t size);

/*
 * The bytes of a name that an unzip program decoded as CP437.  NULL if it is not such a name:
 * ASCII, or characters outside CP437.
 */
char *encoding_bytes_of_mojibake(const char *utf8, Arena *arena);

/*
 * Keeps the converters loaded, for this process and those that it forks, until they are given back.
 * Else iconv unloads them after uses of others, and a process that may not read libraries any more
 * has none.
 */
typedef struct HeldEncodings {
    void *converters[ENCODINGS + 2];
} HeldEncodings;
HeldEncodings encodings_hold(void);
void encodings_release(HeldEncodings *held);
