#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text_stream.h"
#include "cli/help.h"
#include "cli/key_list.h"
#include "cli/verbs.h"
#include "heard.h"

static const char *help_text(const char *topic, Arena *arena, Heard *heard)
{
    TextStream stream;
    heard_init(heard);
    const bool good =
        help_write_topic(text_stream_open(&stream, arena), verbs, topic, arena, &heard->diag);
    const char *text = text_stream_close(&stream);
    return good ? text : NULL;
}

/* Each key that `odori help job` lists is a topic of help. */
static void describes_every_key(void **state)
{
    Arena *arena = arena_create();
    Heard heard;
    const KeyList keys = key_list_of_job(arena);
    const char *all = help_text("job", arena, &heard);
    (void)state;

    assert_true(keys.count > 150);
    for (size_t i = 0; i < keys.count; i++) {
        const char *name = keys.items[i].name;
        const char *text = help_text(name, arena, &heard);
        if (!strstr(all, arena_printf(arena, "%s: ", name)))
            fail_msg("help job does not list %s", name);
        if (!text || !strstr(text, keys.items[i].option->help))
            fail_msg("help %s: %s", name, text ? text : heard.text);
    }
    arena_destroy(arena);
}

static void finds_words(void **state)
{
    static const struct {
        const char *word, *expected;
    } rows[] = {
        {"ssim", "verb  compare "},
        {"SSIM", "flag  --threshold "},
        {"leapfrog", "key   cloth.N.integrator "},
        {"checkpoint dir", "flag  --state "},
    };
    Arena *arena = arena_create();
    Heard heard;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = help_text(rows[i].word, arena, &heard);
        if (!text || !strstr(text, rows[i].expected))
            fail_msg("help %s: %s", rows[i].word, text ? text : heard.text);
    }
    arena_destroy(arena);
}

static void suggests_the_nearest_name(void **state)
{
    static const struct {
        const char *word, *expected;
    } rows[] = {
        {"rendr", "'render'"},
        {"render.fsp", "'render.fps'"},
        {"models.3.fiel", "'models.N.file'"},
        {"xyzzyx", "see 'odori help'"},
    };
    Arena *arena = arena_create();
    Heard heard;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(help_text(rows[i].word, arena, &heard));
        if (!strstr(heard.text, rows[i].expected))
            fail_msg("help %s: %s", rows[i].word, heard.text);
        assert_int_equal(heard.diag.kind, DIAG_USAGE);
    }
    arena_destroy(arena);
}

static void replaces_indices(void **state)
{
    Arena *arena = arena_create();
    (void)state;
    assert_string_equal(key_with_index("models.12.motions.0.file", "N", arena),
                        "models.N.motions.N.file");
    assert_string_equal(key_with_index("models.N.file", "0", arena), "models.0.file");
    assert_string_equal(key_with_index("name", "0", arena), "name");
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(describes_every_key),
        cmocka_unit_test(finds_words),
        cmocka_unit_test(suggests_the_nearest_name),
        cmocka_unit_test(replaces_indices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
