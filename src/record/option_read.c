// SPDX-License-Identifier: MIT
#include "record/option_read.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "record/option_value.h"

/* ---- unknown keys ---- */

typedef struct Keys {
    const char *names[64];
    size_t count;
} Keys;

/* Writes the dotted key of the first row of that name anywhere in a table. */
static bool find_in_sections(char *out, size_t size, const OptionTable *table, const char *key)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *row = &table->rows[i];
        const char *separator = row->type == OPTION_LIST ? ".0." : ".";
        char below[OPTION_NAME_SIZE];
        if (!strcmp(row->key, key)) {
            snprintf(out, size, "%s", key);
            return true;
        }
        if (row->table && find_in_sections(below, sizeof below, row->table, key)) {
            snprintf(out, size, "%s%s%.200s", row->key, separator, below);
            return true;
        }
    }
    return false;
}

/* "did you mean 'fps'?" or "did you mean 'render.fps'?", or all keys of the section. */
static void write_hint(char *out, size_t size, const OptionTable *table, const OptionTable *whole,
                       const char *key)
{
    Keys keys = {0};
    char elsewhere[OPTION_NAME_SIZE];
    for (size_t i = 0; i < table->count && keys.count < 64; i++)
        keys.names[keys.count++] = table->rows[i].key;
    const char *nearest = text_nearest(key, keys.names, keys.count);

    if (nearest) {
        snprintf(out, size, "did you mean '%s'?", nearest);
    } else if (find_in_sections(elsewhere, sizeof elsewhere, whole, key)) {
        snprintf(out, size, "did you mean '%s'?", elsewhere);
    } else {
        size_t used = (size_t)snprintf(out, size, "known here:");
        for (size_t i = 0; i < keys.count && used < size; i++)
            used += (size_t)snprintf(out + used, size - used, "%s %s", i ? "," : "", keys.names[i]);
    }
}

bool option_unknown_key(const YamlNode *key, const OptionTable *table, const char *name,
                        OptionReader *reader)
{
    char hint[512];
    write_hint(hint, sizeof hint, table, reader->whole ? reader->whole : table, key->text);
    return option_error(reader, key, "unknown key '%s'; %s", name, hint);
}

/* ---- defaults and short forms ---- */

const YamlNode *option_default_node(const Option *option, const YamlNode *near,
                                    OptionReader *reader)
{
    Arena *arena = reader->arena;
    const char *value = option->value;
    const bool empty = !strcmp(value, "{}") || !strcmp(value, "[]");
    YamlNode *node = yaml_new_node(YAML_SCALAR, value, near, arena);
    node->plain = true;
    if (empty)
        node->kind = value[0] == '{' ? YAML_MAP : YAML_LIST;
    if (empty || !strchr("[{\"", value[0]))
        return node;
    YamlSource *source = arena_array(arena, YamlSource, 1);
    *source = (YamlSource){.name = option->key, .text = value, .size = strlen(value)};
    const bool good = yaml_load(&node, source, arena, reader->diag);
    assert(good);
    (void)good;
    return node;
}

const YamlNode *option_expand_short(const YamlNode *node, const OptionTable *table,
                                    OptionReader *reader)
{
    const Option *option = table->short_key ? option_find(table, table->short_key) : NULL;
    const bool is_list = node->kind == YAML_LIST && option && option->type == OPTION_NAMES;
    if (!option || (node->kind != YAML_SCALAR && !is_list) || yaml_is_null(node))
        return node;
    YamlNode *map = yaml_new_node(YAML_MAP, "", node, reader->arena);
    YamlNode *copy = yaml_copy(node, reader->arena);
    yaml_append(map, yaml_new_node(YAML_SCALAR, table->short_key, node, reader->arena), copy);
    return map;
}

/* ---- the trace of values that are not defaults ---- */

enum { MAX_TEXT_SIZE = 1000 }; /* bytes; a longer value, such as a list of frames, is truncated */

/* As in the file, but on one line. */
static void write_node(FILE *out, const YamlNode *node)
{
    if (node->kind == YAML_SCALAR && node->plain) {
        fputs(node->text[0] ? node->text : "null", out);
        return;
    }
    if (node->kind == YAML_SCALAR) {
        Json json = json_init(out);
        json_text(&json, node->text);
        return;
    }
    fputc(node->kind == YAML_LIST ? '[' : '{', out);
    for (const YamlNode *child = node->first; child; child = child->next) {
        if (node->kind == YAML_MAP)
            fprintf(out, "%s: ", child->key->text);
        write_node(out, child);
        fputs(child->next ? ", " : "", out);
    }
    fputc(node->kind == YAML_LIST ? ']' : '}', out);
}

