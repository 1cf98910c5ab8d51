// SPDX-License-Identifier: MIT
#include "dispatch/batch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "dispatch/batch_keys.h"
#include "format/file_kind.h"
#include "job/job.h"
#include "job/job_options.h"
#include "record/option_read.h"
#include "record/option_value.h"

enum {
    MAX_VALUES = OPTION_MAX_ITEMS,
    MAX_KEYS = 64,
    MAX_EXTENSION = 6,
    VALUE_SIZE = 100,
    PATH_SIZE = 3000
};

/* ---- parser ---- */

typedef struct AxisValue {
    const char *name;
    const YamlNode *layer; /* a map of dotted keys */
} AxisValue;

typedef struct Axis {
    const char *name;
    AxisValue *values;
    size_t count;
} Axis;

typedef struct Parser {
    OptionReader reader;
    const char *directory; /* directory of the manifest, absolute, ends with '/' */
    YamlNode *root;
    BatchManifest manifest;
    Axis axes[BATCH_MAX_AXES];
    size_t axis_count;
    ARENA_LIST(BatchJob) jobs;
    const AxisValue *selected[BATCH_MAX_AXES]; /* values of the current job; NULL: no value */
} Parser;

/* "KEY: a list is not EXPECTED" */
static bool report_wrong_type(Parser *parser, const YamlNode *node, const char *key,
                              const char *expected)
{
    const char *shown = node->kind == YAML_LIST  ? "a list"
                        : node->kind == YAML_MAP ? "a map"
                        : yaml_is_null(node)     ? "null"
                                                 : NULL;
    if (shown)
        return option_error(&parser->reader, node, "%s: %s is not %s", key, shown, expected);
    return option_error(&parser->reader, node, "%s: '%s' is not %s", key, node->text, expected);
}

static bool report_too_many(Parser *parser, const YamlNode *node, const char *key, size_t max_count)
{
    return option_error(&parser->reader, node, "%s: %zu items; expected at most %zu", key,
                        node->count, max_count);
}

static bool check_kind(Parser *parser, const YamlNode *node, YamlKind kind, const char *key,
                       size_t max_count)
{
    if (node->kind != kind)
        return report_wrong_type(parser, node, key,
                                 kind == YAML_LIST ? "a list (lines that begin with -)" : "a map");
    return node->count <= max_count || report_too_many(parser, node, key, max_count);
}

/* ---- names ---- */

/* Names are used in file names. */
static bool check_name(Parser *parser, const YamlNode *node, const char *name)
{
    const char *bad = NULL;
    if (!name[0])
        bad = "is empty";
    else if (strlen(name) > VALUE_SIZE)
        bad = "is too long (at most 100 bytes)";
    else if (name[0] == '.')
        bad = "starts with a dot";
    else if (strpbrk(name, "/\\{}"))
        bad = "contains one of / \\ { }";
    for (const char *at = name; !bad && *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7F)
            bad = "contains a control character";
    return !bad || option_error(&parser->reader, node,
                                "name '%s' %s and cannot be used in file names", name, bad);
}

static const Axis *find_axis(const Parser *parser, const char *name)
{
    for (size_t i = 0; i < parser->axis_count; i++)
        if (!strcmp(parser->axes[i].name, name))
            return &parser->axes[i];
    return NULL;
}

static const AxisValue *find_value(const Axis *axis, const char *name)
{
    for (size_t i = 0; i < axis->count; i++)
        if (!strcmp(axis->values[i].name, name))
            return &axis->values[i];
    return NULL;
}

static bool report_unknown_axis(Parser *parser, const YamlNode *node, const char *name)
{
    const TextNames names = TEXT_NAMES(Axis, name, parser->axes, parser->axis_count);
    return option_error(&parser->reader, node, "'%s' is not an axis of the matrix%s", name,
                        text_suggestion(name, names, parser->reader.arena));
}

/* ---- values: maps of dotted keys ---- */

