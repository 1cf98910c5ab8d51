#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/yaml.h"
#include "heard.h"
#include "job/option_read.h"
#include "job/option_dump.h"
#include "job/option_help.h"
#include "job/option_schema.h"
#include "job/options.h"

/* ---- the table itself ---- */

static size_t count_rows(const OptionTable *table)
{
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++)
        count += 1 + (table->rows[i].table ? count_rows(table->rows[i].table) : 0);
    return count;
}

static void check_row(const Option *row)
{
    if (!row->help || !row->help[0])
        fail_msg("%s has no help", row->key);
    if ((row->type == OPTION_CHOICE || row->type == OPTION_FLAGS) && !row->choices)
        fail_msg("%s has no choices", row->key);
    if ((row->type >= OPTION_SECTION) != (row->table != NULL))
        fail_msg("%s: a section has a table, nothing else", row->key);
    if ((row->type == OPTION_INTS || row->type == OPTION_NUMBERS) != (row->length > 0))
        fail_msg("%s: a list of numbers has a length, nothing else", row->key);
    if ((row->type == OPTION_LIST || row->type == OPTION_TEXTS || row->type == OPTION_WEIGHTS ||
         row->type == OPTION_CAPSULES) &&
        row->count_offset == row->offset)
        fail_msg("%s has no field for its count", row->key);
}

static void check_table(const OptionTable *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *row = &table->rows[i];
        check_row(row);
        if (row->offset >= table->size)
            fail_msg("%s is outside of its struct", row->key);
        for (size_t k = 0; k < i; k++)
            if (!strcmp(row->key, table->rows[k].key))
                fail_msg("%s is defined twice", row->key);
        if (row->table)
            check_table(row->table);
    }
    if (table->short_key)
        assert_non_null(option_find(table, table->short_key));
}

static void test_table(void **state)
{
    (void)state;
    check_table(&option_job);
    assert_true(count_rows(&option_job) > 80);
}

static void test_at(void **state)
{
    (void)state;
    assert_string_equal(option_at("render.fps")->key, "fps");
    assert_string_equal(option_at("models.0.motions.3.speed")->key, "speed");
    assert_string_equal(option_at("models.motions")->key, "motions");
    assert_string_equal(option_at("camera.fixed.fov_deg")->key, "fov_deg");
    assert_string_equal(option_at("models.N.file")->key, "file");
    assert_string_equal(option_at("models.0.file")->key, "file");
    assert_null(option_at("render.N.fps"));
    assert_null(option_at("render.fsp"));
    assert_null(option_at("render.fps.x"));
    assert_null(option_at("render.0.fps"));
    assert_null(option_at(""));
    assert_null(option_at("0"));
}

/* ---- values ---- */

static void test_rates(void **state)
{
    static const struct {
        const char *text;
        int num, den; /* 0: refused */
    } rows[] = {
        {"60", 60, 1},
        {"29.97", 30000, 1001},
        {"23.976", 24000, 1001},
        {"23.98", 24000, 1001},
        {"59.94", 60000, 1001},
        {"30000/1001", 30000, 1001},
        {"12.5", 25, 2},
        {"60/2", 30, 1},
        {"119.88", 120000, 1001},
        {"0", 0, 0},
        {"-30", 0, 0},
        {"30/0", 0, 0},
        {"30/", 0, 0},
        {"/30", 0, 0},
        {"sixty", 0, 0},
        {"60 fps", 0, 0},
        {"", 0, 0},
        {"1/2/3", 0, 0},
        {"99999999999/1", 0, 0},
        {"30/-1", 0, 0},
        {"1e9", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        JobRational rate;
        const bool good = option_parse_rate(&rate, rows[i].text);
        if (good != (rows[i].den > 0) ||
            (good && (rate.num != rows[i].num || rate.den != rows[i].den)))
            fail_msg("'%s': %d, %d/%d", rows[i].text, good, rate.num, rate.den);
    }
}

static void test_frames(void **state)
{
    static const struct {
        const char *text;
        size_t count;
        JobRange last; /* -1: refused */
    } rows[] = {
        {"all", 0, {0, 0}},
        {"0-1799", 1, {0, 1799}},
        {"5", 1, {5, 5}},
        {"0-99,400-499", 2, {400, 499}},
        {"0-99, 400-499", 2, {400, 499}},
        {"1,2,3", 3, {3, 3}},
        {"99999999", 1, {99999999, 99999999}},
        {"", 0, {-1, 0}},
        {"-5", 0, {-1, 0}},
        {"5-", 0, {-1, 0}},
        {"9-5", 0, {-1, 0}},
        {"5,5", 0, {-1, 0}},
        {"0-9,", 0, {-1, 0}},
        {"0-9;20", 0, {-1, 0}},
        {"100000000", 0, {-1, 0}},
        {"ALL", 0, {-1, 0}},
        {"1.5", 0, {-1, 0}},
    };
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        JobFrames frames = {0};
        const bool good = option_parse_frames(&frames, rows[i].text, arena);
        const JobRange last = frames.count ? frames.items[frames.count - 1] : (JobRange){0, 0};
        if (good != (rows[i].last.first >= 0) ||
            (good && (frames.count != rows[i].count || last.first != rows[i].last.first ||
                      last.last != rows[i].last.last)))
            fail_msg("'%s': %d, %zu ranges", rows[i].text, good, frames.count);
    }
    arena_destroy(arena);
}

