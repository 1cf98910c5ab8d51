// SPDX-License-Identifier: MIT
#include "record/help/option_schema.h"

#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "record/help/option_help.h"
#include "record/option_read.h"
#include "record/option_value.h"

enum { TYPE_SIZE = 16 };

/* ---- defaults ---- */

static void write_node(Json *json, const YamlNode *node)
{
    double number;
    if (node->kind == YAML_SCALAR) {
        const bool is_true = !strcmp(node->text, "true");
        if (yaml_is_null(node))
            json_text(json, NULL);
        else if (node->plain && (is_true || !strcmp(node->text, "false")))
            json_print(json, "%hhd", is_true);
        else if (node->plain && text_to_double(&number, node->text))
            json_print(json, "%g", number);
        else
            json_text(json, node->text);
        return;
    }
    const bool is_map = node->kind == YAML_MAP;
    json_print(json, is_map ? "{" : "[");
    for (const YamlNode *child = node->first; child; child = child->next) {
        if (is_map)
            json_key(json, child->key->text);
        write_node(json, child);
    }
    json_print(json, is_map ? "}" : "]");
}

static void write_default(Json *json, const Option *option, Arena *arena)
{
    static const YamlNode nowhere;
    OptionReader reader = {.directory = "", .arena = arena};
    write_node(json, option_default_node(option, &nowhere, &reader));
}

/* ---- types ---- */

/* "type" with one word of `names`, or a list of several. */
static void write_types(Json *json, const char *names)
{
    char name[TYPE_SIZE];
    const bool several = strchr(names, ' ') != NULL;
    if (!*names)
        return;
    json_key(json, "type");
    if (several)
        json_print(json, "[");
    for (size_t size; *names; names += size + (names[size] == ' ')) {
        size = strcspn(names, " ");
        snprintf(name, sizeof name, "%.*s", (int)size, names);
        json_text(json, name);
    }
    if (several)
        json_print(json, "]");
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
    char names[4 * TYPE_SIZE];
    const char *types = types_of(option);
    const bool has_text =
        option->word || option->by_x || option_is_seconds(option) ||
        (option->table && option->type != OPTION_LIST && option->table->short_key);
    const char *list =
        option->table && option->type != OPTION_LIST && option->table->short_key &&
                option_find(option->table, option->table->short_key)->type == OPTION_NAMES
            ? " array"
            : "";
    const bool has_null = option->value && (has_text || *types); /* the same as a missing key */
    snprintf(names, sizeof names, "%s%s%s%s%s", types, has_text && *types ? " " : "",
             has_text ? "string" : "", list, has_null ? " null" : "");
    write_types(json, names);
}

/* ---- values ---- */

static void write_range(Json *json, const Option *option)
{
    if (!option_is_ranged(option))
        return;
    json_print(json, "minimum:%g maximum:%g", option->min, option->max);
}

/* A JSON array of the accepted words or integers, with null if the option has a default. */
static void write_enum(Json *json, const Option *option)
{
    json_print(json, "enum:[");
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        json_text(json, option->choices[i]);
    for (size_t i = 0; option->values && option->values[i]; i++)
        json_int(json, option->values[i]);
    if (option->word)
        json_text(json, option->word);
    if (option->value && option->type != OPTION_FLAGS && option->type != OPTION_CHOICES)
        json_text(json, NULL);
    json_print(json, "]");
}

/* The values in a list ("items") or map ("additionalProperties"): their types, and the range of
 * an option (NULL: none). */
static void write_elements(Json *json, const char *key, const char *types, const Option *range)
{
    json_key(json, key);
    json_print(json, "{");
    write_types(json, types);
    if (range)
        write_range(json, range);
    json_print(json, "}");
}

/* Each is "auto" or [bone, bone, radius]. */
static void write_capsules(Json *json, const Option *option)
{
    json_print(json, "items:{anyOf:[{const:'auto'}{type:'array' "
                     "prefixItems:[{type:'string'}{type:'string'}{type:'number'");
    write_range(json, option);
    json_print(json, "}]");
    json_print(json, "minItems:%d maxItems:%d", 3, 3);
    json_print(json, "}]} maxItems:%d", OPTION_MAX_ITEMS);
}

