// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include "diag_log.h"
#include "job/job_options.h"
#include "job/job_visit.h"
#include "record/help/option_help.h"
#include "record/help/option_schema.h"
#include "record/option_read.h"
#include "record/yaml.h"
#include "unit_test.h"

/* ---- the table itself ---- */

/* Those that help has: keys that scenes have in common with the job are described once. */
static size_t count_rows(const OptionTable *table)
{
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) {
        const Option *row = &table->rows[i];
        const Option *top = table != &option_job ? option_find(&option_job, row->key) : NULL;
        count += 1 + (row->table && !(top && top->table) ? count_rows(row->table) : 0);
    }
    return count;
}

static void check_row(const Option *row)
{
    if (!row->help || !row->help[0])
        fail_msg("%s has no help", row->key);
    if ((row->type == OPTION_CHOICE || row->type == OPTION_CHOICES || row->type == OPTION_FLAGS) &&
        !row->choices)
        fail_msg("%s has no choices", row->key);
    if ((row->type >= OPTION_SECTION) != (row->table != NULL))
        fail_msg("%s: a section has a table, nothing else", row->key);
    if ((row->type == OPTION_INTS || row->type == OPTION_NUMBERS) != (row->length > 0))
        fail_msg("%s: a list of numbers has a length, nothing else", row->key);
    if ((row->type == OPTION_LIST || row->type == OPTION_TEXTS || row->type == OPTION_NAMES ||
         row->type == OPTION_CHOICES || row->type == OPTION_WEIGHTS || row->type == OPTION_FILES ||
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
        {"100000000/3", 100000000, 3},
        {"100000001/3", 0, 0},
        {"3/100000000", 3, 100000000},
        {"3/100000001", 0, 0},
        {"0/3", 0, 0},
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
        Rational rate;
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
        FrameRange last; /* -1: refused */
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
        {"9-5", 0, {-1, 0}},
        {"5,5", 0, {-1, 0}},
        {"0-9,", 0, {-1, 0}},
        {"0-9;20", 0, {-1, 0}},
        {"100000000", 0, {-1, 0}},
        {"ALL", 0, {-1, 0}},
        {"1.5", 0, {-1, 0}},
        /* 23.976 frames/s: frame n at n 1001/24000 s */
        {"m30", 1, {24, 24}}, /* 1 s is after frame 23 at 0.959 s */
        {"m0-m30", 1, {0, 23}},
        {"m0-30", 1, {0, 23}},
        {"m0.5-m1", 0, {-1, 0}}, /* no frame at 0.0167..0.0333 s; the next is at 0.0417 s */
        {"1s", 1, {24, 24}},
        {"0s-1s", 1, {0, 23}},
        {"1s-2s", 1, {24, 47}},
        {"0s-1s,1s-2s", 2, {24, 47}},
        {"1.001s-2.002s", 1, {24, 47}}, /* frames 24 and 48 are at its ends */
        {"0-9,1s", 2, {24, 24}},
        {"m30-2s", 1, {24, 47}},
        {"0-9,m1", 0, {-1, 0}},
        {"5-m9", 1, {5, 7}},
        {"s", 0, {-1, 0}},
        {"m", 0, {-1, 0}},
        {"m-1", 0, {-1, 0}},
        {"1m", 0, {-1, 0}},
        {"m1s", 0, {-1, 0}},
        {"1e3s", 0, {-1, 0}},
        {"2s-1s", 0, {-1, 0}},
        {"0:02", 1, {48, 48}},
        {"0:01-0:02", 1, {24, 47}},
        {"1:00:00-", 1, {86314, FRAME_RANGE_END}},
        {"1s-", 1, {24, FRAME_RANGE_END}},
        {"10-", 1, {10, FRAME_RANGE_END}},
        {"1s+1", 1, {24, 47}},
        {"0:01+0:01", 1, {24, 47}},
        {"10+5", 1, {10, 14}},
        {"m30+30", 1, {24, 47}},
        {"10+1s", 0, {-1, 0}},
        {"10+0", 0, {-1, 0}},
        {"10+", 0, {-1, 0}},
        {"-10", 0, {-1, 0}},
        {"1s-,2s-3s", 0, {-1, 0}},
        {"0:60", 0, {-1, 0}},
        {"1:2:3:4", 0, {-1, 0}},
        {":5", 0, {-1, 0}},
        {"5:", 0, {-1, 0}},
        {"1s-1s", 0, {-1, 0}}, /* nothing is at 1 s and before it */
        {"99999999s", 0, {-1, 0}},
    };
    const Rational rate = {24000, 1001};
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FrameRanges frames = {0};
        const bool good = option_parse_frames(&frames, rows[i].text, rate, arena);
        const FrameRange last = frames.count ? frames.items[frames.count - 1] : (FrameRange){0, 0};
        if (good != (rows[i].last.first >= 0) ||
            (good && (frames.count != rows[i].count || last.first != rows[i].last.first ||
                      last.last != rows[i].last.last)))
            fail_msg("'%s': %d, %zu ranges", rows[i].text, good, frames.count);
    }
    arena_destroy(arena);
}

