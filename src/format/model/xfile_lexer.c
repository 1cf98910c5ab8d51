#include "format/model/xfile_lexer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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

static uint8_t byte_at(const Words *w, size_t at)
{
    return at < w->r.size ? w->r.data[at] : 0;
}

static void skip_to(Words *w, uint8_t end)
{
    while (w->r.at < w->r.size && w->r.data[w->r.at] != end)
        w->r.at++;
}

/* Over blanks, separators, comments and <GUIDs>. */
static void skip_text(Words *w)
{
    while (w->r.at < w->r.size) {
        const uint8_t c = w->r.data[w->r.at];
        if (c == '#' || (c == '/' && byte_at(w, w->r.at + 1) == '/'))
            skip_to(w, '\n');
        else if (c == '<')
            skip_to(w, '>');
        else if (!is_blank(c) && c != '>')
            return;
        w->r.at += w->r.at < w->r.size;
    }
}

/* The second byte of a CP932 character may look like a brace. */
static size_t name_step(const Words *w, size_t at)
{
    const uint8_t c = w->r.data[at];
    const bool lead = (c >= 0x81 && c <= 0x9F) || (c >= 0xE0 && c <= 0xFC);
    return !w->utf8 && lead && byte_at(w, at + 1) >= 0x40 ? 2 : 1;
}

static void take_string(Words *w)
{
    w->bytes = w->r.data + ++w->r.at;
    const size_t from = w->r.at;
    skip_to(w, '"');
    w->size = w->r.at - from;
    w->kind = w->r.at < w->r.size ? WORD_STRING : WORD_END;
    w->r.at += w->r.at < w->r.size;
}

/* What no number is, like "-1.#IND" of Microsoft's printf, reads as NaN; a name may begin with a
 * digit. */
static void settle_number(Words *w)
{
    enum { LONGEST = 63 };
    char text[LONGEST + 1] = {0};

    if (!w->size || !strchr("0123456789+-.", w->bytes[0]) || w->size > LONGEST)
        return;
    memcpy(text, w->bytes, w->size);
    if (text_to_double(&w->number, text)) {
        w->kind = WORD_NUMBER;
    } else if (memchr(text, '#', w->size) || strchr("+-.", text[0])) {
        w->kind = WORD_NUMBER;
        w->number = (double)NAN;
    }
}

static void take_name(Words *w)
{
    const size_t from = w->r.at;
    while (w->r.at < w->r.size && !ends_name(w->r.data[w->r.at]))
        w->r.at += name_step(w, w->r.at);
    if (w->r.at > w->r.size)
        w->r.at = w->r.size;
    w->bytes = w->r.data + from;
    w->size = w->r.at - from;
    w->kind = WORD_NAME;
    settle_number(w);
}

