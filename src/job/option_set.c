#include "job/option_set.h"

#include <string.h>

#include "base/text.h"
#include "job/option_read.h"

typedef struct Setter {
    const YamlNode *key;      /* where it stands */
    const char *start, *stop; /* its text */
    const char *at;           /* next word of the key */
    YamlNode *value;
    Arena *arena;
    Diag *diag;
    YamlNode *word; /* the current one, as a node that knows its place */
} Setter;

/* The next word up to a dot or the =; false at the end. */
static bool next_word(Setter *setter)
{
    const char *start = setter->at, *stop = setter->stop;
    if (start >= stop)
        return false;
    const char *dot = memchr(start, '.', (size_t)(stop - start));
    const char *end = dot ? dot : stop;
    const YamlNode place = {.source = setter->key->source,
                            .line = setter->key->line,
                            .column = setter->key->column + (unsigned)(start - setter->start)};
    setter->word =
        yaml_new_node(YAML_SCALAR, arena_strndup(setter->arena, start, (size_t)(end - start)),
                      &place, setter->arena);
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

/* The list's item of the current word, added when it is the next one. */
static YamlNode *step_into_list(Setter *setter, YamlNode *list)
{
    size_t index;
    if (!parse_index(&index, setter->word->text)) {
        yaml_error(setter->word, setter->diag, "'%s' is not an index (0..%zu)", setter->word->text,
                   list->count);
        return NULL;
    }
    if (index > list->count) {
        yaml_error(setter->word, setter->diag, "index %zu is beyond the end (0..%zu)", index,
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

static bool holds_list(const Option *option)
{
    switch (option->type) {
    case OPTION_LIST:
    case OPTION_TEXTS:
    case OPTION_FLAGS:
    case OPTION_INTS:
    case OPTION_NUMBERS:
    case OPTION_COLOR:
    case OPTION_CAPSULES:
        return true;
    default:
        return false;
    }
}

/* What a node is to the schema. */
typedef struct Step {
    YamlNode *node;
    const Option *option; /* whose value it is; NULL: the job itself */
    bool item;            /* an item of the option's list */
    bool leaf;            /* a number or text in a list or map of such: the way ends here */
} Step;

static void become(YamlNode *node, const YamlNode *other)
{
    const YamlNode *key = node->key;
    YamlNode *next = node->next;
    *node = *other;
    node->key = key;
    node->next = next;
}

/* Makes the node one that words can lead into: a missing one its default, a short form a map. */
static void open_node(Setter *setter, const Step *step)
{
    const Option *option = step->option;
    OptionReader reader = {.folder = "", .arena = setter->arena, .diag = setter->diag};
    const bool list = option && !step->item && holds_list(option);

    if (yaml_is_null(step->node) && option && !step->item && option->value) {
        become(step->node, option_default_node(option, setter->word, &reader));
        step->node->source = setter->key->source; /* not the table's */
    }
    if (option && option->table && !list)
        become(step->node, option_expand_short(step->node, option->table, &reader));
    if (yaml_is_null(step->node))
        become(step->node,
               yaml_new_node(list ? YAML_LIST : YAML_MAP, "", step->node, setter->arena));
}

static bool take_step(Setter *setter, Step *step)
{
    const Option *option = step->option;
    const bool list = option && !step->item && holds_list(option);
    const OptionTable *table = option ? option->table : &option_job;
    OptionReader reader = {.folder = "", .arena = setter->arena, .diag = setter->diag};

    if (step->leaf || (option && !table && !list && option->type != OPTION_WEIGHTS))
        return yaml_error(setter->word, setter->diag, "'%s' has no parts, so no '%s'", option->key,
                          setter->word->text);
    open_node(setter, step);
    if (step->node->kind != (list ? YAML_LIST : YAML_MAP))
        return yaml_error(setter->word, setter->diag, "%s has no parts in the job file, so no '%s'",
                          option ? option->key : "the job", setter->word->text);
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

/* The key's way through the tree, and the value at its end. */
static bool set(Setter *setter, YamlNode *root)
{
    Step step = {.node = root};
    setter->at = setter->start;
    setter->word = yaml_new_node(YAML_SCALAR, "", setter->key, setter->arena);
    while (next_word(setter))
        if (!take_step(setter, &step))
            return false;
    become(step.node, setter->value);
    return true;
}

bool option_set(YamlNode *root, const YamlSource *source, Arena *arena, Diag *diag)
{
    const YamlNode start = {.source = source, .line = 1, .column = 1};
    Setter setter = {.key = &start,
                     .start = source->text,
                     .stop = source->text + (source->start ? source->start - 1 : 0),
                     .arena = arena,
                     .diag = diag};

    if (setter.stop == setter.start)
        return yaml_error(&start, diag, "this is not of the form key=value");
    return yaml_load(&setter.value, source, arena, diag) && set(&setter, root);
}

bool option_overlay(YamlNode *root, const YamlNode *layer, Arena *arena, Diag *diag)
{
    bool good = true;
    for (const YamlNode *value = layer->first; value; value = value->next) {
        const char *key = value->key->text;
        Setter setter = {.key = value->key,
                         .start = key,
                         .stop = key + strlen(key),
                         .value = yaml_copy(value, arena),
                         .arena = arena,
                         .diag = diag};
        good &= *key ? set(&setter, root) : yaml_error(value->key, diag, "an empty key");
    }
    return good;
}
