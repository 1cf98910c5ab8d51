/*
 * text.h - names between encodings
 *
 * All text inside the program is UTF-8 without NUL, valid at all times.  Nothing depends on the
 * locale.  CP932 is Microsoft's Shift-JIS, through iconv.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* CP932 bytes up to the first NUL or `size`; a byte that fits nothing (a cut last character too)
 * becomes U+FFFD. */
char *text_from_cp932(const void *bytes, size_t size, Arena *arena);

/* Ends at the first NUL; a BOM is stripped; lone surrogates and an odd last byte become U+FFFD. */
char *text_from_utf16le(const void *bytes, size_t size, Arena *arena);

/* Bad sequences become U+FFFD; ends at the first NUL; a BOM is stripped. */
char *text_from_utf8(const void *bytes, size_t size, Arena *arena);

/*
 * A name whose CP932 bytes an unzip program took for CP437, set right.  NULL when it is not such a
 * name: ASCII, characters that CP437 lacks, or bytes that are not CP932.
 */
char *text_from_mojibake(const char *utf8, Arena *arena);

bool text_is_utf8(const void *bytes, size_t size);

/*
 * UTF-8 to CP932, at most `size` bytes, NUL-padded, not terminated when full; a two-byte character
 * may be cut in its middle, as MMD does.  A character that CP932 lacks becomes '?' (as the very
 * first one: a NUL byte, so the name is empty).  Returns false if any was lacking.
 */
bool text_to_cp932(char *out, size_t size, const char *utf8);

/* Canonical composition (NFC), and NFC with case folded, for comparing file names. */
char *text_nfc(const char *utf8, Arena *arena);
char *text_fold(const char *utf8, Arena *arena);

/* ASCII only: 'A'..'Z' equal 'a'..'z'. */
bool text_equal_ignoring_case(const char *a, const char *b);

/*
 * Edits (insert, delete, replace, swap neighbours) between two short texts, by bytes; for "did you
 * mean".  Only the first TEXT_SHORT bytes count.
 */
enum { TEXT_SHORT = 64 };
unsigned text_distance(const char *a, const char *b);

/* The nearest of `count` names if it is near enough to be meant, else NULL. */
const char *text_nearest(const char *text, const char *const *names, size_t count);

/* A whole finite decimal number in C notation, nothing around it.  Never looks at the locale. */
bool text_to_double(double *out, const char *text);
bool text_to_int64(int64_t *out, const char *text);

#endif