#define TIME                                                       \
    "(m[0-9]{1,8}(\\.[0-9]+)?|[0-9]{1,8}(\\.[0-9]+)?s|[0-9]{1,8}|" \
    "[0-9]{1,8}(:[0-5]?[0-9]){1,2}(\\.[0-9]+)?s?)"
#define RANGES TIME "(-(" TIME ")?|\\+" TIME ")?"

/* Writes the constraints on a value besides its type: range, choices, items, length. */
static void write_value(Json *json, const Option *option)
{
    static const char scalars[] = "string number boolean"; /* any is a text: 12 is a valid name */
    static const Option component = {.min = 0, .max = 1};
    switch (option->type) {
    case OPTION_BOOL:
    case OPTION_NUMBER:
    case OPTION_FLOAT:
    case OPTION_TREE:
        write_range(json, option);
        if (option_is_seconds(option))
            json_print(json, "pattern:%s", "^[0-9]+(\\.[0-9]+)?s$");
        break;
    case OPTION_INT:
        write_range(json, option);
        if (option->values)
            write_enum(json, option);
        else if (option->word) /* "auto" is the only word of all tables */
            json_print(json, "pattern:%s",
                       option->kilo ? "^(auto|[0-9]+(\\.[0-9]+)?[kKM])$" : "^auto$");
        break;
    case OPTION_INTS:
    case OPTION_NUMBERS:
        write_elements(json, "items", option->type == OPTION_INTS ? "integer" : "number", option);
        json_print(json, "minItems:%d maxItems:%d", option->length, option->length);
        if (option->by_x)
            json_print(json, "pattern:'^[0-9]+[x:][0-9]+$'");
        break;
    case OPTION_COLOR:
        json_print(json, "pattern:'^#[0-9a-fA-F]{6}$'");
        write_elements(json, "items", "number", &component);
        json_print(json, "minItems:%d maxItems:%d", 3, 3);
        break;
    case OPTION_TEXT:
    case OPTION_PATH:
        json_print(json, "minLength:1");
        break;
    case OPTION_CHOICE:
        write_enum(json, option);
        break;
    case OPTION_FLAGS:
    case OPTION_CHOICES:
        json_print(json, "items:{");
        write_enum(json, option);
        json_print(json, option->type == OPTION_FLAGS ? "} minItems:1" : "}");
        break;
    case OPTION_RATE:
        write_range(json, option);
        json_print(json, "pattern:'^[0-9]+(\\.[0-9]+)?(/[0-9]+)?$'");
        break;
    case OPTION_FRAMES:
        json_print(json, "minimum:0 maximum:%d pattern:%s", OUTPUT_FRAME_MAX,
                   "^(all|" RANGES "(, *" RANGES ")*)$");
        break;
    case OPTION_LENGTH:
        write_range(json, option);
        json_print(json, "pattern:%s", "^" TIME "$");
        break;
    case OPTION_CUTS:
        write_range(json, option);
        json_print(json, "pattern:'^(none|auto|[0-9]+(\\.[0-9]+)?s?)$'");
        break;
    case OPTION_TEXTS:
    case OPTION_NAMES:
        write_elements(json, "items", scalars, NULL);
        json_print(json, "maxItems:%d", OPTION_MAX_ITEMS);
        break;
    case OPTION_WEIGHTS:
    case OPTION_RENAMES:
    case OPTION_FILES:
        if (option->type == OPTION_WEIGHTS)
            write_elements(json, "additionalProperties", "number", option);
        else
            write_elements(json, "additionalProperties", scalars, NULL);
        json_print(json, "maxProperties:%d", OPTION_MAX_ITEMS);
        break;
    case OPTION_CAPSULES:
        write_capsules(json, option);
        break;
    case OPTION_SECTION:
    case OPTION_OPTIONAL:
    case OPTION_LIST:
        break; /* by write_members */
    }
}

