// SPDX-License-Identifier: MIT
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#include "base/encoding.h"
#include "base/text.h"
#include "unit_test.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define BAD "\xEF\xBF\xBD"

/* Codes from Microsoft's table of code page 932. */
static void test_from_cp932(void **state)
{
    (void)state;
    static const struct {
        const char *what, *bytes;
        size_t size;
        const char *expected;
    } rows[] = {
        {"nothing", "", 0, ""},
        {"ASCII", "abc", 3, "abc"},
        {"ends at the NUL", "abc\0\xfd\xfd", 6, "abc"},
        {"kanji", "\x83\x4A\x83\x81\x83\x89\x81\x45\x8F\xC6\x96\xBE", 12, "カメラ・照明"},
        {"half-width", "\xBE\xDD\xC0\xB0", 4, "ｾﾝﾀｰ"},
        {"0x5C and 0x7E are ASCII", "\x83\x4A\x5C\x7E", 4, "カ\\~"},
        {"0x5C as a second byte", "\x95\x5C", 2, "表"},
        {"Microsoft's wave dash", "\x81\x60", 2, "～"},
        {"NEC's numbers", "\x87\x40", 2, "①"},
        {"IBM's kanji", "\xFA\xB1", 2, "﨑"},
        {"cut in a character", "a\x83", 2, "a" BAD},
        {"a second byte that cannot be", "\x83\x20z", 3, BAD " z"},
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *text = encoding_decode(rows[i].bytes, rows[i].size, ENCODING_CP932, arena);
        if (strcmp(text, rows[i].expected) != 0)
            fail_msg("%s: '%s', not '%s'", rows[i].what, text, rows[i].expected);
        assert_true(text_is_utf8(text, strlen(text)));
    }
    arena_destroy(arena);
}

