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
#include "job/job.h"
#include "job/option_read.h"

enum {
    MAX_VALUES = OPTION_MAX_ITEMS,
    MAX_KEYS = 64,
    MAX_ENDING = 6,
    VALUE_SIZE = 100,
    PATH_SIZE = 3000
};

/* ---- the manifest's own keys ---- */

typedef struct Manifest {
    int version;
    const char *base, *out;
    BatchRules rules;
} Manifest;

static const char *const failures[] = {"continue", "stop", NULL};

/* clang-format off: tables */
static const Option rules_rows[] = {
    {.key = "jobs",
     .type = OPTION_INT,
     .offset = offsetof(BatchRules, jobs),
     .value = "1",
     .min = 1,
     .max = 256,
     .word = "auto",
     .word_value = 0,
     .help = "at once"},
    {.key = "on_failure",
     .type = OPTION_CHOICE,
     .offset = offsetof(BatchRules, on_failure),
     .value = "continue",
     .choices = failures,
     .help = "of one job: go on with the others, or not"},
    {.key = "retries",
     .type = OPTION_INT,
     .offset = offsetof(BatchRules, retries),
     .value = "2",
     .min = 0,
     .max = 100,
     .help = "after a fault that may pass"},
    {.key = "shards",
     .type = OPTION_INT,
     .offset = offsetof(BatchRules, shards),
     .value = "1",
     .min = 1,
     .max = 1000,
     .help = "of each job, on a cluster"},
    {.key = "share_bakes",
     .type = OPTION_BOOL,
     .offset = offsetof(BatchRules, share_bakes),
     .value = "true",
     .help = "jobs whose dances are equal are simulated once"},
};
static const OptionTable rules_table = {rules_rows, sizeof rules_rows / sizeof *rules_rows,
                                        sizeof(BatchRules), NULL};

static const Option manifest_rows[] = {
    {.key = "version",
     .type = OPTION_INT,
     .offset = offsetof(Manifest, version),
     .min = 1,
     .max = 1,
     .help = "of this format: 1"},
    {.key = "base",
     .type = OPTION_PATH,
     .offset = offsetof(Manifest, base),
     .help = "the job that all others are made from"},
    {.key = "matrix", .type = OPTION_TREE, .value = "{}", .help = "axes and their values"},
    {.key = "exclude", .type = OPTION_TREE, .value = "[]", .help = "combinations to leave out"},
    {.key = "include", .type = OPTION_TREE, .value = "[]", .help = "jobs beside the combinations"},
    {.key = "out",
     .type = OPTION_TEXT,
     .offset = offsetof(Manifest, out),
     .value = "null",
     .help = "where outputs go, with {name} and {AXIS}"},
    {.key = "run",
     .type = OPTION_SECTION,
     .offset = offsetof(Manifest, rules),
     .value = "{}",
     .table = &rules_table,
     .help = "how the jobs are run"},
};
static const OptionTable manifest_table = {
    manifest_rows, sizeof manifest_rows / sizeof *manifest_rows, sizeof(Manifest), NULL};

static const Option include_rows[] = {
    {.key = "name", .type = OPTION_TREE, .value = "null", .help = "of the job"},
    {.key = "with", .type = OPTION_TREE, .value = "{}", .help = "values of axes"},
    {.key = "set", .type = OPTION_TREE, .value = "{}", .help = "what is laid over the base"},
};
static const OptionTable include_table = {include_rows, sizeof include_rows / sizeof *include_rows,
                                          1, NULL};
/* clang-format on */

/* ---- what is read ---- */

typedef struct Value {
    const char *name;
    const YamlNode *layer; /* a map of dotted keys */
} Value;

typedef struct Axis {
    const char *name;
    Value *values;
    size_t count;
} Axis;

typedef struct Maker {
    OptionReader reader;
    const char *folder; /* of the manifest, absolute, with its slash */
    YamlNode *root;
    Manifest manifest;
    Axis axes[BATCH_MAX_AXES];
    size_t axis_count;
    struct {
        BatchJob *items;
        size_t count, room;
    } jobs;
    const Value *chosen[BATCH_MAX_AXES]; /* of the job being made; NULL: none of this axis */
} Maker;