/* ---- tables ---- */

static void write_members(Json *json, const OptionTable *table);

static void write_items(Json *json, const Option *option)
{
    const char *short_key = option->table->short_key;
    json_print(json, "items:{");
    write_types(json, short_key ? "object string" : "object");
    write_members(json, option->table);
    json_print(json, "}");
    if (option->min > 0)
        json_print(json, "minItems:%g", option->min);
    json_print(json, "maxItems:%g", option->max > 0 ? option->max : OPTION_MAX_ITEMS);
}

static void write_option(Json *json, const Option *option)
{
    Arena *arena = arena_create();
    json_print(json, "\n");
    json_key(json, option->key);
    json_print(json, "{description:%s", option_description(option, arena));
    write_type(json, option);
    if (option->type == OPTION_LIST) {
        write_items(json, option);
    } else if (option->table) {
        write_members(json, option->table);
    } else {
        write_value(json, option);
    }
    if (option->value) {
        json_key(json, "default");
        write_default(json, option, arena);
    }
    json_print(json, "}");
    arena_destroy(arena);
}

/* ---- rules about several keys ---- */

/* That keys of a map are given: with another value than null and their default. */
static void write_given(Json *json, const Option *const *keys, size_t count, Arena *arena)
{
    json_print(json, "{type:'object' required:[");
    for (size_t i = 0; i < count; i++)
        json_text(json, keys[i]->key);
    json_print(json, "] properties:{");
    for (size_t i = 0; i < count; i++) {
        json_key(json, keys[i]->key);
        json_print(json, "{not:{enum:[");
        json_text(json, NULL);
        if (strcmp(keys[i]->value, "null") != 0)
            write_default(json, keys[i], arena);
        json_print(json, "]}}");
    }
    json_print(json, "}}");
}

static void write_rule(Json *json, const OptionTable *table, const Option *option, Arena *arena)
{
    const Option *keys[OPTION_RULE_KEYS], *needed;
    const size_t count = option_rule_keys(keys, table, option);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++) {
            json_print(json, "{not:");
            write_given(json, (const Option *[]){keys[a], keys[b]}, 2, arena);
            json_print(json, "}");
        }
    if (option->needs) {
        needed = option_find(table, option->needs);
        json_print(json, "{if:");
        write_given(json, &option, 1, arena);
        json_print(json, "then:");
        write_given(json, &needed, 1, arena);
        json_print(json, "}");
    }
}

static void write_rules(Json *json, const OptionTable *table)
{
    bool any = false;
    for (size_t i = 0; i < table->count; i++)
        any |= table->rows[i].at_most_one || table->rows[i].needs;
    if (!any)
        return;
    Arena *arena = arena_create();
    json_print(json, "allOf:[");
    for (size_t i = 0; i < table->count; i++)
        write_rule(json, table, &table->rows[i], arena);
    json_print(json, "]");
    arena_destroy(arena);
}

static void write_members(Json *json, const OptionTable *table)
{
    json_print(json, "additionalProperties:false required:[");
    for (size_t i = 0; i < table->count; i++)
        if (!table->rows[i].value && !table->rows[i].unless)
            json_text(json, table->rows[i].key);
    json_print(json, "]");
    for (size_t i = 0; i < table->count; i++) /* at most one, since "if" is a key */
        if (table->rows[i].unless)
            json_print(json, "if:{not:{required:[%s]}} then:{required:[%s]}", table->rows[i].unless,
                       table->rows[i].key);
    write_rules(json, table);
    json_print(json, " properties:{");
    for (size_t i = 0; i < table->count; i++)
        write_option(json, &table->rows[i]);
    json_print(json, "}");
}

void option_schema(FILE *out, const OptionTable *table, const char *id, const char *title)
{
    Json json = json_init(out);
    json_print(&json, "{$schema:'https://json-schema.org/draft/2020-12/schema'");
    json_print(&json, "$id:%s title:%s type:'object'", id, title);
    write_members(&json, table);
    json_print(&json, "}\n");
}