static void test_to_cp932(void **state)
{
    (void)state;
    static const struct {
        const char *what, *utf8;
        size_t size;
        const char *bytes; /* of 16 */
        bool complete;
    } rows[] = {
        {"fits", "左ひざ", 15, "\x8d\xb6\x82\xd0\x82\xb4", true},
        {"fills", "ああ", 4, "\x82\xa0\x82\xa0", true},
        {"cut in a character", "ああ", 3, "\x82\xa0\x82", true},
        {"lacking inside", "a한b", 15, "a?b", false},
        {"lacking first", "한b", 15, "", false},
        {"wave dash", "～", 15, "\x81\x60", true},
        {"empty", "", 15, "", true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char out[16], expected[16] = {0};
        memset(out, 0x55, sizeof out);
        memcpy(expected, rows[i].bytes, strlen(rows[i].bytes));
        if (encoding_encode_cp932(out, rows[i].size, rows[i].utf8) != rows[i].complete ||
            memcmp(out, expected, rows[i].size) || out[rows[i].size] != 0x55)
            fail_msg("%s", rows[i].what);
    }
}

/* Every two-byte code that decodes also encodes: to itself, or to the one that Microsoft prefers.
 */
static void test_cp932_there_and_back(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    char all[2 * 0x1F * 0xBD + 2], back[sizeof all];
    size_t size = 0;
    for (unsigned lead = 0x88; lead <= 0x9F; lead++)
        for (unsigned trail = 0x9F; trail <= 0xFC; trail++) {
            all[size++] = (char)lead;
            all[size++] = (char)trail;
        }
    const char *utf8 = encoding_decode(all, size, ENCODING_CP932, arena);
    assert_null(strstr(utf8, BAD));
    assert_true(encoding_encode_cp932(back, size, utf8));
    assert_memory_equal(all, back, size);
    arena_destroy(arena);
}

/* Codes that Windows writes, from Microsoft's tables and Q170559, of characters that have several.
 */
static void test_windows_codes(void **state)
{
    (void)state;
    static const struct {
        const char *utf8, *bytes, *other;
    } rows[] = {
        {"髙", "\xFB\xFC", "\xEE\xE0"}, {"﨑", "\xFA\xB1", "\xED\x95"},
        {"德", "\xFA\xBA", "\xED\x9E"}, {"纊", "\xFA\x5C", "\xED\x40"},
        {"黑", "\xFC\x4B", "\xEE\xEC"}, {"ⅰ", "\xFA\x40", "\xEE\xEF"},
        {"ⅹ", "\xFA\x49", "\xEE\xF8"},  {"￤", "\xFA\x55", "\xEE\xFA"},
        {"＂", "\xFA\x57", "\xEE\xFC"}, {"￢", "\x81\xCA", "\xEE\xF9"},
        {"￢", "\x81\xCA", "\xFA\x54"}, {"∵", "\x81\xE6", "\x87\x9A"},
        {"∵", "\x81\xE6", "\xFA\x5B"},  {"∪", "\x81\xBE", "\x87\x9C"},
        {"≒", "\x81\xE0", "\x87\x90"},  {"Ⅰ", "\x87\x54", "\xFA\x4A"},
        {"Ⅹ", "\x87\x5D", "\xFA\x53"},  {"㈱", "\x87\x8A", "\xFA\x58"},
        {"№", "\x87\x82", "\xFA\x59"},  {"℡", "\x87\x84", "\xFA\x5A"},
        {"①", "\x87\x40", "\x87\x40"},  {"表", "\x95\x5C", "\x95\x5C"},
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < COUNT(rows); i++) {
        char out[3] = "", other[3] = "";
        memcpy(other, rows[i].other, 2);
        encoding_unify_cp932(other, 2);
        if (!encoding_encode_cp932(out, 2, rows[i].utf8) || strcmp(out, rows[i].bytes) != 0 ||
            strcmp(other, rows[i].bytes) != 0 ||
            strcmp(encoding_decode(rows[i].other, 2, ENCODING_CP932, arena), rows[i].utf8) != 0)
            fail_msg("%s: %02X%02X, %02X%02X", rows[i].utf8, out[0] & 255, out[1] & 255,
                     other[0] & 255, other[1] & 255);
    }
    arena_destroy(arena);
}

/* Unifying a code changes neither its character nor a code that was unified, and leaves one code
 * for each character. */
static void test_unify_all(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    for (unsigned lead = 0x81; lead <= 0xFC; lead++)
        for (unsigned trail = 0x40; trail <= 0xFC; trail++) {
            const char code[2] = {(char)lead, (char)trail};
            char one[2] = {code[0], code[1]}, written[2];
            const char *text = encoding_decode(code, 2, ENCODING_CP932, arena);
            if (strstr(text, BAD) || (lead >= 0xA0 && lead < 0xE0))
                continue;
            encoding_unify_cp932(one, 2);
            assert_string_equal(encoding_decode(one, 2, ENCODING_CP932, arena), text);
            assert_true(encoding_encode_cp932(written, 2, text));
            if (memcmp(written, one, 2) != 0)
                fail_msg("%02X%02X: %s", lead, trail, text);
        }
    arena_destroy(arena);
}

/* Names of files and bones as people write them, in each encoding, by the system's iconv. */
static void test_choice(void **state)
{
    (void)state;
    static const struct {
        Encoding encoding;
        const char *iconv, *utf8;
    } rows[] = {
        {ENCODING_CP932, "CP932", "初音ミク/テクスチャ/顔.png"},
        {ENCODING_CP932, "CP932", "センター"},
        {ENCODING_CP932, "CP932", "ｽｶｰﾄ.png"},
        {ENCODING_CP932, "CP932", "ﾃｸｽﾁｬ"},
        {ENCODING_CP932, "CP932", "髪.bmp"},
        {ENCODING_CP932, "CP932", "お読みください"},
        {ENCODING_GBK, "GB18030", "贴图/脸.png"},
        {ENCODING_GBK, "GB18030", "星穹铁道/模型.pmx"},
        {ENCODING_GBK, "GB18030", "使用说明：请勿用于商业用途"},
        {ENCODING_GBK, "GB18030", "センター"},
        {ENCODING_GBK, "GB18030", "右足ＩＫ"},
        {ENCODING_CP949, "CP949", "텍스처/얼굴.png"},
        {ENCODING_CP949, "CP949", "미쿠/모델.pmx"},
        {ENCODING_CP949, "CP949", "이 모델을 사용하기 전에 읽어 주세요"},
        {ENCODING_BIG5, "BIG5", "貼圖/臉.png"},
        {ENCODING_BIG5, "BIG5", "模型說明.txt"},
        {ENCODING_BIG5, "BIG5", "頭髮.bmp"},
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < COUNT(rows); i++) {
        char bytes[100] = {0}, *in = arena_strdup(arena, rows[i].utf8), *out = bytes;
        size_t in_left = strlen(in), out_left = sizeof bytes - 1;
        const iconv_t to = iconv_open(rows[i].iconv, "UTF-8");
        if (to == (iconv_t)-1)
            continue;
        assert_int_equal(iconv(to, &in, &in_left, &out, &out_left), 0);
        iconv_close(to);
        EncodingScores scores = {0};
        encoding_score(&scores, bytes, sizeof bytes, false);
        const char *text = encoding_decode_text(bytes, sizeof bytes, arena);
        if (encoding_choose(&scores) != rows[i].encoding || strcmp(text, rows[i].utf8) != 0)
            fail_msg("%s: %s '%s'", rows[i].utf8, encoding_name(encoding_choose(&scores)), text);
    }
    assert_string_equal(encoding_decode_text("\xFF\xFE\x61\x00\x42\x30", 6, arena), "aあ");
    assert_string_equal(encoding_decode_text("\xEF\xBB\xBF\x61", 4, arena), "a");
    assert_string_equal(encoding_decode_text("あ", 3, arena), "あ");
    assert_string_equal(encoding_decode_text("", 0, arena), "");
    arena_destroy(arena);
}

/* Codes from IBM's table of code page 437 and Microsoft's of 932. */
static void test_mojibake(void **state)
{
    (void)state;
    static const struct {
        const char *what, *utf8, *expected;
    } rows[] = {
        {"8A E7", "èτ.png", "顔.png"},
        {"83 4A 83 81", "âJâü", "カメ"},
        {"ASCII", "face.png", NULL},
        {"right already", "顔.png", NULL},
        {"CP437, but not CP932", "ñé", "､" BAD},
        {"nothing", "", NULL},
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *bytes = encoding_bytes_of_mojibake(rows[i].utf8, arena);
        const char *text =
            bytes ? encoding_decode(bytes, strlen(bytes), ENCODING_CP932, arena) : NULL;
        if ((text == NULL) != (rows[i].expected == NULL) ||
            (text && strcmp(text, rows[i].expected)))
            fail_msg("%s: %s", rows[i].what, text ? text : "nothing");
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_cp932),
        cmocka_unit_test(test_to_cp932),
        cmocka_unit_test(test_cp932_there_and_back),
        cmocka_unit_test(test_windows_codes),
        cmocka_unit_test(test_unify_all),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_mojibake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
