// SPDX-License-Identifier: MIT
#include "record/result.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text_escape.h"

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
    return read_unsigned(record + field->count_offset, field->count_size);
}

/* ---- values ---- */

static void write_frames(Json *json, const FrameRanges *frames)
{
    json_print(json, "[");
    for (size_t i = 0; i < frames->count; i++)
        json_print(json, "[%jd, %jd]", frames->items[i].first, frames->items[i].last);
    json_print(json, "]");
}

static void write_digest(Json *json, const Digest *digest, bool nullable)
{
    static const Digest none;
    char text[DIGEST_TEXT_SIZE];
    digest_text(text, digest);
    json_text(json, nullable && digest_equal(digest, &none) ? NULL : text);
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

static void write_value(Json *json, const ResultField *field, const void *value)
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
        json_print(json, field->exact ? "%.17g" : "%g", *(const double *)value);
        break;
    case RESULT_TEXT:
        json_text(json, *(const char *const *)value);
        break;
    case RESULT_DIGEST:
        write_digest(json, value, field->nullable);
        break;
    case RESULT_FRAMES:
        write_frames(json, value);
        break;
    case RESULT_RECORD:
        result_write(json, field->table, value);
        break;
    }
}

static void write_item(Json *json, const ResultField *field, const char *value)
{
    if (field->width)
        json_floats(json, (const float *)value, field->width);
    else
        write_value(json, field, value);
}

/* Each struct of a list begins a line. */
static void write_items(Json *json, const ResultField *field, const char *items, size_t count)
{
    json_print(json, "[");
    for (size_t i = 0; i < count; i++) {
        if (field->type == RESULT_RECORD && !json->one_line)
            json_print(json, "\n");
        write_item(json, field, items + i * field->size + field->item_offset);
    }
    json_print(json, "]");
}

static void write_stream(Json *json, const ResultField *field, const ResultStream *stream)
{
    json_print(json, "[");
    for (const void *item; (item = stream->next(stream->user));) {
        json_print(json, "\n");
        write_value(json, field, item);
    }
    json_print(json, "]");
}

/* ---- structs ---- */

static void write_members(Json *json, const ResultTable *table, const char *record);

/* What the member points to, if it is a pointer. */
static const char *read_pointer(const ResultField *field, const char *record)
{
    const char *pointer = NULL;
    if (field->form == RESULT_LIST || field->form == RESULT_OPTIONAL || field->form == RESULT_PART)
        memcpy(&pointer, record + field->offset, sizeof pointer);
    return pointer;
}

static void write_field(Json *json, const ResultField *field, const char *record)
{
    const char *at = record + field->offset, *pointer = read_pointer(field, record);
    if (field->form == RESULT_PART) {
        if (pointer)
            write_members(json, field->table, pointer);
        return;
    }
    json_key(json, field->key);
    if (field->form == RESULT_ONE) {
        write_value(json, field, at);
    } else if (field->form == RESULT_ARRAY) {
        write_items(json, field, at, field->length);
    } else if (field->form == RESULT_STREAM) {
        write_stream(json, field, (const ResultStream *)at);
    } else if (field->form == RESULT_CASE) {
        const ResultCase *the_case = (const ResultCase *)at;
        json_text(json, the_case->word);
        write_members(json, the_case->table, the_case->record);
    } else if (field->form == RESULT_LIST && (pointer || !field->nullable)) {
        write_items(json, field, pointer, read_count(field, record));
    } else if (pointer) {
        write_value(json, field, pointer);
    } else {
        json_text(json, NULL);
    }
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

static void print_json(Json json, const ResultTable *table, const void *record)
{
    result_write(&json, table, record);
    json_print(&json, "\n");
}

void result_print(FILE *out, const ResultTable *table, const void *record)
{
    print_json(json_init(out), table, record);
}

void result_print_line(FILE *out, const ResultTable *table, const void *record)
{
    print_json((Json){.out = out, .one_line = true}, table, record);
}

/* ---- text ---- */

/* A value that a line of text can have: false if it is left out. */
static bool has_text(const ResultField *field, const char *value)
{
    switch (field->type) {
    case RESULT_SIGNED:
        return !field->nullable || read_signed(value, field->size) >= 0;
    case RESULT_UNSIGNED:
        return field->words || read_unsigned(value, field->size);
    case RESULT_DOUBLE:
        return !isnan(*(const double *)value);
    case RESULT_TEXT:
        return *(const char *const *)value && **(const char *const *)value;
    default:
        return field->type != RESULT_RECORD && field->type != RESULT_FRAMES;
    }
}

static void print_text(FILE *out, const ResultField *field, const char *value)
{
    char digest[DIGEST_TEXT_SIZE];
    if (field->type == RESULT_BOOL)
        fputs(*(const bool *)value ? "yes" : "no", out);
    else if (field->words)
        fputs(field->words[read_unsigned(value, field->size)], out);
    else if (field->type == RESULT_SIGNED)
        fprintf(out, "%" PRId64, read_signed(value, field->size));
    else if (field->type == RESULT_UNSIGNED)
        fprintf(out, "%" PRIu64, read_unsigned(value, field->size));
    else if (field->type == RESULT_FLOAT)
        fprintf(out, "%.6g", (double)*(const float *)value);
    else if (field->type == RESULT_DOUBLE)
        fprintf(out, "%.6g", *(const double *)value);
    else if (field->type == RESULT_DIGEST)
        digest_text(digest, (const Digest *)value), fputs(digest, out);
    else
        text_printf(out, "%s", *(const char *const *)value);
}

static void text_field(FILE *out, const ResultField *field, const char *record, bool all)
{
    const bool list = field->form == RESULT_LIST;
    const char *at = list ? read_pointer(field, record) : record + field->offset;
    const size_t count = list                          ? read_count(field, record)
                         : field->form == RESULT_ARRAY ? field->length
                                                       : 1;
    if (list ? !all || field->type != RESULT_TEXT : !has_text(field, at))
        return;
    fprintf(out, list ? "  %s:\n" : "  %s: ", field->key);
    for (size_t i = 0; i < count; i++) {
        fputs(list ? "    " : i ? ", " : "", out);
        print_text(out, field, at + i * field->size + field->item_offset);
        fputs(list ? "\n" : "", out);
    }
    fputs(list ? "" : "\n", out);
}

void result_text_none(FILE *out, const void *record, bool all)
{
    (void)out, (void)record, (void)all;
}

void result_text(FILE *out, const ResultTable *table, const void *record, bool all)
{
    for (size_t i = 0; i < table->count; i++) {
        const ResultField *field = &table->fields[i];
        const char *at = (const char *)record + field->offset;
        if (field->text) {
            field->text(out, record, all);
        } else if (field->form == RESULT_CASE) {
            const ResultCase *the_case = (const ResultCase *)at;
            fprintf(out, "  %s: %s\n", field->key, the_case->word);
            result_text(out, the_case->table, the_case->record, all);
        } else {
            text_field(out, field, record, all);
        }
    }
}