/* ---- ranges, by a table of its own ---- */

typedef struct Values {
    int count, samples, size[2];
    double weight, direction[3], color[3];
    int mode;
    unsigned flags;
    Rational rate;
    const char *name;
} Values;

static const char *const modes[] = {"one", "two", NULL};
static const int sample_counts[] = {1, 4, 0};

static const Option value_rows[] = {
    {.key = "count",
     .type = OPTION_INT,
     .offset = offsetof(Values, count),
     .value = "auto",
     .min = 2,
     .max = 5,
     .word = "auto",
     .word_value = -7,
     .help = "count"},
    {.key = "samples",
     .type = OPTION_INT,
     .offset = offsetof(Values, samples),
     .value = "4",
     .values = sample_counts,
     .help = "samples"},
    {.key = "size",
     .type = OPTION_INTS,
     .offset = offsetof(Values, size),
     .length = 2,
     .value = "[3, 4]",
     .min = 1,
     .max = 9,
     .help = "size"},
    {.key = "weight",
     .type = OPTION_NUMBER,
     .offset = offsetof(Values, weight),
     .value = "null",
     .min = -1,
     .max = 1.5,
     .help = "weight"},
    {.key = "direction",
     .type = OPTION_NUMBERS,
     .offset = offsetof(Values, direction),
     .length = 3,
     .value = "null",
     .help = "direction"},
    {.key = "color",
     .type = OPTION_COLOR,
     .offset = offsetof(Values, color),
     .value = "null",
     .help = "color"},
    {.key = "mode",
     .type = OPTION_CHOICE,
     .offset = offsetof(Values, mode),
     .value = "two",
     .choices = modes,
     .help = "mode"},
    {.key = "flags",
     .type = OPTION_FLAGS,
     .offset = offsetof(Values, flags),
     .value = "[one]",
     .choices = modes,
     .help = "flags"},
    {.key = "rate",
     .type = OPTION_RATE,
     .offset = offsetof(Values, rate),
     .value = "30",
     .min = 1,
     .max = 60,
     .help = "rate"},
    {.key = "name",
     .type = OPTION_TEXT,
     .offset = offsetof(Values, name),
     .value = "null",
     .help = "name"},
};
static const OptionTable value_table = {value_rows, sizeof value_rows / sizeof *value_rows,
                                        sizeof(Values), NULL};

static bool read_values(Values *values, const char *text, DiagLog *log, Arena *arena)
{
    YamlNode *root;
    diag_log_init(log);
    YamlSource *source = arena_array(arena, YamlSource, 1);
    *source = (YamlSource){.name = "v", .text = text, .size = strlen(text)};
    OptionReader reader = {.directory = "", .arena = arena, .diag = &log->diag};
    return yaml_load(&root, source, arena, &log->diag) &&
           option_read(values, &value_table, root, &reader);
}

