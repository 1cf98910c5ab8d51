/*
 * xfile_lexer.h - a DirectX file as a row of words, whether it is written as text or in binary
 *
 * One word is ahead at any time.  Separators ("," and ";"), comments and GUIDs are no words:
 * exporters disagree on where they stand.  Numbers of binary lists come one by one.
 *
 * Text      names, numbers, "strings", { }; // and # begin comments
 * binary    u16 codes, little-endian, each with its data:
 *              1 name      u32 size, u8[size]          6 integers  u32 count, u32[count]
 *              2 string    u32 size, u8[size]          7 floats    u32 count, f32 or f64[count]
 *              3 integer   u32                        10 {  11 }   5 GUID u8[16]
 *             12-20 and 40-52: signs and types, used in templates only; 31 the word "template"
 */
#ifndef FORMAT_MODEL_XFILE_LEXER_H
#define FORMAT_MODEL_XFILE_LEXER_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/reader.h"

typedef enum XTokenKind {
    XTOKEN_END, /* of the file; or no word can follow */
    XTOKEN_NAME,
    XTOKEN_STRING,
    XTOKEN_NUMBER,
    XTOKEN_OPEN,
    XTOKEN_CLOSE,
    XTOKEN_OTHER
} XTokenKind;

typedef struct XLexer {
    Reader r;
    bool binary, doubles; /* doubles: floats of 64 bits */
    bool utf8;            /* text in newer tools' encoding, else CP932 */
    bool invalid;         /* a code of no meaning was met: there is nothing to be read behind it */
    bool list_is_float;
    uint32_t list_left; /* numbers of the binary list not yet read */
    Diag *diag;

    XTokenKind kind; /* the word ahead */
    size_t start;    /* where it begins, bytes */
    const uint8_t *bytes;
    size_t size; /* of a name, string or number as written */
    double number;
} XLexer;

enum { XFILE_HEADER_SIZE = 16 };

/* The file behind its header. */
XLexer xfile_lexer_init(Bytes body, bool binary, bool doubles, Diag *diag);

void xfile_lexer_next(XLexer *lex);

/* Is a name ahead, this one?  Without case. */
bool xfile_lexer_at_name(const XLexer *lex, const char *name);

/* No more numbers than this can follow: a count beyond it is a lie. */
size_t xfile_lexer_max_numbers(const XLexer *lex);

/* Take numbers; false: told.  A count is at most `room`. */
bool xfile_read_floats(float *out, size_t count, XLexer *lex);
bool xfile_read_count(uint32_t *out, size_t room, const char *what, XLexer *lex);

/* A place in a list: what no index can be becomes XFILE_NO_INDEX, to be looked at with the rest. */
#define XFILE_NO_INDEX UINT32_MAX
bool xfile_read_index(uint32_t *out, XLexer *lex);

/* From inside a block to behind its }.  False: told, the file ends first. */
bool xfile_skip_block(XLexer *lex);

/* Tells an error with its line or byte. */
bool xfile_lexer_fail(const XLexer *lex, const char *what);

#endif
