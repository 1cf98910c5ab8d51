// SPDX-License-Identifier: MIT
/* html: escaped text, base64 of RFC 4648 */

#include <stdbool.h>
#include <string.h>

#include "base/text_stream.h"
#include "inspect/report/html.h"
#include "unit_test.h"

static const struct {
    const char *what, *text, *expected;
} texts[] = {
    {"plain", "odori 0.2", "odori 0.2"},
    {"markup", "<b a=\"x\" c='y'>&amp;</b>",
     "&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;amp;&lt;/b&gt;"},
    {"Japanese", "踊り子", "踊り子"},
    {"controls", "a\nb\tc\x1B", "a\\nb\\tc\\x1B"},
    {"direction", "\xE2\x80\xAE.mp4", "\\u202E.mp4"},
    {"not UTF-8", "\xFFx", "\\xFFx"},
    {"not XML", "a\xEF\xBF\xBE\xEF\xBF\xBF", "a??"},
    {"a neighbour that is XML", "\xEF\xBF\xBD", "\xEF\xBF\xBD"},
    {"empty", "", ""},
};

static void escapes_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Arena *arena = arena_create();
        TextStream stream;
        html_text(text_stream_open(&stream, arena), texts[i].text);
        const char *text = text_stream_close(&stream);
        if (strcmp(text, texts[i].expected) != 0)
            fail_msg("%s: '%s', not '%s'", texts[i].what, text, texts[i].expected);
        arena_destroy(arena);
    }
}

static void keeps_lines(void **state)
{
    static const char *const rows[][2] = {
        {"", ""}, {"a", "a\n"}, {"a\r\n\r<b>\n", "a\n\n&lt;b&gt;\n"}, {"\n\nb\tc", "\n\nb\\tc\n"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        TextStream stream;
        html_lines(text_stream_open(&stream, arena), rows[i][0]);
        assert_string_equal(text_stream_close(&stream), rows[i][1]);
        arena_destroy(arena);
    }
}

static void escapes_elements(void **state)
{
    Arena *arena = arena_create();
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    (void)state;
    html_element(out, "td class=\"n\"", "1 < 2");
    html_element_printf(out, "p", "%s & %d", "<i>", 3);
    html_printf(out, "%.2f>", 0.5);
    assert_string_equal(text_stream_close(&stream),
                        "<td class=\"n\">1 &lt; 2</td><p>&lt;i&gt; &amp; 3</p>0.50&gt;");
    arena_destroy(arena);
}

/* RFC 4648, 10 */
static const struct {
    const char *bytes, *expected;
} vectors[] = {
    {"", "data:x/y;base64,"},
    {"f", "data:x/y;base64,Zg=="},
    {"fo", "data:x/y;base64,Zm8="},
    {"foo", "data:x/y;base64,Zm9v"},
    {"foob", "data:x/y;base64,Zm9vYg=="},
    {"fooba", "data:x/y;base64,Zm9vYmE="},
    {"foobar", "data:x/y;base64,Zm9vYmFy"},
    {"\xFB\xEF\xFF", "data:x/y;base64,++//"},
};

static void encodes_data(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        Arena *arena = arena_create();
        TextStream stream;
        const Bytes bytes = {(const uint8_t *)vectors[i].bytes, strlen(vectors[i].bytes)};
        html_data_uri(text_stream_open(&stream, arena), "x/y", bytes);
        assert_string_equal(text_stream_close(&stream), vectors[i].expected);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes_text),
        cmocka_unit_test(keeps_lines),
        cmocka_unit_test(escapes_elements),
        cmocka_unit_test(encodes_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
