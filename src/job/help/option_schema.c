#include "job/help/option_schema.h"

#include <string.h>

#include "base/text.h"
#include "job/help/option_value_schema.h"
#include "job/option_read.h"
#include "job/option_value.h"

enum { TEXT_SIZE = 512 };

/* ---- defaults ---- */

static void write_node(Json *json, const YamlNode *node)
{
    double number;
    if (node->kind == YAML_SCALAR) {
        const bool is_true = !strcmp(node->text, "true");
        if (yaml_is_null(node))
            json_text(json, NULL);
        else if (node->plain && (is_true || !strcmp(node->text, "false")))
            json_bool(json, is_true);
        else if (node->plain && text_to_double(&number, node->text))
            json_short(json, number);
        else
            json_text(json, node->text);
        return;
    }
    const bool is_map = node->kind == YAML_MAP;
    json_open(json, is_map ? '{' : '[');
    for (const YamlNode *child = node->first; child; child = child->next) {
        if (is_map)
            json_key(json, child->key->text);
        write_node(json, child);
    }
    json_close(json, is_map ? '}' : ']');
}

static void write_default(Json *json, const Option *option)
{
    static const YamlNode nowhere;
    Arena *arena = arena_create();
    OptionReader reader = {.directory = "", .arena = arena};
    json_key(json, "default");
    write_node(json, option_default_node(option, &nowhere, &reader));
    arena_destroy(arena);
}

/* ---- types ---- */

typedef struct TypeList {
    char names[6][16];
    size_t count;
} TypeList;

static void add_types(TypeList *list, const char *names)
{
    for (size_t length; *names; names += length + (names[length] == ' ')) {
        length = strcspn(names, " ");
        snprintf(list->names[list->count++], sizeof list->names[0], "%.*s", (int)length, names);
    }
}

static void write_types(Json *json, const TypeList *list)
{
    if (!list->count)
        return;
    json_key(json, "type");
    if (list->count > 1)
        json_open(json, '[');
    for (size_t i = 0; i < list->count; i++)
        json_text(json, list->names[i]);
    if (list->count > 1)
        json_close(json, ']');
}

/* A tree is described by its default alone: "{}", "[]", or "null" for anything. */
static const char *types_of(const Option *option)
{
    if (option->type != OPTION_TREE)
        return option_value_type(option->type)->json_types;
    return option->value && option->value[0] == '{'   ? "object"
           : option->value && option->value[0] == '[' ? "array"
                                                      : "";
}

static void write_type(Json *json, const Option *option)
{
    TypeList list = {.count = 0};
    add_types(&list, types_of(option));
    if (option->word || option->by_x ||
        (option->table && option->type != OPTION_LIST && option->table->short_key))
        add_types(&list, "string");
    if (option->value && list.count) /* null is the same as a missing key */
        add_types(&list, "null");
    write_types(json, &list);
}

/* ---- tables ---- */

static void write_members(Json *json, const OptionTable *table);

static void write_items(Json *json, const Option *option)
{
    const char *short_key = option->table->short_key;
    TypeList list = {.count = 0};
    add_types(&list, short_key ? "object string" : "object");
    json_pair_open(json, "items", '{');
    write_types(json, &list);
    write_members(json, option->table);
    json_close(json, '}');
    if (option->min > 0)
        json_pair_short(json, "minItems", option->min);
    json_pair_short(json, "maxItems", option->max > 0 ? option->max : OPTION_MAX_ITEMS);
}

static void write_option(Json *json, const Option *option)
{
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "%s%s%s%s", option->help, option->unit ? " [" : "",
             option->unit ? option->unit : "", option->unit ? "]" : "");
    json_newline(json);
    json_pair_open(json, option->key, '{');
    json_pair_text(json, "description", text);
    write_type(json, option);
    if (option->type == OPTION_LIST) {
        write_items(json, option);
    } else if (option->table) {
        write_members(json, option->table);
    } else {
        option_value_schema(json, option);
    }
    if (option->value)
        write_default(json, option);
    json_close(json, '}');
}

static void write_members(Json *json, const OptionTable *table)
{
    json_pair_bool(json, "additionalProperties", false);
    json_pair_open(json, "required", '[');
    for (size_t i = 0; i < table->count; i++)
        if (!table->rows[i].value)
            json_text(json, table->rows[i].key);
    json_close(json, ']');
    json_pair_open(json, "properties", '{');
    for (size_t i = 0; i < table->count; i++)
        write_option(json, &table->rows[i]);
    json_close(json, '}');
}

void option_schema(FILE *out, const OptionTable *table, const char *id, const char *title)
{
    Json json = json_init(out);
    json_open(&json, '{');
    json_pair_text(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_pair_text(&json, "$id", id);
    json_pair_text(&json, "title", title);
    json_pair_text(&json, "type", "object");
    write_members(&json, table);
    json_close(&json, '}');
    json_newline(&json);
}

void option_schema_job(FILE *out)
{
    option_schema(out, &option_job, "urn:odori:schema:job:1", "Odori job file");
}
