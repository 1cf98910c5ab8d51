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

static void write_words(Json *json, const ResultField *field)
{
    json_print(json, "enum:[");
    for (size_t i = 0; field->words[i]; i++)
        json_text(json, field->words[i]);
    json_print(json, "]");
}

/* One value of a field. */
static void write_value(Json *json, const ResultField *field)
{
    switch (field->type) {
    case RESULT_BOOL:
        write_type(json, "boolean", false);
        break;
    case RESULT_SIGNED:
    case RESULT_UNSIGNED:
        if (field->words) {
            write_type(json, "string", false);
            write_words(json, field);
            break;
        }
        write_type(json, "integer", field->nullable);
        if (field->nullable || field->type == RESULT_UNSIGNED)
            json_print(json, "minimum:0");
        break;
    case RESULT_FLOAT:
    case RESULT_DOUBLE:
        write_type(json, "number", field->nullable);
        break;
    case RESULT_TEXT:
        write_type(json, "string", field->nullable);
        break;
    case RESULT_DIGEST:
        json_print(json, "type:'string' pattern:'^[0-9a-f]{64}$'");
        break;
    case RESULT_FRAMES:
        json_print(json, "type:'array' items:{type:'array' items:{type:'integer' minimum:0} "
                         "minItems:2 maxItems:2}");
        break;
    case RESULT_RECORD:
        write_type(json, "object", field->nullable);
        write_object(json, field->table);
        break;
    }
}

static void write_field(Json *json, const ResultField *field)
{
    Arena *arena = arena_create();
    json_print(json, "\n");
    json_key(json, field->key);
    json_print(json, "{description:%s",
               field->unit ? arena_printf(arena, "%s [%s]", field->help, field->unit)
                           : field->help);
    if (field->form == RESULT_ARRAY || field->form == RESULT_LIST) {
        json_print(json, "type:'array' items:{");
        write_value(json, field);
        json_print(json, "}");
        if (field->form == RESULT_ARRAY)
            json_print(json, "minItems:%zu maxItems:%zu", field->length, field->length);
    } else {
        write_value(json, field);
    }
    json_print(json, "}");
    arena_destroy(arena);
}

static void write_required(Json *json, const ResultTable *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const ResultField *field = &table->fields[i];
        if (field->form != RESULT_PART)
            json_text(json, field->key);
        else if (!field->nullable)
            write_required(json, field->table);
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

static void write_object(Json *json, const ResultTable *table)
{
    json_print(json, "title:%s additionalProperties:false required:[", table->help);
    write_required(json, table);
    json_print(json, "] properties:{");
    write_properties(json, table);
    json_print(json, "}");
}

void result_schema(FILE *out, const ResultTable *table, const char *id)
{
    Json json = json_init(out);
    json_print(&json,
               "{$schema:'https://json-schema.org/draft/2020-12/schema' $id:%s type:'object'", id);
    write_object(&json, table);
    json_print(&json, "}\n");
}