/* "KEY: a list is not WHAT" */
static bool wrong(Maker *maker, const YamlNode *node, const char *key, const char *what)
{
    const char *shown = node->kind == YAML_LIST  ? "a list"
                        : node->kind == YAML_MAP ? "a map"
                        : yaml_is_null(node)     ? "nothing"
                                                 : NULL;
    if (shown)
        return option_error(&maker->reader, node, "%s: %s is not %s", key, shown, what);
    return option_error(&maker->reader, node, "%s: '%s' is not %s", key, node->text, what);
}

static bool too_many(Maker *maker, const YamlNode *node, const char *key, size_t most)
{
    return option_error(&maker->reader, node, "%s: %zu items are too many (at most %zu)", key,
                        node->count, most);
}

static bool check_kind(Maker *maker, const YamlNode *node, YamlKind kind, const char *key,
                       size_t most)
{
    if (node->kind != kind)
        return wrong(maker, node, key,
                     kind == YAML_LIST ? "a list (lines that begin with -)" : "a map");
    return node->count <= most || too_many(maker, node, key, most);
}

/* ---- names ---- */

/* Names become parts of file names. */
static bool check_name(Maker *maker, const YamlNode *node, const char *name)
{
    const char *bad = NULL;
    if (!name[0])
        bad = "is empty";
    else if (strlen(name) > VALUE_SIZE)
        bad = "is too long (at most 100 bytes)";
    else if (name[0] == '.')
        bad = "begins with a dot";
    else if (strpbrk(name, "/\\%{}"))
        bad = "holds one of / \\ % { }";
    for (const char *at = name; !bad && *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7F)
            bad = "holds a control character";
    return !bad || option_error(&maker->reader, node,
                                "the name '%s' %s, and will be part of file names", name, bad);
}

static const Axis *find_axis(const Maker *maker, const char *name)
{
    for (size_t i = 0; i < maker->axis_count; i++)
        if (!strcmp(maker->axes[i].name, name))
            return &maker->axes[i];
    return NULL;
}

static const Value *find_value(const Axis *axis, const char *name)
{
    for (size_t i = 0; i < axis->count; i++)
        if (!strcmp(axis->values[i].name, name))
            return &axis->values[i];
    return NULL;
}

static bool no_axis(Maker *maker, const YamlNode *node, const char *name)
{
    const char *names[BATCH_MAX_AXES + 1];
    size_t count = 0;
    for (; count < maker->axis_count; count++)
        names[count] = maker->axes[count].name;
    const char *nearest = text_nearest(name, names, count);
    if (!nearest)
        return option_error(&maker->reader, node, "'%s' is no axis of the matrix", name);
    return option_error(&maker->reader, node, "'%s' is no axis of the matrix; did you mean '%s'?",
                        name, nearest);
}

static bool no_value(Maker *maker, const YamlNode *node, const Axis *axis)
{
    const char **names = arena_array(maker->reader.arena, const char *, axis->count);
    for (size_t i = 0; i < axis->count; i++)
        names[i] = axis->values[i].name;
    const char *nearest = text_nearest(node->text, names, axis->count);
    if (!nearest)
        return option_error(&maker->reader, node, "%s: '%s' is none of its values", axis->name,
                            node->text);
    return option_error(&maker->reader, node, "%s: '%s' is none of its values; did you mean '%s'?",
                        axis->name, node->text, nearest);
}

/* ---- values: maps of dotted keys ---- */

static bool is_kept(const Option *option, const char *path)
{
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        if (!strcmp(option->choices[i], path))
            return true;
    return !path[0] || path[0] == '/' || path[strlen(path) - 1] == ':';
}

/* Files named in a value are relative to the manifest, not to the base: makes them absolute. */
static void place_paths(const Maker *maker, const Option *option, YamlNode *node)
{
    const OptionTable *table = option->table;
    if (node->kind == YAML_LIST) {
        for (YamlNode *item = node->first; item && table; item = item->next)
            place_paths(maker, option, item);
    } else if (node->kind == YAML_MAP) {
        for (YamlNode *child = node->first; child && table; child = child->next) {
            const Option *below = option_find(table, child->key->text);
            if (below)
                place_paths(maker, below, child);
        }
    } else if (table && table->short_key && option_find(table, table->short_key)) {
        place_paths(maker, option_find(table, table->short_key), node);
    } else if (option->type == OPTION_PATH && !yaml_is_null(node) && !is_kept(option, node->text)) {
        node->text = arena_printf(maker->reader.arena, "%s%s", maker->folder, node->text);
        node->plain = false;
    }
}

