// SPDX-License-Identifier: MIT
#include "format/model/xfile_lexer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define ZLIB_CONST /* next_in points to const */
#include <zlib.h>

#include "base/parser_entry.h"
#include "base/text.h"

/* ---- text ---- */

static bool is_blank(uint8_t c)
{
    return c <= ' ' || c == ',' || c == ';';
}

static bool ends_name(uint8_t c)
{
    return is_blank(c) || strchr("{}[]()<>\"", c);
}

static uint8_t byte_at(const XLexer *lex, size_t at)
{
    return at < lex->r.size ? lex->r.data[at] : 0;
}

static void skip_to(XLexer *lex, uint8_t end)
{
    while (lex->r.at < lex->r.size && lex->r.data[lex->r.at] != end)
        lex->r.at++;
}

/* Skips blanks, separators, comments and <GUIDs>. */
static void skip_text(XLexer *lex)
{
    while (lex->r.at < lex->r.size) {
        const uint8_t c = lex->r.data[lex->r.at];
        if (c == '#' || (c == '/' && byte_at(lex, lex->r.at + 1) == '/'))
            skip_to(lex, '\n');
        else if (c == '<')
            skip_to(lex, '>');
        else if (!is_blank(c) && c != '>')
            return;
        lex->r.at += lex->r.at < lex->r.size;
    }
}

/* Bytes to advance: the second byte of a character may equal a brace. */
static size_t character_size(const XLexer *lex, size_t at)
{
    const uint8_t c = lex->r.data[at];
    const bool lead = c >= 0x81 && c <= 0xFE &&
                      (lex->encoding != ENCODING_CP932 || c <= 0x9F || (c >= 0xE0 && c <= 0xFC));
    return !lex->utf8 && lead && byte_at(lex, at + 1) >= 0x40 ? 2 : 1;
}

static void read_string(XLexer *lex)
{
    lex->bytes = lex->r.data + ++lex->r.at;
    const size_t from = lex->r.at;
    skip_to(lex, '"');
    lex->size = lex->r.at - from;
    lex->kind = lex->r.at < lex->r.size ? XTOKEN_STRING : XTOKEN_END;
    lex->r.at += lex->r.at < lex->r.size;
}

/* Text like "-1.#IND", as printed by Microsoft's C library, becomes NaN; a name may start with a
 * digit. */
static void classify_number(XLexer *lex)
{
    enum { MAX_SIZE = 63 };
    char text[MAX_SIZE + 1] = {0};

    if (!lex->size || !strchr("0123456789+-.", lex->bytes[0]) || lex->size > MAX_SIZE)
        return;
    memcpy(text, lex->bytes, lex->size);
    if (text_to_double(&lex->number, text)) {
        lex->kind = XTOKEN_NUMBER;
    } else if (memchr(text, '#', lex->size) || strchr("+-.", text[0])) {
        lex->kind = XTOKEN_NUMBER;
        lex->number = (double)NAN;
    }
}

static void read_name(XLexer *lex)
{
    const size_t from = lex->r.at;
    while (lex->r.at < lex->r.size && !ends_name(lex->r.data[lex->r.at]))
        lex->r.at += character_size(lex, lex->r.at);
    if (lex->r.at > lex->r.size)
        lex->r.at = lex->r.size;
    lex->bytes = lex->r.data + from;
    lex->size = lex->r.at - from;
    lex->kind = XTOKEN_NAME;
    classify_number(lex);
}

static void next_text_token(XLexer *lex)
{
    skip_text(lex);
    lex->start = lex->r.at;
    if (lex->r.at == lex->r.size) {
        lex->kind = XTOKEN_END;
        return;
    }
    const uint8_t c = lex->r.data[lex->r.at];
    if (c == '"') {
        read_string(lex);
    } else if (ends_name(c)) {
        lex->kind = c == '{' ? XTOKEN_OPEN : c == '}' ? XTOKEN_CLOSE : XTOKEN_OTHER;
        lex->r.at++;
    } else {
        read_name(lex);
    }
}

/* ---- binary ---- */

enum Code {
    CODE_NAME = 1,
    CODE_STRING = 2,
    CODE_INTEGER = 3,
    CODE_GUID = 5,
    CODE_INTEGERS = 6,
    CODE_FLOATS = 7,
    CODE_OPEN = 10,
    CODE_CLOSE = 11,
    CODE_COMMA = 19,
    CODE_SEMICOLON = 20,
    CODE_TEMPLATE = 31,
    CODE_LAST = 52
};

enum { GUID_SIZE = 16 };

