// SPDX-License-Identifier: MIT
#include "record/option_set.h"

#include <string.h>

#include "base/text.h"
#include "record/option_read.h"
#include "record/option_value.h"

typedef struct Setter {
    const OptionTable *root;
    const YamlNode *key;      /* position of the key in its source */
    const char *start, *stop; /* text of the key */
    const char *at;           /* next word of the key */
    YamlNode *value;
    Arena *arena;
    Diag *diag;
    YamlNode *word; /* current word of the key, with its position */
} Setter;

/* Advances to the next word, up to a dot or the =; false at the end. */
static bool next_word(Setter *setter)
{
    const char *start = setter->at, *stop = setter->stop;
    if (start >= stop)
        return false;
    const char *dot = memchr(start, '.', (size_t)(stop - start));
    const char *end = dot ? dot : stop;
    const YamlNode position = {.source = setter->key->source,
                               .line = setter->key->line,
                               .column = setter->key->column + (unsigned)(start - setter->start)};
    setter->word =
        yaml_new_node(YAML_SCALAR, arena_strndup(setter->arena, start, (size_t)(end - start)),
                      &position, setter->arena);
    setter->at = dot ? dot + 1 : stop;
    return true;
}

static bool parse_index(size_t *out, const char *text)
{
    int64_t value;
    if (!text_to_int64(&value, text) || value < 0 || value >= OPTION_MAX_ITEMS)
        return false;
    *out = (size_t)value;
    return true;
}

/* The item with the index of the current word; appended if it is the first one after the end. */
static YamlNode *step_into_list(Setter *setter, YamlNode *list)
{
    size_t index;
    if (!parse_index(&index, setter->word->text)) {
        yaml_error(setter->word, setter->diag, "'%s' is not an index (0..%zu)", setter->word->text,
                   list->count);
        return NULL;
    }
    if (index > list->count) {
        yaml_error(setter->word, setter->diag, "index %zu is out of range (0..%zu)", index,
                   list->count);
        return NULL;
    }
    if (index == list->count) {
        YamlNode *item = yaml_new_node(YAML_SCALAR, "", setter->word, setter->arena);
        item->plain = true;
        yaml_append(list, NULL, item);
    }
    return yaml_item(list, index);
}

static YamlNode *step_into_map(Setter *setter, YamlNode *map)
{
    YamlNode *child = yaml_find(map, setter->word->text);
    if (!child) {
        child = yaml_new_node(YAML_SCALAR, "", setter->word, setter->arena);
        child->plain = true;
        yaml_append(map, setter->word, child);
    }
    return child;
}

/* A node together with its row of the table. */
typedef struct Step {
    YamlNode *node;
    const Option *option; /* the option whose value the node is; NULL: the root */
    bool item;            /* the node is an item of the option's list */
    bool leaf;            /* the node is a number or text, which has no parts */
} Step;

/* Replaces the value of a node, but neither its key nor its siblings. */
static void replace_value(YamlNode *node, const YamlNode *value)
{
    const YamlNode *key = node->key;
    YamlNode *next = node->next;
    *node = *value;
    node->key = key;
    node->next = next;
}

static bool is_list(const Step *step)
{
    return step->option && !step->item && option_is_list(step->option);
}

/* Gives the node parts: replaces a missing value by its default, a short form by a map. */
static void expand_node(Setter *setter, const Step *step)
{
    const Option *option = step->option;
    OptionReader reader = {.directory = "", .arena = setter->arena, .diag = setter->diag};
    const bool list = is_list(step);

    if (yaml_is_null(step->node) && option && !step->item && option->value) {
        replace_value(step->node, option_default_node(option, setter->word, &reader));
        step->node->source = setter->key->source; /* not that of the table */
    }
    if (option && option->table && !list)
        replace_value(step->node, option_expand_short(step->node, option->table, &reader));
    if (yaml_is_null(step->node))
        replace_value(step->node,
                      yaml_new_node(list ? YAML_LIST : YAML_MAP, "", step->node, setter->arena));
}

/* Descends by the current word. */
static bool descend(Setter *setter, Step *step)
{
    const Option *option = step->option;
    const bool list = is_list(step);
    const OptionTable *table = option ? option->table : setter->root;
    OptionReader reader = {
        .directory = "", .arena = setter->arena, .diag = setter->diag, .whole = setter->root};

    if (step->leaf || (option && !table && !list && option->type != OPTION_WEIGHTS &&
                       option->type != OPTION_RENAMES && option->type != OPTION_FILES))
        return yaml_error(setter->word, setter->diag, "'%s' has no key '%s'",
                          option ? option->key : "the job", setter->word->text);
    expand_node(setter, step);
    if (step->node->kind != (list ? YAML_LIST : YAML_MAP))
        return yaml_error(setter->word, setter->diag,
                          "%s is not a %s in the job file, so '%s' "
                          "cannot be set",
                          option ? option->key : "the job", list ? "list" : "map",
                          setter->word->text);
    if (list) {
        step->node = step_into_list(setter, step->node);
        step->item = true;
        step->leaf = !table;
        return step->node != NULL;
    }
    step->item = false;
    step->leaf = !table;
    if (table)
        step->option = option_find(table, setter->word->text);
    if (!step->option)
        return option_unknown_key(setter->word, table, setter->word->text, &reader);
    step->node = step_into_map(setter, step->node);
    return true;
}

/* Follows the key through the tree and sets the value at its end. */
static bool set(Setter *setter, YamlNode *root)
{
    Step step = {.node = root};
    setter->at = setter->start;
    setter->word = yaml_new_node(YAML_SCALAR, "", setter->key, setter->arena);
    while (next_word(setter))
        if (!descend(setter, &step))
            return false;
    replace_value(step.node, setter->value);
    return true;
}

bool option_set(YamlNode *root, const OptionTable *table, const YamlSource *source, Arena *arena,
                Diag *diag)
{
    const YamlNode start = {.source = source, .line = 1, .column = 1};
    Setter setter = {.root = table,
                     .key = &start,
                     .start = source->text,
                     .stop = source->text + (source->start ? source->start - 1 : 0),
                     .arena = arena,
                     .diag = diag};

    if (setter.stop == setter.start)
        return yaml_error(&start, diag, "expected key=value");
    return yaml_load(&setter.value, source, arena, diag) && set(&setter, root);
}

bool option_overlay(YamlNode *root, const OptionTable *table, const YamlNode *value, Arena *arena,
                    Diag *diag)
{
    const char *key = value->key->text;
    Setter setter = {.root = table,
                     .key = value->key,
                     .start = key,
                     .stop = key + strlen(key),
                     .value = yaml_copy(value, arena),
                     .arena = arena,
                     .diag = diag};
    return *key ? set(&setter, root) : yaml_error(value->key, diag, "the key is empty");
}
