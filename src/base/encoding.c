// SPDX-License-Identifier: MIT
#include "base/encoding.h"

#include <assert.h>
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/memory.h"
#include "base/process_memory.h"
#include "base/text.h"

enum { REPLACEMENT = 0xFFFD };

/* ---- iconv ---- */

static const struct {
    const char *name, *iconv;
} encodings[] = {
    [ENCODING_CP932] = {"CP932", "CP932"},
    [ENCODING_GBK] = {"GBK", "GB18030"},
    [ENCODING_CP949] = {"CP949", "CP949"},
    [ENCODING_BIG5] = {"Big5", "BIG5-HKSCS"},
};

const char *encoding_name(Encoding encoding)
{
    return encodings[encoding].name;
}

/* Without them names in models cannot be read, so a system that lacks one is not supported. */
static iconv_t open_converter(const char *to, const char *from)
{
    const iconv_t converter = iconv_open(to, from);
    if (converter == (iconv_t)-1 && errno == ENOMEM)
        memory_exhausted(0);
    if (converter == (iconv_t)-1 && process_is_child())
        _Exit(ENCODING_CONVERTER_EXIT);
    if (converter == (iconv_t)-1) {
        fprintf(stderr, "odori: error: this system's iconv cannot convert %s to %s: %s\n", from, to,
                strerror(errno));
        fflush(stderr);
        _Exit(69);
    }
    return converter;
}

HeldEncodings encodings_hold(void)
{
    HeldEncodings held;
    for (int i = 0; i < ENCODINGS; i++)
        held.converters[i] = open_converter("UTF-8", encodings[i].iconv);
    held.converters[ENCODINGS] = open_converter("CP932", "UTF-8");
    held.converters[ENCODINGS + 1] = open_converter("CP437", "UTF-8");
    return held;
}

void encodings_release(HeldEncodings *held)
{
    for (size_t i = 0; i < sizeof held->converters / sizeof *held->converters; i++)
        iconv_close(held->converters[i]);
}

static bool is_ascii(const uint8_t *bytes, size_t count)
{
    uint8_t all = 0;
    for (size_t i = 0; i < count; i++)
        all |= bytes[i];
    return all < 0x80;
}

char *encoding_decode(const void *bytes, size_t size, Encoding encoding, Arena *arena)
{
    enum { MAX_BYTES = 3 }; /* UTF-8 bytes for one byte: half-width katakana, U+FFFD */
    const size_t count = strnlen(bytes, size);
    if (is_ascii(bytes, count)) /* faster: iconv_open takes microseconds */
        return arena_strndup(arena, bytes, count);

    char *text = arena_calloc(arena, count + 1, MAX_BYTES);
    char *source = arena_strndup(arena, bytes, count); /* iconv needs a writable source */
    size_t in_left = count, out_left = count * MAX_BYTES;
    char *out = text;

    const iconv_t converter = open_converter("UTF-8", encodings[encoding].iconv);
    while (in_left && iconv(converter, &source, &in_left, &out, &out_left) == (size_t)-1) {
        assert(errno != E2BIG);
        iconv(converter, NULL, NULL, &out, &out_left); /* Big5 combines characters */
        out += utf8proc_encode_char(REPLACEMENT, (utf8proc_uint8_t *)out);
        out_left -= MAX_BYTES;
        source++;
        in_left--;
    }
    iconv(converter, NULL, NULL, &out, &out_left);
    iconv_close(converter);
    *out = '\0';
    return text;
}

/* ---- CP932 as Windows writes it ---- */

enum { ROW = 188, TRAIL_FIRST = 0x40, TRAIL_GAP = 0x7F };

/* Position of a two-byte code among those of CP932, where a lead byte has 188. */
static int linear(unsigned lead, unsigned trail)
{
    return (int)lead * ROW + (int)trail - TRAIL_FIRST - (trail > TRAIL_GAP);
}

/*
 * Runs of codes that Windows reads but does not write, in order, and the first of the codes that it
 * writes for them: symbols of NEC row 13 that JIS X 0208 has, IBM's extension as NEC selected it,
 * and symbols of IBM's extension that NEC row 13 or JIS X 0208 has (Microsoft, Q170559).
 */