static double read_f64(Reader *r)
{
    const uint64_t low = read_u32(r), high = read_u32(r), bits = high << 32 | low;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void read_token_bytes(XLexer *lex, XTokenKind kind)
{
    lex->size = read_u32(&lex->r);
    lex->bytes = read_bytes(&lex->r, lex->size);
    lex->kind = kind;
}

/* False if the code does not start a token. */
static bool read_code(XLexer *lex)
{
    static const char template_name[] = "template";
    const unsigned code = read_u16(&lex->r);

    lex->kind = XTOKEN_OTHER;
    switch (code) {
    case CODE_NAME:
        read_token_bytes(lex, XTOKEN_NAME);
        return true;
    case CODE_STRING:
        read_token_bytes(lex, XTOKEN_STRING);
        return true;
    case CODE_INTEGER:
        lex->list_is_float = false;
        lex->list_left = 1;
        return false;
    case CODE_GUID:
        read_bytes(&lex->r, GUID_SIZE);
        return false;
    case CODE_INTEGERS:
    case CODE_FLOATS:
        lex->list_left = read_u32(&lex->r);
        lex->list_is_float = code == CODE_FLOATS;
        return false;
    case CODE_OPEN:
    case CODE_CLOSE:
        lex->kind = code == CODE_OPEN ? XTOKEN_OPEN : XTOKEN_CLOSE;
        return true;
    case CODE_TEMPLATE:
        lex->kind = XTOKEN_NAME;
        lex->bytes = (const uint8_t *)template_name;
        lex->size = strlen(template_name);
        return true;
    case CODE_COMMA:
    case CODE_SEMICOLON:
        return false;
    default:
        lex->invalid |= code > CODE_LAST || code == 0;
        return true;
    }
}

static void next_binary_token(XLexer *lex)
{
    for (bool found = false; !found && !lex->r.failed && !lex->invalid;) {
        lex->start = lex->r.at;
        if (lex->list_left) {
            lex->list_left--;
            lex->kind = XTOKEN_NUMBER;
            if (!lex->list_is_float)
                lex->number = read_u32(&lex->r);
            else
                lex->number = lex->doubles ? read_f64(&lex->r) : (double)read_f32(&lex->r);
            found = true;
        } else if (reader_left(&lex->r) < sizeof(uint16_t)) {
            lex->kind = XTOKEN_END;
            return;
        } else {
            found = read_code(lex);
        }
    }
    if (lex->r.failed || lex->invalid)
        lex->kind = XTOKEN_END;
}

/* ---- both formats ---- */

void xfile_lexer_next(XLexer *lex)
{
    lex->bytes = NULL;
    lex->size = 0;
    if (lex->binary)
        next_binary_token(lex);
    else
        next_text_token(lex);
}

XLexer xfile_lexer_init(Bytes body, bool binary, bool doubles, Diag *diag)
{
    XLexer lex = {.r = reader_init(body.data, body.size),
                  .binary = binary,
                  .doubles = doubles,
                  .utf8 = !binary && text_is_utf8(body.data, body.size),
                  .diag = diag};
    if (!binary && !lex.utf8) {
        EncodingScores scores = {0};
        encoding_score(&scores, body.data, body.size, false);
        lex.encoding = encoding_choose(&scores);
    }
    xfile_lexer_next(&lex);
    return lex;
}

bool xfile_lexer_at_name(const XLexer *lex, const char *name)
{
    enum { MAX_SIZE = 63 };
    char text[MAX_SIZE + 1] = {0};

    if (lex->kind != XTOKEN_NAME || lex->size > MAX_SIZE)
        return false;
    memcpy(text, lex->bytes, lex->size);
    return text_equal_ignoring_case(text, name);
}

/* A number takes at least a digit and a separator, or 4 bytes; the reader has already passed the
 * current token. */
size_t xfile_lexer_max_numbers(const XLexer *lex)
{
    const size_t left = reader_left(&lex->r);
    return (lex->binary ? left / 4 : (left + 1) / 2) + 1;
}

static bool read_number(double *out, XLexer *lex)
{
    if (lex->kind != XTOKEN_NUMBER)
        return xfile_lexer_fail(lex, "expected a number");
    *out = lex->number;
    xfile_lexer_next(lex);
    return true;
}

bool xfile_read_floats(float *out, size_t count, XLexer *lex)
{
    for (size_t i = 0; i < count; i++) {
        double value = 0.0;
        if (!read_number(&value, lex))
            return false;
        out[i] = (float)value;
    }
    return true;
}

bool xfile_read_index(uint32_t *out, XLexer *lex)
{
    double value = 0.0;
    if (!read_number(&value, lex))
        return false;
    const bool is_index = value >= 0.0 && value < (double)XFILE_NO_INDEX && floor(value) == value;
    *out = is_index ? (uint32_t)value : XFILE_NO_INDEX;
    return true;
}

/* Sets the position of messages to the current token: line and column, or byte. */
static void set_position(const XLexer *lex)
{
    unsigned line = 1;
    size_t line_start = 0;

    if (lex->binary) {
        diag_item(lex->diag, "byte", XFILE_HEADER_SIZE + lex->start);
        return;
    }
    for (size_t i = 0; i < lex->start && i < lex->r.size; i++)
        if (lex->r.data[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    diag_line(lex->diag, line,
              (unsigned)(lex->start - line_start) + (line == 1 ? XFILE_HEADER_SIZE + 1 : 1));
}

bool xfile_read_count(uint32_t *out, size_t max, const char *what, XLexer *lex)
{
    const XLexer before = *lex;
    if (!xfile_read_index(out, lex))
        return false;
    if (*out != XFILE_NO_INDEX && *out <= max)
        return true;
    set_position(&before);
    return diag_error(lex->diag, "number of %s %.9g out of range (0..%zu)", what, before.number,
                      max);
}

bool xfile_skip_block(XLexer *lex)
{
    for (size_t depth = 1; depth; xfile_lexer_next(lex)) {
        if (lex->kind == XTOKEN_END)
            return xfile_lexer_fail(lex, "file ends inside a block");
        depth += lex->kind == XTOKEN_OPEN;
        depth -= lex->kind == XTOKEN_CLOSE;
    }
    return true;
}

bool xfile_lexer_fail(const XLexer *lex, const char *what)
{
    set_position(lex);
    if (lex->invalid)
        what = "unknown token code";
    else if (lex->kind == XTOKEN_END)
        what = "file ends inside a block";
    return diag_error(lex->diag, "%s", what);
}

/* ---- compressed files ---- */

enum { WINDOW_SIZE = 32 * 1024 };

typedef struct Inflater {
    Reader r;
    z_stream stream;
    uint8_t *out;
    size_t size, at;
} Inflater;

/* Inflates the data of a block, which must result in exactly `size` bytes. */
static bool inflate_block(Inflater *u, const uint8_t *data, size_t compressed, size_t size)
{
    const size_t window = u->at < WINDOW_SIZE ? u->at : WINDOW_SIZE;

    if (inflateReset(&u->stream) != Z_OK ||
        (window && inflateSetDictionary(&u->stream, u->out + u->at - window, (uInt)window) != Z_OK))
        return false;
    u->stream.next_in = data;
    u->stream.avail_in = (uInt)compressed;
    u->stream.next_out = u->out + u->at;
    u->stream.avail_out = (uInt)size;
    if (inflate(&u->stream, Z_FINISH) != Z_STREAM_END || u->stream.avail_out)
        return false;
    u->at += size;
    return true;
}

static bool read_block(Inflater *u)
{
    enum { MAGIC_SIZE = 2 };
    const size_t size = read_u16(&u->r), compressed = read_u16(&u->r);
    const uint8_t *data = read_bytes(&u->r, compressed);

    return data && compressed > MAGIC_SIZE && !memcmp(data, "CK", MAGIC_SIZE) &&
           size <= u->size - u->at &&
           inflate_block(u, data + MAGIC_SIZE, compressed - MAGIC_SIZE, size);
}

static bool read_blocks(Inflater *u, Diag *diag)
{
    for (unsigned i = 0; u->at < u->size; i++) {
        if (read_block(u))
            continue;
        diag_item(diag, "compressed block", i);
        return diag_error(diag, "is damaged or incomplete");
    }
    return true;
}

bool xfile_inflate(Bytes *out, Bytes compressed, Arena *arena, Diag *diag)
{
    parser_enter("mszip");
    Inflater u = {.r = reader_init(compressed.data, compressed.size)};
    const uint32_t total = read_u32(&u.r);

    if (u.r.failed || total < XFILE_HEADER_SIZE ||
        total / XFILE_MAX_INFLATE_RATIO > compressed.size)
        return diag_error(diag,
                          "inflated size %" PRIu32 " does not fit %zu bytes of compressed data",
                          total, compressed.size);
    u.size = total - XFILE_HEADER_SIZE;
    u.out = arena_alloc(arena, u.size);
    if (inflateInit2(&u.stream, -MAX_WBITS) != Z_OK)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for zlib");
    const bool good = read_blocks(&u, diag);
    inflateEnd(&u.stream);
    *out = (Bytes){u.out, u.size};
    return good;
}
