// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <string.h>

#include "base/embedded_text.h"
#include "base/text_stream.h"
#include "cli/flags.h"
#include "cli/help.h"
#include "cli/verbs.h"
#include "diag_log.h"
#include "dispatch/batch_keys.h"
#include "job/host_limits.h"
#include "job/job_options.h"
#include "record/help/option_help.h"
#include "unit_test.h"

static const char *help_text(const char *topic, Arena *arena, DiagLog *log)
{
    TextStream stream;
    diag_log_init(log);
    const bool good = help_write_topic(text_stream_open(&stream, arena), topic, arena, &log->diag);
    const char *text = text_stream_close(&stream);
    return good ? text : NULL;
}

/* Each key that `odori help job` and `odori help batch` list is a topic of help. */
static void describes_every_key(void **state)
{
    Arena *arena = arena_create();
    const struct {
        const char *format;
        const OptionTable *table;
    } rows[] = {
        {"job", &option_job}, {"batch", batch_keys_reference(arena)}, {"limits", &option_limits}};
    DiagLog log;
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const OptionKeys keys = option_help_list(rows[i].table, arena);
        const char *all = help_text(rows[i].format, arena, &log);
        for (size_t k = 0; k < keys.count; k++) {
            const char *line = arena_printf(arena, "\n%s: ", keys.items[k].name);
            const char *text = help_text(keys.items[k].name, arena, &log);
            if (!strstr(all, line))
                fail_msg("help %s does not list %s", rows[i].format, keys.items[k].name);
            if (!text || !strstr(text, line))
                fail_msg("help %s: %s", keys.items[k].name, text ? text : log.text);
        }
    }
    arena_destroy(arena);
}

static void finds_words(void **state)
{
    static const struct {
        const char *word, *expected;
    } rows[] = {
        {"ssim", "flag   --threshold "},
        {"SSIM", "flag   --threshold "},
        {"leapfrog", "job    cloth.N.integrator "},
        {"checkpoint dir", "flag   --state "},
        {"retries", "batch  run.retries "},
    };
    Arena *arena = arena_create();
    DiagLog log;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = help_text(rows[i].word, arena, &log);
        if (!text || !strstr(text, rows[i].expected))
            fail_msg("help %s: %s", rows[i].word, text ? text : log.text);
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
    DiagLog log;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(help_text(rows[i].word, arena, &log));
        if (!strstr(log.text, rows[i].expected))
            fail_msg("help %s: %s", rows[i].word, log.text);
        assert_int_equal(log.diag.kind, DIAG_USAGE);
    }
    arena_destroy(arena);
}

static void generalizes_indices(void **state)
{
    Arena *arena = arena_create();
    (void)state;
    assert_string_equal(option_help_general_name("models.12.motions.0.file", arena),
                        "models.N.motions.N.file");
    assert_string_equal(option_help_general_name("name", arena), "name");
    arena_destroy(arena);
}

/* A key that is missing from its manual page would have no documentation. */
static void manual_pages_contain_every_key(void **state)
{
    Arena *arena = arena_create();
    const struct {
        const char *page;
        const OptionTable *table;
    } rows[] = {
        {"job", &option_job}, {"batch", batch_keys_reference(arena)}, {"limits", &option_limits}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TextStream stream;
        assert_true(help_write_manual(text_stream_open(&stream, arena), rows[i].page, arena));
        const char *text = text_stream_close(&stream);
        const OptionKeys keys = option_help_list(rows[i].table, arena);
        assert_true(keys.count > 5);
        for (size_t k = 0; k < keys.count; k++)
            if (!strstr(text, arena_printf(arena, "\n.B %s\n", keys.items[k].name)))
                fail_msg("odori-%s(5) does not mention %s", rows[i].page, keys.items[k].name);
    }
    arena_destroy(arena);
}

static size_t count_sections(const char *file)
{
    size_t count = 1; /* the first one follows no line break */
    for (const char *at = embedded_text_find(embedded_texts, file); (at = strstr(at, "\n# "));)
        at++, count++;
    return count;
}

/* A section without a verb or flag is a text that nobody can read. */
static void every_verb_and_flag_has_its_section(void **state)
{
    Arena *arena = arena_create();
    size_t verb_count = 0, flag_count = 0;
    (void)state;
    for (const Verb *verb = verbs; verb->name; verb++, verb_count++) {
        const VerbText text = verb_text(verb, arena);
        assert_true(text.summary[0] >= 'a' && text.summary[0] <= 'z');
        assert_null(strstr(text.description, "@{"));
    }
    for (const Flag *flag = flag_table(); flag->name; flag++) {
        assert_true(strlen(flag_help(flag, arena)) > 1);
        flag_count += !flag_is_of_key(flag);
    }
    assert_int_equal(count_sections("verbs.txt"), verb_count + 1); /* "files" */
    assert_int_equal(count_sections("flags.txt"), flag_count);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(describes_every_key),
        cmocka_unit_test(finds_words),
        cmocka_unit_test(suggests_the_nearest_name),
        cmocka_unit_test(generalizes_indices),
        cmocka_unit_test(manual_pages_contain_every_key),
        cmocka_unit_test(every_verb_and_flag_has_its_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