static void make_path_absolute(const Parser *parser, const Option *option, YamlNode *node)
{
    if (node->kind != YAML_SCALAR || yaml_is_null(node) || !node->text[0] || node->text[0] == '/' ||
        option_keeps_path(option, node->text))
        return;
    node->text = arena_printf(parser->reader.arena, "%s%s", parser->directory, node->text);
    node->plain = false;
}

/* Paths in a value are relative to the manifest, not to the base job: makes them absolute. */
static void make_paths_absolute(const Parser *parser, const Option *option, YamlNode *node)
{
    const OptionTable *table = option->table;
    if (node->kind == YAML_LIST) {
        for (YamlNode *item = node->first; item && table; item = item->next)
            make_paths_absolute(parser, option, item);
    } else if (node->kind == YAML_MAP) {
        for (YamlNode *child = node->first; child; child = child->next) {
            const Option *below = table ? option_find(table, child->key->text) : NULL;
            if (below)
                make_paths_absolute(parser, below, child);
            else if (option->type == OPTION_FILES)
                make_path_absolute(parser, option, child);
        }
    } else if (table && table->short_key && option_find(table, table->short_key)) {
        make_paths_absolute(parser, option_find(table, table->short_key), node);
    } else if (option->type == OPTION_PATH) {
        make_path_absolute(parser, option, node);
    }
}

static bool check_layer(Parser *parser, YamlNode *map, const char *key)
{
    if (!check_kind(parser, map, YAML_MAP, key, MAX_KEYS))
        return false;
    for (YamlNode *value = map->first; value; value = value->next) {
        const Option *option = option_at(value->key->text);
        if (option)
            make_paths_absolute(parser, option, value);
    }
    return true;
}

/* "160x90" of [160, 90]; NULL unless all items are plain values. */
static const char *list_name(const YamlNode *list, Arena *arena)
{
    const char *name = "";
    for (const YamlNode *item = list->first; item; item = item->next) {
        if (item->kind != YAML_SCALAR || yaml_is_null(item))
            return NULL;
        name = arena_printf(arena, "%s%s%s", name, *name ? "x" : "", item->text);
    }
    return *name ? name : NULL;
}

/* The short form: the name of the axis is the key, the value names itself: 60 -> "60",
 * models/miku.pmx -> "miku", [160, 90] -> "160x90". */
static bool parse_plain_value(Parser *parser, Axis *axis, const YamlNode *key, const YamlNode *item)
{
    const Option *option = option_at(axis->name);
    const bool is_path = option && (option->type == OPTION_PATH || option->table);
    Arena *arena = parser->reader.arena;
    const bool is_list = item->kind == YAML_LIST;
    const char *text = is_list ? list_name(item, arena) : yaml_is_null(item) ? NULL : item->text;
    if (!text || item->kind == YAML_MAP)
        return report_wrong_type(parser, item, axis->name,
                                 "a plain value or a list of them; name other values: "
                                 "{NAME: {KEY: VALUE}}");
    const char *name = is_path ? path_name(text) : text;
    const char *dot = is_path ? strrchr(name, '.') : NULL;
    if (dot && dot > name)
        name = arena_strndup(arena, name, (size_t)(dot - name));
    YamlNode *map = yaml_new_node(YAML_MAP, "", item, arena);
    yaml_append(map, key, yaml_copy(item, arena));
    axis->values[axis->count] = (AxisValue){name, map};
    if (!check_name(parser, item, name) || !check_layer(parser, map, axis->name))
        return false;
    if (find_value(axis, name))
        return option_error(&parser->reader, item, "%s: duplicate value name '%s'", axis->name,
                            name);
    axis->count++;
    return true;
}

static bool parse_named_value(Parser *parser, Axis *axis, YamlNode *map)
{
    axis->values[axis->count] = (AxisValue){map->key->text, map};
    if (!check_name(parser, map->key, map->key->text) || !check_layer(parser, map, map->key->text))
        return false;
    axis->count++;
    return true;
}