static void test_ranges(void **state)
{
    static const struct {
        const char *text, *message; /* NULL: accepted */
    } rows[] = {
        {"count: 2", NULL},
        {"count: 5", NULL},
        {"count: auto", NULL},
        {"count: 1", "count: 1 is out of range (auto or 2..5)"},
        {"count: 6", "count: 6 is out of range (auto or 2..5)"},
        {"count: [2]", "count: expected a whole number (auto or 2..5), not a list of 1"},
        {"count: {a: 2}", "count: expected a whole number (auto or 2..5), not a map"},
        {"count: 99999999999999999999", "is not a whole number"},
        {"samples: 1", NULL},
        {"samples: 4", NULL},
        {"samples: 0", "samples: 0 is out of range (1, 4)"},
        {"samples: 2", "samples: 2 is out of range (1, 4)"},
        {"samples: 5", "samples: 5 is out of range (1, 4)"},
        {"size: [1, 9]", NULL},
        {"size: [1, 10]", "size: 10 is out of range (1..9)"},
        {"size: [0, 9]", "size: 0 is out of range (1..9)"},
        {"size: [1, 2, 3]", "size: expected a list of 2 numbers (1..9), not a list of 3"},
        {"weight: -1", NULL},
        {"weight: 1.5", NULL},
        {"weight: -1.001", "weight: -1.001 is out of range (-1..1.5)"},
        {"weight: 1.501", "weight: 1.501 is out of range (-1..1.5)"},
        {"weight: nan", "weight: 'nan' is not a number (-1..1.5)"},
        {"direction: [1e300, -1e300, 0]", NULL},
        {"direction: [1, 2]", "direction: expected a list of 3 numbers, not a list of 2"},
        {"color: [0, 1, 0.5]", NULL},
        {"color: \"#00ff7F\"", NULL},
        {"color: [0, 1, -0.1]", "color: expected a color"},
        {"color: \"#00ff7\"", "color: "},
        {"color: \"#00ff7g\"", "color: "},
        {"mode: one", NULL},
        {"mode: three", "mode: 'three' is not one of one, two"},
        {"flags: [two, one]", NULL},
        {"flags: []", "flags: expected a list of one, two, not a list of 0"},
        {"flags: [two, three]", "flags: 'three' is not one of one, two"},
        {"rate: 1", NULL},
        {"rate: 60", NULL},
        {"rate: 0.999", "rate: 0.999 is out of range (1..60)"},
        {"rate: 60.001", "rate: 60.001 is out of range (1..60)"},
        {"name: 12", NULL},
        {"name: \"\"", "name: value is empty; expected a text"},
    };
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        Values values;
        const bool good = read_values(&values, rows[i].text, &log, arena);
        if (good == (rows[i].message != NULL) || (!good && !strstr(log.text, rows[i].message)))
            fail_msg("%s: %d %s", rows[i].text, good, log.text);
    }
    arena_destroy(arena);
}

/* Values are stored where their rows say; missing and null values are the defaults. */
static void test_stored(void **state)
{
    Arena *arena = arena_create();
    DiagLog log;
    Values v;
    (void)state;
    assert_true(read_values(&v,
                            "{count: 5, size: [7, 8], weight: 0.25, direction: [1, 2, 3], "
                            "color: \"#ff0033\", mode: one, flags: [two], rate: 29.97}",
                            &log, arena));
    assert_true(v.count == 5 && v.size[0] == 7 && v.size[1] == 8 && v.weight == 0.25);
    assert_true(v.direction[2] == 3 && v.color[0] == 1 && v.color[2] == 0.2);
    assert_true(v.mode == 0 && v.flags == 2 && v.rate.num == 30000 && v.rate.den == 1001);
    assert_true(read_values(&v, "{count: null, samples: null}", &log, arena));
    assert_true(v.count == -7 && v.samples == 4 && v.size[1] == 4 && v.mode == 1 && v.flags == 1);
    assert_true(isnan(v.weight) && isnan(v.direction[2]) && isnan(v.color[2]) && !v.name);
    arena_destroy(arena);
}

/* ---- texts from the table ---- */