static void next_in_text(Words *w)
{
    skip_text(w);
    w->start = w->r.at;
    if (w->r.at == w->r.size) {
        w->kind = WORD_END;
        return;
    }
    const uint8_t c = w->r.data[w->r.at];
    if (c == '"') {
        take_string(w);
    } else if (ends_name(c)) {
        w->kind = c == '{' ? WORD_OPEN : c == '}' ? WORD_CLOSE : WORD_OTHER;
        w->r.at++;
    } else {
        take_name(w);
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

static void take_from_list(Words *w)
{
    w->list_left--;
    w->kind = WORD_NUMBER;
    if (!w->list_is_float)
        w->number = read_u32(&w->r);
    else
        w->number = w->wide ? read_f64(&w->r) : (double)read_f32(&w->r);
}

static void take_bytes(Words *w, WordKind kind)
{
    w->size = read_u32(&w->r);
    w->bytes = read_bytes(&w->r, w->size);
    w->kind = kind;
}

static void begin_list(Words *w, bool is_float)
{
    w->list_left = read_u32(&w->r);
    w->list_is_float = is_float;
}

/* False: no word, look further. */
static bool take_code(Words *w)
{
    static const char template_word[] = "template";
    const unsigned code = read_u16(&w->r);

    w->kind = WORD_OTHER;
    switch (code) {
    case CODE_NAME:
        take_bytes(w, WORD_NAME);
        return true;
    case CODE_STRING:
        take_bytes(w, WORD_STRING);
        return true;
    case CODE_INTEGER:
        w->list_is_float = false;
        w->list_left = 1;
        return false;
    case CODE_GUID:
        read_bytes(&w->r, GUID_SIZE);
        return false;
    case CODE_INTEGERS:
    case CODE_FLOATS:
        begin_list(w, code == CODE_FLOATS);
        return false;
    case CODE_OPEN:
    case CODE_CLOSE:
        w->kind = code == CODE_OPEN ? WORD_OPEN : WORD_CLOSE;
        return true;
    case CODE_TEMPLATE:
        w->kind = WORD_NAME;
        w->bytes = (const uint8_t *)template_word;
        w->size = strlen(template_word);
        return true;
    case CODE_COMMA:
    case CODE_SEMICOLON:
        return false;
    default:
        w->strange |= code > CODE_LAST || code == 0;
        return true;
    }
}

static void next_in_binary(Words *w)
{
    for (bool found = false; !found && !w->r.failed && !w->strange;) {
        w->start = w->r.at;
        if (w->list_left) {
            take_from_list(w);
            found = true;
        } else if (reader_left(&w->r) < sizeof(uint16_t)) {
            w->kind = WORD_END;
            return;
        } else {
            found = take_code(w);
        }
    }
    if (w->r.failed || w->strange)
        w->kind = WORD_END;
}

/* ---- both ---- */

void words_next(Words *w)
{
    w->bytes = NULL;
    w->size = 0;
    if (w->binary)
        next_in_binary(w);
    else
        next_in_text(w);
}

Words words_init(Bytes body, bool binary, bool wide, Diag *diag)
{
    Words w = {.r = reader_init(body.data, body.size),
               .binary = binary,
               .wide = wide,
               .utf8 = !binary && text_is_utf8(body.data, body.size),
               .diag = diag};
    words_next(&w);
    return w;
}

bool words_is(const Words *w, const char *name)
{
    enum { LONGEST = 63 };
    char text[LONGEST + 1] = {0};

    if (w->kind != WORD_NAME || w->size > LONGEST)
        return false;
    memcpy(text, w->bytes, w->size);
    return text_equal_ignoring_case(text, name);
}

/* A number is a digit and a separator at least, or 4 bytes; the one ahead is not counted by the
 * reader. */
size_t words_room(const Words *w)
{
    const size_t left = reader_left(&w->r);
    return (w->binary ? left / 4 : (left + 1) / 2) + 1;
}

static bool take_number(double *out, Words *w)
{
    if (w->kind != WORD_NUMBER)
        return words_fail(w, "a number is missing");
    *out = w->number;
    words_next(w);
    return true;
}

bool words_floats(float *out, size_t count, Words *w)
{
    for (size_t i = 0; i < count; i++) {
        double value = 0.0;
        if (!take_number(&value, w))
            return false;
        out[i] = (float)value;
    }
    return true;
}

bool words_index(uint32_t *out, Words *w)
{
    double value = 0.0;
    if (!take_number(&value, w))
        return false;
    const bool is_index = value >= 0.0 && value < (double)WORDS_NO_INDEX && floor(value) == value;
    *out = is_index ? (uint32_t)value : WORDS_NO_INDEX;
    return true;
}

/* The word ahead; in a binary file the byte stands in for the line. */
static void place(const Words *w)
{
    unsigned line = 1;
    size_t line_start = 0;

    if (w->binary) {
        diag_item(w->diag, "byte", WORDS_HEADER_SIZE + w->start);
        return;
    }
    for (size_t i = 0; i < w->start && i < w->r.size; i++)
        if (w->r.data[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    diag_line(w->diag, line,
              (unsigned)(w->start - line_start) + (line == 1 ? WORDS_HEADER_SIZE + 1 : 1));
}

bool words_count(uint32_t *out, size_t room, const char *what, Words *w)
{
    const Words before = *w;
    if (!words_index(out, w))
        return false;
    if (*out != WORDS_NO_INDEX && *out <= room)
        return true;
    place(&before);
    return diag_error(w->diag, "number of %s: %.9g announced, room for %zu", what, before.number,
                      room);
}

bool words_leave(Words *w)
{
    for (size_t depth = 1; depth; words_next(w)) {
        if (w->kind == WORD_END)
            return words_fail(w, "the file ends inside a block");
        depth += w->kind == WORD_OPEN;
        depth -= w->kind == WORD_CLOSE;
    }
    return true;
}

bool words_fail(const Words *w, const char *what)
{
    place(w);
    if (w->strange)
        what = "a code that no such file has";
    else if (w->kind == WORD_END)
        what = "the file ends inside a block";
    return diag_error(w->diag, "%s", what);
}