static const struct {
    uint16_t first, last, written;
} duplicates[] = {
    {0x8790, 0x8790, 0x81E0}, {0x8791, 0x8791, 0x81DF}, {0x8792, 0x8792, 0x81E7},
    {0x8795, 0x8795, 0x81E3}, {0x8796, 0x8796, 0x81DB}, {0x8797, 0x8797, 0x81DA},
    {0x879A, 0x879A, 0x81E6}, {0x879B, 0x879B, 0x81BF}, {0x879C, 0x879C, 0x81BE},
    {0xED40, 0xEEEC, 0xFA5C}, {0xEEEF, 0xEEF8, 0xFA40}, {0xEEF9, 0xEEF9, 0x81CA},
    {0xEEFA, 0xEEFC, 0xFA55}, {0xFA4A, 0xFA53, 0x8754}, {0xFA54, 0xFA54, 0x81CA},
    {0xFA58, 0xFA58, 0x878A}, {0xFA59, 0xFA59, 0x8782}, {0xFA5A, 0xFA5A, 0x8784},
    {0xFA5B, 0xFA5B, 0x81E6},
};

static void unify(uint8_t code[2])
{
    const unsigned value = (unsigned)code[0] << 8 | code[1];
    for (size_t i = 0; i < sizeof duplicates / sizeof *duplicates; i++) {
        const unsigned first = duplicates[i].first, written = duplicates[i].written;
        if (value < first || value > duplicates[i].last)
            continue;
        const int at = linear(written >> 8, written & 0xFF) + linear(code[0], code[1]) -
                       linear(first >> 8, first & 0xFF);
        const int trail = at % ROW + TRAIL_FIRST;
        code[0] = (uint8_t)(at / ROW);
        code[1] = (uint8_t)(trail + (trail >= TRAIL_GAP));
        return;
    }
}

static bool is_cp932_lead(uint8_t byte)
{
    return (byte >= 0x81 && byte <= 0x9F) || (byte >= 0xE0 && byte <= 0xFC);
}

void encoding_unify_cp932(char *bytes, size_t size)
{
    uint8_t *at = (uint8_t *)bytes, *end = at + strnlen(bytes, size);
    while (end - at >= 2) {
        const bool is_double = is_cp932_lead(*at) && at[1] >= TRAIL_FIRST && at[1] != TRAIL_GAP;
        if (is_double)
            unify(at);
        at += is_double ? 2 : 1;
    }
}

bool encoding_encode_cp932(char *out, size_t size, const char *utf8)
{
    const iconv_t converter = open_converter("CP932", "UTF-8");
    size_t left = strlen(utf8), used = 0;
    bool complete = true;

    memset(out, 0, size);
    while (left && used < size) {
        utf8proc_int32_t code;
        const utf8proc_ssize_t iterated = utf8proc_iterate(
            (const utf8proc_uint8_t *)utf8, left > 4 ? 4 : (utf8proc_ssize_t)left, &code);
        const size_t length = iterated > 0 ? (size_t)iterated : 0;
        char source[4], bytes[8] = "?";
        char *in = source, *at = bytes;
        size_t in_left = length, out_left = sizeof bytes, n = 1;
        memcpy(source, utf8, length);
        if (length && iconv(converter, &in, &in_left, &at, &out_left) != (size_t)-1) {
            n = (size_t)(at - bytes);
            encoding_unify_cp932(bytes, n);
        } else {
            complete = false;
            iconv(converter, NULL, NULL, NULL, NULL);
            if (!used)
                break; /* MMD writes a NUL here: the name is empty */
        }
        n = n < size - used ? n : size - used;
        memcpy(out + used, bytes, n);
        used += n;
        utf8 += length ? length : 1;
        left -= length ? length : 1;
    }
    iconv_close(converter);
    return complete;
}

/* ---- which encoding ---- */

/*
 * A character costs the logarithm of its probability: that of its class in a text of the encoding,
 * over the number of characters in the class.  A text in the wrong encoding has characters of rare
 * classes, user-defined ones or bytes that are none.
 */
enum {
    COST_USER_DEFINED = 300,
    COST_INVALID = 1000,
    COST_LETTER = 60,
    COST_HALF_WIDTH = 57, /* a half-width katakana after another */
    COST_HALF_WIDTH_START = 50
};

typedef struct Char {
    size_t size;
    int cost;
} Char;

