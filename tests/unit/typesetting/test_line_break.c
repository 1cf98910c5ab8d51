// SPDX-License-Identifier: MIT
/* line_break: rules of JLReq 3.1.7 and 3.1.8, by its own examples and by common lyrics */

#include <string.h>
#include <utf8proc.h>

#include "typesetting/line_break.h"
#include "unit_test.h"

static utf8proc_int32_t next(const char **at)
{
    utf8proc_int32_t c = 0;
    *at += utf8proc_iterate((const utf8proc_uint8_t *)*at, -1, &c);
    return c;
}

/* '|' is where a line may end. */
static void test_places(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
    } rows[] = {
        {"kana and ideographs", "君|が|笑|う"},
        {"full stops, commas and closing brackets start no line", "「そ|う」、|と。|は|い！"},
        {"opening brackets end none", "と|『君|が』|と|（笑|う）"},
        {"small kana and the prolonged sound mark start none", "キャッ|チ|ボー|ル|と|ちょっ|と"},
        {"iteration marks start none", "人々|と|日々"},
        {"inseparable characters", "あ|……|い|――|う"},
        {"words of other scripts", "世|界|で|Hello |world|と|123"},
        {"spaces end lines", "あ |い\u3000|う b"},
        {"Hangul is broken at spaces", "안녕하세요 |세상"},
        {"currency before numbers, percent after them", "約|￥100|と|50%"},
        {"nothing in Latin text but spaces", "a-b (c), |d"},
        {"wide letters and half-width kana", "Ａ|Ｂ|ｱ|ｲｰ"},
        {"Chinese", "我|爱|你，|中|国。"},
        {"ideographs above U+FFFF", "𠮷|野|家"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *at = rows[i].text;
        for (utf8proc_int32_t before = next(&at); *at;) {
            const bool expected = *at == '|';
            at += expected;
            const char *here = at;
            const utf8proc_int32_t after = next(&at);
            /* spaces within Latin text are written without a mark */
            const bool space = before == ' ' && !expected;
            if (!space && line_break_is_allowed((uint32_t)before, (uint32_t)after) != expected)
                fail_msg("%s: before '%s'", rows[i].what, here);
            before = after;
        }
    }
}

/* Readers mind less from the left to the right. */
static void test_penalties(void **state)
{
    (void)state;
    static const struct {
        uint32_t worse[2], better[2];
    } rows[] = {
        {{0x541B, 0x304C}, {0x3001, 0x541B}}, /* within kimi-ga; after a comma */
        {{0x541B, 0x304C}, {0x304C, 0x7B11}}, /* before a particle; after it */
        {{0x4E16, 0x754C}, {0x304C, 0x5C11}}, /* within a word; between phrases */
        {{0x3046, 0x305F}, {0x3092, 0x305F}}, /* within hiragana; after the object mark */
        {{0x3046, 0x305F}, {0x3046, 0x300C}}, /* before a bracket */
        {{0x304C, 0x7B11}, {0x3000, 0x541B}}, /* after a space */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (line_break_penalty(rows[i].worse[0], rows[i].worse[1]) <=
            line_break_penalty(rows[i].better[0], rows[i].better[1]))
            fail_msg("row %zu", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_penalties)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
