// SPDX-License-Identifier: MIT
#include "record/help/result_schema.h"

#include "base/arena.h"

static void write_object(Json *json, const ResultTable *table);

/* "type": a list with null if the value can be missing. */
static void write_type(Json *json, const char *name, bool nullable)
{
    if (nullable)
        json_print(json, "type:[%s 'null']", name);
    else
        json_print(json, "type:%s", name);
}

static void write_texts(Json *json, const char *const *texts)
{
    for (; *texts; texts++)
        json_text(json, *texts);
}

/* One value of a field. */
static void write_value(Json *json, const ResultField *field)
{
    const bool nullable = field->nullable && field->form != RESULT_LIST;
    switch (field->type) {
    case RESULT_BOOL:
        write_type(json, "boolean", false);
        break;
    case RESULT_SIGNED:
    case RESULT_UNSIGNED:
        if (field->words) {
            write_type(json, "string", false);
            json_print(json, "enum:[");
            write_texts(json, field->words);
            json_print(json, "]");
            break;
        }
        write_type(json, "integer", nullable);
        if (nullable || field->type == RESULT_UNSIGNED)
            json_print(json, "minimum:0");
        break;
    case RESULT_FLOAT:
    case RESULT_DOUBLE:
        write_type(json, "number", nullable);
        break;
    case RESULT_TEXT:
        write_type(json, "string", nullable);
        break;
    case RESULT_DIGEST:
        write_type(json, "string", nullable);
        json_print(json, "pattern:'^[0-9a-f]{64}$'");
        break;
    case RESULT_FRAMES:
        json_print(json, "type:'array' items:{type:'array' items:{type:'integer' minimum:0} "
                         "minItems:2 maxItems:2}");
        break;
    case RESULT_RECORD:
        write_type(json, "object", nullable);
        write_object(json, field->table);
        break;
    }
}

static void write_field(Json *json, const ResultField *field)
{
    Arena *arena = arena_create();
    const bool list =
        field->form == RESULT_ARRAY || field->form == RESULT_LIST || field->form == RESULT_STREAM;
    json_print(json, "\n");
    json_key(json, field->key);
    json_print(json, "{description:%s",
               field->unit ? arena_printf(arena, "%s [%s]", field->help, field->unit)
                           : field->help);
    if (list) {
        write_type(json, "array", field->nullable);
        json_print(json, "items:{");
        if (field->width)
            json_print(json, "type:'array' minItems:%zu maxItems:%zu items:{", field->width,
                       field->width);
        write_value(json, field);
        json_print(json, field->width ? "}}" : "}");
        if (field->form == RESULT_ARRAY)
            json_print(json, "minItems:%zu maxItems:%zu", field->length, field->length);
    } else if (field->form == RESULT_CASE) {
        write_type(json, "string", false);
        json_print(json, "enum:[");
        for (const ResultTable *const *table = field->cases; *table; table++)
            write_texts(json, (*table)->words);
        json_print(json, "]");
    } else {
        write_value(json, field);
    }
    json_print(json, "}");
    arena_destroy(arena);
}

/* Keys of all members but those of parts that may be missing. */
static void write_keys(Json *json, const ResultTable *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const ResultField *field = &table->fields[i];
        if (field->form != RESULT_PART)
            json_text(json, field->key);
        else if (!field->nullable)
            write_keys(json, field->table);
    }
}

/* Of a part that may be missing, all members are there or none. */
static void write_dependent(Json *json, const ResultTable *part)
{
    for (size_t i = 0; i < part->count; i++) {
        json_key(json, part->fields[i].key);
        json_print(json, "[");
        if (i)
            json_text(json, part->fields[0].key);
        else
            write_keys(json, part);
        json_print(json, "]");
    }
}

static void write_properties(Json *json, const ResultTable *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->fields[i].form == RESULT_PART)
            write_properties(json, table->fields[i].table);
        else
            write_field(json, &table->fields[i]);
}

/* others: the keyword by which there are no other members, or NULL. */
static void write_members(Json *json, const ResultTable *table, const char *others)
{
    json_print(json, "title:%s", table->help);
    if (others) {
        json_key(json, others);
        json_print(json, "false");
    }
    json_print(json, "required:[");
    write_keys(json, table);
    json_print(json, "] properties:{");
    write_properties(json, table);
    json_print(json, "}");
}

/* The members that an object has if `field` is one of the words of a table. */
static void write_cases(Json *json, const ResultField *field)
{
    json_print(json, "allOf:[");
    for (const ResultTable *const *table = field->cases; *table; table++) {
        json_print(json, "\n{if:{properties:{");
        json_key(json, field->key);
        json_print(json, "{enum:[");
        write_texts(json, (*table)->words);
        json_print(json, "]}}} then:{");
        write_members(json, *table, NULL);
        json_print(json, "}}");
    }
    json_print(json, "]");
}

static void write_object(Json *json, const ResultTable *table)
{
    const ResultField *last = &table->fields[table->count - 1];
    const bool has_cases = last->form == RESULT_CASE;
    write_members(json, table, has_cases ? "unevaluatedProperties" : "additionalProperties");
    for (size_t i = 0; i < table->count; i++)
        if (table->fields[i].form == RESULT_PART && table->fields[i].nullable) {
            json_print(json, "dependentRequired:{");
            write_dependent(json, table->fields[i].table);
            json_print(json, "}");
        }
    if (has_cases)
        write_cases(json, last);
}

void result_schema(FILE *out, const ResultTable *table, const ResultTable *failure, const char *id)
{
    Json json = json_init(out);
    json_print(&json, "{$schema:'https://json-schema.org/draft/2020-12/schema' $id:%s", id);
    json_print(&json, failure ? "anyOf:[{type:'object'" : "type:'object'");
    write_object(&json, table);
    if (failure) {
        json_print(&json, "}\n{type:'object'");
        write_object(&json, failure);
        json_print(&json, "}]");
    }
    json_print(&json, "}\n");
}