/* Codes from `first` to `last`, of which each trail byte is from `low` to `high`. */
typedef struct CodeClass {
    uint16_t first, last;
    uint8_t low, high;
    int16_t cost;
} CodeClass;

/* The first class that has a code counts.  Clang-format would spread them. */
/* clang-format off */
static const CodeClass cp932_classes[] = {
    {0x815B, 0x815B, 0x5B, 0x5B, 60},  /* prolonged sound mark */
    {0x829F, 0x8396, 0x40, 0xFC, 83},  /* kana */
    {0x8140, 0x829E, 0x40, 0xFC, 115}, /* symbols, full-width letters and digits */
    {0x8397, 0x8491, 0x40, 0xFC, 150}, /* Greek, Cyrillic */
    {0x849F, 0x84BE, 0x40, 0xFC, 160}, /* box drawing */
    {0x8740, 0x879C, 0x40, 0xFC, 160}, /* NEC row 13 */
    {0x889F, 0x9872, 0x40, 0xFC, 130}, /* JIS level 1 */
    {0x989F, 0xEAA4, 0x40, 0xFC, 184}, /* JIS level 2 */
    {0xED40, 0xEEFC, 0x40, 0xFC, 175}, /* IBM's extension, twice */
    {0xFA40, 0xFC4B, 0x40, 0xFC, 175},
    {0xF040, 0xF9FC, 0x40, 0xFC, COST_USER_DEFINED},
};
static const CodeClass gbk_classes[] = {
    {0xA960, 0xA960, 0x60, 0x60, 110}, /* prolonged sound mark */
    {0xA4A1, 0xA5F6, 0xA1, 0xFE, 107}, /* kana */
    {0xA1A1, 0xA3FE, 0xA1, 0xFE, 130}, /* symbols, full-width letters */
    {0xA6A1, 0xA9EF, 0xA1, 0xFE, 160},
    {0xB0A1, 0xD7F9, 0xA1, 0xFE, 120}, /* GB 2312 level 1 */
    {0xD8A1, 0xF7FE, 0xA1, 0xFE, 166}, /* GB 2312 level 2 */
    {0xA840, 0xA9A0, 0x40, 0xA0, 160},
    {0x8140, 0xA0FE, 0x40, 0xFE, 189}, /* the rest of Unicode's ideographs in 1993 */
    {0xAA40, 0xFEA0, 0x40, 0xA0, 189},
    {0xA140, 0xFEFE, 0x40, 0xFE, COST_USER_DEFINED},
};
static const CodeClass cp949_classes[] = {
    {0xAAA1, 0xABF6, 0xA1, 0xFE, 170}, /* kana */
    {0xA1A1, 0xACF1, 0xA1, 0xFE, 150}, /* symbols */
    {0xB0A1, 0xC8FE, 0xA1, 0xFE, 113}, /* Hangul syllables of KS X 1001 */
    {0xCAA1, 0xFDFE, 0xA1, 0xFE, 189}, /* hanja */
    {0x8141, 0xA0FE, 0x41, 0xFE, 187}, /* other Hangul syllables */
    {0xA141, 0xC6A0, 0x41, 0xA0, 187},
    {0xC9A1, 0xFEFE, 0xA1, 0xFE, COST_USER_DEFINED},
};
static const CodeClass big5_classes[] = {
    {0xA140, 0xA3FE, 0x40, 0xFE, 130}, /* symbols */
    {0xA440, 0xC67E, 0x40, 0xFE, 125}, /* level 1 */
    {0xC6E7, 0xC7F2, 0x40, 0xFE, 117}, /* kana */
    {0xC940, 0xF9D5, 0x40, 0xFE, 180}, /* level 2 */
    {0x8740, 0xFEFE, 0x40, 0xFE, 210}, /* Hong Kong's extension */
};
/* clang-format on */

static int cost_in(const CodeClass *classes, size_t count, unsigned lead, unsigned trail)
{
    const unsigned code = lead << 8 | trail;
    for (size_t i = 0; i < count; i++)
        if (code >= classes[i].first && code <= classes[i].last && trail >= classes[i].low &&
            trail <= classes[i].high)
            return classes[i].cost;
    return COST_INVALID;
}

#define COST_IN(classes, lead, trail) \
    cost_in(classes, sizeof(classes) / sizeof *(classes), lead, trail)