typedef void Writer(FILE *out, Arena *arena);

static char *text_of(Writer *write)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    Arena *arena = arena_create();
    assert_non_null(out);
    write(out, arena);
    fclose(out);
    arena_destroy(arena);
    return text;
}

static void write_schema(FILE *out, Arena *arena)
{
    (void)arena;
    option_schema(out, &option_job, "id", "title");
}

/* JSON is a subset of YAML, so the YAML reader can parse the schema. */
static void test_schema(void **state)
{
    char *text = text_of(write_schema);
    Arena *arena = arena_create();
    DiagLog log;
    YamlNode *root;
    (void)state;
    diag_log_init(&log);
    const YamlSource source = {.name = "schema", .text = text, .size = strlen(text)};
    if (!yaml_load(&root, &source, arena, &log.diag))
        fail_msg("%s", log.text);

    assert_string_equal(yaml_find(root, "$schema")->text,
                        "https://json-schema.org/draft/2020-12/schema");
    const YamlNode *keys = yaml_find(root, "properties");
    assert_int_equal(keys->count, option_job.count);
    for (size_t i = 0; i < option_job.count; i++)
        assert_non_null(yaml_find(keys, option_job.rows[i].key));
    assert_int_equal(yaml_find(root, "required")->count, 2); /* version, outputs */
    assert_string_equal(yaml_item(yaml_find(yaml_find(root, "then"), "required"), 0)->text,
                        "models");
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

static void write_all_help(FILE *out, Arena *arena)
{
    assert_true(option_help(out, &option_job, NULL, arena));
}

static void write_markdown(FILE *out, Arena *arena)
{
    option_markdown(out, &option_job, arena);
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
    char *help = text_of(write_all_help), *table = text_of(write_markdown);
    (void)state;
    assert_int_equal(count_lines(help, "    "), count_rows(&option_job));
    assert_int_equal(count_lines(table, "| `"), count_rows(&option_job));
    assert_non_null(strstr(help, "render.fps: frame rate: 60, 29.97 or \"30000/1001\" [frames/s]\n"
                                 "    1..240; default 60\n"));
    assert_non_null(
        strstr(help, "    auto or 1..400000; default auto; not with crf; not with size_mb\n"));
    assert_non_null(strstr(help, "; default false; needs bitrate_kbps\n"));
    assert_non_null(strstr(help, "camera.path: key points of the camera over time\n"
                                 "    list of maps; default []; not with motion, fixed\n"));
    assert_non_null(strstr(table, "| `render.workers` | auto or 1..256 | `auto` |"));
    assert_false(option_help(stderr, &option_job, "render.fsp", NULL));
    free(help);
    free(table);
}

static void write_manual(FILE *out, Arena *arena)
{
    option_manual(out, &option_job, arena);
}

/* A paragraph per key; no text is taken for a macro; no line is too long for mandoc -Tlint. */
static void test_manual(void **state)
{
    char *manual = text_of(write_manual);
    (void)state;
    assert_int_equal(count_lines(manual, ".TP"), count_rows(&option_job));
    for (const char *at = manual; *at; at += strcspn(at, "\n") + 1) {
        const bool is_macro = !strncmp(at, ".TP\n", 4) || !strncmp(at, ".B ", 3) ||
                              !strncmp(at, ".br\n", 4) || !strncmp(at, ".SS ", 4);
        if (((*at == '.' || *at == '\'') && !is_macro) || strcspn(at, "\n") > 80)
            fail_msg("%.*s", (int)strcspn(at, "\n"), at);
    }
    assert_non_null(strstr(manual, ".B render.fps\n"));
    assert_non_null(strstr(manual, "top\\-left"));
    free(manual);
}

/* Each key that the help prints is a key that can be asked for. */
static void test_help_keys(void **state)
{
    char *help = text_of(write_all_help);
    (void)state;
    for (const char *at = help; *at; at += strcspn(at, "\n") + 1) {
        char key[128];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(at, ":"), at);
        if (*at != ' ' && !option_at(key))
            fail_msg("%s", key);
    }
    free(help);
}

