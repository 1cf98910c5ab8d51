// SPDX-License-Identifier: MIT
/*
 * json_check.c - checks JSON texts with a JSON Schema.  usage: json_check SCHEMA FILE
 *
 * FILE has one text, or several one below another, of which each begins with "{" in the first
 * column.  Prints the place of each fault.  Exit status 1 if there is one, 2 after an error.  Knows
 * the keywords that odori writes in schemas of results, and refuses a schema with others.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "record/json_read.h"

enum { MAX_SCHEMAS = 8 }; /* an object, and its cases that hold */

static int faults;
static bool silent;

static void report(const char *place, const char *text, const char *name)
{
    if (!silent)
        printf("%s: %s%s\n", *place ? place : "/", text, name);
    faults++;
}

static const char *type_name(const JsonValue *value)
{
    switch (value->kind) {
    case JSON_BOOL:
        return "boolean";
    case JSON_NUMBER:
        return value->number == floor(value->number) ? "integer" : "number";
    case JSON_TEXT:
        return "string";
    case JSON_LIST:
        return "array";
    case JSON_OBJECT:
        return "object";
    case JSON_OTHER:
        break;
    }
    return "null";
}

static bool is_type(const JsonValue *value, const char *name)
{
    return !strcmp(type_name(value), name) ||
           (value->kind == JSON_NUMBER && !strcmp(name, "number"));
}

/* Whether one of the items, or the text itself, names the type. */
static bool has_type(const JsonValue *value, const JsonValue *types)
{
    bool found = types->kind == JSON_TEXT && is_type(value, types->text);
    for (uint32_t i = 0; types->kind == JSON_LIST && i < types->count; i++)
        found |= is_type(value, json_string(types->items[i], ""));
    return found;
}

static bool has_text(const JsonValue *list, const char *text)
{
    for (uint32_t i = 0; i < json_count(list); i++)
        if (!strcmp(json_string(json_item(list, i), ""), text))
            return true;
    return false;
}

