// SPDX-License-Identifier: MIT
/* subtitle_text: scripts as they are, SubRip by hand-written examples, encodings, limits */

#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "typesetting/subtitle_text.h"
#include "unit_test.h"

static const char *read_text(const void *data, size_t size, DiagLog *log, Arena *arena)
{
    SubtitleScript script;
    diag_log_init(log);
    return subtitle_text_read(&script, (Bytes){data, size}, 1920, 1080, arena, &log->diag)
               ? script.text
               : NULL;
}

/* The lines of a script after the header. */
static const char *events_of(const char *script)
{
    const char *format = strstr(script, "[Events]\nFormat: ");
    assert_non_null(format);
    return strchr(format + 10, '\n') + 1;
}

#define LINE(start, end, text) "Dialogue: 0," start "," end ",Default,,0,0,0,," text "\n"

static void test_subrip(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *events;
    } rows[] = {
        {"two cues of one and two lines",
         "1\n00:00:01,000 --> 00:00:02,500\none\n\n2\n01:02:03,456 --> 01:02:04,004\ntwo\nthree\n",
         LINE("0:00:01.00", "0:00:02.50", "one") LINE("1:02:03.46", "1:02:04.00", "two\\Nthree")},
        {"line ends of Windows, no numbers, no blank line at the end",
         "00:00:01,000 --> 00:00:02,000\r\none\r\n\r\n00:00:02,000 --> 00:00:03,000\r\ntwo",
         LINE("0:00:01.00", "0:00:02.00", "one") LINE("0:00:02.00", "0:00:03.00", "two")},
        {"a point, short fractions, positions after the times",
         "0:0:1.5 --> 0:0:2  X1:10 X2:20\na\n", LINE("0:00:01.50", "0:00:02.00", "a")},
        {"tags",
         "00:00:01,000 --> 00:00:02,000\n<i>a</i> <B>b</B> <font color=\"red\">c</font> <u>\n",
         LINE("0:00:01.00", "0:00:02.00", "{\\i1}a{\\i0} {\\b1}b{\\b0} c {\\u1}")},
        {"what looks like tags", "00:00:01,000 --> 00:00:02,000\na < b, 1 <3 {x} <>\n",
         LINE("0:00:01.00", "0:00:02.00", "a < b, 1 <3 \\{x\\} <>")},
        {"an alignment at the start only", "00:00:01,000 --> 00:00:02,000\n{\\an8}top {\\an8}\n",
         LINE("0:00:01.00", "0:00:02.00", "{\\an8}top \\{\\an8\\}")},
        {"an empty text", "00:00:01,000 --> 00:00:02,000\n\n",
         LINE("0:00:01.00", "0:00:02.00", "")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        const char *script = read_text(rows[i].text, strlen(rows[i].text), &log, arena);
        if (!script || strcmp(events_of(script), rows[i].events) != 0 || log.text[0])
            fail_msg("%s: %s%s", rows[i].what, script ? events_of(script) : "", log.text);
        arena_destroy(arena);
    }
}

static void test_bad_times(void **state)
{
    (void)state;
    static const char text[] = "00:00:02,000 --> 00:00:01,000\nbackwards\n\n"
                               "x --> 00:00:01,000\nno time\n\n"
                               "00:00:01,000 --> 00:00:02,000\ngood\n";
    Arena *arena = arena_create();
    DiagLog log;
    const char *script = read_text(text, sizeof text - 1, &log, arena);
    assert_string_equal(events_of(script), LINE("0:00:01.00", "0:00:02.00", "good"));
    assert_string_equal(log.text,
                        "warning: 2 subtitles without valid times, first at line 1: skipped\n");
    arena_destroy(arena);
}

#define SCRIPT "[Script Info]\nTitle: "

static void test_encodings(void **state)
{
    (void)state;
    static const struct {
        const char *what, *bytes;
        size_t size;
        const char *text;
    } rows[] = {
        {"UTF-8", SCRIPT "\u8e0a\u308a", sizeof SCRIPT + 5, SCRIPT "\u8e0a\u308a"},
        {"UTF-8 with a mark", "\xEF\xBB\xBF" SCRIPT "\u8e0a", sizeof SCRIPT + 5, SCRIPT "\u8e0a"},
        {"Shift-JIS", SCRIPT "\x97\x78\x82\xE8", sizeof SCRIPT + 3, SCRIPT "\u8e0a\u308a"},
        {"UTF-16", "\xFF\xFE[\0S\0c\0r\0i\0p\0t\0 \0I\0n\0f\0o\0]\0\x0A\x8E", 30,
         "[Script Info]\u8e0a"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        const char *script = read_text(rows[i].bytes, rows[i].size, &log, arena);
        if (!script || strcmp(script, rows[i].text) != 0)
            fail_msg("%s: %s%s", rows[i].what, script ? script : "", log.text);
        arena_destroy(arena);
    }
}

static void test_refused(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    assert_null(read_text("hello\n", 6, &log, arena));
    assert_string_equal(log.text,
                        "error: neither Advanced SubStation Alpha (.ass) nor SubRip (.srt)\n");
    assert_int_equal(log.diag.kind, DIAG_DATA);
    assert_null(read_text("", 0, &log, arena));
    assert_null(read_text("\x81 --> \xFF\xFE\x80", 10, &log, arena));
    assert_string_equal(log.text, "error: text is neither UTF-8 nor UTF-16 nor Shift-JIS\n");

    char *large = malloc(SUBTITLE_MAX_BYTES + 1);
    memset(large, ' ', SUBTITLE_MAX_BYTES + 1);
    assert_null(read_text(large, SUBTITLE_MAX_BYTES + 1, &log, arena));
    assert_string_equal(log.text,
                        "error: subtitle file of 4194305 bytes is too large (0..4194304)\n");
    memcpy(large, "[Script Info]\n", 14);
    size_t size = 14;
    for (int i = 0; i <= SUBTITLE_MAX_EVENTS; i++, size += 11)
        memcpy(large + size, "dialogue: \n", 11);
    assert_null(read_text(large, size, &log, arena));
    assert_string_equal(log.text, "error: 20001 subtitles are too many (0..20000)\n");
    assert_non_null(read_text(large, size - 11, &log, arena));
    free(large);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subrip),
        cmocka_unit_test(test_bad_times),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