static const char *node_text(const YamlNode *node, Arena *arena)
{
    TextStream stream;
    write_node(text_stream_open(&stream, arena), node);
    const char *text = text_stream_close(&stream);
    const size_t size = stream.size;
    size_t kept = size <= MAX_TEXT_SIZE ? size : MAX_TEXT_SIZE;
    while (kept < size && kept &&
           ((unsigned char)text[kept] & 0xc0) == 0x80) /* inside a UTF-8 character */
        kept--;
    return arena_printf(arena, "%.*s%s", (int)kept, text, kept < size ? "..." : "");
}

/* "job.yaml:14"; the command line has only one line. */
static const char *source_text(const YamlNode *node, Arena *arena)
{
    const char *name = node->source ? node->source->name : OPTION_COMMAND_LINE;
    if (name[0] == '-' || !strcmp(name, OPTION_COMMAND_LINE))
        return name;
    return arena_printf(arena, "%s:%u", name, node->line);
}

/* ---- sections and lists of sections ---- */

static bool read_value(const OptionSlot *slot, OptionReader *reader);

/* Reads a default; its paths are not relative to the file. */
static bool read_default(OptionSlot *slot, const YamlNode *near, OptionReader *reader)
{
    const char *directory = reader->directory;
    slot->node = option_default_node(slot->option, near, reader);
    reader->directory = "";
    const bool good = read_value(slot, reader);
    reader->directory = directory;
    return good;
}

static void trace_value(const OptionSlot *slot, OptionReader *reader)
{
    char name[OPTION_NAME_SIZE];
    if (!reader->trace || slot->option->table)
        return;
    option_write_location(name, sizeof name, slot->location);
    *arena_push(reader->arena, reader->trace) =
        (OptionSetting){arena_strdup(reader->arena, name), node_text(slot->node, reader->arena),
                        source_text(slot->node, reader->arena)};
}

/* A required key in whose place another one is given, or that the caller does not need. */
static bool may_be_missing(const Option *option, const YamlNode *map, const OptionLocation *parent,
                           const OptionReader *reader)
{
    const YamlNode *other = option->unless ? yaml_find(map, option->unless) : NULL;
    return (other && other->count) ||
           (!parent->parent && reader->optional && !strcmp(option->key, reader->optional));
}

/* A null is the same as a missing key. */
static bool read_row(const Option *option, void *out, const YamlNode *map,
                     const OptionLocation *parent, OptionReader *reader)
{
    const OptionLocation location = {parent, option->key, 0};
    OptionSlot slot = {option, yaml_find(map, option->key), &location, out};

    if (slot.node && !yaml_is_null(slot.node)) {
        trace_value(&slot, reader);
        return read_value(&slot, reader);
    }
    if (option->value)
        return read_default(&slot, slot.node ? slot.node : map, reader);
    if (may_be_missing(option, map, parent, reader))
        return true;
    char name[OPTION_NAME_SIZE];
    option_write_location(name, sizeof name, &location);
    return option_error(reader, slot.node ? slot.node : map, "%s is missing: %s", name,
                        option->help);
}

/* ---- rules about several keys ---- */

static bool is_given(const Option *option, void *base, Arena *arena)
{
    return option->type == OPTION_OPTIONAL || option->type == OPTION_LIST
               ? option_items(option, base).count > 0
               : !option_is_default(option, base, arena);
}

/* "camera: at most one of motion, fixed and path can be given" */
static bool report_several(const char *keys, const YamlNode *node, const OptionLocation *location,
                           OptionReader *reader)
{
    char name[OPTION_NAME_SIZE];
    const char *last = strrchr(keys, ' '), *list = "";
    for (const char *at = keys; at < last; at += strcspn(at, " ") + 1)
        list = arena_printf(reader->arena, "%s%s%.*s", list, list[0] ? ", " : "",
                            (int)strcspn(at, " "), at);
    option_write_location(name, sizeof name, location);
    return option_error(reader, node, "%s: at most one of %s and %s can be given", name, list,
                        last + 1);
}

size_t option_rule_keys(const Option *out[OPTION_RULE_KEYS], const OptionTable *table,
                        const Option *rule)
{
    char key[OPTION_NAME_SIZE];
    size_t count = 0;
    for (const char *at = rule->at_most_one ? rule->at_most_one : ""; *at; at += strspn(at, " ")) {
        const int size = (int)strcspn(at, " ");
        snprintf(key, sizeof key, "%.*s", size, at);
        assert(count < OPTION_RULE_KEYS);
        out[count++] = option_find(table, key);
        at += size;
    }
    return count;
}

