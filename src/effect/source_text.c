// SPDX-License-Identifier: MIT
#include "effect/source_text.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

/*
 * How well a decoded text reads: bytes of kana, ideographs and full-width punctuation minus those
 * of characters that the wrong one of the two encodings gives.  GBK read as cp932 has half-width
 * katakana (U+FF61..U+FF9F, EF BD A1 .. EF BE 9F) and replacement characters (EF BF BD); cp932 read
 * as GBK has rare ideographs where kana were.
 */
static long quality(const char *text)
{
    long sum = 0;
    for (const uint8_t *at = (const uint8_t *)text; *at; at++) {
        if (at[0] == 0xE3) /* U+3000..U+3FFF: punctuation and kana */
            sum += 4;
        else if (at[0] >= 0xE4 && at[0] <= 0xE9) /* ideographs */
            sum += 1;
        else if (at[0] == 0xEF && at[1] == 0xBF && at[2] == 0xBD)
            sum -= 64;
        else if (at[0] == 0xEF && (at[1] == 0xBD || at[1] == 0xBE))
            sum -= 4;
    }
    return sum;
}

const char *source_text_decode(const void *bytes, size_t size, Arena *arena)
{
    const uint8_t *b = bytes;
    if (size >= 2 && b[0] == 0xFF && b[1] == 0xFE)
        return text_from_utf16le(bytes, size, arena);
    if (text_is_utf8(bytes, size))
        return text_from_utf8(bytes, size, arena);
    const char *japanese = text_from_cp932(bytes, size, arena);
    const char *chinese = text_from_gbk(bytes, size, arena);
    return quality(chinese) > quality(japanese) ? chinese : japanese;
}

const char *source_text_path(const char *beside, const char *path, Arena *arena)
{
    const char *slash = strrchr(beside, '/');
    const int directory = slash ? (int)(slash + 1 - beside) : 0;
    char *text = arena_printf(arena, "%.*s%s", directory, beside, path);
    for (char *at = text; *at; at++)
        if (*at == '\\')
            *at = '/';

    /* Each part is moved to the front, unless it and the one before cancel. */
    char *out = text + (*text == '/');
    char *const start = out;
    for (const char *at = out; *at;) {
        const size_t size = strcspn(at, "/");
        const char *next = at + size + (at[size] == '/');
        const bool up = size == 2 && !strncmp(at, "..", 2);
        char *last = out;
        while (last > start && (last == out || last[-1] != '/'))
            last--;
        if (size == 0 || (size == 1 && *at == '.')) {
            at = next;
            continue;
        }
        if (up && last < out && strncmp(last, "../", 3) != 0) {
            out = last;
        } else {
            memmove(out, at, (size_t)(next - at));
            out += next - at;
        }
        at = next;
    }
    *out = '\0';
    return text;
}