static bool parse_axis(Parser *parser, YamlNode *node)
{
    Axis *axis = &parser->axes[parser->axis_count];
    const bool plain = node->kind == YAML_LIST;
    *axis = (Axis){.name = node->key->text};
    bool good = strcmp(axis->name, "name") != 0
                    ? check_name(parser, node->key, axis->name)
                    : option_error(&parser->reader, node->key,
                                   "'name' cannot be an axis, since {name} in out is the job name");
    if (!plain && !check_kind(parser, node, YAML_MAP, axis->name, MAX_VALUES))
        return false;
    if (node->count > MAX_VALUES)
        return report_too_many(parser, node, axis->name, MAX_VALUES);
    if (!node->count)
        return option_error(&parser->reader, node, "%s: axis has no values", axis->name);
    if (plain && !option_at(axis->name))
        return option_error(
            &parser->reader, node->key,
            "'%s' is not a key of a job; a list of plain values requires one, e.g. render.fps",
            axis->name);
    axis->values = arena_array(parser->reader.arena, AxisValue, node->count);
    for (YamlNode *value = node->first; value; value = value->next)
        good &= plain ? parse_plain_value(parser, axis, node->key, value)
                      : parse_named_value(parser, axis, value);
    parser->axis_count++;
    return good;
}

/* A section of the manifest; NULL if it is not given. */
static YamlNode *find_section(const Parser *parser, const char *key)
{
    YamlNode *node = yaml_find(parser->root, key);
    return node && !yaml_is_null(node) ? node : NULL;
}

/* ---- one job ---- */

/* Whether the text ends with a file extension (.mp4), not with a number (v1.5) or placeholder. */
static bool has_extension(const char *pattern)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *name = path_name(pattern), *dot = strrchr(name, '.');
    const size_t size = dot ? strlen(dot + 1) : 0;
    if (file_is_null(name))
        return true;
    return size && size <= MAX_EXTENSION && strcspn(dot + 1, letters) < size &&
           !strpbrk(dot, "{}% ");
}

/* The value of placeholder {word} for the current job; NULL after an error was reported. */
static const char *placeholder_value(Parser *parser, const char *text, size_t size,
                                     const BatchJob *job)
{
    const char *word =
        arena_strndup(parser->reader.arena, text, size < VALUE_SIZE ? size : VALUE_SIZE);
    const Axis *axis = find_axis(parser, word);
    if (!strcmp(word, "name"))
        return job->name;
    if (!axis) {
        report_unknown_axis(parser, yaml_find(parser->root, "out"), word);
        return NULL;
    }
    const AxisValue *value = parser->selected[axis - parser->axes];
    if (value)
        return value->name;
    option_error(&parser->reader, job->location,
                 "job '%s' has no value for {%s} in out; add it to with", job->name, word);
    return NULL;
}

/* Replaces the placeholders in `out` of the manifest. */
static bool set_output(Parser *parser, BatchJob *job)
{
    const YamlNode *node = yaml_find(parser->root, "out");
    const char *pattern = parser->manifest.out, *at = pattern, *end;
    Arena *arena = parser->reader.arena;
    char out[PATH_SIZE] = "";
    size_t used = 0;
    do {
        const size_t text = strcspn(at, "{}");
        const char *word = "";
        end = at[text] == '{' ? strpbrk(at + text + 1, "{}") : NULL;
        if (at[text] && (!end || *end != '}'))
            return option_error(&parser->reader, node, "out: unmatched { or }");
        if (end)
            word = placeholder_value(parser, at + text + 1, (size_t)(end - at) - text - 1, job);
        if (!word)
            return false;
        const size_t size = text + strlen(word);
        if (size >= PATH_SIZE - used)
            return option_error(&parser->reader, node, "out: path of job '%s' is too long",
                                job->name);
        used += (size_t)snprintf(out + used, PATH_SIZE - used, "%.*s%s", (int)text, at, word);
        at = end ? end + 1 : NULL;
    } while (at);

    const char *path = batch_normalize_path(path_join(parser->directory, out, arena), arena);
    job->out = file_is_null(out)        ? FILE_NULL
               : has_extension(pattern) ? path
                                        : arena_printf(arena, "%s/", path);
    return true;
}