static bool check_rule(const Option *option, void *out, const OptionTable *table,
                       const YamlNode *map, const OptionLocation *location, OptionReader *reader)
{
    const YamlNode *node = yaml_find(map, option->key);
    const Option *keys[OPTION_RULE_KEYS];
    const size_t key_count = option_rule_keys(keys, table, option);
    size_t count = 0;
    for (size_t i = 0; i < key_count; i++)
        count += is_given(keys[i], out, reader->arena);
    if (count > 1)
        return report_several(option->at_most_one, node && !yaml_is_null(node) ? node : map,
                              location, reader);
    if (!option->needs || !is_given(option, out, reader->arena) ||
        is_given(option_find(table, option->needs), out, reader->arena))
        return true;
    char name[OPTION_NAME_SIZE];
    option_write_location(name, sizeof name, &(OptionLocation){location, option->key, 0});
    return option_error(reader, node ? node : map, "%s: needs %s", name, option->needs);
}

static bool read_table(void *out, const OptionTable *table, const YamlNode *map,
                       const OptionLocation *location, OptionReader *reader)
{
    const unsigned errors_before = reader->errors;

    for (const YamlNode *child = map->first; map->kind == YAML_MAP && child; child = child->next) {
        char name[OPTION_NAME_SIZE];
        option_write_location(name, sizeof name, &(OptionLocation){location, child->key->text, 0});
        if (!option_find(table, child->key->text))
            option_unknown_key(child->key, table, name, reader);
    }
    for (size_t i = 0; i < table->count && reader->errors < OPTION_MAX_ERRORS; i++)
        read_row(&table->rows[i], out, map, location, reader);
    for (size_t i = 0; i < table->count && reader->errors == errors_before; i++)
        check_rule(&table->rows[i], out, table, map, location, reader);
    return reader->errors == errors_before;
}

static bool read_map(const OptionSlot *slot, void *out, const YamlNode *node,
                     const OptionLocation *location, OptionReader *reader)
{
    const OptionTable *table = slot->option->table;
    const YamlNode *map = option_expand_short(node, table, reader);
    const OptionSlot here = {slot->option, node, location, out};
    if (map->kind != YAML_MAP)
        return option_wrong_value(&here, node, table->short_key ? "a map or a file" : "a map",
                                  reader);
    return read_table(out, table, map, location, reader);
}

static bool read_optional(const OptionSlot *slot, OptionReader *reader)
{
    void **pointer = option_field(slot);
    *pointer = NULL;
    if (yaml_is_null(slot->node))
        return true;
    *pointer = arena_alloc(reader->arena, slot->option->table->size);
    return read_map(slot, *pointer, slot->node, slot->location, reader);
}

static bool check_count(const OptionSlot *slot, OptionReader *reader)
{
    const Option *option = slot->option;
    const double count = (double)slot->node->count;
    char name[OPTION_NAME_SIZE];

    if (!option_is_ranged(option) || (count >= option->min && count <= option->max))
        return true;
    option_write_location(name, sizeof name, slot->location);
    return option_error(reader, slot->node, "%s: %zu items; expected %g..%g", name,
                        slot->node->count, option->min, option->max);
}

static bool read_list(const OptionSlot *slot, OptionReader *reader)
{
    const OptionTable *table = slot->option->table;
    if (!option_check_items(slot, YAML_LIST, "a list (lines that begin with -)", reader) ||
        !check_count(slot, reader))
        return false;
    char *items = arena_calloc(reader->arena, slot->node->count, table->size);
    option_set_items(slot, items, slot->node->count);
    bool good = true;
    OptionLocation location = {slot->location, NULL, 0};
    for (const YamlNode *item = slot->node->first; item; item = item->next, location.index++)
        good &= read_map(slot, items + location.index * table->size, item, &location, reader);
    return good;
}

static bool read_value(const OptionSlot *slot, OptionReader *reader)
{
    const Option *option = slot->option;
    const OptionValueType *type = option_value_type(option->type);
    switch (option->type) {
    case OPTION_SECTION:
        return read_map(slot, option_field(slot), slot->node, slot->location, reader);
    case OPTION_OPTIONAL:
        return read_optional(slot, reader);
    case OPTION_LIST:
        return read_list(slot, reader);
    default:
        break;
    }
    if (type->clear && yaml_is_null(slot->node) && option->value &&
        !strcmp(option->value, "null")) {
        type->clear(slot);
        return true;
    }
    return type->read(slot, reader);
}

bool option_read(void *out, const OptionTable *table, const YamlNode *root, OptionReader *reader)
{
    const OptionLocation location = {0};
    memset(out, 0, table->size);
    if (!reader->whole)
        reader->whole = table;
    const bool good = read_table(out, table, root, &location, reader);
    if (reader->errors >= OPTION_MAX_ERRORS)
        diag_note(reader->diag, "stopped after %d errors", OPTION_MAX_ERRORS);
    return good;
}