static bool is_digest(const char *text)
{
    return strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

static void check(const JsonValue *value, const JsonValue *schema, const char *place, Arena *arena);

/* Whether the members that "if" lists have one of its words. */
static bool holds(const JsonValue *value, const JsonValue *condition)
{
    const JsonValue *properties = json_member(condition, "properties");
    bool all = true;
    for (uint32_t i = 0; i < json_count(properties); i++) {
        const JsonValue *words = json_item(properties, i);
        all &=
            has_text(json_member(words, "enum"), json_string(json_member(value, words->key), ""));
    }
    return all;
}

/* Schemas of the object: itself, and those of its cases that hold.  Returns their number. */
static uint32_t list_schemas(const JsonValue **out, const JsonValue *value, const JsonValue *schema)
{
    const JsonValue *cases = json_member(schema, "allOf");
    uint32_t count = 0;
    out[count++] = schema;
    for (uint32_t i = 0; i < json_count(cases) && count < MAX_SCHEMAS; i++)
        if (holds(value, json_member(json_item(cases, i), "if")))
            out[count++] = json_member(json_item(cases, i), "then");
    return count;
}

static void check_keys(const JsonValue *value, const JsonValue *keys, const char *place)
{
    for (uint32_t i = 0; i < json_count(keys); i++)
        if (!json_member(value, json_string(json_item(keys, i), "")))
            report(place, "lacks ", json_string(json_item(keys, i), "?"));
}

static void check_object(const JsonValue *value, const JsonValue *schema, const char *place,
                         Arena *arena)
{
    const JsonValue *schemas[MAX_SCHEMAS];
    const uint32_t count = list_schemas(schemas, value, schema);
    const JsonValue *dependent = json_member(schema, "dependentRequired");
    const JsonValue *others = json_member(schema, "additionalProperties");
    if (json_member(schema, "unevaluatedProperties"))
        others = json_member(schema, "unevaluatedProperties");
    for (uint32_t i = 0; i < count; i++)
        check_keys(value, json_member(schemas[i], "required"), place);
    for (uint32_t i = 0; i < json_count(dependent); i++)
        if (json_member(value, json_item(dependent, i)->key))
            check_keys(value, json_item(dependent, i), place);
    for (uint32_t i = 0; i < value->count; i++) {
        const JsonValue *member = value->items[i], *known = NULL;
        for (uint32_t k = 0; k < count && !known; k++)
            known = json_member(json_member(schemas[k], "properties"), member->key);
        if (json_member(value, member->key) != member)
            report(place, "has twice ", member->key);
        if (!known && others && others->kind == JSON_BOOL)
            report(place, "has the undeclared ", member->key);
        else
            check(member, known ? known : others, arena_printf(arena, "%s/%s", place, member->key),
                  arena);
    }
}

static void check_list(const JsonValue *value, const JsonValue *schema, const char *place,
                       Arena *arena)
{
    const double min = json_number(json_member(schema, "minItems"), 0);
    const double max = json_number(json_member(schema, "maxItems"), (double)INFINITY);
    if (value->count < min || value->count > max)
        report(place, "has another number of items", "");
    for (uint32_t i = 0; i < value->count; i++)
        check(value->items[i], json_member(schema, "items"), arena_printf(arena, "%s/%u", place, i),
              arena);
}

static void check(const JsonValue *value, const JsonValue *schema, const char *place, Arena *arena)
{
    const JsonValue *type = json_member(schema, "type"), *words = json_member(schema, "enum");
    if (!type)
        report(place, "has no type in the schema", "");
    else if (!has_type(value, type))
        report(place, "is of the type ", type_name(value));
    else if (value->kind == JSON_OBJECT)
        check_object(value, schema, place, arena);
    else if (value->kind == JSON_LIST)
        check_list(value, schema, place, arena);
    else if (value->kind == JSON_TEXT && words && !has_text(words, value->text))
        report(place, "is the undeclared word ", value->text);
    else if (value->kind == JSON_TEXT && json_member(schema, "pattern") && !is_digest(value->text))
        report(place, "is no digest: ", value->text);
    else if (value->kind == JSON_NUMBER &&
             value->number < json_number(json_member(schema, "minimum"), (double)-INFINITY))
        report(place, "is less than its minimum", "");
}

/* Whether a schema, and those in it, have known keywords only, and describe each property. */
static void check_schema(const JsonValue *schema, const char *place, bool is_case, Arena *arena)
{
    static const char *const known[] = {"$schema",
                                        "$id",
                                        "title",
                                        "description",
                                        "type",
                                        "enum",
                                        "pattern",
                                        "minimum",
                                        "minItems",
                                        "maxItems",
                                        "properties",
                                        "required",
                                        "items",
                                        "additionalProperties",
                                        "allOf",
                                        "anyOf",
                                        "unevaluatedProperties",
                                        "dependentRequired"};
    const JsonValue *properties = json_member(schema, "properties");
    const JsonValue *cases = json_member(schema, "allOf"), *any = json_member(schema, "anyOf");
    for (uint32_t i = 0; i < json_count(any); i++)
        check_schema(json_item(any, i), place, false, arena);
    for (uint32_t i = 0; i < json_count(schema); i++) {
        size_t k = 0;
        while (k < sizeof known / sizeof *known && strcmp(schema->items[i]->key, known[k]) != 0)
            k++;
        if (k == sizeof known / sizeof *known)
            report(place, "has the unknown keyword ", schema->items[i]->key);
    }
    if (properties && !is_case && json_bool(json_member(schema, "additionalProperties"), true) &&
        json_bool(json_member(schema, "unevaluatedProperties"), true))
        report(place, "allows any member", "");
    for (uint32_t i = 0; i < json_count(properties); i++) {
        const JsonValue *item = json_item(properties, i);
        if (!*json_string(json_member(item, "description"), ""))
            report(place, "has no description of ", item->key);
        check_schema(item, arena_printf(arena, "%s/%s", place, item->key), false, arena);
    }
    for (uint32_t i = 0; i < json_count(cases); i++)
        check_schema(json_member(json_item(cases, i), "then"), place, true, arena);
    if (json_member(schema, "items"))
        check_schema(json_member(schema, "items"), arena_printf(arena, "%s/N", place), false,
                     arena);
}

/* The alternative of "anyOf" that holds, else the first one; or the schema itself. */
static const JsonValue *choose(const JsonValue *value, const JsonValue *schema, Arena *arena)
{
    const JsonValue *any = json_member(schema, "anyOf");
    for (uint32_t i = 0; i < json_count(any); i++) {
        const int before = faults;
        silent = true;
        check(value, json_item(any, i), "", arena);
        silent = false;
        const bool holds_here = faults == before;
        faults = before;
        if (holds_here)
            return json_item(any, i);
    }
    return any ? json_item(any, 0) : schema;
}

static Bytes load(const char *file, Arena *arena)
{
    Diag diag;
    Bytes bytes;
    diag_init(&diag, NULL, NULL);
    diag_file(&diag, file);
    if (!file_load(&bytes, file, FILE_MAX_SIZE, arena, &diag))
        exit(2);
    return bytes;
}

int main(int argc, char **argv)
{
    Arena *arena = arena_create();
    if (argc != 3)
        return 2;
    const Bytes text = load(argv[1], arena), bytes = load(argv[2], arena);
    const JsonValue *schema = json_read(NULL, text.data, text.size, arena);
    if (!schema)
        report(argv[1], "is no JSON", "");
    check_schema(schema, "schema", false, arena);
    const char *at = (const char *)bytes.data, *end = at + bytes.size, *next;
    while (at < end) {
        const JsonValue *value = NULL;
        for (next = at; !value && next < end;) {
            for (next++; next < end && (next[-1] != '\n' || *next != '{');)
                next++;
            value = json_read_own(NULL, at, (size_t)(next - at), arena);
        }
        if (value)
            check(value, choose(value, schema, arena), "", arena);
        else
            report(argv[2], "is no JSON", "");
        at = next;
    }
    arena_destroy(arena);
    return faults > 0;
}