static bool is_half_width(uint8_t byte)
{
    return byte >= 0xA1 && byte <= 0xDF;
}

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* The cost of the two bytes at `at`, which are not ASCII and not half-width katakana. */
static int double_cost(Encoding encoding, const uint8_t *at)
{
    const bool is_trail = at[1] != TRAIL_GAP;
    switch (encoding) {
    case ENCODING_CP932:
        return is_trail ? COST_IN(cp932_classes, at[0], at[1]) : COST_INVALID;
    case ENCODING_GBK:
        return is_trail ? COST_IN(gbk_classes, at[0], at[1]) : COST_INVALID;
    case ENCODING_CP949:
        return (at[1] > 'Z' && at[1] < 'a') || (at[1] > 'z' && at[1] < 0x81)
                   ? COST_INVALID
                   : COST_IN(cp949_classes, at[0], at[1]);
    case ENCODING_BIG5:
        return at[1] > 0x7E && at[1] < 0xA1 ? COST_INVALID : COST_IN(big5_classes, at[0], at[1]);
    case ENCODINGS:
        break;
    }
    return COST_INVALID;
}

/* The character at `at`, of `left` bytes, after `before`. */
static Char next_char(Encoding encoding, const uint8_t *at, size_t left, uint8_t before, bool cut)
{
    if (*at < 0x80) /* after other text a letter is rare, but often half of a character */
        return (Char){1, before >= 0x80 && *at >= TRAIL_FIRST ? COST_LETTER : 0};
    if (encoding == ENCODING_CP932 && is_half_width(*at))
        return (Char){1, is_half_width(before) ? COST_HALF_WIDTH
                                               : COST_HALF_WIDTH + COST_HALF_WIDTH_START};
    if (encoding == ENCODING_GBK && left >= 4 && is_digit(at[1]) && at[2] > 0x80 && is_digit(at[3]))
        return (Char){4, 250};
    if (left == 1)
        return (Char){1, cut && *at > 0x80 && *at < 0xFF ? 0 : COST_INVALID};
    const int cost = double_cost(encoding, at);
    return (Char){cost == COST_INVALID ? 1 : 2, cost};
}

void encoding_score(EncodingScores *scores, const void *bytes, size_t size, bool cut)
{
    const uint8_t *text = bytes;
    size = strnlen(bytes, size);
    for (Encoding e = 0; e < ENCODINGS; e++) {
        uint8_t before = 0; /* the last character if it is a byte; 0x80 for a longer one */
        for (size_t at = 0; at < size;) {
            const Char next = next_char(e, text + at, size - at, before, cut);
            before = next.size == 1 ? text[at] : 0x80;
            scores->cost[e] += next.cost;
            at += next.size;
        }
    }
}

/* Models and motions are Japanese unless they differ by about half a character. */
Encoding encoding_choose(const EncodingScores *scores)
{
    static const int prior[ENCODINGS] = {0, 60, 60, 80};
    Encoding best = ENCODING_CP932;
    for (Encoding e = 1; e < ENCODINGS; e++)
        if (scores->cost[e] + prior[e] < scores->cost[best] + prior[best])
            best = e;
    return best;
}

char *encoding_decode_text(const void *bytes, size_t size, Arena *arena)
{
    if (size >= 2 && !memcmp(bytes, "\xFF\xFE", 2))
        return text_from_utf16le(bytes, size, arena);
    if (text_is_utf8(bytes, size))
        return text_from_utf8(bytes, size, arena);
    EncodingScores scores = {0};
    encoding_score(&scores, bytes, size, false);
    return encoding_decode(bytes, size, encoding_choose(&scores), arena);
}

/* ---- bytes that were decoded as CP437 ---- */

char *encoding_bytes_of_mojibake(const char *utf8, Arena *arena)
{
    size_t in_left = strlen(utf8), out_left = in_left;
    if (is_ascii((const uint8_t *)utf8, in_left))
        return NULL;
    char *bytes = arena_calloc(arena, out_left + 1, 1), *out = bytes;
    char *source = arena_strndup(arena, utf8, in_left);
    const iconv_t converter = open_converter("CP437", "UTF-8");
    const bool fits = iconv(converter, &source, &in_left, &out, &out_left) == 0;
    iconv_close(converter);
    return fits ? bytes : NULL;
}