/* Adds a job with the selected values, overridden by the keys of `more` (or NULL). */
static bool add_job(Parser *parser, const char *name, const YamlNode *location,
                    const YamlNode *more)
{
    const YamlNode **layers =
        arena_array(parser->reader.arena, const YamlNode *, BATCH_MAX_AXES + 1);
    BatchJob job = {.name = name, .location = location, .layers = layers};

    if (strlen(name) > BATCH_NAME_SIZE)
        return option_error(&parser->reader, location, "name '%s' is too long (at most %d bytes)",
                            name, BATCH_NAME_SIZE);
    if (parser->jobs.count == BATCH_MAX_JOBS)
        return option_error(&parser->reader, location, "too many jobs (at most %d)",
                            BATCH_MAX_JOBS);
    for (size_t i = 0; i < parser->axis_count; i++)
        if (parser->selected[i])
            layers[job.layer_count++] = parser->selected[i]->layer;
    if (more)
        layers[job.layer_count++] = more;
    if (parser->manifest.out && !set_output(parser, &job))
        return false;
    *arena_push(parser->reader.arena, &parser->jobs) = job;
    return true;
}

/* The selected values, joined by '-'. */
static const char *selected_name(Parser *parser)
{
    const char *name = "";
    for (size_t i = 0; i < parser->axis_count; i++)
        if (parser->selected[i])
            name = arena_printf(parser->reader.arena, "%s%s%s", name, name[0] ? "-" : "",
                                parser->selected[i]->name);
    return name;
}

/* ---- combinations of axis values ---- */

/* Parses a map from axes to values, as in exclude and with; values[i] belongs to axis i. */
static bool parse_selection(Parser *parser, const AxisValue **values, const YamlNode *map,
                            const char *key)
{
    bool good = true;
    for (size_t i = 0; i < BATCH_MAX_AXES; i++)
        values[i] = NULL;
    if (!check_kind(parser, map, YAML_MAP, key, BATCH_MAX_AXES))
        return false;
    for (const YamlNode *child = map->first; child; child = child->next) {
        const Axis *axis = find_axis(parser, child->key->text);
        const AxisValue *value =
            axis && child->kind == YAML_SCALAR ? find_value(axis, child->text) : NULL;
        if (!axis)
            good = report_unknown_axis(parser, child->key, child->key->text);
        else if (child->kind != YAML_SCALAR)
            good = report_wrong_type(parser, child, axis->name, "a value of this axis");
        else if (!value)
            good = option_error(
                &parser->reader, child, "%s: '%s' is not a value of this axis%s", axis->name,
                child->text,
                text_suggestion(child->text, TEXT_NAMES(AxisValue, name, axis->values, axis->count),
                                parser->reader.arena));
        else
            values[axis - parser->axes] = value;
    }
    return good;
}

typedef struct Exclude {
    const AxisValue *values[BATCH_MAX_AXES]; /* NULL: any */
} Exclude;

typedef struct Excludes {
    Exclude *items;
    size_t count;
} Excludes;

static bool parse_excludes(Parser *parser, Excludes *excludes)
{
    const YamlNode *list = find_section(parser, "exclude");
    bool good = true;
    *excludes = (Excludes){0};
    if (!list)
        return true;
    if (!check_kind(parser, list, YAML_LIST, "exclude", OPTION_MAX_ITEMS))
        return false;
    excludes->items = arena_array(parser->reader.arena, Exclude, list->count);
    for (const YamlNode *item = list->first; item; item = item->next) {
        good &= parse_selection(parser, excludes->items[excludes->count++].values, item, "exclude");
        if (item->kind == YAML_MAP && !item->count)
            good = option_error(&parser->reader, item,
                                "exclude: an empty map would exclude all combinations");
    }
    return good;
}

static bool is_excluded(const Parser *parser, const Excludes *excludes)
{
    for (size_t i = 0; i < excludes->count; i++) {
        bool all = true;
        for (size_t k = 0; k < parser->axis_count; k++) {
            const AxisValue *value = excludes->items[i].values[k];
            all = all && (!value || value == parser->selected[k]);
        }
        if (all)
            return true;
    }
    return false;
}