/* ---- key by key ---- */

typedef struct Visited {
    size_t keys, wrong;
    bool size, name, file, workers, timeout;
    int models, audio, burn_in; /* visits of a list, of an optional section, and of another */
} Visited;

static void visit(void *user, const char *dotted, const char *value, const Option *option)
{
    Visited *t = user;
    const Option *row = option_at(dotted);
    t->keys++;
    if (row != option || row->type == OPTION_SECTION ||
        (row->type == OPTION_PATH && option_affects_film(row)))
        t->wrong++;
    t->models += !strcmp(dotted, "models") && !strcmp(value, "2");
    t->audio += !strcmp(dotted, "audio") && !strcmp(value, "null");
    t->burn_in += !strcmp(dotted, "burn_in") && !strcmp(value, "given");
    t->size |=
        !strcmp(dotted, "render.size") && !strcmp(value, "[64, 36]") && option_affects_film(row);
    t->name |= !strcmp(dotted, "previews.0.width") && !strcmp(value, "auto") &&
               row->stage == STAGE_PREVIEW;
    t->file |=
        !strcmp(dotted, "models.1.file") && strstr(value, "b.pmx") && !option_affects_film(row);
    t->workers |= !strcmp(dotted, "render.workers") && row->stage == STAGE_NONE;
    t->timeout |= !strcmp(dotted, "limits.frame_timeout_s") && row->stage == STAGE_NONE;
}

static void test_each(void **state)
{
    static const char *const files[] = {"a.pmx", "b.pmx"};
    static const char *const sets[] = {
        "render.size=[64,36]", "previews=[{type: still, file: s.png}]", "burn_in={text: x}"};
    const JobSource source = {.files = files, .file_count = 2, .sets = sets, .set_count = 3};
    Arena *arena = arena_create();
    DiagLog log;
    Visited visited = {0};
    Job job;
    (void)state;
    diag_log_init(&log);
    if (!job_load(&job, &source, arena, &log.diag))
        fail_msg("%s", log.text);
    job_visit_keys(&job, visit, &visited);
    assert_int_equal(visited.wrong, 0);
    assert_true(visited.size && visited.name && visited.file && visited.workers && visited.timeout);
    assert_true(visited.models == 1 && visited.audio == 1 && visited.burn_in == 1);
    arena_destroy(arena);
}

/* The row of a dotted key; words of any length that are no keys have none. */
static void test_dotted_keys(void **state)
{
    (void)state;
    static const struct {
        const char *dotted, *key; /* NULL: none */
    } rows[] = {
        {"render.size", "size"},
        {"render", "render"},
        {"models.0.file", "file"},
        {"models.N.file", "file"},
        {"models.12.motions.3.file", "file"},
        {"models.file", "file"},
        {"models.x.file", NULL},
        {"render.size.x", NULL},
        {"render.0", NULL},
        {"", NULL},
        {".", NULL},
        {"render..size", NULL},
        {"render.size.", "size"},
        {"siz", NULL},
        {"render.sizes", NULL},
        {"render.sample", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Option *option = option_at(rows[i].dotted);
        if (!option != !rows[i].key || (option && strcmp(option->key, rows[i].key) != 0))
            fail_msg("'%s': %s", rows[i].dotted, option ? option->key : "none");
    }
    char text[200] = "";
    for (size_t size = 1; size < 100; size++) {
        memset(text, 'a', size);
        assert_null(option_at(text));
        memcpy(text + size, ".b", 3);
        assert_null(option_at(text));
        text[size] = '\0';
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dotted_keys), cmocka_unit_test(test_table),
        cmocka_unit_test(test_at),          cmocka_unit_test(test_rates),
        cmocka_unit_test(test_frames),      cmocka_unit_test(test_schema),
        cmocka_unit_test(test_help),        cmocka_unit_test(test_each),
        cmocka_unit_test(test_ranges),      cmocka_unit_test(test_stored),
        cmocka_unit_test(test_manual),      cmocka_unit_test(test_help_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
