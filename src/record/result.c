// SPDX-License-Identifier: MIT
#include "record/result.h"

#include <assert.h>
#include <string.h>

/* ---- integers of any size ---- */

static int64_t read_signed(const void *value, size_t size)
{
    int32_t small;
    int64_t large;
    if (size == sizeof large) {
        memcpy(&large, value, size);
        return large;
    }
    assert(size == sizeof small);
    memcpy(&small, value, sizeof small);
    return small;
}

static uint64_t read_unsigned(const void *value, size_t size)
{
    const uint64_t bits = (uint64_t)read_signed(value, size);
    return size == sizeof bits ? bits : (uint32_t)bits;
}

static size_t read_count(const ResultField *field, const char *record)
{
    size_t count;
    memcpy(&count, record + field->count_offset, sizeof count);
    return count;
}

/* ---- values ---- */

static void write_frames(Json *json, const FrameRanges *frames)
{
    json_print(json, "[");
    for (size_t i = 0; i < frames->count; i++)
        json_print(json, "[%jd, %jd]", frames->items[i].first, frames->items[i].last);
    json_print(json, "]");
}

static void write_digest(Json *json, const Digest *digest)
{
    char text[DIGEST_TEXT_SIZE];
    digest_text(text, digest);
    json_text(json, text);
}

static void write_integer(Json *json, const ResultField *field, const void *value)
{
    if (field->words)
        json_text(json, field->words[read_unsigned(value, field->size)]);
    else if (field->type == RESULT_UNSIGNED)
        json_print(json, "%ju", (uintmax_t)read_unsigned(value, field->size));
    else if (field->nullable && read_signed(value, field->size) < 0)
        json_text(json, NULL);
    else
        json_int(json, read_signed(value, field->size));
}

static void write_item(Json *json, const ResultField *field, const void *value)
{
    switch (field->type) {
    case RESULT_BOOL:
        json_print(json, "%hhd", *(const bool *)value);
        break;
    case RESULT_SIGNED:
    case RESULT_UNSIGNED:
        write_integer(json, field, value);
        break;
    case RESULT_FLOAT:
        json_print(json, "%.9g", (double)*(const float *)value);
        break;
    case RESULT_DOUBLE:
        json_print(json, "%g", *(const double *)value);
        break;
    case RESULT_TEXT:
        json_text(json, *(const char *const *)value);
        break;
    case RESULT_DIGEST:
        write_digest(json, value);
        break;
    case RESULT_FRAMES:
        write_frames(json, value);
        break;
    case RESULT_RECORD:
        result_write(json, field->table, value);
        break;
    }
}

/* Each struct of a list begins a line. */
static void write_items(Json *json, const ResultField *field, const char *items, size_t count)
{
    json_print(json, "[");
    for (size_t i = 0; i < count; i++) {
        if (field->type == RESULT_RECORD)
            json_print(json, "\n");
        write_item(json, field, items + i * field->size);
    }
    json_print(json, "]");
}

/* ---- structs ---- */

static void write_members(Json *json, const ResultTable *table, const char *record);

static void write_field(Json *json, const ResultField *field, const char *record)
{
    const char *at = record + field->offset, *pointer = NULL;
    if (field->form != RESULT_ONE && field->form != RESULT_ARRAY)
        memcpy(&pointer, at, sizeof pointer);
    if (field->form == RESULT_PART) {
        if (pointer)
            write_members(json, field->table, pointer);
        return;
    }
    json_key(json, field->key);
    if (field->form == RESULT_ONE)
        write_item(json, field, at);
    else if (field->form == RESULT_ARRAY)
        write_items(json, field, at, field->length);
    else if (field->form == RESULT_LIST)
        write_items(json, field, pointer, read_count(field, record));
    else if (pointer)
        write_item(json, field, pointer);
    else
        json_text(json, NULL);
}

static void write_members(Json *json, const ResultTable *table, const char *record)
{
    for (size_t i = 0; i < table->count; i++)
        write_field(json, &table->fields[i], record);
}

void result_write(Json *json, const ResultTable *table, const void *record)
{
    json_print(json, "{");
    write_members(json, table, record);
    json_print(json, "}");
}

void result_print(FILE *out, const ResultTable *table, const void *record)
{
    Json json = json_init(out);
    result_write(&json, table, record);
    json_print(&json, "\n");
}