/* Advances to the next combination, the last axis fastest; false after the last one. */
static bool next_combination(Parser *parser)
{
    for (size_t i = parser->axis_count; i-- > 0;) {
        const Axis *axis = &parser->axes[i];
        if (++parser->selected[i] < axis->values + axis->count)
            return true;
        parser->selected[i] = axis->values;
    }
    return false;
}

static bool add_combinations(Parser *parser)
{
    const YamlNode *matrix = yaml_find(parser->root, "matrix");
    Excludes excludes;
    bool good = parse_excludes(parser, &excludes);
    size_t product = 1;
    for (size_t i = 0; good && i < parser->axis_count; i++) {
        if (parser->axes[i].count > BATCH_MAX_JOBS / product)
            return option_error(&parser->reader, matrix,
                                "matrix: too many combinations (at most %d)", BATCH_MAX_JOBS);
        product *= parser->axes[i].count;
        parser->selected[i] = parser->axes[i].values;
    }
    if (!good || !parser->axis_count)
        return good;
    do {
        if (!is_excluded(parser, &excludes))
            good = add_job(parser, selected_name(parser), matrix, NULL);
    } while (good && next_combination(parser));
    return good;
}

/* ---- included jobs ---- */

static bool add_include(Parser *parser, YamlNode *item)
{
    char none; /* the keys are trees, which are read below */
    if (!check_kind(parser, item, YAML_MAP, "include", SIZE_MAX) ||
        !option_read(&none, &batch_include_keys, item, &parser->reader))
        return false;
    YamlNode *name = yaml_find(item, "name"), *with = yaml_find(item, "with");
    YamlNode *set = yaml_find(item, "set");
    if (name && name->kind != YAML_SCALAR)
        return report_wrong_type(parser, name, "name", "text");
    for (size_t i = 0; i < BATCH_MAX_AXES; i++)
        parser->selected[i] = NULL;
    bool good =
        !with || yaml_is_null(with) || parse_selection(parser, parser->selected, with, "with");
    if (set && yaml_is_null(set))
        set = NULL;
    good &= !set || check_layer(parser, set, "set");
    if (!good)
        return false;
    const char *text = name && !yaml_is_null(name) ? name->text : selected_name(parser);
    if (!text[0])
        return option_error(&parser->reader, item, "include: name is missing");
    return (!name || check_name(parser, name, text)) &&
           add_job(parser, text, name ? name : item, set);
}

/* ---- manifest ---- */

static int compare_names(const void *a, const void *b)
{
    const BatchJob *const *x = a, *const *y = b;
    const int order = strcmp((*x)->name, (*y)->name);
    return order ? order : (*x > *y) - (*x < *y);
}

static bool check_names(Parser *parser)
{
    const size_t count = parser->jobs.count;
    const BatchJob **sorted = arena_array(parser->reader.arena, const BatchJob *, count);
    bool good = true;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &parser->jobs.items[i];
    qsort(sorted, count, sizeof *sorted, compare_names);
    for (size_t i = 1; i < count; i++)
        if (!strcmp(sorted[i]->name, sorted[i - 1]->name))
            good = option_error(&parser->reader, sorted[i]->location, "duplicate job name '%s'",
                                sorted[i]->name);
    return good;
}

static bool parse_root(Parser *parser)
{
    const YamlNode *root = parser->root, *models = yaml_find(root, "models");
    Diag *diag = parser->reader.diag;
    if (models && !yaml_find(root, "base") && !yaml_find(root, "matrix"))
        return yaml_error(models->key, diag,
                          "this is a job, not a batch manifest; use 'odori render %s', or name it "
                          "as 'base' of a manifest",
                          models->source->name);
    if (root->kind != YAML_MAP)
        return yaml_error(root, diag, "a manifest must be a map (lines like 'version: 1')");
    bool good = option_read(&parser->manifest, &batch_keys, root, &parser->reader);

    YamlNode *matrix = find_section(parser, "matrix"), *include = find_section(parser, "include");
    const bool has_axes = matrix && check_kind(parser, matrix, YAML_MAP, "matrix", BATCH_MAX_AXES);
    good &= !matrix || has_axes;
    for (YamlNode *node = has_axes ? matrix->first : NULL; node; node = node->next)
        good &= parse_axis(parser, node);
    good = good && add_combinations(parser);
    if (good && include)
        good = check_kind(parser, include, YAML_LIST, "include", BATCH_MAX_JOBS);
    for (YamlNode *item = good && include ? include->first : NULL; item; item = item->next)
        good &= add_include(parser, item);
    if (!good || !check_names(parser))
        return false;
    return parser->jobs.count ||
           yaml_error(root, diag, "the manifest defines no job; add matrix or include");
}

