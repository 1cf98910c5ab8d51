// SPDX-License-Identifier: MIT
/*
 * xfile_lexer.h - tokens of a DirectX file, in text or binary format
 *
 * The lexer always holds one current token.  Separators ("," and ";"), comments and GUIDs are not
 * tokens, because exporters place them differently.  Each number of a binary list is a token.
 *
 * Text      names, numbers, "strings", { }; // and # start comments
 * binary    u16 codes, little-endian, each followed by its data:
 *              1 name      u32 size, u8[size]          6 integers  u32 count, u32[count]
 *              2 string    u32 size, u8[size]          7 floats    u32 count, f32 or f64[count]
 *              3 integer   u32                        10 {  11 }   5 GUID u8[16]
 *             12-20 and 40-52: signs and types, used in templates only; 31 the name "template"
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/encoding.h"
#include "base/file.h"
#include "base/reader.h"

typedef enum XTokenKind {
    XTOKEN_END, /* end of the file, or invalid data: no token follows */
    XTOKEN_NAME,
    XTOKEN_STRING,
    XTOKEN_NUMBER,
    XTOKEN_OPEN,
    XTOKEN_CLOSE,
    XTOKEN_OTHER
} XTokenKind;

typedef struct XLexer {
    Reader r;
    bool binary, doubles; /* doubles: floats have 64 bits */
    bool utf8;            /* texts; else, in a text file, they are in `encoding` */
    Encoding encoding;
    bool invalid; /* an unknown token code was read; the rest of the file is ignored */
    bool list_is_float;
    uint32_t list_left; /* unread numbers of the current binary list */
    Diag *diag;

    XTokenKind kind; /* kind of the current token */
    size_t start;    /* its offset, bytes */
    const uint8_t *bytes;
    size_t size; /* bytes of a name, string or number as in the file */
    double number;
} XLexer;

enum {
    XFILE_HEADER_SIZE = 16,
    /* Meshes do not compress better than 1 to 128; a larger ratio is refused, to limit the memory.
     */
    XFILE_MAX_INFLATE_RATIO = 128
};

/*
 * The bytes of a compressed file (tzip, bzip); both exclude the header, and *out is in the arena.
 *
 * u32 inflated size of the file, including the header; then blocks of at most 32 KiB:  u16 inflated
 * size, u16 compressed size, "CK", deflate data.  A block may refer to data of the blocks before it
 * (MSZIP).
 */
bool xfile_inflate(Bytes *out, Bytes compressed, Arena *arena, Diag *diag);

/* `body` is the file without its header; it must outlive the lexer. */
XLexer xfile_lexer_init(Bytes body, bool binary, bool doubles, Diag *diag);

void xfile_lexer_next(XLexer *lex);

/* True if the current token is this name; ignores case. */
bool xfile_lexer_at_name(const XLexer *lex, const char *name);

/* Upper limit of the numbers that can follow, for checking counts. */
size_t xfile_lexer_max_numbers(const XLexer *lex);

/* Read numbers.  False after an error was reported.  A count is at most `max`. */
bool xfile_read_floats(float *out, size_t count, XLexer *lex);
bool xfile_read_count(uint32_t *out, size_t max, const char *what, XLexer *lex);

/* An index; a number that is not one becomes XFILE_NO_INDEX, which the caller's range check
 * rejects. */
#define XFILE_NO_INDEX UINT32_MAX
bool xfile_read_index(uint32_t *out, XLexer *lex);

/* Skips to the token after the } of the current block.  False if the file ends before it. */
bool xfile_skip_block(XLexer *lex);

/* Reports an error at the line or byte of the current token and returns false. */
bool xfile_lexer_fail(const XLexer *lex, const char *what);