/* ---- texts from the table ---- */

typedef void Writer(FILE *out);

static char *text_of(Writer *write)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    write(out);
    fclose(out);
    return text;
}

/* JSON is a subset of YAML, so the YAML reader can parse the schema. */
static void test_schema(void **state)
{
    char *text = text_of(option_schema_job);
    Arena *arena = arena_create();
    Heard heard;
    YamlNode *root;
    (void)state;
    heard_init(&heard);
    const YamlSource source = {.name = "schema", .text = text, .size = strlen(text)};
    if (!yaml_load(&root, &source, arena, &heard.diag))
        fail_msg("%s", heard.text);

    assert_string_equal(yaml_find(root, "$schema")->text,
                        "https://json-schema.org/draft/2020-12/schema");
    const YamlNode *keys = yaml_find(root, "properties");
    assert_int_equal(keys->count, option_job.count);
    for (size_t i = 0; i < option_job.count; i++)
        assert_non_null(yaml_find(keys, option_job.rows[i].key));
    assert_int_equal(yaml_find(root, "required")->count, 3); /* version, models, outputs */
    assert_string_equal(yaml_find(root, "additionalProperties")->text, "false");
    const YamlNode *render = yaml_find(yaml_find(keys, "render"), "properties");
    const YamlNode *fps = yaml_find(render, "fps"), *samples = yaml_find(render, "samples");
    assert_string_equal(yaml_item(yaml_find(fps, "type"), 0)->text, "number");
    assert_string_equal(yaml_find(fps, "maximum")->text, "240");
    assert_string_equal(yaml_find(fps, "default")->text, "60");
    assert_string_equal(yaml_item(yaml_find(samples, "enum"), 1)->text, "4");
    assert_null(yaml_find(samples, "minimum"));
    free(text);
    arena_destroy(arena);
}

static void write_all_help(FILE *out)
{
    assert_true(option_help(out, NULL));
}

static size_t count_lines(const char *text, const char *beginning)
{
    size_t count = 0;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        count += !strncmp(at, beginning, strlen(beginning));
    return count;
}

static void test_help(void **state)
{
    char *help = text_of(write_all_help), *table = text_of(option_markdown);
    (void)state;
    assert_int_equal(count_lines(help, "    "), count_rows(&option_job));
    assert_int_equal(count_lines(table, "| `"), count_rows(&option_job));
    assert_non_null(strstr(help, "render.fps: frame rate: 60, 29.97 or \"30000/1001\" [frames/s]\n"
                                 "    1..240; default 60\n"));
    assert_non_null(strstr(table, "| `render.workers` | auto or 1..256 | `auto` |"));
    assert_false(option_help(stderr, "render.fsp"));
    free(help);
    free(table);
}

/* ---- key by key ---- */

typedef struct Visited {
    size_t keys, wrong;
    bool size, name, file, workers, timeout;
} Visited;

static void visit(void *user, const char *dotted, const char *value, OptionAffects affects)
{
    Visited *t = user;
    const Option *row = option_at(dotted);
    t->keys++;
    if (!row || (row->type == OPTION_PATH && affects != AFFECTS_NOTHING))
        t->wrong++;
    t->size |=
        !strcmp(dotted, "render.size") && !strcmp(value, "[64, 36]") && affects == AFFECTS_FRAMES;
    t->name |=
        !strcmp(dotted, "previews.0.width") && !strcmp(value, "auto") && affects == AFFECTS_FILES;
    t->file |=
        !strcmp(dotted, "models.1.file") && strstr(value, "b.pmx") && affects == AFFECTS_NOTHING;
    t->workers |= !strcmp(dotted, "render.workers") && affects == AFFECTS_NOTHING;
    t->timeout |= !strcmp(dotted, "limits.frame_timeout_s") && affects == AFFECTS_NOTHING;
}

static void test_each(void **state)
{
    static const char *const files[] = {"a.pmx", "b.pmx"};
    static const char *const sets[] = {"render.size=[64,36]",
                                       "previews=[{type: still, file: s.png}]"};
    const JobSource source = {.files = files, .file_count = 2, .sets = sets, .set_count = 2};
    Arena *arena = arena_create();
    Heard heard;
    Visited visited = {0};
    Job job;
    (void)state;
    heard_init(&heard);
    if (!job_load(&job, &source, arena, &heard.diag))
        fail_msg("%s", heard.text);
    option_each(&job, visit, &visited);
    assert_int_equal(visited.wrong, 0);
    assert_true(visited.size && visited.name && visited.file && visited.workers && visited.timeout);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),  cmocka_unit_test(test_at),     cmocka_unit_test(test_rates),
        cmocka_unit_test(test_frames), cmocka_unit_test(test_schema), cmocka_unit_test(test_help),
        cmocka_unit_test(test_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