bool batch_parse(Batch *batch, const YamlSource *source, const char *directory, Arena *arena,
                 Diag *diag)
{
    Parser *parser = arena_array(arena, Parser, 1);
    parser->directory = directory;
    parser->reader = (OptionReader){.directory = path_directory(source->name, arena),
                                    .arena = arena,
                                    .diag = diag,
                                    .whole = &batch_keys};
    if (!yaml_load(&parser->root, source, arena, diag) || !parse_root(parser))
        return false;
    *batch = (Batch){.file = source->name,
                     .directory = directory,
                     .base = parser->manifest.base,
                     .rules = parser->manifest.run,
                     .jobs = parser->jobs.items,
                     .job_count = parser->jobs.count};
    diag_file(diag, NULL);
    return true;
}

const char *batch_directory(const char *path, Arena *arena)
{
    char here[4096] = "";
    if (path[0] != '/' && !getcwd(here, sizeof here - 1))
        return NULL;
    return arena_printf(arena, "%s%s%s", here, here[0] ? "/" : "", path_directory(path, arena));
}

const char *batch_record_directory(const char *path, const char *directory, Arena *arena)
{
    return arena_printf(arena, "%s.%s.odori/", directory, path_name(path));
}

bool batch_load(Batch *batch, const char *path, Arena *arena, Diag *diag)
{
    YamlSource *source = arena_array(arena, YamlSource, 1);
    Bytes bytes;

    diag_file(diag, path);
    const FileKind kind =
        file_check_exists(path, NULL, diag) ? file_kind_of_file(path) : FILE_UNKNOWN;
    if (diag->errors)
        return false;
    if (kind != FILE_UNKNOWN)
        return diag_fail(diag, DIAG_USAGE, "is %s, not a batch manifest; %s", file_kinds[kind].name,
                         file_kinds[kind].advice);
    if (!file_load(&bytes, path, 2 * YAML_MAX_SIZE, arena, diag))
        return false;
    const char *directory = batch_directory(path, arena);
    if (!directory)
        return diag_fail(diag, DIAG_CREATE, "cannot read the current directory: %s",
                         strerror(errno));
    *source = (YamlSource){path, (const char *)bytes.data, bytes.size, 0};
    return batch_parse(batch, source, directory, arena, diag);
}

const char *batch_set_argument(const YamlNode *value, Arena *arena)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    fprintf(out, "%s=", value->key->text);
    yaml_write_flow(out, value);
    return text_stream_close(&stream);
}

const char *batch_normalize_path(const char *path, Arena *arena)
{
    char *out = arena_alloc(arena, strlen(path) + 2);
    const size_t root = path[0] == '/';
    size_t used = 0;
    if (root)
        out[used++] = '/';
    for (const char *at = path; *at;) {
        at += strspn(at, "/");
        const size_t size = strcspn(at, "/");
        const bool up = size == 2 && at[0] == '.' && at[1] == '.';
        size_t last = used; /* start of the last component */
        while (last > root && out[last - 1] != '/')
            last--;
        const bool can_remove = used > root && strncmp(out + last, "..", used - last) != 0;
        if (up && can_remove) {
            used = last > root ? last - 1 : last;
        } else if (size && !(size == 1 && at[0] == '.') && !(up && root)) {
            if (used > root)
                out[used++] = '/';
            memcpy(out + used, at, size);
            used += size;
        }
        at += size;
    }
    out[used] = '\0';
    return used ? out : ".";
}
