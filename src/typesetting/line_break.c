// SPDX-License-Identifier: MIT
#include "typesetting/line_break.h"

#include <stddef.h>
#include <utf8proc.h>

typedef struct Range {
    uint32_t first, last;
} Range;

static bool is_in(const Range *ranges, size_t count, uint32_t c)
{
    for (size_t i = 0; i < count; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    return false;
}

#define IS_IN(ranges, c) is_in(ranges, sizeof(ranges) / sizeof *(ranges), c)

static bool is_one_of(const char *list, uint32_t c)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)list;
    for (utf8proc_int32_t item; *at;) {
        at += utf8proc_iterate(at, -1, &item);
        if ((uint32_t)item == c)
            return true;
    }
    return false;
}

/* ---- classes of characters of JLReq, appendix A, and the same of ASCII and of half width ---- */

/* cl-01 opening brackets, cl-12 prefixed abbreviations */
static const char NOT_AT_END[] = "‘“（〔［｛〈《「『【⦅〘〖«〝([{｢"
                                 "￥＄￡＃€№¥$£";

/* cl-02 closing brackets, cl-06 full stops, cl-07 commas, cl-04 dividing punctuation */
static const char PAUSES[] = "’”）〕］｝〉》」』】⦆〙〗»〟)]}｣"
                             "。．、，.,｡､"
                             "！？‼⁇⁈⁉!?";

/* cl-03 hyphens, cl-05 middle dots, cl-09 iteration marks, cl-10 prolonged sound mark, cl-13
 * postfixed abbreviations; voiced sound marks */
static const char NOT_AT_START[] = "‐〜～゠–・：；･:;ヽヾゝゞ々〻ーｰ°′″℃￠％‰%゛゜ﾞﾟ\u3099\u309A";

/* cl-08 */
static const char INSEPARABLE[] = "—―…‥〳〴〵";

/* cl-11 small kana */
static const char SMALL_KANA[] = "ぁぃぅぇぉァィゥェォっゃゅょゎゕゖッャュョヮヵヶ";
static const Range small_kana[] = {{0x31F0, 0x31FF}, {0xFF67, 0xFF6F}};

static const Range hiragana[] = {{0x3041, 0x309F}};
static const Range katakana[] = {{0x30A0, 0x30FF}, {0x31F0, 0x31FF}, {0xFF66, 0xFF9F}};
static const Range ideographs[] = {{0x2E80, 0x2FDF}, {0x3005, 0x3007}, {0x3021, 0x3029},
                                   {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0x3400, 0x4DBF},
                                   {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}, {0x20000, 0x3FFFF}};
static const Range other_wide[] = {
    {0x3000, 0x303F}, {0x3200, 0x33FF}, {0xFF01, 0xFF65}, {0xFFE0, 0xFFE6}, {0x1F000, 0x1FAFF}};

bool line_break_is_ideographic(uint32_t c)
{
    return IS_IN(hiragana, c) || IS_IN(katakana, c) || IS_IN(ideographs, c) || IS_IN(other_wide, c);
}

bool line_break_is_space(uint32_t c)
{
    return c == ' ' || c == '\t' || c == 0x3000;
}

static bool starts_no_line(uint32_t c)
{
    return is_one_of(PAUSES, c) || is_one_of(NOT_AT_START, c) || is_one_of(SMALL_KANA, c) ||
           IS_IN(small_kana, c);
}

bool line_break_is_allowed(uint32_t before, uint32_t after)
{
    if (line_break_is_space(after))
        return false;
    if (line_break_is_space(before))
        return true;
    if (is_one_of(NOT_AT_END, before) || starts_no_line(after) ||
        (is_one_of(INSEPARABLE, before) && is_one_of(INSEPARABLE, after)))
        return false;
    return line_break_is_ideographic(before) || line_break_is_ideographic(after);
}

/* Most phrases of Japanese begin with an ideograph or a katakana and end with hiragana. */
double line_break_penalty(uint32_t before, uint32_t after)
{
    const bool from_hiragana = IS_IN(hiragana, before), to_hiragana = IS_IN(hiragana, after);
    const bool from_katakana = IS_IN(katakana, before), to_katakana = IS_IN(katakana, after);
    const bool from_ideograph = IS_IN(ideographs, before), to_ideograph = IS_IN(ideographs, after);
    if (line_break_is_space(before) || is_one_of(PAUSES, before) || is_one_of(INSEPARABLE, before))
        return 0;
    if (is_one_of(NOT_AT_END, after) || before == 0x3092) /* を ends a phrase */
        return 0.02;
    if (from_hiragana)
        return to_hiragana ? 0.25 : 0.05;
    if ((from_katakana && to_ideograph) || (from_ideograph && to_katakana))
        return 0.1;
    if (to_hiragana || (from_katakana && to_katakana))
        return 0.4; /* particles and endings */
    return from_ideograph && to_ideograph ? 0.3 : 0.15;
}