static bool check_layer(Maker *maker, YamlNode *map, const char *what)
{
    if (!check_kind(maker, map, YAML_MAP, what, MAX_KEYS))
        return false;
    for (YamlNode *value = map->first; value; value = value->next) {
        const Option *option = option_at(value->key->text);
        if (option)
            place_paths(maker, option, value);
    }
    return true;
}

/* 60 -> "60", models/miku.pmx -> "miku" */
static const char *name_of_plain(const Maker *maker, const Option *option, const char *text)
{
    if (!option || (option->type != OPTION_PATH && !option->table))
        return text;
    const char *name = path_name(text), *dot = strrchr(name, '.');
    return arena_strndup(maker->reader.arena, name,
                         dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* The short form: the axis is the key. */
static bool read_plain_value(Maker *maker, Axis *axis, const YamlNode *key, const YamlNode *item)
{
    const Option *option = option_at(axis->name);
    if (item->kind != YAML_SCALAR || yaml_is_null(item))
        return wrong(maker, item, axis->name,
                     "a plain value; others need names: {NAME: {KEY: VALUE}}");
    YamlNode *map = yaml_new_node(YAML_MAP, "", item, maker->reader.arena);
    yaml_append(map, key, yaml_copy(item, maker->reader.arena));
    Value *value = &axis->values[axis->count];
    *value = (Value){name_of_plain(maker, option, item->text), map};
    if (!check_name(maker, item, value->name) || !check_layer(maker, map, axis->name))
        return false;
    if (find_value(axis, value->name))
        return option_error(&maker->reader, item, "%s: another value is called '%s', too",
                            axis->name, value->name);
    axis->count++;
    return true;
}

static bool read_named_value(Maker *maker, Axis *axis, YamlNode *map)
{
    axis->values[axis->count] = (Value){map->key->text, map};
    if (!check_name(maker, map->key, map->key->text) || !check_layer(maker, map, map->key->text))
        return false;
    axis->count++;
    return true;
}

static bool check_axis_name(Maker *maker, const YamlNode *key)
{
    if (!strcmp(key->text, "name"))
        return option_error(&maker->reader, key,
                            "an axis cannot be called 'name'; {name} in out "
                            "is the job's name");
    return check_name(maker, key, key->text);
}

static bool read_axis(Maker *maker, YamlNode *node)
{
    Axis *axis = &maker->axes[maker->axis_count];
    const bool plain = node->kind == YAML_LIST;
    bool good = check_axis_name(maker, node->key);

    *axis = (Axis){.name = node->key->text};
    if (!plain && !check_kind(maker, node, YAML_MAP, axis->name, MAX_VALUES))
        return false;
    if (node->count > MAX_VALUES)
        return too_many(maker, node, axis->name, MAX_VALUES);
    if (!node->count)
        return option_error(&maker->reader, node, "%s: an axis without values", axis->name);
    if (plain && !option_at(axis->name))
        return option_error(&maker->reader, node->key,
                            "'%s' is no key of a job; a list of values needs one, like render.fps",
                            axis->name);
    axis->values = arena_array(maker->reader.arena, Value, node->count);
    for (YamlNode *value = node->first; value; value = value->next)
        good &= plain ? read_plain_value(maker, axis, node->key, value)
                      : read_named_value(maker, axis, value);
    maker->axis_count++;
    return good;
}

static bool read_axes(Maker *maker)
{
    YamlNode *matrix = yaml_find(maker->root, "matrix");
    bool good = true;
    if (!matrix || yaml_is_null(matrix))
        return true;
    if (!check_kind(maker, matrix, YAML_MAP, "matrix", BATCH_MAX_AXES))
        return false;
    for (YamlNode *node = matrix->first; node; node = node->next)
        good &= read_axis(maker, node);
    return good;
}

/* ---- one job ---- */

/* Does the text end in the name of a kind of file (.mp4), not in a number (v1.5) or a {word}? */
static bool has_ending(const char *pattern)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *name = path_name(pattern), *dot = strrchr(name, '.');
    const size_t size = dot ? strlen(dot + 1) : 0;
    if (!strcmp(name, "null:"))
        return true;
    return size && size <= MAX_ENDING && strcspn(dot + 1, letters) < size && !strpbrk(dot, "{}% ");
}

/* What stands for {word} in a job that is being made; NULL after an error. */
static const char *word_of(Maker *maker, const char *text, size_t size, const BatchJob *job)
{
    const char *word =
        arena_strndup(maker->reader.arena, text, size < VALUE_SIZE ? size : VALUE_SIZE);
    const Axis *axis = find_axis(maker, word);
    if (!strcmp(word, "name"))
        return job->name;
    if (!axis) {
        no_axis(maker, yaml_find(maker->root, "out"), word);
        return NULL;
    }
    const Value *value = maker->chosen[axis - maker->axes];
    if (value)
        return value->name;
    option_error(&maker->reader, job->place,
                 "job '%s' has no value of '%s', which out asks for; give it in with", job->name,
                 word);
    return NULL;
}

static bool put(char out[PATH_SIZE], const char *text, size_t size)
{
    const size_t used = strlen(out);
    if (size >= PATH_SIZE - used)
        return false;
    memcpy(out + used, text, size);
    out[used + size] = '\0';
    return true;
}

/* `out` of the manifest with its words filled in. */
static bool fill_out(Maker *maker, char out[PATH_SIZE], const BatchJob *job)
{
    const YamlNode *node = yaml_find(maker->root, "out");
    const char *at = maker->manifest.out;
    out[0] = '\0';
    for (;;) {
        const size_t text = strcspn(at, "{}");
        const char *end = at[text] == '{' ? strpbrk(at + text + 1, "{}") : NULL;
        const char *word = "";
        if (at[text] && (!end || *end != '}'))
            return option_error(&maker->reader, node, "out: a { or } without its other half");
        if (end)
            word = word_of(maker, at + text + 1, (size_t)(end - at) - text - 1, job);
        if (!word)
            return false;
        if (!put(out, at, text) || !put(out, word, strlen(word)))
            return option_error(&maker->reader, node, "out: too long a name for job '%s'",
                                job->name);
        if (!end)
            return true;
        at = end + 1;
    }
}

static bool place_output(Maker *maker, BatchJob *job)
{
    Arena *arena = maker->reader.arena;
    const char *pattern = maker->manifest.out;
    if (!pattern)
        return true;
    char out[PATH_SIZE];
    if (!fill_out(maker, out, job))
        return false;
    const char *path = path_join(maker->folder, out, arena);
    if (!strcmp(out, "null:"))
        job->out = "null:";
    else if (has_ending(pattern))
        job->out = batch_normalize_path(path, arena);
    else
        job->out = arena_printf(arena, "%s/", batch_normalize_path(path, arena));
    return true;
}

/* Takes in the job of the values that are chosen, with `more` (or NULL) laid over them. */
static bool add_job(Maker *maker, const char *name, const YamlNode *place, const YamlNode *more)
{
    const YamlNode **layers =
        arena_array(maker->reader.arena, const YamlNode *, BATCH_MAX_AXES + 1);
    BatchJob job = {.name = name, .place = place, .layers = layers};

    if (strlen(name) > BATCH_NAME_SIZE)
        return option_error(&maker->reader, place, "the name '%s' is too long (at most %d bytes)",
                            name, BATCH_NAME_SIZE);
    if (maker->jobs.count == BATCH_MAX_JOBS)
        return option_error(&maker->reader, place, "too many jobs (at most %d)", BATCH_MAX_JOBS);
    for (size_t i = 0; i < maker->axis_count; i++)
        if (maker->chosen[i])
            layers[job.layer_count++] = maker->chosen[i]->layer;
    if (more)
        layers[job.layer_count++] = more;
    if (!place_output(maker, &job))
        return false;
    *arena_push(maker->reader.arena, &maker->jobs) = job;
    return true;
}

/* The values that are chosen, with - between them. */
static const char *chosen_name(Maker *maker)
{
    const char *name = "";
    for (size_t i = 0; i < maker->axis_count; i++)
        if (maker->chosen[i])
            name = arena_printf(maker->reader.arena, "%s%s%s", name, name[0] ? "-" : "",
                                maker->chosen[i]->name);
    return name;
}

/* ---- the product of the axes ---- */

/* Axes with values, as exclude and with have them; `values` has a place for each axis. */
static bool read_choice(Maker *maker, const Value **values, const YamlNode *map, const char *what)
{
    bool good = true;
    for (size_t i = 0; i < BATCH_MAX_AXES; i++)
        values[i] = NULL;
    if (!check_kind(maker, map, YAML_MAP, what, BATCH_MAX_AXES))
        return false;
    for (const YamlNode *child = map->first; child; child = child->next) {
        const Axis *axis = find_axis(maker, child->key->text);
        const Value *value =
            axis && child->kind == YAML_SCALAR ? find_value(axis, child->text) : NULL;
        if (!axis)
            good = no_axis(maker, child->key, child->key->text);
        else if (child->kind != YAML_SCALAR)
            good = wrong(maker, child, axis->name, "one of its values");
        else if (!value)
            good = no_value(maker, child, axis);
        else
            values[axis - maker->axes] = value;
    }
    return good;
}

typedef struct Exclude {
    const Value *values[BATCH_MAX_AXES];
} Exclude;

typedef struct Excludes {
    Exclude *items;
    size_t count;
} Excludes;

static bool read_excludes(Maker *maker, Excludes *excludes)
{
    const YamlNode *list = yaml_find(maker->root, "exclude");
    bool good = true;
    *excludes = (Excludes){0};
    if (!list || yaml_is_null(list))
        return true;
    if (!check_kind(maker, list, YAML_LIST, "exclude", OPTION_MAX_ITEMS))
        return false;
    excludes->items = arena_array(maker->reader.arena, Exclude, list->count);
    for (const YamlNode *item = list->first; item; item = item->next) {
        good &= read_choice(maker, excludes->items[excludes->count++].values, item, "exclude");
        if (item->kind == YAML_MAP && !item->count)
            good = option_error(&maker->reader, item, "exclude: an empty map leaves nothing over");
    }
    return good;
}

static bool is_excluded(const Maker *maker, const Excludes *excludes)
{
    for (size_t i = 0; i < excludes->count; i++) {
        bool all = true;
        for (size_t k = 0; k < maker->axis_count; k++) {
            const Value *value = excludes->items[i].values[k];
            all = all && (!value || value == maker->chosen[k]);
        }
        if (all)
            return true;
    }
    return false;
}

static bool check_product(Maker *maker)
{
    size_t product = 1;
    for (size_t i = 0; i < maker->axis_count; i++) {
        if (maker->axes[i].count > BATCH_MAX_JOBS / product)
            return option_error(&maker->reader, yaml_find(maker->root, "matrix"),
                                "matrix: too many combinations (at most %d)", BATCH_MAX_JOBS);
        product *= maker->axes[i].count;
    }
    return true;
}

/* The next combination, the last axis first; false after the last one. */
static bool step(Maker *maker)
{
    for (size_t i = maker->axis_count; i-- > 0;) {
        const Axis *axis = &maker->axes[i];
        if (++maker->chosen[i] < axis->values + axis->count)
            return true;
        maker->chosen[i] = axis->values;
    }
    return false;
}

static bool add_product(Maker *maker)
{
    const YamlNode *matrix = yaml_find(maker->root, "matrix");
    Excludes excludes;
    bool good = read_excludes(maker, &excludes) && check_product(maker);
    if (!good || !maker->axis_count)
        return good;
    for (size_t i = 0; i < maker->axis_count; i++)
        maker->chosen[i] = maker->axes[i].values;
    do {
        if (!is_excluded(maker, &excludes))
            good = add_job(maker, chosen_name(maker), matrix, NULL);
    } while (good && step(maker));
    return good;
}

/* ---- single jobs ---- */

static bool check_include_keys(Maker *maker, const YamlNode *item)
{
    char dummy;
    return option_read(&dummy, &include_table, item, &maker->reader);
}

static bool add_include(Maker *maker, YamlNode *item)
{
    if (!check_kind(maker, item, YAML_MAP, "include", SIZE_MAX) || !check_include_keys(maker, item))
        return false;
    YamlNode *name = yaml_find(item, "name"), *with = yaml_find(item, "with");
    YamlNode *set = yaml_find(item, "set");
    if (name && name->kind != YAML_SCALAR)
        return wrong(maker, name, "name", "a text");
    for (size_t i = 0; i < BATCH_MAX_AXES; i++)
        maker->chosen[i] = NULL;
    bool good = !with || yaml_is_null(with) || read_choice(maker, maker->chosen, with, "with");
    if (set && yaml_is_null(set))
        set = NULL;
    good &= !set || check_layer(maker, set, "set");
    if (!good)
        return false;
    const char *text = name && !yaml_is_null(name) ? name->text : chosen_name(maker);
    if (!text[0])
        return option_error(&maker->reader, item, "include: name is missing");
    return (!name || check_name(maker, name, text)) &&
           add_job(maker, text, name ? name : item, set);
}

static bool add_includes(Maker *maker)
{
    YamlNode *list = yaml_find(maker->root, "include");
    bool good = true;
    if (!list || yaml_is_null(list))
        return true;
    if (!check_kind(maker, list, YAML_LIST, "include", BATCH_MAX_JOBS))
        return false;
    for (YamlNode *item = list->first; item; item = item->next)
        good &= add_include(maker, item);
    return good;
}

/* ---- all of them ---- */

static int compare_names(const void *a, const void *b)
{
    const BatchJob *const *x = a, *const *y = b;
    const int order = strcmp((*x)->name, (*y)->name);
    return order ? order : (*x > *y) - (*x < *y);
}

static bool check_names(Maker *maker)
{
    const size_t count = maker->jobs.count;
    const BatchJob **sorted = arena_array(maker->reader.arena, const BatchJob *, count);
    bool good = true;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &maker->jobs.items[i];
    qsort(sorted, count, sizeof *sorted, compare_names);
    for (size_t i = 1; i < count; i++)
        if (!strcmp(sorted[i]->name, sorted[i - 1]->name))
            good = option_error(&maker->reader, sorted[i]->place,
                                "two jobs are called '%s'; give one another name", sorted[i]->name);
    return good;
}

static bool make(Maker *maker)
{
    if (maker->root->kind != YAML_MAP)
        return yaml_error(maker->root, maker->reader.diag,
                          "a manifest is a map: lines like 'version: 1'");
    bool good = option_read(&maker->manifest, &manifest_table, maker->root, &maker->reader);
    good &= read_axes(maker);
    good = good && add_product(maker);
    good = good && add_includes(maker) && check_names(maker);
    if (good && !maker->jobs.count)
        return yaml_error(maker->root, maker->reader.diag,
                          "no job is left: a matrix or include is needed");
    return good;
}

bool batch_parse(Batch *batch, const YamlSource *source, const char *folder, Arena *arena,
                 Diag *diag)
{
    Maker *maker = arena_array(arena, Maker, 1);
    maker->folder = folder;
    maker->reader = (OptionReader){.folder = path_folder(source->name, arena),
                                   .arena = arena,
                                   .diag = diag,
                                   .whole = &manifest_table};
    if (!yaml_load(&maker->root, source, arena, diag) || !make(maker))
        return false;
    *batch = (Batch){.file = source->name,
                     .folder = folder,
                     .base = maker->manifest.base,
                     .rules = maker->manifest.rules,
                     .jobs = maker->jobs.items,
                     .job_count = maker->jobs.count};
    diag_file(diag, NULL);
    return true;
}

bool batch_load(Batch *batch, const char *path, Arena *arena, Diag *diag)
{
    YamlSource *source = arena_array(arena, YamlSource, 1);
    char here[4096] = "";
    Bytes bytes;

    diag_file(diag, path);
    if (!file_load(&bytes, path, 2 * YAML_MAX_SIZE, arena, diag))
        return false;
    if (path[0] != '/' && !getcwd(here, sizeof here - 1))
        return diag_fail(diag, DIAG_CREATE, "the current folder: %s", strerror(errno));
    const char *folder =
        arena_printf(arena, "%s%s%s", here, here[0] ? "/" : "", path_folder(path, arena));
    *source = (YamlSource){path, (const char *)bytes.data, bytes.size, 0};
    return batch_parse(batch, source, folder, arena, diag);
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
        size_t last = used; /* where the last part begins */
        while (last > root && out[last - 1] != '/')
            last--;
        const bool can = used > root && strncmp(out + last, "..", used - last) != 0;
        if (up && can) {
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
